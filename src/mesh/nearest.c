/* The nearest point of a solid, and the side of it. Rows of cells are searched from the nearest on,
 * with leaps over empty space. In an edge or a corner the sign comes from the mean of
 * the normals that meet there, weighted by the angles of their faces, which is right everywhere
 * (Bærentzen & Aanæs 2005); faces meet where they are within the slack, whether or not they share
 * vertices, and faces too thin for a normal are left out. */
#include "math/pi.h"
#include "mesh/facets.h"

#include <string.h>

enum { RECENT = 32 }; /* triangles remembered as asked */

typedef struct search {
    const tl_solid *s;
    tl_vec3 x;
    double best; /* m² */
    bool found, in_face;
    tl_vec3 point;
    uint32_t triangle;
    uint32_t recent[RECENT];
} search;

static double square_distance(tl_vec3 a, tl_vec3 b) {
    const tl_vec3 d = tl_vec3_sub(a, b);
    return tl_vec3_dot(d, d);
}

static void offer(search *n, tl_vec3 point, uint32_t triangle, bool in_face) {
    const double d2 = square_distance(point, n->x);
    /* Of equals the first in the mesh, whatever the order of the cells. */
    if (d2 > n->best || (n->found && d2 == n->best && triangle >= n->triangle))
        return;
    n->best = d2;
    n->point = point;
    n->triangle = triangle;
    n->in_face = in_face;
    n->found = true;
}

static void visit_facet(search *n, uint32_t t) {
    if (n->recent[t % RECENT] == t)
        return;
    n->recent[t % RECENT] = t;
    const tl_facet *f = &n->s->facets[t];
    const double height = tl_vec3_dot(f->normal, tl_vec3_sub(n->x, f->corner[0]));
    if (height * height > n->best * (1 + 1e-9))
        return;
    bool in_face;
    const tl_vec3 point = tl_nearest_on_facet(f, n->x, &in_face);
    offer(n, point, t, in_face);
}

static double beyond(double x, double low, double high) {
    return x < low ? low - x : x > high ? x - high : 0;
}

static void visit_cell(search *n, const int at[3]) {
    const tl_solid *s = n->s;
    const double low[3] = {s->low.x + at[0] * s->cell, s->low.y + at[1] * s->cell,
                           s->low.z + at[2] * s->cell};
    const double u = beyond(n->x.x, low[0], low[0] + s->cell),
                 v = beyond(n->x.y, low[1], low[1] + s->cell),
                 w = beyond(n->x.z, low[2], low[2] + s->cell);
    const double away = fmax(sqrt(u * u + v * v + w * w) - s->slack, 0);
    if (away * away > n->best)
        return;
    const size_t c = tl_cell_at(s, at);
    for (uint32_t i = s->starts[c]; i < s->starts[c + 1]; i++)
        visit_facet(n, s->items[i]);
}

/* Cells of a row from `from` to `to`, leaping over empty ones. */
static void visit_row(search *n, int at[3], int from, int to) {
    const tl_solid *s = n->s;
    for (at[0] = from < 0 ? 0 : from; at[0] <= to && at[0] < s->size[0];) {
        const int gap = tl_gap_at(s, at);
        if (gap == 0)
            visit_cell(n, at);
        at[0] += gap > 1 ? gap : 1;
    }
}

/* The k-th cell in the order c, c + 1, c - 1, c + 2... */
static int outward(int c, int k) { return k % 2 ? c + (k + 1) / 2 : c - k / 2; }

/* How far x is from the slab of cells with index `at` along an axis. */
static double to_slab(const tl_solid *s, double x, double low, int at) {
    const double from = low + at * s->cell;
    return beyond(x, from - s->slack, from + s->cell + s->slack);
}

/* Rows of a plane of cells that come nearer than the best so far. */
static void search_plane(search *n, const int c[3], int z, double away) {
    const tl_solid *s = n->s;
    const double reach = fmin(sqrt(n->best) / s->cell + 2, s->size[1]);
    for (int k = 0; k <= 2 * (int)reach; k++) {
        int at[3] = {0, outward(c[1], k), z};
        if (at[1] < 0 || at[1] >= s->size[1])
            continue;
        const double dy = to_slab(s, n->x.y, s->low.y, at[1]), d2 = away * away + dy * dy;
        if (d2 > n->best)
            continue;
        const double half = sqrt(n->best - d2) + s->slack;
        visit_row(n, at, tl_cell_along(n->x.x - half, s->low.x, s->per_metre, s->size[0]),
                  tl_cell_along(n->x.x + half, s->low.x, s->per_metre, s->size[0]));
    }
}

static void search_cells(search *n) {
    const tl_solid *s = n->s;
    int c[3];
    tl_cell_of(s, n->x, c);
    const int gap = tl_gap_at(s, c);
    const tl_vec3 out = {beyond(n->x.x, s->low.x, s->high.x), beyond(n->x.y, s->low.y, s->high.y),
                         beyond(n->x.z, s->low.z, s->high.z)};
    const double empty = (gap - 1) * s->cell - s->slack;
    if (empty > 0 && empty * empty > n->best)
        return;
    /* The cell that ends the gap is not farther than its far corner. */
    const double far = tl_vec3_length(out) + sqrt(3) * (gap + 1) * s->cell + 3 * s->slack;
    if (gap < 127)
        n->best = fmin(n->best, far * far);
    const double reach = fmin(sqrt(n->best) / s->cell + 2, s->size[2]);
    for (int k = 0; k <= 2 * (int)reach; k++) {
        const int z = outward(c[2], k);
        if (z < 0 || z >= s->size[2])
            continue;
        const double away = to_slab(s, n->x.z, s->low.z, z);
        if (away * away <= n->best)
            search_plane(n, c, z, away);
    }
}

/* ---- Normals --------------------------------------------------------------------------------- */

/* How much of the surroundings of `point`, which is on the facet or near, the facet takes up, as an
 * angle; 0: it is not there. */
static double angle_at(const tl_facet *f, tl_vec3 point, double slack) {
    const double slack2 = slack * slack;
    bool on_edge = false;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 a = f->corner[k], b = f->corner[(k + 1) % 3], c = f->corner[(k + 2) % 3];
        if (square_distance(a, point) <= slack2) {
            const tl_vec3 u = tl_vec3_sub(b, a), v = tl_vec3_sub(c, a);
            return atan2(tl_vec3_length(tl_vec3_cross(u, v)), tl_vec3_dot(u, v));
        }
        on_edge = on_edge || square_distance(tl_nearest_on_segment(a, b, point), point) <= slack2;
    }
    if (on_edge)
        return TL_PI;
    const double height = tl_vec3_dot(f->normal, tl_vec3_sub(point, f->corner[0]));
    return fabs(height) <= slack && tl_is_over_facet(f, point) ? 2 * TL_PI : 0;
}

static tl_vec3 mean_normal(const tl_solid *s, tl_vec3 point) {
    int at[3];
    tl_vec3 sum = {0, 0, 0};
    tl_cell_of(s, point, at);
    const size_t c = tl_cell_at(s, at);
    for (uint32_t i = s->starts[c]; i < s->starts[c + 1]; i++) {
        const tl_facet *f = &s->facets[s->items[i]];
        if (!tl_facet_is_thin(f))
            sum = tl_vec3_mad(sum, angle_at(f, point, s->slack / 2), f->normal);
    }
    const double length = tl_vec3_length(sum);
    return length > 1e-9 ? tl_vec3_scale(sum, 1 / length) : (tl_vec3){0, 0, 0};
}

bool tl_solid_nearest(const tl_solid *s, tl_vec3 x, double reach, tl_nearest *out) {
    return tl_solid_nearest_from(s, x, reach, UINT32_MAX, out);
}

bool tl_solid_nearest_from(const tl_solid *s, tl_vec3 x, double reach, uint32_t guess,
                           tl_nearest *out) {
    search n = {.s = s, .x = x, .best = reach * reach};
    if (s->size[0] == 0 || !tl_vec3_finite(x) || !(reach >= 0) ||
        beyond(x.x, s->low.x, s->high.x) > reach || beyond(x.y, s->low.y, s->high.y) > reach ||
        beyond(x.z, s->low.z, s->high.z) > reach)
        return false;
    memset(n.recent, 0xff, sizeof n.recent);
    if (guess < s->facet_count)
        visit_facet(&n, guess);
    search_cells(&n);
    if (!n.found)
        return false;
    const tl_vec3 away = tl_vec3_sub(x, n.point);
    const double distance = tl_vec3_length(away);
    tl_vec3 normal = s->facets[n.triangle].normal;
    if (!n.in_face && (s->closed || distance == 0))
        normal = mean_normal(s, n.point);
    *out = (tl_nearest){n.point, normal, distance, n.triangle};
    if (!s->closed && distance > 0)
        out->normal = tl_vec3_scale(away, 1 / distance);
    else if (s->closed && tl_vec3_dot(away, normal) < 0)
        out->distance = -distance;
    return true;
}

bool tl_solid_inside(const tl_solid *s, tl_vec3 x) {
    const bool within = x.x > s->low.x && x.y > s->low.y && x.z > s->low.z && x.x < s->high.x &&
                        x.y < s->high.y && x.z < s->high.z;
    if (!s->closed || !within)
        return false;
    int at[3];
    tl_cell_of(s, x, at);
    const int gap = (int)s->gap[tl_cell_at(s, at)];
    tl_nearest nearest;
    if (gap != 0)
        return gap < 0;
    return tl_solid_nearest(s, x, HUGE_VAL, &nearest) && nearest.distance < 0;
}
