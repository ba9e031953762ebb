/* See solid.h and facets.h. The grid has about sixteen cells a triangle, and fewer when triangles
 * are so long that its lists would grow beyond a few entries each: time and memory are linear. */
#include "mesh/facets.h"
#include "mesh/predicates.h"

#include <stdlib.h>

static const double largest = 1e30; /* m: sixth powers of it are still numbers */
/* Height over length below which a triangle has no normal of its own; it is then thinner than the
 * slack, so that its neighbours stand for it. */
static const double thinnest = 1e-11;

static tl_status check_mesh(const tl_mesh *m, tl_error *error) {
    for (size_t i = 0; i < m->vertex_count; i++) {
        const tl_vec3 v = m->vertices[i];
        if (!(fabs(v.x) <= largest && fabs(v.y) <= largest && fabs(v.z) <= largest))
            return tl_fail(error, TL_BAD_INPUT, "mesh", "mend or export the mesh anew",
                           "vertex %zu is at (%g, %g, %g)", i, v.x, v.y, v.z);
    }
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (m->triangles[t][k] >= m->vertex_count)
                return tl_fail(error, TL_BAD_INPUT, "mesh", "mend or export the mesh anew",
                               "triangle %zu names vertex %u of %zu", t, m->triangles[t][k],
                               m->vertex_count);
    if (m->triangle_count > UINT32_MAX / 16)
        return tl_fail(error, TL_BAD_INPUT, "mesh", "use a coarser mesh", "%zu triangles",
                       m->triangle_count);
    return TL_OK;
}

static double longest_edge(const tl_facet *f) {
    double longest = 0;
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, tl_vec3_length(tl_vec3_sub(f->corner[(k + 1) % 3], f->corner[k])));
    return longest;
}

static tl_facet make_facet(const tl_mesh *m, size_t t) {
    tl_facet f = {{tl_mesh_corner(m, t, 0), tl_mesh_corner(m, t, 1), tl_mesh_corner(m, t, 2)},
                  {0, 0, 0}};
    const tl_vec3 area = tl_area_vector(f.corner[0], f.corner[1], f.corner[2]);
    const double length = longest_edge(&f);
    if (tl_vec3_length(area) > thinnest * length * length)
        f.normal = tl_vec3_unit(area);
    return f;
}

static double component(tl_vec3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

static void facet_bounds(const tl_facet *f, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        const double a = component(f->corner[0], k), b = component(f->corner[1], k),
                     c = component(f->corner[2], k);
        low[k] = fmin(a, fmin(b, c));
        high[k] = fmax(a, fmax(b, c));
    }
}

static void find_bounds(tl_solid *s) {
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double farthest = 0;
    for (size_t t = 0; t < s->facet_count; t++) {
        double from[3], to[3];
        facet_bounds(&s->facets[t], from, to);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], from[k]), high[k] = fmax(high[k], to[k]);
            farthest = fmax(farthest, fmax(fabs(from[k]), fabs(to[k])));
        }
    }
    s->low = tl_vec3_of(low), s->high = tl_vec3_of(high);
    s->slack = 1e-10 * tl_vec3_length(tl_vec3_sub(s->high, s->low)) + 1e-14 * farthest;
}

/* ---- Size of the cells ----------------------------------------------------------------------- */

static double cell_count(const double extent[3], double cell) {
    double count = 1;
    for (int k = 0; k < 3; k++)
        count *= floor(extent[k] / cell) + 1;
    return count;
}

static double facet_area(const tl_facet *f) {
    return tl_vec3_length(tl_vec3_cross(tl_vec3_sub(f->corner[1], f->corner[0]),
                                        tl_vec3_sub(f->corner[2], f->corner[0]))) /
           2;
}

/* The mean number of cells that a triangle meets, by Steiner's formula for a cube rolled around it.
 */
static double list_length(const tl_solid *s, double cell) {
    double length = 0;
    for (size_t t = 0; t < s->facet_count; t++) {
        const tl_facet *f = &s->facets[t];
        length += 1 + 1.5 * longest_edge(f) / cell + 1.5 * facet_area(f) / (cell * cell);
    }
    return length;
}

static void choose_cells(tl_solid *s) {
    const double n = (double)s->facet_count;
    const double most_cells = fmin(fmax(16 * n, 4096), 0x1p28), most_items = 24 * n + 1e5;
    const double extent[3] = {s->high.x - s->low.x + 2 * s->slack,
                              s->high.y - s->low.y + 2 * s->slack,
                              s->high.z - s->low.z + 2 * s->slack};
    const double longest = fmax(extent[0], fmax(extent[1], extent[2]));
    s->cell = fmax(fmax(longest / most_cells, 1000 * s->slack), 1e-60);
    while (cell_count(extent, s->cell) > most_cells)
        s->cell *= 1.2;
    while (s->cell < longest && list_length(s, s->cell) > most_items)
        s->cell *= 1.2;
    s->per_metre = 1 / s->cell;
    s->cells = 1;
    for (int k = 0; k < 3; k++) {
        s->size[k] = (int)(extent[k] / s->cell) + 1;
        s->cells *= (size_t)s->size[k];
    }
    const tl_vec3 slack = {s->slack, s->slack, s->slack};
    s->low = tl_vec3_sub(s->low, slack), s->high = tl_vec3_add(s->high, slack);
}

/* ---- Lists of triangles ---------------------------------------------------------------------- */

/* The triangle's shadow on an axis misses that of the cube with half edge `half` at the origin. */
static bool is_apart(const tl_vec3 v[3], tl_vec3 axis, double half) {
    const double a = tl_vec3_dot(v[0], axis), b = tl_vec3_dot(v[1], axis),
                 c = tl_vec3_dot(v[2], axis);
    const double reach = half * (fabs(axis.x) + fabs(axis.y) + fabs(axis.z));
    return fmin(a, fmin(b, c)) > reach || fmax(a, fmax(b, c)) < -reach;
}

/* Separating axes of a triangle and a cube (Akenine-Möller 2001), but for the cube's own. */
static bool meets_cell(const tl_facet *f, tl_vec3 middle, double half) {
    const tl_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tl_vec3 v[3];
    for (int k = 0; k < 3; k++)
        v[k] = tl_vec3_sub(f->corner[k], middle);
    if (!tl_facet_is_thin(f) && is_apart(v, f->normal, half))
        return false;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 edge = tl_vec3_unit(tl_vec3_sub(f->corner[(k + 1) % 3], f->corner[k]));
        for (int a = 0; a < 3; a++)
            if (is_apart(v, tl_vec3_cross(axes[a], edge), half))
                return false;
    }
    return true;
}

/* Calls for each cell that the triangle meets: count it, or note the triangle there. */
static void list_facet(tl_solid *s, size_t t, bool note) {
    const tl_facet *f = &s->facets[t];
    const double half = s->cell / 2 + s->slack;
    double from[3], to[3];
    int low[3], high[3], at[3];
    facet_bounds(f, from, to);
    for (int k = 0; k < 3; k++)
        from[k] -= s->slack, to[k] += s->slack;
    tl_cell_of(s, tl_vec3_of(from), low);
    tl_cell_of(s, tl_vec3_of(to), high);
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++) {
                const tl_vec3 middle = {s->low.x + (at[0] + 0.5) * s->cell,
                                        s->low.y + (at[1] + 0.5) * s->cell,
                                        s->low.z + (at[2] + 0.5) * s->cell};
                if (!meets_cell(f, middle, half))
                    continue;
                uint32_t *start = &s->starts[tl_cell_at(s, at)];
                if (note)
                    s->items[(*start)++] = (uint32_t)t;
                else
                    (*start)++;
            }
}

static tl_status fill_cells(tl_solid *s, tl_error *error) {
    s->starts = tl_allocate(s->cells + 1, sizeof *s->starts);
    if (!s->starts)
        return tl_fail_memory(error, s->cells + 1, sizeof *s->starts);
    for (size_t t = 0; t < s->facet_count; t++)
        list_facet(s, t, false);
    uint32_t sum = 0;
    for (size_t c = 0; c <= s->cells; c++) {
        const uint32_t count = s->starts[c];
        s->starts[c] = sum;
        sum += count;
    }
    s->items = tl_allocate(sum ? sum : 1, sizeof *s->items);
    if (!s->items)
        return tl_fail_memory(error, sum, sizeof *s->items);
    for (size_t t = 0; t < s->facet_count; t++)
        list_facet(s, t, true);
    for (size_t c = s->cells; c > 0; c--)
        s->starts[c] = s->starts[c - 1];
    s->starts[0] = 0;
    return TL_OK;
}

/* ---- Empty space ----------------------------------------------------------------------------- */

/* The least gap among the 13 neighbours of a cell that come before it (step -1) or after it. */
static int least_gap(const tl_solid *s, const int at[3], int step) {
    int least = 126;
    for (int k = 0; k < 13; k++) {
        const int move[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        int to[3];
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            to[a] = at[a] - step * move[a];
            inside = inside && to[a] >= 0 && to[a] < s->size[a];
        }
        const int gap = inside ? (int)s->gap[tl_cell_at(s, to)] : 127;
        least = gap < least ? gap : least;
    }
    return least;
}

/* The same for a cell with all its neighbours, by how far these are in the array. */
static int least_gap_within(const tl_solid *s, size_t c, const ptrdiff_t way[13]) {
    int least = 126;
    for (int k = 0; k < 13; k++) {
        const int gap = (int)s->gap[(ptrdiff_t)c + way[k]];
        least = gap < least ? gap : least;
    }
    return least;
}

/* Visits all cells, forwards with step -1. */
static void relax_gaps(tl_solid *s, int step) {
    const int n[3] = {s->size[0], s->size[1], s->size[2]};
    ptrdiff_t way[13];
    for (int k = 0; k < 13; k++)
        way[k] = -step * ((k % 3 - 1) + (ptrdiff_t)n[0] * ((k / 3 % 3 - 1) + n[1] * (k / 9 - 1)));
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++) {
                const int at[3] = {step < 0 ? x : n[0] - 1 - x, step < 0 ? y : n[1] - 1 - y,
                                   step < 0 ? z : n[2] - 1 - z};
                const bool within = x > 0 && x < n[0] - 1 && y > 0 && y < n[1] - 1 && z > 0;
                const size_t c = tl_cell_at(s, at);
                if (s->gap[c] == 0)
                    continue;
                const int gap = 1 + (within ? least_gap_within(s, c, way) : least_gap(s, at, step));
                if (gap < s->gap[c])
                    s->gap[c] = (int8_t)gap;
            }
}

/* Two sweeps give the chessboard distance (Rosenfeld & Pfaltz 1968). */
static tl_status find_gaps(tl_solid *s, tl_error *error) {
    s->gap = tl_allocate(s->cells, sizeof *s->gap);
    if (!s->gap)
        return tl_fail_memory(error, s->cells, sizeof *s->gap);
    for (size_t c = 0; c < s->cells; c++)
        s->gap[c] = s->starts[c] < s->starts[c + 1] ? 0 : 127;
    relax_gaps(s, -1);
    relax_gaps(s, 1);
    return TL_OK;
}

/* Empty cells side by side are on the same side: only where rows begin must the surface be asked.
 */
static void find_sides(tl_solid *s) {
    int at[3];
    for (at[2] = 0; at[2] < s->size[2]; at[2]++)
        for (at[1] = 0; at[1] < s->size[1]; at[1]++)
            for (at[0] = 0; at[0] < s->size[0]; at[0]++) {
                const size_t c = tl_cell_at(s, at);
                const size_t back[3] = {1, (size_t)s->size[0],
                                        (size_t)s->size[0] * (size_t)s->size[1]};
                if (s->gap[c] == 0)
                    continue;
                int side = 0;
                for (int k = 0; k < 3 && side == 0; k++)
                    if (at[k] > 0)
                        side = (int)s->gap[c - back[k]];
                if (side == 0) {
                    const tl_vec3 middle = {s->low.x + (at[0] + 0.5) * s->cell,
                                            s->low.y + (at[1] + 0.5) * s->cell,
                                            s->low.z + (at[2] + 0.5) * s->cell};
                    tl_nearest nearest;
                    side = tl_solid_nearest(s, middle, HUGE_VAL, &nearest) && nearest.distance < 0
                               ? -1
                               : 1;
                }
                if (side < 0)
                    s->gap[c] = (int8_t)-s->gap[c];
            }
}

/* ---- Making ---------------------------------------------------------------------------------- */

static tl_status make_grid(tl_solid *s, tl_error *error) {
    choose_cells(s);
    TL_TRY(fill_cells(s, error));
    TL_TRY(find_gaps(s, error));
    if (s->closed)
        find_sides(s);
    return TL_OK;
}

tl_status tl_solid_make(const tl_mesh *mesh, tl_solid **out, tl_error *error) {
    *out = NULL;
    TL_TRY(check_mesh(mesh, error));
    tl_solid *s = tl_allocate(1, sizeof *s);
    if (!s)
        return tl_fail_memory(error, 1, sizeof *s);
    const size_t count = mesh->triangle_count;
    s->facets = tl_allocate(count ? count : 1, sizeof *s->facets);
    if (!s->facets) {
        tl_solid_free(s);
        return tl_fail_memory(error, count, sizeof *s->facets);
    }
    for (size_t t = 0; t < count; t++)
        s->facets[t] = make_facet(mesh, t);
    s->facet_count = count;
    s->closed = mesh->closed;
    find_bounds(s);
    const tl_status status = count ? make_grid(s, error) : TL_OK;
    if (status != TL_OK) {
        tl_solid_free(s);
        return status;
    }
    *out = s;
    return TL_OK;
}

void tl_solid_free(tl_solid *s) {
    if (!s)
        return;
    free(s->facets);
    free(s->starts);
    free(s->items);
    free(s->gap);
    free(s);
}

bool tl_solid_is_closed(const tl_solid *s) { return s->closed; }

void tl_solid_bounds(const tl_solid *s, tl_vec3 *low, tl_vec3 *high) {
    *low = s->low, *high = s->high;
}

double tl_solid_area(const tl_solid *s) {
    double area = 0;
    for (size_t t = 0; t < s->facet_count; t++)
        area += facet_area(&s->facets[t]);
    return area;
}
