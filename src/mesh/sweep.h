/* Moving spheres against a solid: nothing ever passes through it (PPLT09 5b-c).
 *
 * Paths are straight in the frame of the solid. For a body that moves or turns, take the start into
 * its frame with the pose before the step and the end with the pose after it. */
#ifndef TL_MESH_SWEEP_H
#define TL_MESH_SWEEP_H

#include "mesh/solid.h"

typedef struct tl_touch {
    double time;    /* 0 at the start of the path, 1 at its end */
    tl_vec3 point;  /* of the surface */
    tl_vec3 normal; /* unit, from the point to the centre */
    uint32_t triangle;
} tl_touch;

/* The first touch of a sphere whose centre goes straight from `from` to `to`; false: none. What it
 * overlaps at the start counts only as far as it comes nearer. */
bool tl_solid_sweep(const tl_solid *solid, tl_vec3 from, tl_vec3 to, double radius, tl_touch *out);

/* The segment and the surface have a point in common; exact, touching included. */
bool tl_solid_blocks(const tl_solid *solid, tl_vec3 from, tl_vec3 to);

enum { TL_MOST_TOUCHES = 8 };

typedef struct tl_slide {
    tl_vec3 start; /* `from`, or where it was moved out to */
    tl_vec3 end;
    tl_vec3 way; /* what is left of `to - from` after the touches: velocity times the whole step */
    tl_touch touch; /* the last one; its time counts from the one before */
    int touches;
} tl_slide;

/* The motion of a sphere in one step. At a touch the part of the way along the normal is reversed
 * and scaled by normal_keep, the part along the surface by tangent_keep: (1, 1) is elastic, (0, 1)
 * slides, (0, 0) sticks. After TL_MOST_TOUCHES it stops where it is.
 *
 * The centre never passes through the surface: every piece of its path is checked with exact
 * predicates before it is taken. A sphere that overlaps the surface at the start goes as a smaller
 * one that does not, and is moved out as far as there is room. */
tl_slide tl_solid_move(const tl_solid *solid, tl_vec3 from, tl_vec3 to, double radius,
                       double normal_keep, double tangent_keep);

#endif
