/* Background grids that carry slow, wide motions of stiff matter in one go: the coarse part of the
 * solver's preconditioner (solve.h). Grids of cubic cells, each twice as coarse as the one before,
 * exist only where there is matter. Velocities on a grid are trilinear; its operator is what the
 * particles' mass, viscosity, bulk stiffness and walls make of such velocities, summed cell by cell
 *
 *   a(u, u) = Σ_i  u·B_i u + 2 μ_i E:E + (κ_i - 2/3 μ_i) (tr E)²     at the particles' places,
 *
 * so that every level is the Galerkin restriction of the one below. A cell needs no more of its
 * particles than their sums over the 27 products of trilinear weights. */
#ifndef TL_FLOW_GRIDS_H
#define TL_FLOW_GRIDS_H

#include "base/array.h"
#include "base/parallel.h"

typedef struct tl_grids tl_grids;

/* Of a particle. */
typedef struct tl_stiffness {
    float shear; /* μ: dt V η */
    float bulk;  /* κ: dt² V K */
} tl_stiffness;

/* What the particles are to the grids. */
typedef struct tl_grid_matter {
    size_t count;
    const float *place; /* place[stride * i + 0..2], m */
    size_t stride;
    const float *mass; /* kg */
    const tl_stiffness *stiffness;
    const uint32_t *wall_of; /* index + 1 of its wall block; 0: none */
    const float (*walls)[6]; /* blocks, like mass: xx yy zz xy xz yz */
} tl_grid_matter;

/* NULL when out of memory. */
tl_grids *tl_grids_create(void);
void tl_grids_destroy(tl_grids *grids);

/* Cells and nodes for the places; `cell` is the edge of the finest cells. */
tl_status tl_grids_place(tl_grids *grids, const tl_parallel *parallel, const tl_grid_matter *matter,
                         double cell, tl_error *error);

/* The operators, for new values at the same places. */
void tl_grids_assemble(tl_grids *grids, const tl_parallel *parallel, const tl_grid_matter *matter);

/* z += P A⁻¹ Pᵀ r, approximately, by one symmetric cycle over the levels. r, z: [4 count] */
void tl_grids_correct(tl_grids *grids, const tl_parallel *parallel, const float *r, float *z);

size_t tl_grids_bytes(const tl_grids *grids);
size_t tl_grids_nodes(const tl_grids *grids); /* of the finest level */

#endif
