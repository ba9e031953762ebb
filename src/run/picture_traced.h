/* The look `traced`: light followed through surfaces, walls and lamps (trace/trace.h). */
#ifndef TL_RUN_PICTURE_TRACED_H
#define TL_RUN_PICTURE_TRACED_H

#include "base/error.h"

struct tl_shot;

/* Samples a pixel when nothing else is said. */
enum { TL_TRACED_SAMPLES = 64 };

/* A tl_look_fn. */
tl_status tl_look_traced(struct tl_shot *shot, tl_error *error);

/* The same as a file for POV-Ray, at the path of the shot. A tl_look_fn. */
tl_status tl_look_povray(struct tl_shot *shot, tl_error *error);

#endif
