/* Who asks how large a particle is hears the scene's values, whichever particle it is; or its own,
 * where particles differ. */
#include "flow/params.h"
#include "particles/size.h"
#include "scene/schema.h"
#include "scratch_folder.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { N = 6 };

static const double dx = 0.01;

/* m: of particle i where particles differ. */
static double own_size(size_t i) { return dx * (0.75 + 0.25 * (double)(i % 3)); }

static tl_status make_world(int scheme, bool differ, tl_world **world, tl_error *error) {
    static const tl_material liquid = {.name = (char *)"liquid",
                                       .density = 1200,
                                       .viscosity.value = 2,
                                       .specific_heat = 1000,
                                       .conductivity = 0.5};
    tl_seed *seeds = calloc(N * N * N, sizeof *seeds);
    for (size_t i = 0; i < N * N * N; i++) {
        const size_t at[3] = {i % N, i / N % N, i / N / N};
        for (size_t k = 0; k < 3; k++)
            seeds[i].position[k] = dx * (double)at[k];
        seeds[i].size = differ ? own_size(i) : 0;
    }
    tl_world_def def = {.spacing = dx,
                        .least_size = differ ? 0.5 * dx : 0,
                        .most_size = differ ? 2 * dx : 0,
                        .materials = &liquid,
                        .material_count = 1,
                        .seeds = seeds,
                        .seed_count = N * N * N};
    cr_assert(tl_schema_defaults(&tl_flow_table, &def.flow));
    cr_assert(tl_schema_defaults(&tl_heat_table, &def.heat));
    def.flow.scheme = scheme;
    def.with_heat = scheme == TL_SCHEME_NONE;
    const tl_status status = tl_world_make(&def, NULL, world, error);
    free(seeds);
    return status;
}

Test(sizes, every_particle_of_a_world_has_the_size_that_its_scene_gives) {
    const int schemes[] = {TL_SCHEME_EXPLICIT, TL_SCHEME_COUPLED};
    for (int k = 0; k < 2; k++) {
        tl_error error = {0};
        tl_world *w;
        cr_assert_eq(make_world(schemes[k], false, &w, &error), TL_OK, "%s", error.what);
        cr_assert_null(tl_size_of(w));
        cr_assert(!tl_sizes_differ(&w->sizes));
        const double support = tl_flow_support(&w->def.flow) * dx;
        for (size_t i = 0; i < w->fields.count; i++) {
            cr_assert_eq(tl_spacing_of(&w->sizes, i), dx);
            cr_assert_eq(tl_support_of(&w->sizes, i), support);
            cr_assert_eq(tl_volume_of(&w->sizes, i), tl_volume_of_spacing(dx));
            cr_assert_eq(tl_mass(w)[i], (float)(1200 * tl_volume_of(&w->sizes, i)));
        }
        tl_world_destroy(w);
    }
}

Test(sizes, bounds_enclose_every_particle_and_pairs_have_one_size_from_both_sides) {
    const tl_sizes s = tl_sizes_alike(0.3, 0.7);
    for (size_t i = 0; i < N; i++) {
        cr_assert_leq(tl_least_spacing(&s), tl_spacing_of(&s, i));
        cr_assert_leq(tl_least_support(&s), tl_support_of(&s, i));
        cr_assert_geq(tl_largest_support(&s), tl_support_of(&s, i));
        cr_assert_eq(tl_common_support(&s), tl_support_of(&s, i));
        for (size_t j = 0; j < N; j++) {
            cr_assert_eq(tl_spacing_between(&s, i, j), tl_spacing_between(&s, j, i));
            cr_assert_eq(tl_spacing_between(&s, i, j), 0.3);
        }
    }
}

Test(sizes, particles_that_differ_know_their_own_size_after_sorting_too) {
    tl_error error = {0};
    tl_world *w;
    cr_assert_eq(make_world(TL_SCHEME_COUPLED, true, &w, &error), TL_OK, "%s", error.what);
    const double part = tl_flow_support(&w->def.flow);
    const uint64_t *id = tl_field_data(&w->fields, w->handle.id);
    cr_assert(tl_sizes_differ(&w->sizes));
    for (size_t i = 0; i < w->fields.count; i++) {
        const double size = (double)(float)own_size(id[i]);
        cr_assert_eq(tl_spacing_of(&w->sizes, i), size);
        cr_assert_float_eq(tl_support_of(&w->sizes, i), part * size, 1e-9 * size);
        cr_assert_eq(tl_mass(w)[i], (float)(1200 * size * size * size));
    }
    cr_assert_eq(tl_least_spacing(&w->sizes), (double)(float)own_size(0));
    cr_assert_float_eq(tl_largest_support(&w->sizes), part * own_size(2), 1e-6 * dx);
    tl_world_destroy(w);
}

Test(sizes, what_knows_one_size_only_refuses_more) {
    tl_error error = {0};
    tl_world *w;
    cr_assert_eq(make_world(TL_SCHEME_EXPLICIT, true, &w, &error), TL_BAD_INPUT);
    cr_assert_str_eq(error.where, "flow.scheme");
}

/* ---- Runs --------------------------------------------------------------------------------------
 */

static uint64_t hash_after(tl_world *w, int steps) {
    tl_error error = {0};
    for (int k = 0; k < steps; k++)
        cr_assert_eq(tl_world_step(w, NULL, &error), TL_OK, "%s", error.what);
    return tl_world_hash(w);
}

Test(sizes, runs_of_many_sizes_have_the_same_bits_on_any_threads_and_when_resumed) {
    tl_error error = {0};
    tl_world *one, *two, *resumed;
    cr_assert_eq(make_world(TL_SCHEME_COUPLED, true, &one, &error), TL_OK, "%s", error.what);
    cr_assert_eq(make_world(TL_SCHEME_COUPLED, true, &two, &error), TL_OK, "%s", error.what);
    cr_assert_eq(make_world(TL_SCHEME_COUPLED, true, &resumed, &error), TL_OK, "%s", error.what);
    tl_world_make_adverse(two);
    for (int k = 0; k < 3; k++)
        one->def.gravity[k] = two->def.gravity[k] = resumed->def.gravity[k] = k == 2 ? -9.81 : 0;
    hash_after(one, 3);
    scratch_make();
    cr_assert_eq(tl_world_save(one, in_scratch("half.h5"), &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_restore(resumed, in_scratch("half.h5"), &error), TL_OK, "%s", error.what);
    const uint64_t straight = hash_after(one, 3);
    cr_expect_eq(hash_after(two, 6), straight);
    cr_expect_eq(hash_after(resumed, 3), straight);
    tl_world_destroy(one);
    tl_world_destroy(two);
    tl_world_destroy(resumed);
    scratch_remove();
}

/* What one gets the other gives, whatever their sizes. */
Test(sizes, pairs_conduct_the_same_from_both_sides_to_the_bit) {
    tl_error error = {0};
    tl_world *w;
    size_t unlike = 0;
    cr_assert_eq(make_world(TL_SCHEME_NONE, true, &w, &error), TL_OK, "%s", error.what);
    const tl_conduction *c = &w->heat.exchange.conduction;
    for (size_t i = 0; i < w->fields.count; i++)
        for (size_t k = 0; k < c->size[i]; k++) {
            const size_t j = c->index[c->begin[i] + k];
            float there = 0;
            for (size_t e = 0; e < c->size[j] && j != i; e++)
                if (c->index[c->begin[j] + e] == i)
                    there = c->conductance[c->begin[j] + e];
            cr_assert_eq(c->conductance[c->begin[i] + k], there);
            unlike += there > 0 && w->sizes.own[i] != w->sizes.own[j];
        }
    cr_expect_gt(unlike, 1000);
    tl_world_destroy(w);
}
