/* Who asks how large a particle is hears the scene's values, whichever particle it is. */
#include "flow/params.h"
#include "particles/size.h"
#include "scene/schema.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { N = 6 };

static const double dx = 0.01;

static tl_world *make_world(int scheme) {
    static const tl_material liquid = {
        .name = (char *)"liquid", .density = 1200, .viscosity.value = 2};
    tl_seed *seeds = calloc(N * N * N, sizeof *seeds);
    for (size_t i = 0; i < N * N * N; i++) {
        const size_t at[3] = {i % N, i / N % N, i / N / N};
        for (size_t k = 0; k < 3; k++)
            seeds[i].position[k] = dx * (double)at[k];
    }
    tl_world_def def = {.spacing = dx,
                        .materials = &liquid,
                        .material_count = 1,
                        .seeds = seeds,
                        .seed_count = N * N * N};
    tl_error error = {0};
    tl_world *world;
    cr_assert(tl_schema_defaults(&tl_flow_table, &def.flow));
    def.flow.scheme = scheme;
    cr_assert_eq(tl_world_make(&def, NULL, &world, &error), TL_OK, "%s", error.what);
    free(seeds);
    return world;
}

Test(sizes, every_particle_of_a_world_has_the_size_that_its_scene_gives) {
    const int schemes[] = {TL_SCHEME_EXPLICIT, TL_SCHEME_COUPLED};
    for (int k = 0; k < 2; k++) {
        tl_world *w = make_world(schemes[k]);
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
