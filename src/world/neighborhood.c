/* Records, samples, images and neighbour lists: all that is rebuilt from the fields. Lists are
 * built for support + skin and live until some particle has used up half the skin; then particles
 * are also sorted by cell, so that neighbours lie near each other in memory. */
#include "base/blocks.h"
#include "base/timer.h"
#include "world/state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- Records from fields -----------------------------------------------------------------------
 */

typedef struct fill_context {
    tl_world *w;
    float *partial; /* [blocks] largest displacement² since the last build; NaN when broken */
} fill_context;

/* NaN, once here, stays. */
static float larger_or_nan(float a, float b) { return a > b || isnan(a) ? a : b; }

static void fill_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const fill_context *c = context;
    const tl_world *w = c->w;
    const double *x = tl_position(w), *v = tl_velocity(w), *density = tl_density(w);
    const double origin[3] = {w->origin.x, w->origin.y, w->origin.z};
    const float *mass = tl_mass(w), *old = tl_field_data(&w->fields, w->handle.list_position);
    float largest = 0;
    for (size_t i = begin; i < end; i++) {
        tl_record *a = &w->records.a[i];
        float moved = 0;
        for (size_t k = 0; k < 3; k++) {
            a->x[k] = (float)(x[3 * i + k] - origin[k]);
            a->v[k] = (float)v[3 * i + k];
            const float step = a->x[k] - old[3 * i + k];
            moved += step * step;
        }
        a->mass = mass[i];
        a->inverse_density = (float)(1 / density[i]);
        largest = larger_or_nan(largest, moved);
    }
    c->partial[begin / TL_BLOCK] = largest;
}

static void join_largest(void *total, const void *partial) {
    float *largest = total;
    *largest = larger_or_nan(*largest, *(const float *)partial);
}

/* Fills the particles' records. Returns the largest displacement since the last build, or NaN. */
static double fill_records(tl_world *w) {
    fill_context c = {w, w->partial};
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, fill_range, &c);
    float largest = 0;
    tl_join_blocks(&largest, c.partial, sizeof largest, w->fields.count, join_largest);
    return sqrt((double)largest);
}

/* ---- Building ----------------------------------------------------------------------------------
 */

/* Moves particle i by `way` along axis k, which changes nothing but its energy in gravity. */
static void carry_round(tl_world *w, size_t i, size_t k, double way) {
    tl_position(w)[3 * i + k] += way;
    if (!tl_rigid_of(w, i))
        w->state.returned_energy -= (double)tl_mass(w)[i] * w->def.gravity[k] * way;
}

/* Brings particles that left a periodic world back in on the other side. False when the world does
 * not repeat itself. */
static bool wrap_positions(tl_world *w) {
    double *x = tl_position(w);
    bool any = false;
    for (size_t k = 0; k < 3; k++) {
        if (w->period[k] <= 0)
            continue;
        any = true;
        const double low = w->def.period_from[k], length = w->period[k];
        for (size_t i = 0; i < w->fields.count; i++) {
            const double turns = floor((x[3 * i + k] - low) / length);
            if (turns != 0)
                carry_round(w, i, k, -length * turns);
            if (x[3 * i + k] >= low + length) /* rounding may land on the far face */
                x[3 * i + k] = low;
        }
    }
    return any;
}

static tl_points points_of(const tl_world *w, size_t count) {
    return (tl_points){.xyz = (const float *)w->records.a,
                       .stride = TL_RECORD,
                       .count = count,
                       .radius = (float)(tl_largest_support(&w->sizes) + w->skin)};
}

/* How far each record looks, where particles differ: pairs reach no farther than the larger of two
 * supports. Samples see hardly anybody, and are seen. NULL: all alike. */
static tl_status find_radii(tl_world *w, const float **radii, tl_error *error) {
    const tl_records *r = &w->records;
    const size_t count = tl_records_total(r);
    *radii = NULL;
    if (!tl_sizes_differ(&w->sizes))
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(w->radii, 0, count, error));
    for (size_t j = 0; j < count; j++)
        w->radii[j] = tl_records_is_matter(r, j)
                          ? (float)(tl_support_of(&w->sizes, tl_source_of(r, j)) + w->skin)
                          : (float)(1e-3 * tl_least_support(&w->sizes));
    *radii = w->radii;
    return TL_OK;
}

static tl_status sort_particles(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count, mark = tl_scratch_mark(&w->scratch);
    TL_TRY(tl_scratch_reserve(&w->scratch, tl_scratch_room(n, sizeof(uint32_t)), error));
    uint32_t *order = TL_SCRATCH_TAKE(&w->scratch, uint32_t, n, "order of particles");
    const tl_points points = points_of(w, n);
    const tl_status status = tl_cell_order(w->search, &w->parallel, &points, order, error);
    /* The records are filled anew after this: until then their memory is free for the sort. */
    assert(tl_fields_scratch_bytes(&w->fields) <= tl_array_bytes(w->records.a));
    if (status == TL_OK)
        tl_fields_reorder(&w->fields, &w->parallel, order, w->records.a);
    tl_scratch_release(&w->scratch, mark);
    return status;
}

/* Gives the wall samples their records. */
static void place_samples(tl_world *w) {
    const float density = (float)w->fluids[0].rest_density;
    const float mass = (float)((double)density * tl_volume_of_spacing(w->samples.spacing));
    for (size_t s = 0; s < w->samples.count; s++) {
        tl_record *a = &w->records.a[w->records.particles + s];
        /* Mass without its share: the diffusion of density compares volumes. */
        *a = (tl_record){.mass = mass, .inverse_density = 1 / density};
        memcpy(a->x, w->samples.items[s].position, sizeof a->x);
    }
}

/* Samples, images and lists for the places in the particles' records. */
static tl_status build_lists(tl_world *w, tl_error *error) {
    const double reach = tl_largest_support(&w->sizes) + w->skin;
    const double low[3] = {w->def.period_from[0] - w->origin.x, w->def.period_from[1] - w->origin.y,
                           w->def.period_from[2] - w->origin.z};
    tl_records *r = &w->records;
    /* Images of particles first: samples beyond a periodic face feel the matter across it. */
    r->samples = 0;
    TL_TRY(tl_images_make(r, w->period, low, reach, error));
    const float *radii;
    TL_TRY(find_radii(w, &radii, error));
    const tl_sampling sampling = {.spacing = tl_world_sample_spacing(w),
                                  .reach = reach,
                                  .reaches = radii,
                                  .depth = tl_largest_support(&w->sizes),
                                  .origin = w->origin,
                                  .anchor = tl_vec3_of(w->def.period_from),
                                  .period = {w->period[0], w->period[1], w->period[2]}};
    const tl_shapes none = {0};
    const tl_shapes *walls = w->dynamics->meets_depths ? &none : &w->shapes;
    TL_TRY(tl_samples_make(&w->samples, walls, &sampling, (const float *)r->a, TL_RECORD,
                           tl_records_total(r), error));
    r->samples = w->samples.count;
    tl_images_clear(r);
    TL_TRY(tl_records_reserve(r, error));
    place_samples(w);
    TL_TRY(tl_images_make(r, w->period, low, reach, error));
    tl_points points = points_of(w, tl_records_total(r));
    TL_TRY(find_radii(w, &points.radii, error));
    for (size_t j = 0; points.radii && j < points.count; j++)
        points.radius = fmaxf(points.radius, points.radii[j]);
    TL_TRY(tl_search_build(w->search, &w->parallel, &points, tl_images_begin(r), &w->list, error));
    tl_keep_matter(&w->parallel, r, &w->list);
    TL_TRY(tl_world_cut_rigid_rows(w, error));
    TL_TRY(tl_world_build_ties(w, error));
    w->list_valid = true;
    w->cohesive.rows_cut = false;
    return TL_OK;
}

static void remember_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_world *w = context;
    float *places = tl_field_data(&w->fields, w->handle.list_position);
    for (size_t i = begin; i < end; i++)
        memcpy(places + 3 * i, w->records.a[i].x, 3 * sizeof *places);
}

static tl_status prepare_records(tl_world *w, tl_error *error) {
    w->records.particles = w->fields.count;
    w->records.samples = w->samples.count;
    TL_TRY(tl_records_reserve(&w->records, error));
    return tl_world_partials(w, w->fields.count, sizeof(float), error);
}

/* Between two builds particles move by half a skin: they stay nearly in order for some time. */
static const double builds_a_sort = 8;

/* A place more than this many supports from the origin has left the precision of the records. */
static const double farthest = 1e6;

/* True, and the first of them in *worst, when some place is out of range or not finite. */
static bool out_of_range(const tl_world *w, size_t *worst) {
    const double most = farthest * tl_least_support(&w->sizes);
    for (size_t i = 0; i < w->fields.count; i++)
        for (size_t k = 0; k < 3; k++)
            if (!(fabs((double)w->records.a[i].x[k]) < most)) {
                *worst = i;
                return true;
            }
    return false;
}

tl_status tl_world_find_neighbors(tl_world *w, bool *broken, size_t *worst, tl_error *error) {
    TL_TRY(prepare_records(w, error));
    const double moved = fill_records(w);
    *broken = false;
    /* Samples of walls that move are made anew in every step. */
    if (w->list_valid && moved <= 0.5 * w->skin && !tl_shapes_move(&w->shapes)) {
        tl_images_update_a(&w->records);
        return TL_OK;
    }
    if (out_of_range(w, worst)) {
        *broken = true;
        return TL_OK;
    }
    if (wrap_positions(w))
        fill_records(w);
    if (fmod(w->state.builds, builds_a_sort) == 0) {
        TL_TRY(sort_particles(w, error));
        fill_records(w);
    }
    w->state.builds += 1;
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, remember_range, w);
    return build_lists(w, error);
}

tl_status tl_world_rebuild_lists(tl_world *w, tl_error *error) {
    w->heat.fitted = false;
    TL_TRY(prepare_records(w, error));
    fill_records(w);
    const float *places = tl_field_data(&w->fields, w->handle.list_position);
    for (size_t i = 0; i < w->fields.count; i++)
        memcpy(w->records.a[i].x, places + 3 * i, 3 * sizeof *places);
    return build_lists(w, error);
}

tl_status tl_world_matter_changed(tl_world *w, tl_error *error) {
    w->state.surface_time = -1;
    tl_world_measure_sizes(w);
    return tl_world_rebuild_lists(w, error);
}
