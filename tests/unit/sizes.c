/* Who asks how large a particle is hears the scene's values, whichever particle it is; or its own,
 * where particles differ. */
#include "flow/params.h"
#include "particles/size.h"
#include "scene/schema.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { N = 6 };

static const double dx = 0.01;

/* m: of particle i where particles differ. */
static double own_size(size_t i) { return dx * (0.75 + 0.25 * (double)(i % 3)); }

static tl_status make_world(int scheme, bool differ, tl_world **world, tl_error *error) {
    static const tl_material liquid = {
        .name = (char *)"liquid", .density = 1200, .viscosity.value = 2};
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
    def.flow.scheme = scheme;
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
