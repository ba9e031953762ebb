/* Everything between the matter at its places and a solve (flow/solve.h), in one call: motion
 * records, what is held, links to walls and to rigid bodies, pairs and their fits, and room. The
 * steps need each other's results in this order; nobody else calls them. */
#ifndef TL_BOUNDARY_PAIRS_H
#define TL_BOUNDARY_PAIRS_H

#include "boundary/links.h"
#include "boundary/shapes.h"
#include "flow/solve.h"

typedef struct tl_pairs_plan {
    const tl_parallel *parallel;
    const tl_records *records;
    const tl_neighbor_list *list;
    const tl_ties *ties; /* of elastic solids; NULL: none */
    tl_kernel kernel;
    tl_sizes sizes;      /* of particles */
    double spacing;      /* m: of the scene, for wall samples */
    tl_vec3 origin;      /* of the places in the records */
    const uint8_t *held; /* [n] not 0: keeps its velocity (tl_strain_hold); NULL: nobody */
    const tl_shapes *walls;
    const tl_samples *samples; /* of the walls */
    bool mirrors;              /* smooth plane walls are, where they can be (mirrors.h) */
    const tl_pulling *pulling; /* NULL: all walls grip the matter beside them */
    const tl_shapes *bodies;   /* surfaces of solver->modes; may be NULL if these have no bodies */
    const float *viscosity;    /* [n] Pa·s (border.h); NULL: all are alike */
    const uint8_t *material;   /* [n], with viscosity */
    const tl_material *materials; /* slip of what is held, and what is elastic; NULL: none */
    double dt;   /* s: of a step as long as it might be, 0: no viscosity is known yet */
    double thin; /* m²/s: what has less viscosity is thin (links.h) */
} tl_pairs_plan;

/* The bodies in solver->modes are those of the step (tl_modes_begin, tl_modes_add). */
tl_status tl_pairs_make(tl_solver *solver, const tl_pairs_plan *plan, tl_error *error);

#endif
