/* π, once. */
#ifndef TL_MATH_PI_H
#define TL_MATH_PI_H

#define TL_PI   3.14159265358979323846
#define TL_PI_F ((float)TL_PI)

#endif
