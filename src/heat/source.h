/* Heat sources of a scene: flames, lamps, glowing things that matter is lit by. */
#ifndef TL_HEAT_SOURCE_H
#define TL_HEAT_SOURCE_H

#include "base/schedule.h"
#include "heat/wick.h"

typedef enum tl_source_shape {
    TL_SOURCE_POINT,  /* light evenly to all sides */
    TL_SOURCE_SPHERE, /* the same from a ball that looks like an evenly bright disc */
    TL_SOURCE_DISC,   /* light from one side of a disc by the cosine law */
} tl_source_shape;

typedef enum tl_fall_off {
    TL_FALL_OFF_SQUARE,    /* with the square of the distance, as light does */
    TL_FALL_OFF_KERNEL,    /* by a kernel of a given reach, made a flux [Chao12 eq. 3.19] */
    TL_FALL_OFF_PARTICLES, /* by that kernel, to each particle by its volume, as printed */
} tl_fall_off;

typedef struct tl_source_def {
    char *name;
    int shape;          /* tl_source_shape */
    double position[3]; /* m: of its middle at time 0; of a flame on a wick it follows from that */
    double velocity[3]; /* m/s */
    double normal[3];   /* of a disc; any length */
    double radius;      /* m: of a sphere or disc */
    tl_schedule power;  /* W: light; on a wick, all that the flame sets free */
    int fall_off;       /* tl_fall_off */
    double reach;       /* m: of the kernel */
    bool has_position, has_wick;
    tl_wick_def wick;
} tl_source_def;

/* Where some burn on wicks, there are no more sources than that: frames keep them all. */
enum { TL_MAX_FLAMES = 16 };

extern const tl_param_table tl_source_table;

/* Where the middle of a source is at a time (s). */
static inline tl_vec3 tl_source_place(const tl_source_def *source, double time) {
    return tl_vec3_mad(tl_vec3_of(source->position), time, tl_vec3_of(source->velocity));
}

/* How its flux falls with the distance from its middle (m), but for a factor. */
static inline double tl_source_fall_off(const tl_source_def *source, double distance) {
    if (source->fall_off == TL_FALL_OFF_SQUARE)
        return 1 / (distance * distance);
    const double near = fmax(1 - distance / source->reach, 0);
    return near * near * near;
}

#endif
