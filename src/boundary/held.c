/* See held.h. */
#include "boundary/held.h"

#include "boundary/links.h"
#include "boundary/shapes.h"

#include <math.h>

/* A particle that touches held matter is taken to be this part of a spacing away from it. */
static const float nearest = 0.3f;

/* Samples count as matter behind the held one within this cosine of the normal. */
static const float behind = 0.7f;

/* Below this part of F the sum of directions is noise. */
static const float clear = 0.05f;

/* ∫ |W'| r over a layer at distance y: 2π ∫ |W'| r² dr from y on; lengths in supports. */
static double layer_filling(tl_kernel kernel, double y) {
    enum { SHELLS = 32 };
    const double width = (1 - y) / SHELLS;
    double sum = 0;
    for (int shell = 0; shell < SHELLS && y < 1; shell++) {
        const double q = y + (shell + 0.5) * width;
        sum -= q * q * q * (double)tl_lane(tl_kernel_slope(kernel, tl_splat((float)q)), 0);
    }
    return 2 * TL_PI * tl_kernel_norm(kernel) * sum * width;
}

void tl_held_profile_make(tl_held_profile *p, tl_kernel kernel, double support, double spacing,
                          tl_held_matter matter) {
    const double layer = spacing / support;
    p->spacing = spacing;
    p->matter = matter;
    tl_friction_make(&p->friction, kernel, support, spacing);
    for (int k = 0; k <= TL_HELD_STEPS; k++) {
        double sum = 0;
        for (double y = (double)k / TL_HELD_STEPS + 0.5 * layer; y < 1; y += layer)
            sum += layer * layer_filling(kernel, y);
        p->filling[k] = (float)sum;
    }
    p->unit = (float)(tl_kernel_norm(kernel) / pow(support, 5));
}

/* How far away the surface is, in supports. */
static float distance_of(const tl_held_profile *p, float filling) {
    int k = 0;
    while (k < TL_HELD_STEPS - 1 && p->filling[k + 1] > filling)
        k++;
    const float drop = p->filling[k] - p->filling[k + 1];
    const float part = drop > 0 ? (p->filling[k] - filling) / drop : 0;
    return ((float)k + fminf(fmaxf(part, 0), 1)) / TL_HELD_STEPS;
}

/* V |W'| / r of record j seen from particle i, and the way there. */
static float weight_of(const tl_held_profile *p, const tl_strain *s, size_t i, size_t j, float d[3],
                       float *r2) {
    const tl_record *a = &s->records->a[j];
    const float *self = s->records->a[i].x, support = tl_strain_support(s, i, j);
    const float unit =
        s->graded ? (float)(tl_kernel_norm(s->kernel) / pow((double)support, 5)) : p->unit;
    for (int k = 0; k < 3; k++)
        d[k] = a->x[k] - self[k];
    *r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const tl_wide q = tl_splat(__builtin_sqrtf(*r2) / support);
    return *r2 > 0
               ? -unit * a->mass * a->inverse_density * tl_lane(tl_kernel_slope(s->kernel, q), 0)
               : 0;
}

/* The surface of the held matter in a row: unit normal into the flow, and distance. */
typedef struct surface {
    float normal[3], distance;
} surface;

static surface find_surface(const tl_held_profile *p, const tl_strain *s, size_t i,
                            const uint32_t *row, size_t size) {
    const float support = (float)tl_support_of(&s->sizes, i);
    surface out = {{0}, 0};
    float filling = 0, d[3], r2;
    for (size_t e = 0; e < size; e++) {
        if (!tl_is_held(s, row[e]))
            continue;
        const float g = weight_of(p, s, i, row[e], d, &r2);
        for (int k = 0; k < 3; k++)
            out.normal[k] -= g * d[k];
        filling += g * r2;
    }
    const float length =
        __builtin_sqrtf(out.normal[0] * out.normal[0] + out.normal[1] * out.normal[1] +
                        out.normal[2] * out.normal[2]);
    const bool known = length * support > clear * filling;
    for (int k = 0; k < 3; k++)
        out.normal[k] = known ? out.normal[k] / length : 0;
    for (size_t e = 0; e < size && known; e++) {
        if (tl_records_is_matter(s->records, row[e]))
            continue;
        const float g = weight_of(p, s, i, row[e], d, &r2);
        const float along = d[0] * out.normal[0] + d[1] * out.normal[1] + d[2] * out.normal[2];
        if (-along > behind * __builtin_sqrtf(r2))
            filling += g * r2;
    }
    out.distance =
        fmaxf(distance_of(p, filling) * support, nearest * (float)tl_spacing_of(&s->sizes, i));
    return out;
}

/* The slip of held record j, if the surface is known. */
static double slip_of(const tl_held_profile *p, const tl_strain *s, const surface *border,
                      size_t j) {
    const float *n = border->normal;
    if (!p->matter.materials || (n[0] == 0 && n[1] == 0 && n[2] == 0))
        return 0;
    return p->matter.materials[p->matter.material[tl_source_of(s->records, j)]].solid_slip;
}

/* A pair of held matter along which particle i slips: `depth` is -n·d, g and d as from weight_of.
 */
static void add_slippery(const tl_held_profile *p, const tl_strain *s, size_t i, const surface *at,
                         double slip, float depth, float g, float r2, const float v[3],
                         tl_wall_link *link) {
    const float *n = at->normal, d[3] = {-depth * n[0], -depth * n[1], -depth * n[2]};
    link->slips = true;
    tl_link_add_across(link, d, g / r2, fmaxf(depth / at->distance, 1), v);
    if (slip < 1 && depth > 0)
        tl_friction_add(&p->friction, link, n, g * depth,
                        (double)at->distance + tl_slip_length(slip, p->spacing),
                        tl_spacing_of(&s->sizes, i), v);
}

void tl_held_add(const tl_held_profile *p, const tl_strain *s, size_t i, const uint32_t *row,
                 size_t size, tl_wall_link *link) {
    const surface border = find_surface(p, s, i, row, size);
    const float *n = border.normal;
    for (size_t e = 0; e < size; e++) {
        float d[3], r2;
        if (!tl_is_held(s, row[e]))
            continue;
        const float g = weight_of(p, s, i, row[e], d, &r2);
        if (!(g > 0))
            continue;
        const float depth = -(n[0] * d[0] + n[1] * d[1] + n[2] * d[2]);
        if (link->fullness <= 0 || border.distance * border.distance < link->reach2)
            link->reach2 = border.distance * border.distance;
        const tl_record *a = &s->records->a[row[e]];
        link->fullness += g * r2;
        link->filling += tl_strain_filling(s, tl_strain_own_support(s, i), tl_record_volume(a), r2);
        const double slip = slip_of(p, s, &border, row[e]);
        /* Held matter beside the particle, in a corner, moves as it does: not at all. */
        if (slip > 0)
            add_slippery(p, s, i, &border, slip, depth, g, r2, a->v, link);
        else
            tl_link_add(link, d, g / r2, fmaxf(depth / border.distance, 1), a->v, n);
    }
}
