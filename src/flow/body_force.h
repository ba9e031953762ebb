/* Forces on matter from afar, as accelerations: gravity, which is the same everywhere, and what
 * each particle may feel besides. Without the latter all is as with gravity alone, bit for bit. */
#ifndef TL_FLOW_BODY_FORCE_H
#define TL_FLOW_BODY_FORCE_H

#include "math/vec3.h"

#include <math.h>
#include <stddef.h>

typedef struct tl_body_force {
    double uniform[3]; /* m/s² */
    const float *each; /* [3 n] m/s², of particles, added to it; NULL: nothing */
} tl_body_force;

/* Along axis k, on particle i. */
static inline double tl_body_force_along(const tl_body_force *f, size_t i, size_t k) {
    return f->each ? f->uniform[k] + (double)f->each[3 * i + k] : f->uniform[k];
}

static inline tl_vec3 tl_body_force_on(const tl_body_force *f, size_t i) {
    return (tl_vec3){tl_body_force_along(f, i, 0), tl_body_force_along(f, i, 1),
                     tl_body_force_along(f, i, 2)};
}

static inline double tl_body_force_size(const tl_body_force *f, size_t i) {
    const double x = tl_body_force_along(f, i, 0), y = tl_body_force_along(f, i, 1),
                 z = tl_body_force_along(f, i, 2);
    return sqrt(x * x + y * y + z * z);
}

#endif
