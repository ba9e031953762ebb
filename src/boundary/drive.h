/* How a wall moves that a program drives: straight, from the place and with the velocity of when it
 * was last told. In between, where it is depends on the time alone, as with walls that move by plan
 * (move.h). */
#ifndef TL_BOUNDARY_DRIVE_H
#define TL_BOUNDARY_DRIVE_H

#include "math/vec3.h"

/* All doubles, and state. All zero: at rest where the scene has it. */
typedef struct tl_drive {
    double since;     /* s: when it was last told */
    tl_vec3 shift;    /* m: from where the scene has it, at that time */
    tl_vec3 velocity; /* m/s: from then on */
} tl_drive;

enum { TL_DRIVE_STATE = sizeof(tl_drive) / sizeof(double) };

/* The shift at a time. Before it was told, the wall moved at what is now its velocity. */
static inline tl_vec3 tl_drive_at(const tl_drive *drive, double time) {
    return tl_vec3_mad(drive->shift, time - drive->since, drive->velocity);
}

/* From `time` on the wall has another velocity. */
static inline void tl_drive_tell(tl_drive *drive, double time, tl_vec3 velocity) {
    *drive = (tl_drive){time, tl_drive_at(drive, time), velocity};
}

#endif
