/* What is counted for measures from step to step, since no later look at the matter could find it:
 * what has passed through planes, and what each wall has felt. Counted only where a scene asks for
 * it; all of it is state. */
#ifndef TL_WORLD_GAUGES_H
#define TL_WORLD_GAUGES_H

#include "math/vec3.h"

/* A plane, or a disc of it, that matter is counted at. */
typedef struct tl_gate_def {
    tl_vec3 through; /* m: a point of the plane, the middle of the disc */
    tl_vec3 normal;  /* unit */
    double radius;   /* m; 0: without end */
} tl_gate_def;

enum { TL_MOST_GATES = 31 };

/* What has passed along the normal so far, less what came back. Doubles alone: saved as such. */
typedef struct tl_gate {
    double mass;        /* kg */
    double volume;      /* m³ */
    double momentum[3]; /* kg m/s */
    double heat;        /* J: enthalpy; 0 without heat */
} tl_gate;

/* What a wall has felt of the matter. Moments are about the origin. Doubles alone. */
typedef struct tl_wall_books {
    double force[3], torque[3]; /* N, N m: in the last step */
    double impulse[3], turn[3]; /* N s, N m s: so far */
    double heat;                /* J: taken from the matter so far */
    double acting[3], twist[3]; /* N, N m: under which the next step moves, if that is explicit */
} tl_wall_books;

#endif
