/* kd-tree [Ton91]: a node is halved at the median along the longest side of its box. Points at the
 * same place are parted by their index, so that the depth is always the logarithm of the number of
 * points. */
#include "neighbors/search.h"

enum { LEAF = 8 };

static bool is_before(const tl_tree_point *a, const tl_tree_point *b, int axis) {
    return a->xyz[axis] != b->xyz[axis] ? a->xyz[axis] < b->xyz[axis] : a->id < b->id;
}

static void swap(tl_tree_point *a, tl_tree_point *b) {
    const tl_tree_point kept = *a;
    *a = *b;
    *b = kept;
}

/* The middle one of the first, the central and the last point: a pivot that does well on points
 * that come sorted. */
static tl_tree_point choose_pivot(const tl_tree_point *points, size_t count, int axis) {
    const tl_tree_point *a = points, *b = points + count / 2, *c = points + count - 1;
    if (is_before(b, a, axis)) {
        const tl_tree_point *kept = a;
        a = b;
        b = kept;
    }
    return is_before(c, a, axis) ? *a : is_before(b, c, axis) ? *b : *c;
}

/* Hoare's selection: afterwards the `nth` smallest come first. */
static void select_nth(tl_tree_point *points, size_t count, size_t nth, int axis) {
    while (count > 1) {
        const tl_tree_point pivot = choose_pivot(points, count, axis);
        size_t i = 0, j = count - 1;
        for (;; i++, j--) {
            while (is_before(&points[i], &pivot, axis))
                i++;
            while (is_before(&pivot, &points[j], axis))
                j--;
            if (i >= j)
                break;
            swap(&points[i], &points[j]);
        }
        /* Now [0, i) are at most the pivot and [i, count) at least. */
        const size_t cut = i > 0 ? i : 1;
        if (nth < cut) {
            count = cut;
        } else {
            points += cut;
            count -= cut;
            nth -= cut;
        }
    }
}

static int split(tl_tree *tree, const tl_tree_node *node, uint32_t *bounds) {
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis])
            axis = k;
    const uint32_t count = node->end - node->begin;
    select_nth(tree->points + node->begin, count, count / 2, axis);
    bounds[0] = node->begin;
    bounds[1] = node->begin + count / 2;
    bounds[2] = node->end;
    return 2;
}

static tl_status prepare(tl_search *search, const tl_parallel *parallel, tl_search_needs *needs,
                         tl_error *error) {
    (void)parallel;
    needs->row = search->points->count;
    return tl_tree_build(&search->tree, search->points, LEAF, split, error);
}

const tl_search_steps tl_kdtree_steps = {prepare, tl_tree_fill};
