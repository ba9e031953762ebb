/* Smooth plane walls as mirrors: what flows along them feels its own image behind them.
 *
 * A particle k at x_k with the velocity u_k has the image Q x_k + c, which moves with Q u_k and has
 * the traction Q T_k Qᵀ; Q is the reflection in a plane, or in two or three that are at right
 * angles, and at rest. A pair of a particle with an image counts as any pair does (strain.h): fits
 * stay exact for linear flows along the wall, and the force of a pressure that grows linearly along
 * it is exact too. Samples of a wall along which matter slips know but the motion across it
 * (boundary/links.h): the first layer then feels 0.95 of the gradient of a pressure, and the second
 * 1.05, and in thin liquids, where nothing resists that, the first layer sinks.
 *
 * Images have no records: a particle has a row of pairs, in which the neighbours are named whose
 * images it sees, with d = Q x_k + c - x_i and e = Qᵀ d, in any of the mirrors. Such a pair grows
 * longer by e·u_k - d·u_i, and has the traction d·T_i d + e·T_k e. The pair with its own image is
 * part of a particle's link, with s = 2 (boundary/mirrors.h). Since a mirror is its own inverse, k
 * sees the image of i as i sees that of k: momentum along the wall is kept, and the operator is
 * symmetric. */
#ifndef TL_FLOW_MIRROR_H
#define TL_FLOW_MIRROR_H

#include "math/fourths.h"
#include "neighbors/neighbors.h"

enum { TL_MOST_MIRROR_PLANES = 32 };

/* A plane n·x = offset that matter is in front of, in the frame of the records. */
typedef struct tl_mirror_plane {
    float normal[3], offset;
} tl_mirror_plane;

typedef struct tl_mirror {
    float Q[3][4];   /* rows; the fourth of each is c, m */
    uint32_t planes; /* bits */
    float rest[3];
} tl_mirror;
_Static_assert(sizeof(tl_mirror) == 16 * sizeof(float), "gathered as floats");

/* Eight pairs with images. */
typedef struct tl_image_pairs {
    float d[3][TL_LANES], e[3][TL_LANES], weight[TL_LANES]; /* ω */
    uint32_t index[TL_LANES], mirror[TL_LANES];
} tl_image_pairs;

typedef struct tl_mirrors {
    tl_mirror_plane plane[TL_MOST_MIRROR_PLANES];
    size_t plane_count; /* 0: there are none, and nothing else is there */
    tl_mirror *items;
    size_t count;
    tl_image_pairs *pairs;
    size_t *first;  /* [n + 1] those of particle i are pairs[first[i]] to pairs[first[i + 1] - 1] */
    float *full;    /* [n] Σ g r² of them, g = ω r² */
    float *filling; /* [n] Σ V W */
} tl_mirrors;
#define TL_MIRROR_ARRAYS(m) (m)->items, (m)->pairs, (m)->first, (m)->full, (m)->filling

struct tl_strain;
struct tl_fit;
struct tl_block;

/* Finds the mirrors that the planes make, and all pairs with images, for the places in the motion
 * records, when it is known who is held. */
tl_status tl_mirrors_make(struct tl_strain *s, const tl_neighbor_list *list, tl_error *error);

static inline bool tl_mirrors_any(const tl_mirrors *m, size_t i) {
    return m->plane_count > 0 && m->first[i] < m->first[i + 1];
}

/* The mirrors that place x is in front of, nearer than `reach`, [TL_MOST_MIRRORS]; how many. */
enum { TL_MOST_MIRRORS = 26 };
size_t tl_mirrors_near(const tl_mirrors *m, const float x[3], float reach,
                       uint32_t out[TL_MOST_MIRRORS]);

/* What the sweeps of strain.h add for particle i. */
void tl_mirrors_fit(const struct tl_strain *s, bool exact, float curve, size_t i,
                    struct tl_fit *out);
void tl_mirrors_force(const struct tl_strain *s, size_t i, float out[3]);
void tl_mirrors_diagonal(const struct tl_strain *s, size_t i, struct tl_block *out);

/* Adds the whole force of images on particle i, per volume: what the walls do to it. The motions
 * are exact, as in the first sweep. */
void tl_mirrors_push(const struct tl_strain *s, float curve, size_t i, float out[3]);

#endif
