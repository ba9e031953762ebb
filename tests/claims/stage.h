/* Scenes of the gallery on a small stage: loaded by name, made coarser, run, and looked at. */
#ifndef TL_TESTS_CLAIMS_STAGE_H
#define TL_TESTS_CLAIMS_STAGE_H

#include "tallow/tallow.h"

typedef struct stage {
    tl_scene *scene;
    tl_world *world;
    size_t count;
} stage;

/* The world of a scene, with overrides "key=value" up to a NULL; fails the test when it cannot be
 * made. One thread: the other cores have other tests, and bits do not depend on the number. */
stage stage_open(const char *scene, const char *const *overrides);

/* Steps to `time` (s); fails the test on an error. */
void stage_run(stage *s, double time);

void stage_close(stage *s);

/* A field, of the type that the name says; fails the test when there is none. */
const double *stage_positions(stage *s);
const double *stage_velocities(stage *s);
const float *stage_temperatures(stage *s);
const float *stage_viscosities(stage *s);
const uint32_t *stage_bodies(stage *s);
const uint64_t *stage_ids(stage *s);

#endif
