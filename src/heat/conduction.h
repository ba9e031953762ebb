/* Conduction between particles: each pair is a wire of conductance G, and heat flows through it,
 *
 *   P_i = Σ_j G_ij (T_j - T_i),   G_ij = k_ij V_i V_j |W'|/r³ d·(C_i + C_j) d,   d = x_j - x_i,
 *
 * k_ij = 2 k_i k_j / (k_i + k_j). With C = I this is the sum of Cleary & Monaghan (1999), and of
 * [PPLT06] for one material. It is up to a third wrong on lattices and conducts half as well along
 * a surface. So C_i is fitted: the symmetric C with Σ_j V_j |W'|/r³ (d·C d) d⊗d = I, by the 6x6
 * moments of the neighbourhood (the A of flow/strain.h). Then a linear temperature dissipates
 * exactly k |∇T|² V in any packing, in threads and sheets as well. G is never negative, so no
 * temperature leaves the range of its neighbours'; and G_ij has the bits of G_ji, so what one
 * particle gets the other gives. Walls with a temperature complete the fit with their samples
 * (contact.h); all other surfaces are insulating by themselves.
 *
 * `laplacian` is the sum of [Chao12 eq. 3.24] instead, with the Laplacian of the viscosity kernel,
 *
 *   G_ij = k_ij V_i V_j 45 (h - r) / (π h⁶)          its c_d is k / (ρ c)
 *
 * which is right inside of matter that lies evenly, and too little at surfaces. */
#ifndef TL_HEAT_CONDUCTION_H
#define TL_HEAT_CONDUCTION_H

#include "base/parallel.h"
#include "math/fourths.h"
#include "math/kernels.h"
#include "neighbors/neighbors.h"
#include "particles/size.h"
#include "records/images.h"

/* What a pair reads of a record. */
typedef struct tl_node {
    float x[3];         /* m */
    float volume;       /* m³: V */
    float C[6];         /* the fit: xx yy zz xy xz yz */
    float conductivity; /* W/(m·K) */
    float support;      /* m: h, where particles differ in size */
} tl_node;
_Static_assert(sizeof(tl_node) == 12 * sizeof(float), "gathered as floats");

typedef struct tl_conduction {
    const tl_parallel *parallel;
    const tl_records *records; /* for the images */
    tl_kernel kernel;
    bool laplacian;       /* the paper's conductances; set before they are weighed */
    bool graded;          /* particles differ in size: a pair has ½ (h_i + h_j) for its support */
    float support;        /* m: of all pairs, unless they are graded */
    size_t count, total;  /* particles; records without the dummy */
    const size_t *begin;  /* [count] rows as in the neighbour list, but shorter */
    uint32_t *size;       /* [count] padded to whole lanes */
    uint32_t *index;      /* records; the padding is the particle itself */
    float *conductance;   /* W/K */
    tl_node *node;        /* [total + 1] */
    float *row_sum;       /* [count] W/K: Σ_j G_ij */
    float (*moments)[16]; /* [count] Σ V |W'|/r³ d d d d of walls, then of matter too */
    tl_sizes sizes;       /* of particles */
} tl_conduction;

/* Room, and nodes with places and volumes from the records. The moments are set to zero: contact
 * adds those of walls before tl_conduction_fit. */
tl_status tl_conduction_begin(tl_conduction *c, const tl_parallel *parallel,
                              const tl_records *records, const tl_neighbor_list *list,
                              tl_kernel kernel, tl_sizes sizes, tl_error *error);

/* Pairs and fits for the places of the nodes. `touching`, or NULL, has longer rows that take the
 * place of the list's where they are not empty. */
void tl_conduction_fit(tl_conduction *c, const tl_neighbor_list *list,
                       const tl_neighbor_list *touching);

/* Conductances and their sums, for conductivities (W/(m·K)) that may change while places do not. */
void tl_conduction_weigh(tl_conduction *c, const float *conductivity);

/* Copies the values of particles to their periodic images. [total] */
void tl_conduction_share(const tl_conduction *c, double *values);

/* out[i - begin] = Σ_j G_ij (values[j] - values[i]). Images must have their values. */
void tl_conduction_apply(const tl_conduction *c, const double *values, double *out, size_t begin,
                         size_t end);

/* d·C d of the fit of particle i. */
static inline float tl_conduction_stretch(const tl_conduction *c, size_t i, const float d[3]) {
    const float *C = c->node[i].C;
    return C[0] * d[0] * d[0] + C[1] * d[1] * d[1] + C[2] * d[2] * d[2] +
           2 * (C[3] * d[0] * d[1] + C[4] * d[0] * d[2] + C[5] * d[1] * d[2]);
}

size_t tl_conduction_bytes(const tl_conduction *c);
void tl_conduction_free(tl_conduction *c);

#endif
