/* See inspect.h. */
#include "mesh/inspect.h"

#include "mesh/edges.h"

#include <stdlib.h>

static uint32_t find_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Loops of open edges: vertices that they join. */
static size_t count_loops(const tl_mesh_side *sides, size_t count, uint32_t *parent,
                          size_t vertices) {
    for (size_t v = 0; v < vertices; v++)
        parent[v] = (uint32_t)v;
    size_t joined = 0, ends = 0;
    bool *seen = tl_allocate(vertices, sizeof *seen);
    for (size_t i = 0, end; seen && i < count; i = end) {
        end = tl_mesh_edge_end(sides, count, i);
        if (end - i != 1)
            continue;
        const uint32_t pair[2] = {sides[i].low, sides[i].high};
        for (int k = 0; k < 2; k++) {
            ends += !seen[pair[k]];
            seen[pair[k]] = true;
        }
        const uint32_t a = find_root(parent, pair[0]), b = find_root(parent, pair[1]);
        joined += a != b;
        parent[a] = b;
    }
    free(seen);
    return ends - joined;
}

tl_status tl_mesh_inspect(const tl_mesh *m, tl_mesh_findings *out, tl_error *error) {
    *out = (tl_mesh_findings){0};
    tl_mesh_side *sides;
    const size_t count = 3 * m->triangle_count;
    TL_TRY(tl_mesh_sides(m, &sides, error));
    for (size_t i = 0, end; i < count; i = end) {
        end = tl_mesh_edge_end(sides, count, i);
        out->open_edges += end - i == 1;
        out->crowded_edges += end - i > 2;
        out->twisted_edges += end - i == 2 && sides[i].falls == sides[i + 1].falls;
    }
    tl_status status = TL_OK;
    if (out->open_edges) {
        uint32_t *parent = tl_allocate(m->vertex_count, sizeof *parent);
        if (parent)
            out->holes = count_loops(sides, count, parent, m->vertex_count);
        else
            status = tl_fail_memory(error, m->vertex_count, sizeof *parent);
        free(parent);
    }
    free(sides);
    TL_TRY(status);
    return tl_mesh_count_crossings(m, &out->crossings, &out->more_crossings, error);
}
