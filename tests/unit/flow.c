/* What one evaluation of the flow finds on velocity fields whose answer is known exactly. */
#include "base/random.h"
#include "sample_materials.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 12 };

static const double dx = 0.01;

static const tl_material liquids[] = {
    {.name = (char *)"light", .density = 1000, .viscosity.value = 0.5},
    {.name = (char *)"heavy", .density = 2500, .viscosity.value = 3},
};

static tl_world_def make_def(const tl_seed *seeds, size_t count) {
    return (tl_world_def){.spacing = dx,
                          .flow = {.support = 2,
                                   .artificial_viscosity = 0.05,
                                   .density_diffusion = 0.1,
                                   .shifting = 0.5,
                                   .cfl = 0.3,
                                   .max_step = 0.01,
                                   .skin = 0.1},
                          .materials = liquids,
                          .material_count = 2,
                          .seeds = seeds,
                          .seed_count = count};
}

static tl_world *world_of(const tl_world_def *def) {
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_world_make(def, NULL, &world, &error), TL_OK, "%s", error.what);
    return world;
}

static void *field(tl_world *world, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(world, name, &view), "no field %s", name);
    return view.data;
}

/* A jittered cube of N³ seeds off the origin that moves with v = base + G x. */
static tl_seed *make_cube(const double base[3], const double G[3][3]) {
    tl_seed *seeds = calloc(N * N * N, sizeof *seeds);
    for (size_t i = 0; i < N * N * N; i++) {
        const size_t at[3] = {i % N, i / N % N, i / N / N};
        for (size_t k = 0; k < 3; k++)
            seeds[i].position[k] =
                dx * ((double)at[k] + 0.3 * (tl_random_uniform(9, 3 * i + k) - 0.5));
        seeds[i].position[1] += 0.4;
        for (size_t k = 0; k < 3; k++)
            seeds[i].velocity[k] = base[k] + G[k][0] * seeds[i].position[0] +
                                   G[k][1] * seeds[i].position[1] + G[k][2] * seeds[i].position[2];
    }
    return seeds;
}

static bool is_inside(const double x[3]) {
    const double shifted[3] = {x[0], x[1] - 0.4, x[2]};
    for (int k = 0; k < 3; k++)
        if (shifted[k] < 2.5 * dx || shifted[k] > (N - 3.5) * dx)
            return false;
    return true;
}

/* The largest departure of strain_rate from `expected` in the interior. */
static double strain_error(const double G[3][3], int kernel, double support, double expected) {
    tl_seed *seeds = make_cube((double[]){0.2, 0, -0.1}, G);
    tl_world_def def = make_def(seeds, N * N * N);
    def.flow.kernel = kernel;
    def.flow.support = support;
    tl_world *world = world_of(&def);
    const double *x = field(world, "position");
    const float *rate = field(world, "strain_rate");
    double worst = 0;
    size_t inside = 0;
    for (size_t i = 0; i < N * N * N; i++)
        if (is_inside(x + 3 * i)) {
            inside++;
            worst = fmax(worst, fabs((double)rate[i] - expected));
        }
    cr_assert_gt(inside, 200);
    tl_world_destroy(world);
    free(seeds);
    return worst;
}

Test(flow, shear_rate_of_a_linear_flow_is_exact_on_a_disordered_lattice) {
    const double shear[3][3] = {{0, 0, 2}, {0, 0, 0}, {0, 0, 0}};
    const double any[3][3] = {{1, -2, 0.5}, {0.7, -3, 4}, {2.5, 0.1, 2}};
    double squares = 0; /* ½ D:D */
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            squares += 0.5 * (any[r][c] + any[c][r]) * (any[r][c] + any[c][r]);
    for (int kernel = 0; kernel < 7; kernel++) {
        cr_assert_lt(strain_error(shear, kernel, 2.5, 2), 2e-3, "kernel %d", kernel);
        cr_assert_lt(strain_error(any, kernel, 2.5, sqrt(squares)), 1e-3 * sqrt(squares),
                     "kernel %d", kernel);
    }
    cr_assert_lt(strain_error(any, 0, 2, sqrt(squares)), 1e-3 * sqrt(squares));
}

Test(flow, a_rigid_rotation_has_no_shear_rate) {
    const double spin[3][3] = {{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}}; /* |ω| = √14 /s */
    cr_assert_lt(strain_error(spin, 0, 2, 0), 1e-3 * sqrt(14));
}

Test(flow, a_uniform_translation_is_never_disturbed) {
    const double wind[3] = {0.7, -0.3, 0.1}, still[3][3] = {{0}};
    tl_seed *seeds = make_cube(wind, still);
    const tl_world_def def = make_def(seeds, N * N * N);
    tl_world *world = world_of(&def);
    for (int step = 0; step < 10; step++) {
        const double *v = field(world, "velocity"), *density = field(world, "density");
        const float *a = field(world, "acceleration"), *rate = field(world, "strain_rate");
        for (size_t i = 0; i < N * N * N; i++) {
            cr_assert(a[3 * i] == 0 && a[3 * i + 1] == 0 && a[3 * i + 2] == 0, "step %d", step);
            cr_assert_eq(memcmp(v + 3 * i, wind, sizeof wind), 0);
            cr_assert(density[i] == 1000 && rate[i] == 0);
        }
        cr_assert_eq(tl_world_step(world, NULL, NULL), TL_OK);
    }
    tl_world_destroy(world);
    free(seeds);
}

Test(flow, gravity_is_the_acceleration_of_matter_that_touches_nothing) {
    const double none[3] = {0}, still[3][3] = {{0}};
    tl_seed *seeds = make_cube(none, still);
    tl_world_def def = make_def(seeds, N * N * N);
    def.gravity[0] = 1.5;
    def.gravity[2] = -9.81;
    tl_world *world = world_of(&def);
    const float *a = field(world, "acceleration");
    for (size_t i = 0; i < N * N * N; i++)
        cr_assert(a[3 * i] == 1.5f && a[3 * i + 1] == 0 && a[3 * i + 2] == -9.81f);
    tl_world_destroy(world);
    free(seeds);
}

/* A light and a heavy particle near each other, with a relative velocity along and across. */
static const tl_seed pair[2] = {
    {.position = {0, 0, 0}, .velocity = {0.1, 0.05, 0}, .material = 0},
    {.position = {0.008, 0.003, -0.002}, .velocity = {-0.2, 0, 0.1}, .material = 1},
};

/* Σ m a vanishes; returns the force on the first along the line to the second: attraction. */
static double attraction(tl_world *world) {
    const double *x = field(world, "position");
    const float *a = field(world, "acceleration"), *mass = field(world, "mass");
    const double *density = field(world, "density");
    double along = 0, length = 0, force = 0;
    cr_assert_neq(mass[0], mass[1]);
    cr_assert_gt(fabs(density[1] - density[0]), 1000);
    for (int k = 0; k < 3; k++) {
        const double f = (double)(mass[0] * a[k]), g = (double)(mass[1] * a[3 + k]);
        force = fmax(force, fabs(f));
        along += f * (x[3 + k] - x[k]);
        length = hypot(length, x[3 + k] - x[k]);
        cr_assert_float_eq(f + g, 0, 2e-6 * fmax(fabs(f), fabs(g)) + 1e-12, "axis %d: %g, %g", k, f,
                           g);
    }
    cr_assert_gt(force, 0);
    return along / length;
}

Test(flow, drag_and_damping_of_a_pair_are_opposite_and_slow_it_down) {
    const tl_world_def def = make_def(pair, 2);
    tl_world *world = world_of(&def);
    cr_assert_lt(attraction(world), 0); /* they approach each other */
    tl_world_destroy(world);
}

/* A pair at rest without viscosity, so that only pressure acts; the densities are set and a tiny
 * step lets the pressure follow them. */
static double pressed_attraction(double compression) {
    tl_seed seeds[2] = {pair[0], pair[1]};
    for (int i = 0; i < 2; i++)
        memset(seeds[i].velocity, 0, sizeof seeds[i].velocity);
    tl_material materials[2] = {liquids[0], liquids[1]};
    materials[0].viscosity.value = materials[1].viscosity.value = 0;
    tl_world_def def = make_def(seeds, 2);
    def.materials = materials;
    def.flow.pulls = true;
    def.flow.max_step = 1e-7;
    tl_world *world = world_of(&def);
    double *density = field(world, "density");
    const uint8_t *material = field(world, "material");
    for (int i = 0; i < 2; i++)
        density[i] = (1 + compression) * liquids[material[i]].density;
    cr_assert_eq(tl_world_step(world, NULL, NULL), TL_OK);
    const double force = attraction(world);
    tl_world_destroy(world);
    return force;
}

Test(flow, pressure_of_a_pair_is_opposite_and_repels_when_pressed_and_attracts_when_pulled) {
    cr_assert_lt(pressed_attraction(0.01), 0);
    cr_assert_gt(pressed_attraction(-0.01), 0);
}

Test(flow, a_world_without_matter_goes_on_in_time) {
    for (int scheme = TL_SCHEME_AUTOMATIC; scheme <= TL_SCHEME_EXPLICIT; scheme++) {
        tl_world_def def = make_def(NULL, 0);
        def.flow.scheme = scheme;
        def.flow.motion = 0.4;
        tl_world *world = world_of(&def);
        cr_assert_eq(tl_world_advance(world, 0.1, NULL), TL_OK, "scheme %d", scheme);
        cr_assert_eq(tl_world_time(world), 0.1);
        tl_world_destroy(world);
    }
}

/* A cube in the coupled scheme whose layers slide over each other. */
static tl_world *make_sliding(const tl_seed *seeds, int64_t max_iterations, double motion) {
    tl_world_def def = make_def(seeds, N * N * N);
    def.flow.scheme = TL_SCHEME_COUPLED;
    def.flow.stabilization = 1;
    def.flow.tolerance = 1e-3;
    def.flow.max_iterations = max_iterations;
    def.flow.motion = motion;
    def.gravity[2] = -9.81;
    return world_of(&def);
}

Test(flow, an_implicit_step_that_cannot_be_made_says_why_and_what_to_change) {
    const double slide[3][3] = {{0, 0, 5}, {0, 0, 0}, {0, 0, 0}};
    tl_seed *seeds = make_cube((double[]){0, 0, 0}, slide);
    tl_world *world = make_sliding(seeds, 1, 0.4);
    tl_error error = {0};
    cr_assert_eq(tl_world_step(world, NULL, &error), TL_DIVERGED);
    cr_assert_not_null(strstr(error.what, "did not converge"), "%s", error.what);
    cr_assert_not_null(strstr(error.fix, "flow.max_iterations"), "%s", error.fix);
    cr_assert_null(strstr(error.fix, "flow.cfl"), "%s", error.fix);
    tl_world_destroy(world);
    free(seeds);
}

/* Viscosities are but the first guess of the next solve, and every law has one for a rate that came
 * out of a guess that was not finite. */
Test(flow, an_implicit_step_mends_a_viscosity_that_is_not_finite) {
    const double slide[3][3] = {{0, 0, 5}, {0, 0, 0}, {0, 0, 0}};
    tl_seed *seeds = make_cube((double[]){0, 0, 0}, slide);
    const tl_material laws[] = {jump(100, 0.5, 10, 1),
                                thinning(TL_RHEOLOGY_CARREAU, 100, 1, 1, 0.5),
                                plastic(TL_RHEOLOGY_CASSON, 10, 1, 1000)};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        tl_material materials[] = {laws[k], laws[k]};
        tl_world_def def = make_def(seeds, N * N * N);
        def.materials = materials;
        def.flow.scheme = TL_SCHEME_COUPLED;
        def.flow.stabilization = 1;
        def.flow.tolerance = 0.05;
        def.flow.max_iterations = 200;
        def.flow.motion = 0.4;
        tl_world *world = world_of(&def);
        ((float *)field(world, "viscosity"))[5] = NAN;
        tl_error error = {0};
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "law %zu: %s", k, error.what);
        const float *viscosity = field(world, "viscosity");
        for (size_t i = 0; i < N * N * N; i++)
            cr_expect(isfinite(viscosity[i]));
        tl_world_destroy(world);
    }
    free(seeds);
}

Test(flow, the_ledger_counts_the_iterations_of_implicit_solves) {
    const double slide[3][3] = {{0, 0, 5}, {0, 0, 0}, {0, 0, 0}};
    tl_seed *seeds = make_cube((double[]){0, 0, 0}, slide);
    tl_world *world = make_sliding(seeds, 200, 0.4);
    tl_ledger books;
    double before = 0;
    for (int step = 0; step < 3; step++) {
        cr_assert_eq(tl_world_step(world, NULL, NULL), TL_OK);
        tl_world_ledger(world, &books);
        cr_assert_gt(books.iterations, before);
        before = books.iterations;
    }
    tl_world_destroy(world);
    free(seeds);
}

static void is_refused(const tl_world_def *def, const char *where) {
    tl_world *world = (tl_world *)(void *)&liquids;
    tl_error error = {0};
    cr_assert_eq(tl_world_make(def, NULL, &world, &error), TL_BAD_INPUT, "%s", where);
    cr_assert_null(world);
    cr_assert_str_eq(error.where, where);
    cr_assert_str_not_empty(error.what);
    cr_assert_eq(tl_world_make(def, NULL, &world, NULL), TL_BAD_INPUT);
}

Test(flow, definitions_that_make_no_sense_are_refused) {
    tl_seed seeds[2] = {pair[0], pair[1]};
    const double bad_lengths[] = {0, -1, (double)NAN, HUGE_VAL};
    for (int i = 0; i < 4; i++) {
        tl_world_def def = make_def(pair, 2);
        def.spacing = bad_lengths[i];
        is_refused(&def, "spacing");
    }
    tl_world_def def = make_def(seeds, 2);
    def.material_count = 0;
    is_refused(&def, "materials");
    def.material_count = 1; /* the second seed has no material then */
    is_refused(&def, "particles");
    def.material_count = 2;
    seeds[1].position[2] = (double)NAN;
    is_refused(&def, "particles");
    seeds[1] = pair[1];
    seeds[0].velocity[0] = HUGE_VAL;
    is_refused(&def, "particles");
}
