/* Pairs of one body that feel the potential, and the sweep over them. Rows of the neighbour lists
 * are cut down to the partners in the same body, without the particle itself; what belongs to
 * another body goes into a list of strangers, which meet by the collision potential.
 *
 *   F_i = Σ_j ½ (D_i + D_j) f(r_ij) x_ij,   U_i = Σ_j u(r_ij),   E = ½ Σ_i D_i U_i
 *
 * in double throughout: energy is to be kept over many steps. Records are x y z D, 32 bytes; places
 * are stretched and relative to the world's origin. Images and the dummy follow the particles. */
#ifndef TL_COHESION_BONDS_H
#define TL_COHESION_BONDS_H

#include "cohesion/potential.h"
#include "neighbors/neighbors.h"
#include "records/images.h"

typedef struct tl_strangers {
    uint32_t *index; /* records of other bodies */
    size_t *begin;   /* [rows + 1] */
    size_t count;
} tl_strangers;

typedef struct tl_bonds {
    const tl_neighbor_list *list; /* cut down */
    double *record;               /* [4 (total + 1)] */
    size_t particles, total;      /* records, without the dummy */
    tl_strangers strangers;
} tl_bonds;

/* Which record is whose. */
typedef struct tl_bond_matter {
    const uint32_t *body;      /* [particles] */
    const tl_records *records; /* without samples */
    bool many;                 /* more than one body */
} tl_bond_matter;

/* Cuts the rows of `list` down, in place, and makes room for the records. */
tl_status tl_bonds_make(tl_bonds *bonds, const tl_parallel *parallel, tl_neighbor_list *list,
                        const tl_bond_matter *matter, tl_error *error);

typedef struct tl_bond_sum {
    double force[3]; /* N, along the stretched axes */
    double shape;    /* U */
} tl_bond_sum;

/* Receives the sums of particles [begin, end). */
typedef void tl_bonds_fn(void *context, const tl_bond_sum *sums, size_t begin, size_t end);

/* Sweeps over all pairs. material[i] tells the potential of row i. */
void tl_bonds_sweep(const tl_bonds *bonds, const tl_parallel *parallel,
                    const tl_potential *potentials, const uint8_t *material, tl_bonds_fn *finish,
                    void *context);

size_t tl_bonds_bytes(const tl_bonds *bonds);
void tl_bonds_free(tl_bonds *bonds);

#endif
