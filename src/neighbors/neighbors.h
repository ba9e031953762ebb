/* Who is near whom. One interface, four searches that give the same sets: a compact cell grid (the
 * fast default), an octree with at most ten particles a leaf [PPLT06 4b], a kd-tree [Ton91] and
 * brute force (the oracle).
 *
 * The result is a full list in compressed rows: row i holds every j (i itself included) with
 * |x_i - x_j| < max(r_i, r_j), where r is `radius`, or the point's own radius. Each row starts at a
 * multiple of TL_LANES and is padded to a multiple of TL_LANES with the index `point_count`, for
 * which the caller keeps a dummy record so far away that kernels vanish: pair loops need no masks.
 *
 * The distance test is evaluated in float32 from the float32 coordinates, without contraction, by
 * one inline function that all searches share: sets agree to the last bit. */
#ifndef TL_NEIGHBORS_NEIGHBORS_H
#define TL_NEIGHBORS_NEIGHBORS_H

#include "base/array.h"
#include "base/parallel.h"
#include "base/simd.h"

typedef enum tl_search_method {
    TL_SEARCH_GRID,
    TL_SEARCH_OCTREE,
    TL_SEARCH_KDTREE,
    TL_SEARCH_BRUTE,
} tl_search_method;

/* The words for the methods, in order, NULL-terminated. */
extern const char *const tl_search_method_names[];

/* Points to search among: point i is at xyz[stride * i + 0..2]. */
typedef struct tl_points {
    const float *xyz;
    size_t stride;
    size_t count;
    float radius;       /* of every point, or an upper bound of radii[] */
    const float *radii; /* one a point, or NULL */
} tl_points;

/* Rows [0, row_count) of padded neighbour indices. */
typedef struct tl_neighbor_list {
    size_t row_count;
    size_t *begin;   /* [row_count] where a row starts in index[] */
    uint32_t *size;  /* [row_count] neighbours without padding */
    uint32_t *index; /* [index_count] */
    size_t index_count;
    size_t pair_count; /* sum of size[] */
} tl_neighbor_list;

typedef struct tl_search tl_search;

/* A search and its working memory, reused from build to build. NULL when out of memory. */
tl_search *tl_search_create(tl_search_method method);
void tl_search_destroy(tl_search *search);

/* Builds the rows of points [0, row_count) among all points. In the steady state nothing is
 * allocated. TL_BAD_INPUT names the first point that is not finite. The list is the same for any
 * number of threads up to the place of the rows in index[]. Points that are already in the order of
 * tl_cell_order are found fastest. */
tl_status tl_search_build(tl_search *search, const tl_parallel *parallel, const tl_points *points,
                          size_t row_count, tl_neighbor_list *list, tl_error *error);

/* The order in which points should lie in memory: a stable sort by cell, cells row by row. Writes a
 * permutation: order[k] is the point that should be k-th. */
tl_status tl_cell_order(tl_search *search, const tl_parallel *parallel, const tl_points *points,
                        uint32_t *order, tl_error *error);

void tl_neighbor_list_free(tl_neighbor_list *list);

/* Bytes held by a search and by a list, for the memory ledger. */
size_t tl_search_bytes(const tl_search *search);
size_t tl_neighbor_list_bytes(const tl_neighbor_list *list);

/* Row i without its padding. */
static inline const uint32_t *tl_neighbor_row(const tl_neighbor_list *list, size_t i,
                                              size_t *size) {
    *size = list->size[i];
    return list->index + list->begin[i];
}

/* The same of `longer`, which may be NULL, where it has such a row. */
static inline const uint32_t *tl_longer_row(const tl_neighbor_list *list,
                                            const tl_neighbor_list *longer, size_t i,
                                            size_t *size) {
    return tl_neighbor_row(longer && longer->size[i] > 0 ? longer : list, i, size);
}

#endif
