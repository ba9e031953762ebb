/* See radiation.h. */
#include "heat/radiation.h"

#include "math/kernels.h"

#include <string.h>

enum { POINTS = 16 }; /* of a sphere or disc */

static const double golden = 0.6180339887498949;

/* Texels on a spacing: a map for each point, and the maps' noise evens out. */
static const double fine_detail = 3, coarse_detail = 1.25;

/* The radius within which a part u of a ball's light is, when it looks like an evenly bright disc
 * from all sides: its density is 1/√(1 - r²), so that u = 2/π (asin r - r √(1 - r²)). */
static double glow_radius(double u) {
    double low = 0, high = 1;
    for (int k = 0; k < 50; k++) {
        const double r = (low + high) / 2;
        *(2 / TL_PI * (asin(r) - r * sqrt(1 - r * r)) < u ? &low : &high) = r;
    }
    return (low + high) / 2;
}

/* Point k of a source, relative to its middle. */
static tl_emitter emitter_of(const tl_source_def *s, tl_vec3 place, int k) {
    tl_emitter e = {.position = place};
    const double u = (k + 0.5) / POINTS, angle = 2 * TL_PI * k * golden;
    if (s->shape == TL_SOURCE_SPHERE) {
        const double z = 1 - 2 * u, r = sqrt(1 - z * z);
        const double out = s->radius * glow_radius(fmod((k + 0.5) * 0.7548776662466927, 1));
        e.position = tl_vec3_mad(place, out, (tl_vec3){r * cos(angle), r * sin(angle), z});
    } else if (s->shape == TL_SOURCE_DISC) {
        const tl_vec3 n = tl_vec3_unit(tl_vec3_of(s->normal));
        const tl_vec3 other = fabs(n.z) < 0.9 ? (tl_vec3){0, 0, 1} : (tl_vec3){1, 0, 0};
        const tl_vec3 a = tl_vec3_unit(tl_vec3_cross(other, n)), b = tl_vec3_cross(n, a);
        const double out = s->radius * sqrt(u);
        e.position = tl_vec3_mad(tl_vec3_mad(place, out * cos(angle), a), out * sin(angle), b);
        e.normal = n;
    }
    return e;
}

/* From light that falls on particles to the flux of the kernel on what is seen of them. */
static void weigh_by_kernel(const tl_sight *sight, const tl_source_def *source, tl_vec3 place,
                            double *seen) {
    const size_t n = sight->records->particles;
    const tl_vec3 from = tl_vec3_sub(place, sight->origin);
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        const float *x = sight->records->a[i].x;
        const float *normal = sight->exposed->surface + i * TL_SURFACE;
        /* To the surface, half a spacing above the particle. */
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = (double)x[k] + 0.5 * tl_spacing_of(&sight->sizes, i) * (double)normal[k];
        d[0] -= from.x, d[1] -= from.y, d[2] -= from.z;
        const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const double area = tl_exposed_area(sight->exposed, i);
        const double flux =
            10 / (TL_PI * source->reach * source->reach) * tl_source_fall_off(source, sqrt(r2));
        /* Seen is what shows a tenth of its exposed area, as across the view. */
        const double visible = area > 0 ? fmin(4 * TL_PI * seen[i] * r2 / (0.1 * area), 1) : 0;
        seen[i] = flux * area * visible;
        total += seen[i];
    }
    for (size_t i = 0; i < n && total > 1; i++)
        seen[i] /= total;
}

/* From light that falls on particles to what the paper gives to those that get any. */
static void weigh_by_volume(const tl_sight *sight, const tl_source_def *source, tl_vec3 place,
                            double *seen) {
    const tl_vec3 from = tl_vec3_sub(place, sight->origin);
    const double norm = 15 / (TL_PI * pow(source->reach, 3));
    double total = 0;
    for (size_t i = 0; i < sight->records->particles; i++) {
        const float *x = sight->records->a[i].x;
        const tl_vec3 way = {(double)x[0] - from.x, (double)x[1] - from.y, (double)x[2] - from.z};
        const double fall = tl_source_fall_off(source, tl_vec3_length(way));
        const double volume = tl_volume_of(&sight->sizes, i);
        seen[i] = seen[i] > 0 ? volume * norm * fall : 0;
        total += seen[i];
    }
    for (size_t i = 0; i < sight->records->particles && total > 1; i++)
        seen[i] /= total;
}

tl_status tl_radiation_add(tl_radiation *r, const tl_parallel *parallel, const tl_sight *sight,
                           const tl_source_def *source, tl_vec3 place, double weight, double *parts,
                           tl_error *error) {
    const size_t n = sight->records->particles;
    const bool point = source->shape == TL_SOURCE_POINT || source->radius == 0;
    const int points = point && source->shape != TL_SOURCE_DISC ? 1 : POINTS;
    tl_sight own = *sight;
    own.detail = points == 1 ? fine_detail : coarse_detail;
    TL_TRY(TL_ARRAY_RESERVE(r->seen, 0, n, error));
    memset(r->seen, 0, n * sizeof *r->seen);
    TL_TRY(tl_visibility_gather(&r->visibility, &own, error));
    for (int k = 0; k < points; k++) {
        const tl_emitter e = emitter_of(source, place, k);
        TL_TRY(tl_visibility_add(&r->visibility, parallel, &own, &e, 1.0 / points, r->seen, error));
    }
    if (source->fall_off == TL_FALL_OFF_KERNEL)
        weigh_by_kernel(sight, source, place, r->seen);
    else if (source->fall_off == TL_FALL_OFF_PARTICLES)
        weigh_by_volume(sight, source, place, r->seen);
    for (size_t i = 0; i < n; i++)
        parts[i] += weight * r->seen[i];
    return TL_OK;
}

size_t tl_radiation_bytes(const tl_radiation *r) {
    return tl_visibility_bytes(&r->visibility) + tl_array_bytes(r->seen);
}

void tl_radiation_free(tl_radiation *r) {
    tl_visibility_free(&r->visibility);
    tl_array_free(r->seen);
    *r = (tl_radiation){0};
}
