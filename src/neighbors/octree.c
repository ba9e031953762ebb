/* Octree with at most ten particles a leaf [PPLT06 4b]. A node is split at the middle of its
 * occupied box rather than of a fixed cube: far outliers then cost one level, not one for each
 * power of two between them and the rest. */
#include "neighbors/search.h"

#include <string.h>

enum { LEAF = 10 };

/* Points at or above the parting planes go up; a box too thin to be parted stays whole. */
static int octant(const float *xyz, const float *parting) {
    return (xyz[0] >= parting[0]) | (xyz[1] >= parting[1]) << 1 | (xyz[2] >= parting[2]) << 2;
}

static int split(tl_tree *tree, const tl_tree_node *node, uint32_t *bounds) {
    float parting[3];
    for (int k = 0; k < 3; k++)
        parting[k] = 0.5f * node->low[k] + 0.5f * node->high[k];
    uint32_t next[8] = {0};
    for (uint32_t i = node->begin; i < node->end; i++)
        next[octant(tree->points[i].xyz, parting)]++;
    int groups = 0;
    uint32_t at = node->begin;
    for (int o = 0; o < 8; o++) {
        const uint32_t count = next[o];
        next[o] = at;
        if (count > 0)
            bounds[groups++] = at;
        at += count;
    }
    bounds[groups] = at;
    if (groups == 1)
        return 1;
    for (uint32_t i = node->begin; i < node->end; i++)
        tree->moved[next[octant(tree->points[i].xyz, parting)]++] = tree->points[i];
    memcpy(tree->points + node->begin, tree->moved + node->begin,
           (node->end - node->begin) * sizeof *tree->points);
    return groups;
}

static tl_status prepare(tl_search *search, const tl_parallel *parallel, tl_search_needs *needs,
                         tl_error *error) {
    (void)parallel;
    needs->row = search->points->count;
    return tl_tree_build(&search->tree, search->points, LEAF, split, error);
}

const tl_search_steps tl_octree_steps = {prepare, tl_tree_fill};
