/* The inside of a solid: its triangles, and a grid of cells that list the triangles in them. A cell
 * also knows how many cells away the next triangle is, so that empty space is crossed in leaps. */
#ifndef TL_MESH_FACETS_H
#define TL_MESH_FACETS_H

#include "mesh/sweep.h"

typedef struct tl_facet {
    tl_vec3 corner[3];
    tl_vec3 normal; /* unit; zero when too thin to have one: its edges and corners still count */
} tl_facet;

struct tl_solid {
    tl_facet *facets;
    size_t facet_count;
    bool closed;
    tl_vec3 low, high;
    double slack;     /* m: well above rounding, far below any feature; cells overlap by it */
    double cell;      /* m: edge of a cell */
    double per_metre; /* cells */
    int size[3];      /* cells along the axes; 0: no triangles */
    size_t cells;
    uint32_t *starts; /* [cells + 1] into items */
    uint32_t *items;  /* triangles cell by cell */
    int8_t *gap; /* [cells] cells to the nearest one with a triangle, along the farthest axis; 0:
                    here; negative: inside of a closed mesh; at most 127 */
};

static inline size_t tl_cell_at(const tl_solid *s, const int at[3]) {
    return ((size_t)at[2] * (size_t)s->size[1] + (size_t)at[1]) * (size_t)s->size[0] +
           (size_t)at[0];
}

static inline int tl_cell_along(double x, double low, double per_metre, int size) {
    const double at = (x - low) * per_metre;
    return at > 0 ? at < size ? (int)at : size - 1 : 0;
}

/* The cell of x, or the nearest one if x is outside of the grid. */
static inline void tl_cell_of(const tl_solid *s, tl_vec3 x, int at[3]) {
    at[0] = tl_cell_along(x.x, s->low.x, s->per_metre, s->size[0]);
    at[1] = tl_cell_along(x.y, s->low.y, s->per_metre, s->size[1]);
    at[2] = tl_cell_along(x.z, s->low.z, s->per_metre, s->size[2]);
}

static inline int tl_gap_at(const tl_solid *s, const int at[3]) {
    const int gap = (int)s->gap[tl_cell_at(s, at)];
    return gap < 0 ? -gap : gap;
}

/* The point of the segment a b that is nearest to x. */
static inline tl_vec3 tl_nearest_on_segment(tl_vec3 a, tl_vec3 b, tl_vec3 x) {
    const tl_vec3 ab = tl_vec3_sub(b, a);
    const double along = tl_vec3_dot(tl_vec3_sub(x, a), ab), whole = tl_vec3_dot(ab, ab);
    return along <= 0 ? a : along >= whole ? b : tl_vec3_mad(a, along / whole, ab);
}

static inline bool tl_is_between(double x, double a, double b, double c, double slack) {
    return x >= fmin(a, fmin(b, c)) - slack && x <= fmax(a, fmax(b, c)) + slack;
}

/* The foot of x on the facet's plane is in the facet. Beyond the tip of a needle rounding decides
 * between its edges: the box around it does not depend on that. */
static inline bool tl_is_over_facet(const tl_facet *f, tl_vec3 x) {
    const tl_vec3 a = f->corner[0], b = f->corner[1], c = f->corner[2];
    for (int k = 0; k < 3; k++) {
        const tl_vec3 from = f->corner[k], to = f->corner[(k + 1) % 3];
        const tl_vec3 out = tl_vec3_cross(tl_vec3_sub(to, from), f->normal);
        if (tl_vec3_dot(out, tl_vec3_sub(x, from)) > 0)
            return false;
    }
    const double height = tl_vec3_dot(f->normal, tl_vec3_sub(x, a));
    const tl_vec3 foot = tl_vec3_mad(x, -height, f->normal);
    const double slack = 1e-15 * (fabs(foot.x) + fabs(foot.y) + fabs(foot.z) + fabs(height));
    return tl_is_between(foot.x, a.x, b.x, c.x, slack) &&
           tl_is_between(foot.y, a.y, b.y, c.y, slack) &&
           tl_is_between(foot.z, a.z, b.z, c.z, slack);
}

static inline bool tl_facet_is_thin(const tl_facet *f) {
    return f->normal.x == 0 && f->normal.y == 0 && f->normal.z == 0;
}

/* The point of the facet that is nearest to x, and whether it is in the face rather than in its
 * rim.
 */
static inline tl_vec3 tl_nearest_on_facet(const tl_facet *f, tl_vec3 x, bool *in_face) {
    *in_face = !tl_facet_is_thin(f) && tl_is_over_facet(f, x);
    if (*in_face)
        return tl_vec3_mad(x, -tl_vec3_dot(f->normal, tl_vec3_sub(x, f->corner[0])), f->normal);
    tl_vec3 best = f->corner[0];
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 point = tl_nearest_on_segment(f->corner[k], f->corner[(k + 1) % 3], x);
        const tl_vec3 d = tl_vec3_sub(x, point);
        if (tl_vec3_dot(d, d) < least)
            least = tl_vec3_dot(d, d), best = point;
    }
    return best;
}

/* What a sphere meets on a straight way; tl_solid_sweep and more. */
typedef struct tl_encounter {
    bool touches;  /* it has a first touch */
    bool overlaps; /* something is nearer than the radius at the start */
    bool meets;    /* without a touch: the way of the centre itself has a point of the surface */
    tl_touch touch;
} tl_encounter;

tl_encounter tl_solid_encounter(const tl_solid *solid, tl_vec3 from, tl_vec3 to, double radius);

#endif
