/* See holes.h. Ears are cut from a loop of open edges, the one with the shortest new edge first,
 * which keeps the cover narrow where the loop is not flat. As seen along the loop's mean normal, an
 * ear is convex and has no other vertex in it; where there is none such, as in a loop that folds
 * over itself, any will do. A new edge must not be there already: it would get four triangles. */
#include "mesh/holes.h"

#include "mesh/edges.h"

#include <stdlib.h>

enum { MOST_EDGES = 10000 }; /* of a loop; the work grows with the square */
static const uint32_t nobody = UINT32_MAX;

typedef struct closer {
    tl_mesh *mesh;
    tl_mesh_side *sides;
    size_t side_count;
    uint32_t *follower; /* [vertices] along an open edge, against the side of its triangle */
    uint32_t *loop, *next, *previous; /* [vertices] of the loop in hand, and its ring by place */
    bool *is_ear;                     /* [vertices] by place: convex and empty */
    tl_vec3 normal;
} closer;

static bool has_edge(const closer *c, uint32_t a, uint32_t b) {
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    size_t begin = 0, end = c->side_count;
    while (begin < end) {
        const size_t middle = (begin + end) / 2;
        const tl_mesh_side *s = &c->sides[middle];
        if (s->low < low || (s->low == low && s->high < high))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < c->side_count && c->sides[begin].low == low && c->sides[begin].high == high;
}

/* Open edges by the vertex they start from. *meetings is how many vertices have more than one, or
 * one that ends where none goes on. */
static void link_edges(closer *c, size_t *edges, size_t *meetings) {
    uint32_t *arrivals = c->next; /* not yet in use */
    for (size_t v = 0; v < c->mesh->vertex_count; v++)
        c->follower[v] = nobody, arrivals[v] = 0;
    *edges = *meetings = 0;
    for (size_t i = 0, end; i < c->side_count; i = end) {
        end = tl_mesh_edge_end(c->sides, c->side_count, i);
        if (end - i != 1)
            continue;
        const tl_mesh_side *s = &c->sides[i];
        const uint32_t from = s->falls ? s->low : s->high, to = s->falls ? s->high : s->low;
        ++*edges;
        *meetings += c->follower[from] != nobody;
        c->follower[from] = to;
        arrivals[to]++;
    }
    for (size_t v = 0; v < c->mesh->vertex_count; v++)
        *meetings += (c->follower[v] != nobody) != (arrivals[v] > 0);
}

/* The place of a vertex of the loop. */
static tl_vec3 at(const closer *c, uint32_t place) { return c->mesh->vertices[c->loop[place]]; }

/* Twice the area of a triangle as seen along the normal, times the length of the normal. */
static double seen_area(const closer *c, tl_vec3 a, tl_vec3 b, tl_vec3 d) {
    return tl_vec3_dot(tl_vec3_cross(tl_vec3_sub(b, a), tl_vec3_sub(d, a)), c->normal);
}

static bool find_ear(const closer *c, uint32_t tip) {
    const uint32_t before = c->previous[tip], after = c->next[tip];
    const tl_vec3 x = at(c, before), y = at(c, tip), z = at(c, after);
    if (!(seen_area(c, x, y, z) > 0))
        return false;
    for (uint32_t k = c->next[after]; k != before; k = c->next[k]) {
        const tl_vec3 p = at(c, k);
        if (seen_area(c, x, y, p) >= 0 && seen_area(c, y, z, p) >= 0 && seen_area(c, z, x, p) >= 0)
            return false;
    }
    return true;
}

/* The ear with the shortest new edge; those that are none only when there is no other. */
static uint32_t choose_ear(const closer *c, uint32_t start, uint32_t left) {
    uint32_t best = nobody;
    double shortest = HUGE_VAL;
    bool best_is_ear = false;
    for (uint32_t k = 0, tip = start; k < left; k++, tip = c->next[tip]) {
        const uint32_t before = c->previous[tip], after = c->next[tip];
        const double length = tl_vec3_length(tl_vec3_sub(at(c, after), at(c, before)));
        if (c->is_ear[tip] < best_is_ear || (c->is_ear[tip] == best_is_ear && length >= shortest))
            continue;
        if (left > 3 && has_edge(c, c->loop[before], c->loop[after]))
            continue;
        best = tip, shortest = length, best_is_ear = c->is_ear[tip];
    }
    return best;
}

/* Gathers the loop from this vertex on, takes it out of the followers, and finds its normal. */
static uint32_t take_loop(closer *c, uint32_t start) {
    uint32_t count = 0;
    c->normal = (tl_vec3){0, 0, 0};
    for (uint32_t v = start; v != nobody;) {
        const uint32_t after = c->follower[v];
        c->follower[v] = nobody;
        if (after != nobody)
            c->loop[count++] = v;
        v = after;
    }
    for (uint32_t k = 0; k < count; k++) {
        c->next[k] = (k + 1) % count;
        c->previous[k] = (k + count - 1) % count;
        c->normal = tl_vec3_add(c->normal, tl_vec3_cross(tl_vec3_sub(at(c, k), at(c, 0)),
                                                         tl_vec3_sub(at(c, c->next[k]), at(c, 0))));
    }
    return count;
}

static tl_status refuse_loop(uint32_t count, tl_error *error) {
    return tl_fail(error, TL_BAD_INPUT, "mesh.close_holes", "close it in a program for meshes",
                   count > MOST_EDGES
                       ? "a hole of %u edges is too large to be closed"
                       : "a hole of %u edges cannot be closed: every cover of its vertices uses an "
                         "edge of the mesh again",
                   count);
}

static void find_ears(closer *c, uint32_t start, uint32_t left) {
    for (uint32_t k = 0, tip = start; k < left; k++, tip = c->next[tip])
        c->is_ear[tip] = find_ear(c, tip);
}

static tl_status cover_loop(closer *c, uint32_t count, tl_error *error) {
    if (count > MOST_EDGES)
        return refuse_loop(count, error);
    uint32_t start = 0;
    bool folded = false; /* there was a time without ears: looking for them is given up */
    find_ears(c, start, count);
    for (uint32_t left = count; left >= 3; left--) {
        uint32_t tip = choose_ear(c, start, left);
        if (!folded && (tip == nobody || !c->is_ear[tip])) { /* what was in one may be gone */
            find_ears(c, start, left);
            tip = choose_ear(c, start, left);
            folded = tip == nobody || !c->is_ear[tip];
        }
        if (tip == nobody)
            return refuse_loop(count, error);
        const uint32_t before = c->previous[tip], after = c->next[tip];
        TL_TRY(tl_mesh_add_triangle(c->mesh, c->loop[before], c->loop[tip], c->loop[after], error));
        c->next[before] = after;
        c->previous[after] = before;
        start = before;
        c->is_ear[before] = find_ear(c, before);
        c->is_ear[after] = find_ear(c, after);
    }
    return TL_OK;
}

static tl_status close_all(closer *c, size_t *holes, tl_error *error) {
    size_t edges, meetings;
    link_edges(c, &edges, &meetings);
    if (meetings)
        return tl_fail(error, TL_BAD_INPUT, "mesh.close_holes", "close it in a program for meshes",
                       "the %zu open edges of the mesh are not closed loops: at %zu vertices holes "
                       "meet, or sides disagree",
                       edges, meetings);
    for (uint32_t v = 0; v < c->mesh->vertex_count; v++)
        if (c->follower[v] != nobody) {
            TL_TRY(cover_loop(c, take_loop(c, v), error));
            ++*holes;
        }
    return TL_OK;
}

tl_status tl_mesh_close_holes(tl_mesh *m, size_t *holes, tl_error *error) {
    closer c = {.mesh = m, .side_count = 3 * m->triangle_count};
    const size_t triangles = m->triangle_count, n = m->vertex_count;
    *holes = 0;
    TL_TRY(tl_mesh_sides(m, &c.sides, error));
    c.follower = tl_allocate(4 * n, sizeof *c.follower);
    c.is_ear = tl_allocate(n, sizeof *c.is_ear);
    tl_status status = TL_OK;
    if (c.follower && c.is_ear) {
        c.loop = c.follower + n, c.next = c.loop + n, c.previous = c.next + n;
        status = close_all(&c, holes, error);
    } else {
        status = tl_fail_memory(error, 4 * n, sizeof *c.follower);
    }
    if (status != TL_OK)
        m->triangle_count = triangles, *holes = 0;
    free(c.sides);
    free(c.follower);
    free(c.is_ear);
    return status;
}
