/* See orient.h. Shells are walked from triangle to triangle across edges that two of them share. */
#include "mesh/orient.h"

#include "math/pi.h"
#include "mesh/edges.h"
#include "mesh/repair.h"

#include <stdlib.h>
#include <string.h>

typedef struct walker {
    tl_mesh *mesh;
    tl_mesh_side *sides; /* 3 a triangle */
    uint32_t *place;     /* of each side in `sides` */
    uint32_t *shell;     /* of each triangle, + 1; 0: not seen yet */
    uint32_t *stack;
    bool *turned;
} walker;

static bool on_one_edge(const walker *w, size_t a, size_t b) {
    return a < 3 * w->mesh->triangle_count && b < 3 * w->mesh->triangle_count &&
           w->sides[a].low == w->sides[b].low && w->sides[a].high == w->sides[b].high;
}

/* The one other side on the same edge; NULL when there is none, or more than one. */
static const tl_mesh_side *find_partner(const walker *w, size_t side) {
    const size_t at = w->place[side];
    const bool before = on_one_edge(w, at - 1, at), after = on_one_edge(w, at, at + 1);
    if (before == after || on_one_edge(w, at, before ? at - 2 : at + 2))
        return NULL;
    return &w->sides[before ? at - 1 : at + 1];
}

/* Neighbours agree when the common edge runs one way in one and the other way in the other. */
static void walk_shell(walker *w, size_t start, uint32_t shell) {
    size_t height = 0;
    w->stack[height++] = (uint32_t)start;
    w->shell[start] = shell;
    while (height) {
        const size_t t = w->stack[--height];
        for (size_t k = 0; k < 3; k++) {
            const tl_mesh_side *partner = find_partner(w, 3 * t + k);
            if (!partner || w->shell[partner->side / 3])
                continue;
            const size_t other = partner->side / 3;
            const bool disagree = w->sides[w->place[3 * t + k]].falls == partner->falls;
            w->turned[other] = w->turned[t] != disagree;
            w->shell[other] = shell;
            w->stack[height++] = (uint32_t)other;
        }
    }
}

static void turn(uint32_t corner[3]) {
    const uint32_t swapped = corner[1];
    corner[1] = corner[2];
    corner[2] = swapped;
}

/* Counting sort, so that a shell is a range. */
static void sort_by_shell(walker *w, size_t *begin, size_t shells, uint32_t (*scratch)[3]) {
    tl_mesh *m = w->mesh;
    for (size_t t = 0; t < m->triangle_count; t++)
        begin[w->shell[t]]++;
    for (size_t s = 0; s < shells; s++)
        begin[s + 1] += begin[s];
    for (size_t t = 0; t < m->triangle_count; t++)
        memcpy(scratch[begin[w->shell[t] - 1]++], m->triangles[t], sizeof *scratch);
    memcpy(m->triangles, scratch, m->triangle_count * sizeof *scratch);
    for (size_t s = shells; s > 0; s--)
        begin[s] = begin[s - 1];
    begin[0] = 0;
    for (size_t s = 0; s < shells; s++)
        for (size_t t = begin[s]; t < begin[s + 1]; t++)
            w->shell[t] = (uint32_t)s;
}

static double shell_volume(const tl_mesh *m, size_t begin, size_t end, tl_vec3 middle) {
    double volume = 0;
    for (size_t t = begin; t < end; t++) {
        tl_vec3 v[3];
        for (int k = 0; k < 3; k++)
            v[k] = tl_vec3_sub(tl_mesh_corner(m, t, k), middle);
        volume += tl_vec3_dot(v[0], tl_vec3_cross(v[1], v[2])) / 6;
    }
    return volume;
}

double tl_mesh_winding(const tl_mesh *m, size_t begin, size_t end, tl_vec3 point) {
    double angle = 0;
    for (size_t t = begin; t < end; t++) {
        tl_vec3 v[3];
        double r[3];
        for (int k = 0; k < 3; k++) {
            v[k] = tl_vec3_sub(tl_mesh_corner(m, t, k), point);
            r[k] = tl_vec3_length(v[k]);
        }
        const double above = tl_vec3_dot(v[0], tl_vec3_cross(v[1], v[2]));
        const double below = r[0] * r[1] * r[2] + tl_vec3_dot(v[0], v[1]) * r[2] +
                             tl_vec3_dot(v[1], v[2]) * r[0] + tl_vec3_dot(v[2], v[0]) * r[1];
        angle += 2 * atan2(above, below);
    }
    return angle / (4 * TL_PI);
}

/* Whether a shell that looks inwards lies in one that looks outwards. With very many shells no one
 * looks for hollows: the time is the square of their number. */
static bool is_hollow(const tl_mesh *m, const size_t *begin, const double *volume, size_t shells,
                      size_t s) {
    enum { MOST = 256 };
    const tl_vec3 point = tl_mesh_corner(m, begin[s], 0);
    for (size_t o = 0; o < shells && shells <= MOST; o++)
        if (volume[o] > -volume[s] && tl_mesh_winding(m, begin[o], begin[o + 1], point) > 0.5)
            return true;
    return false;
}

static void turn_range(tl_mesh *m, size_t begin, size_t end) {
    for (size_t t = begin; t < end; t++)
        turn(m->triangles[t]);
}

/* A mesh that is inside out as a whole is turned as a whole first, so that its hollows remain. */
static size_t turn_outwards(tl_mesh *m, const size_t *begin, const bool *open, double *volume,
                            size_t shells) {
    tl_vec3 low, high;
    tl_mesh_bounds(m, &low, &high);
    const tl_vec3 middle = tl_vec3_scale(tl_vec3_add(low, high), 0.5);
    double total = 0;
    size_t turned = 0;
    for (size_t s = 0; s < shells; s++)
        total += volume[s] = shell_volume(m, begin[s], begin[s + 1], middle);
    if (total < 0) {
        turn_range(m, 0, m->triangle_count);
        turned = m->triangle_count;
        for (size_t s = 0; s < shells; s++)
            volume[s] = -volume[s];
    }
    for (size_t s = 0; s < shells; s++)
        if (volume[s] < 0 && !open[s] && !is_hollow(m, begin, volume, shells, s)) {
            turn_range(m, begin[s], begin[s + 1]);
            turned += begin[s + 1] - begin[s];
        }
    return turned;
}

/* Whether every edge is passed as often one way as the other. A shell for which that holds only
 * together with others is marked open: it cannot be turned alone. Triangles, and so the sides of an
 * edge, are sorted by shell. */
static bool find_closed(const tl_mesh_side *sides, size_t count, const uint32_t *shell,
                        bool *open) {
    bool closed = count > 0;
    for (size_t i = 0, end; i < count; i = end) {
        end = tl_mesh_edge_end(sides, count, i);
        int64_t balance = 0, own = 0;
        for (size_t s = i; s < end; s++) {
            const uint32_t now = shell[sides[s].side / 3];
            own += sides[s].falls ? 1 : -1;
            if (s + 1 < end && shell[sides[s + 1].side / 3] == now)
                continue;
            open[now] = open[now] || own != 0;
            balance += own;
            own = 0;
        }
        closed = closed && balance == 0;
    }
    return closed;
}

static tl_status find_shells(walker *w, size_t *turned, size_t *shells, tl_error *error) {
    const size_t count = w->mesh->triangle_count;
    TL_TRY(tl_mesh_sides(w->mesh, &w->sides, error));
    for (size_t i = 0; i < 3 * count; i++)
        w->place[w->sides[i].side] = (uint32_t)i;
    *turned = *shells = 0;
    for (size_t t = 0; t < count; t++)
        if (!w->shell[t])
            walk_shell(w, t, (uint32_t)++ * shells);
    for (size_t t = 0; t < count; t++)
        if (w->turned[t]) {
            turn(w->mesh->triangles[t]);
            ++*turned;
        }
    free(w->sides);
    return TL_OK;
}

/* Only now that all agree can be told which edges close, and which way is outwards. */
static tl_status close_shells(walker *w, size_t *turned, size_t shells, tl_error *error) {
    tl_mesh *m = w->mesh;
    size_t *begin = tl_allocate(shells + 2, sizeof *begin);
    double *volume = tl_allocate(shells + 1, sizeof *volume);
    bool *open = tl_allocate(shells + 1, sizeof *open);
    uint32_t(*scratch)[3] = tl_allocate(m->triangle_count, sizeof *scratch);
    tl_mesh_side *sides = NULL;
    tl_status status = begin && volume && open && scratch
                           ? TL_OK
                           : tl_fail_memory(error, m->triangle_count, sizeof *scratch);
    if (status == TL_OK) {
        sort_by_shell(w, begin, shells, scratch);
        status = tl_mesh_sides(m, &sides, error);
    }
    if (status == TL_OK) {
        m->closed = find_closed(sides, 3 * m->triangle_count, w->shell, open);
        if (m->closed)
            *turned += turn_outwards(m, begin, open, volume, shells);
    }
    free(sides);
    free(begin);
    free(volume);
    free(open);
    free(scratch);
    return status;
}

tl_status tl_mesh_orient(tl_mesh *m, size_t *turned, size_t *shells, tl_error *error) {
    const size_t count = m->triangle_count;
    walker w = {.mesh = m,
                .place = tl_allocate(3 * count, sizeof *w.place),
                .shell = tl_allocate(count, sizeof *w.shell),
                .stack = tl_allocate(count, sizeof *w.stack),
                .turned = tl_allocate(count, sizeof *w.turned)};
    tl_status status = w.place && w.shell && w.stack && w.turned
                           ? TL_OK
                           : tl_fail_memory(error, 3 * count, sizeof *w.place);
    if (status == TL_OK)
        status = find_shells(&w, turned, shells, error);
    if (status == TL_OK)
        status = close_shells(&w, turned, *shells, error);
    free(w.place);
    free(w.shell);
    free(w.stack);
    free(w.turned);
    return status;
}
