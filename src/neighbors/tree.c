/* See tree.h. */
#include "neighbors/tree.h"

#include "neighbors/search.h"

/* Makes a node of points [begin, end) and returns its number. */
static tl_status add_node(tl_tree *tree, uint32_t begin, uint32_t end, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(tree->nodes, tree->node_count, tree->node_count + 1, error));
    tl_tree_node node = {.begin = begin, .end = end};
    for (uint32_t i = begin; i < end; i++) {
        const tl_tree_point *p = &tree->points[i];
        for (int k = 0; k < 3; k++) {
            node.low[k] = i == begin || p->xyz[k] < node.low[k] ? p->xyz[k] : node.low[k];
            node.high[k] = i == begin || p->xyz[k] > node.high[k] ? p->xyz[k] : node.high[k];
        }
        node.radius2 = p->radius2 > node.radius2 ? p->radius2 : node.radius2;
    }
    tree->nodes[tree->node_count++] = node;
    return TL_OK;
}

static tl_status grow(tl_tree *tree, size_t at, int depth, uint32_t leaf, tl_tree_split_fn *split,
                      tl_error *error) {
    const tl_tree_node node = tree->nodes[at];
    if (node.end - node.begin <= leaf || depth == TL_TREE_DEPTH)
        return TL_OK;
    uint32_t bounds[TL_TREE_FANOUT + 1];
    const int groups = split(tree, &node, bounds);
    if (groups == 1)
        return TL_OK;
    const size_t child = tree->node_count;
    for (int g = 0; g < groups; g++)
        TL_TRY(add_node(tree, bounds[g], bounds[g + 1], error));
    tree->nodes[at].child = (uint32_t)child;
    tree->nodes[at].child_count = (uint32_t)groups;
    for (int g = 0; g < groups; g++)
        TL_TRY(grow(tree, child + (size_t)g, depth + 1, leaf, split, error));
    return TL_OK;
}

tl_status tl_tree_build(tl_tree *tree, const tl_points *points, uint32_t leaf,
                        tl_tree_split_fn *split, tl_error *error) {
    const size_t n = points->count;
    tree->node_count = 0;
    TL_TRY(TL_ARRAY_RESERVE(tree->points, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(tree->moved, 0, n, error));
    for (size_t i = 0; i < n; i++) {
        const float *xyz = tl_point(points, i);
        tree->points[i] =
            (tl_tree_point){{xyz[0], xyz[1], xyz[2]}, tl_point_radius2(points, i), (uint32_t)i};
    }
    TL_TRY(add_node(tree, 0, (uint32_t)n, error));
    return grow(tree, 0, 0, leaf, split, error);
}

/* The least squared distance from a point to a box, 0 inside. */
static float square_distance(const tl_tree_node *node, const float *xyz) {
    float d[3];
    for (int k = 0; k < 3; k++) {
        const float below = node->low[k] - xyz[k], above = xyz[k] - node->high[k];
        const float outside = below > above ? below : above;
        d[k] = outside > 0.0f ? outside : 0.0f;
    }
    return tl_square_length(d[0], d[1], d[2]);
}

/* Writes the neighbours of a point to `row`, in the order of the tree. */
static size_t collect(const tl_tree *tree, const float *xyz, float radius2, uint32_t *row) {
    uint32_t stack[TL_TREE_DEPTH * (TL_TREE_FANOUT - 1) + 1];
    size_t depth = 0, size = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const tl_tree_node *node = &tree->nodes[stack[--depth]];
        const float reach2 = radius2 > node->radius2 ? radius2 : node->radius2;
        if (!(square_distance(node, xyz) < reach2))
            continue;
        for (uint32_t c = 0; c < node->child_count; c++)
            stack[depth++] = node->child + c;
        if (node->child_count > 0)
            continue;
        for (uint32_t i = node->begin; i < node->end; i++) {
            row[size] = tree->points[i].id;
            size += tl_is_near(xyz, radius2, tree->points[i].xyz, tree->points[i].radius2);
        }
    }
    return size;
}

static void fill_rows(void *context, size_t begin, size_t end, int thread) {
    tl_search *search = context;
    tl_worker *worker = &search->workers[thread];
    for (size_t i = begin; i < end; i++) {
        const size_t size = collect(&search->tree, tl_point(search->points, i),
                                    tl_point_radius2(search->points, i), worker->row);
        tl_row_put_sorted(search, worker, i, size);
    }
}

void tl_tree_fill(tl_search *search, const tl_parallel *parallel) {
    tl_parallel_for(parallel, search->row_count, TL_BLOCK, fill_rows, search);
}

void tl_tree_free(tl_tree *tree) {
    TL_ARRAYS_FREE(tree->nodes, tree->points, tree->moved);
    *tree = (tl_tree){0};
}

size_t tl_tree_bytes(const tl_tree *tree) {
    return TL_ARRAYS_BYTES(tree->nodes, tree->points, tree->moved);
}
