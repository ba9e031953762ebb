/* The tree under octree and kd-tree: nodes with the tight box of their points. The two differ only
 * in how a node is split. */
#ifndef TL_NEIGHBORS_TREE_H
#define TL_NEIGHBORS_TREE_H

#include "neighbors/neighbors.h"

/* No node lies deeper; a node down there stays a leaf, however full. Splits at the median stay far
 * above; splits at the middle get here only when the points crowd into a corner sixty times over.
 */
enum { TL_TREE_DEPTH = 64, TL_TREE_FANOUT = 8 };

typedef struct tl_tree_node {
    float low[3], high[3]; /* of its points */
    float radius2;         /* square of the largest radius of its points */
    uint32_t begin, end;   /* its points, in the order of the tree */
    uint32_t child;        /* its first child; the others follow */
    uint32_t child_count;  /* 0: a leaf */
} tl_tree_node;

/* A point as the tree keeps it. */
typedef struct tl_tree_point {
    float xyz[3], radius2;
    uint32_t id;
} tl_tree_point;

typedef struct tl_tree {
    tl_tree_node *nodes; /* [node_count]; the root is first */
    size_t node_count;
    tl_tree_point *points, *moved; /* [count]; `moved` is room to reorder them */
} tl_tree;

/* Reorders the points of a node, of which there are more than `leaf`, into up to TL_TREE_FANOUT
 * non-empty groups; bounds[0..groups] are their limits. Returns the number of groups; 1 when the
 * points cannot be told apart. */
typedef int tl_tree_split_fn(tl_tree *tree, const tl_tree_node *node, uint32_t *bounds);

/* Grows the tree over points: nodes of at most `leaf` points are leaves. */
tl_status tl_tree_build(tl_tree *tree, const tl_points *points, uint32_t leaf,
                        tl_tree_split_fn *split, tl_error *error);

/* Fills the rows of a search from its tree. */
void tl_tree_fill(tl_search *search, const tl_parallel *parallel);

void tl_tree_free(tl_tree *tree);
size_t tl_tree_bytes(const tl_tree *tree);

#endif
