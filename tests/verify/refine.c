/* Particles that split and merge where a scene wants them fine, while it runs. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double DX = 0.01, G = 9.81, VISCOSITY = 100;

/* Spacings of the pool. */
enum { WIDE = 8, DEEP = 12 };

static tl_world *refined_world(setup *s, const tl_refine_def *rule, int threads) {
    s->def.refine = rule;
    s->def.refine_count = 1;
    s->def.most_size = DX;
    s->def.least_size = DX * exp2(-(double)rule->levels / 3);
    return setup_world(s, threads);
}

/* A pool of honey in a box, in disorder, refined as `rule` says. */
static tl_world *make_pool(setup *s, const tl_refine_def *rule, int threads) {
    const double width = WIDE * DX;
    *s = setup_make(DX);
    s->material.viscosity.value = VISCOSITY;
    setup_implicit(s, 0.02);
    s->def.gravity[2] = -G;
    setup_add_box(s, 0, 0, 0, width, width, DEEP * DX);
    setup_jitter(s, 0.1);
    setup_add_plane(s, TL_SIDE_Z, 0);
    setup_add_plane(s, TL_SIDE_X, 0);
    setup_add_plane(s, TL_SIDE_MINUS_X, width);
    setup_add_plane(s, TL_SIDE_Y, 0);
    setup_add_plane(s, TL_SIDE_MINUS_Y, width);
    return refined_world(s, rule, threads);
}

static const float *sizes(tl_world *world) {
    tl_field_view view;
    cr_assert(tl_world_field(world, "size", &view));
    return view.data;
}

/* Warms all above a height to 80 °C, and cools what is below to 20 °C. */
static void warm_above(tl_world *world, double height) {
    const size_t n = tl_world_count(world);
    float *temperatures = malloc(n * sizeof *temperatures);
    for (size_t i = 0; i < n; i++)
        temperatures[i] = positions(world)[3 * i + 2] > height ? 80 : 20;
    cr_assert_eq(tl_world_warm(world, temperatures, NULL), TL_OK);
    free(temperatures);
}

/* The largest factor between the volumes of two that are nearer than two spacings. */
static double largest_contrast(tl_world *world) {
    const double *x = positions(world);
    const float *s = sizes(world);
    double worst = 1;
    for (size_t i = 0; i < tl_world_count(world); i++)
        for (size_t j = 0; j < i; j++) {
            double r2 = 0;
            for (size_t k = 0; k < 3; k++)
                r2 += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
            if (r2 < (double)((s[i] + s[j]) * (s[i] + s[j])))
                worst = fmax(worst, pow((double)(s[i] / s[j]), s[i] > s[j] ? 3 : -3));
        }
    return worst;
}

/* Volumes of particles above a height, over that of a whole: the mean by volume. */
static double fineness(tl_world *world, double from, double to) {
    double sum = 0, volume = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double V = pow((double)sizes(world)[i] / DX, 3), z = positions(world)[3 * i + 2];
        if (z < from || z > to)
            continue;
        sum += V * V;
        volume += V;
    }
    return sum / volume;
}

/* m³, by mass and density. */
static double volume_of(tl_world *world) {
    tl_field_view mass;
    cr_assert(tl_world_field(world, "mass", &mass));
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        sum += (double)((const float *)mass.data)[i] / densities(world)[i];
    return sum;
}

/* m: height of the centre of mass. */
static double center(tl_world *world) {
    double sum = 0, volume = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double V = pow((double)sizes(world)[i], 3);
        sum += V * positions(world)[3 * i + 2];
        volume += V;
    }
    return sum / volume;
}

static const tl_refine_def by_warmth = {.warmer = 50, .has_warmer = true, .levels = 3};

/* Warmed, cooled, warmed at another place, and cooled. */
Test(refine, matter_is_fine_where_it_is_warm_and_coarse_again_where_it_cools) {
    setup s;
    tl_world *world = make_pool(&s, &by_warmth, 1);
    const tl_ledger before = books(world);
    const double volume = volume_of(world), height = center(world);
    double time = 0;
    for (int round = 0; round < 2; round++) {
        warm_above(world, 0.6 * DEEP * DX);
        run_to(world, time += 1);
        cr_log_info("warm: %zu particles, volumes %.3f above, %.3f at the floor; contrast %.3g",
                    tl_world_count(world), fineness(world, 0.6 * DEEP * DX, 1),
                    fineness(world, 0, 0.1 * DEEP * DX), largest_contrast(world));
        cr_expect_lt(fineness(world, 0.6 * DEEP * DX, 1), 0.25);
        cr_expect_gt(fineness(world, 0, 0.1 * DEEP * DX), 0.5);
        cr_expect_lt(largest_contrast(world), 3.01);
        warm_above(world, 1);
        run_to(world, time += 2);
        cr_log_info("cold: %zu particles, volumes %.3f", tl_world_count(world),
                    fineness(world, 0, 1));
        cr_expect_lt((double)tl_world_count(world), 1.6 * before.particles);
    }
    const tl_ledger l = books(world);
    cr_log_info("%g splits, %g merges; mass off by %.2g, volume by %.2g, height by %.2g spacings; "
                "energy error %.2g J of %.2g J",
                l.splits, l.merges, l.mass / before.mass - 1, volume_of(world) / volume - 1,
                (center(world) - height) / DX, l.energy_error, l.viscous_heat);
    cr_expect_gt(l.splits + l.merges, 1000);
    cr_expect_eq(l.particles, before.particles + l.splits - l.merges);
    cr_expect_float_eq(l.mass, before.mass, 1e-14 * before.mass);
    cr_expect_lt(fabs(volume_of(world) / volume - 1), 0.01);
    cr_expect_lt(fabs(l.energy_error), 1e-3 * (l.viscous_heat + fabs(l.potential_energy)));
    tl_world_destroy(world);
}

/* What is warm is refined at first; then a minute passes, with the slow currents that a pool in a
 * box has in this scheme anyway. */
Test(refine, nobody_splits_or_merges_in_a_pool_at_rest) {
    const double width = 5 * DX;
    setup s = setup_make(DX);
    s.material.viscosity.value = 10;
    setup_implicit(&s, 0.01);
    s.def.gravity[2] = -G;
    setup_add_box(&s, 0, 0, 0, width, width, width);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].temperature = (float)(80 - 60 * s.seeds[i].position[2] / width);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_X, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_X, width);
    setup_add_plane(&s, TL_SIDE_Y, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Y, width);
    tl_world *world = refined_world(&s, &by_warmth, 1);
    run_to(world, 15);
    const tl_ledger then = books(world);
    run_to(world, 75);
    const tl_ledger l = books(world);
    cr_log_info(
        "%g particles, %g splits and %g merges at first, %g later in %g steps; contrast %.3g",
        l.particles, then.splits, then.merges, l.splits + l.merges - then.splits - then.merges,
        l.steps - then.steps, largest_contrast(world));
    cr_expect_gt(then.splits, 100);
    cr_expect_eq(l.splits + l.merges, then.splits + then.merges);
    tl_world_destroy(world);
}

/* Of pressures and ρ g depth, in the mean by volume over a layer; over the pressure at the foot. */
static double pressure_error(tl_world *world, double from, double to, double level) {
    double sum = 0, volume = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double z = positions(world)[3 * i + 2], V = pow((double)sizes(world)[i], 3);
        if (z < from || z > to)
            continue;
        sum += V * ((double)pressures(world)[i] / (1000 * G * level) - (level - z) / level);
        volume += V;
    }
    return sum / volume;
}

/* As tests/verify/sizes.c has it, but split in the first steps and no lattice. */
Test(refine, column_that_was_refined_has_the_pressure_of_its_depth) {
    const double width = 6 * DX, depth = 20 * DX;
    setup s = setup_make(DX);
    s.material.viscosity.value = VISCOSITY;
    setup_implicit(&s, 0.01);
    s.def.gravity[2] = -G;
    setup_periodic(&s, 0, 0, width);
    setup_periodic(&s, 1, 0, width);
    setup_add_box(&s, 0, 0, 0, width, width, depth);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].temperature = s.seeds[i].position[2] < 0.5 * depth ? 80 : 20;
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_world *world = refined_world(&s, &by_warmth, 1);
    run_to(world, 0.6);
    const double level = 2 * center(world);
    const double lower = pressure_error(world, 0, 0.5 * depth, level),
                 upper = pressure_error(world, 0.5 * depth, 2 * depth, level);
    cr_log_info("%zu particles; pressure off by %+.4f below, %+.4f above; level %.4f",
                tl_world_count(world), lower, upper, level / depth);
    cr_expect_gt(tl_world_count(world), 3 * 36 * 20);
    cr_expect_lt(fabs(lower), 0.01);
    cr_expect_lt(fabs(upper), 0.01);
    cr_expect_lt(fabs(level / depth - 1), 0.02);
    tl_world_destroy(world);
}

/* A case that no constant was chosen on: a low block of other spacing and thicker matter, which is
 * free but for its floor, warmed in one corner, and by two levels. */
static tl_world *make_block(setup *s, const tl_refine_def *rule) {
    static const double spacing = 4e-3;
    *s = setup_make(spacing);
    s->material.viscosity.value = 1000;
    setup_implicit(s, 0.02);
    s->def.gravity[2] = -G;
    setup_add_box(s, 0, 0, 0, 11 * spacing, 9 * spacing, 6 * spacing);
    setup_jitter(s, 0.2);
    setup_add_plane(s, TL_SIDE_Z, 0);
    s->def.refine = rule;
    s->def.refine_count = 1;
    s->def.most_size = spacing;
    s->def.least_size = spacing * exp2(-(double)rule->levels / 3);
    return setup_world(s, 1);
}

/* Warms what is within a distance of the corner at the origin, and cools the rest. */
static void warm_corner(tl_world *world, double distance) {
    const size_t n = tl_world_count(world);
    float *temperatures = malloc(n * sizeof *temperatures);
    for (size_t i = 0; i < n; i++) {
        const double *x = positions(world) + 3 * i;
        temperatures[i] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < distance * distance ? 80 : 20;
    }
    cr_assert_eq(tl_world_warm(world, temperatures, NULL), TL_OK);
    free(temperatures);
}

Test(refine, corner_of_a_block_becomes_fine_and_coarse_again_as_well_as_a_pool) {
    const tl_refine_def rule = {.warmer = 50, .has_warmer = true, .levels = 2};
    setup s;
    tl_world *world = make_block(&s, &rule);
    const tl_ledger before = books(world);
    const double volume = volume_of(world);
    for (int round = 0; round < 2; round++) {
        warm_corner(world, 0.02);
        run_to(world, 3 * round + 1);
        const size_t warm = tl_world_count(world);
        const double contrast = largest_contrast(world);
        warm_corner(world, 0);
        run_to(world, 3 * round + 3);
        const tl_ledger l = books(world);
        cr_log_info("%g particles, warm %zu (contrast %.2f), cold %zu; %g splits, %g merges; "
                    "volume %+.2g; %.1f iterations a step",
                    before.particles, warm, contrast, tl_world_count(world), l.splits, l.merges,
                    volume_of(world) / volume - 1, l.iterations / l.steps);
        cr_expect_lt(contrast, 3.01);
        cr_expect_gt((double)warm, 1.3 * before.particles);
        cr_expect_lt(fabs(l.particles / before.particles - 1.05), 0.1);
        cr_expect_float_eq(l.mass, before.mass, 1e-14 * before.mass);
        cr_expect_lt(fabs(volume_of(world) / volume - 1), 0.01);
    }
    tl_world_destroy(world);
}

/* A bar between plates, one of which is drawn away, is warm in its middle: there `refine` halves
 * particles, and `resample` those that are left apart. */
Test(refine, goes_together_with_resample) {
    static tl_move_def move = {.along = TL_SIDE_Z, .has_speed = true, .speed = 0.1};
    const tl_refine_def rule = {.warmer = 50, .has_warmer = true, .levels = 2};
    const double side = 6 * DX;
    setup s = setup_make(DX);
    s.material.viscosity.value = 1000;
    setup_implicit(&s, 0.1);
    setup_add_box(&s, 0, 0, 0, side, side, side);
    setup_jitter(&s, 0.1);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].temperature = fabs(s.seeds[i].position[2] - 0.5 * side) < DX ? 80 : 20;
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, side)->motion = (tl_param_list){&move, 1};
    s.def.resample = (tl_resample_params){TL_SPLIT_STRAIN, TL_MERGE_CLOSE, 0.125};
    tl_world *world = refined_world(&s, &rule, 1);
    const tl_ledger before = books(world);
    const double volume = volume_of(world);
    run_to(world, 0.1);
    const double refined = books(world).particles;
    run_to(world, 7 * side / 0.1);
    const tl_ledger l = books(world);
    float least = HUGE_VALF;
    for (size_t i = 0; i < tl_world_count(world); i++)
        least = fminf(least, sizes(world)[i]);
    cr_log_info("%g particles, refined %g, drawn %g; %g splits, %g merges; the smallest %.2f "
                "spacings; contrast %.2f, volume %+.2g, energy error %g of %g J",
                before.particles, refined, l.particles, l.splits, l.merges, (double)least / DX,
                largest_contrast(world), volume_of(world) / volume - 1, l.energy_error,
                l.wall_work);
    cr_expect_gt(refined, 1.3 * before.particles);
    cr_expect_gt(l.particles, refined);
    cr_expect_lt(l.particles, 4 * before.particles);
    cr_expect_gt((double)least, 0.49 * DX);
    cr_expect_eq(l.particles, before.particles + l.splits - l.merges);
    cr_expect_float_eq(l.mass, before.mass, 1e-14 * before.mass);
    cr_expect_lt(fabs(volume_of(world) / volume - 1), 0.01);
    cr_expect_lt(fabs(l.energy_error), 1e-3 * l.wall_work);
    tl_world_destroy(world);
}

/* Matter near its free surface, and nothing at walls. */
Test(refine, surface_is_fine_and_what_lies_below_is_not) {
    const tl_refine_def rule = {.has_surface = true, .surface = 0.015, .levels = 1};
    setup s;
    tl_world *world = make_pool(&s, &rule, 1);
    run_to(world, 0.5);
    cr_expect_lt(fineness(world, (DEEP - 1) * DX, 1), 0.55, "%g",
                 fineness(world, (DEEP - 1) * DX, 1));
    cr_expect_gt(fineness(world, 0, (DEEP - 4) * DX), 0.95, "%g",
                 fineness(world, 0, (DEEP - 4) * DX));
    tl_world_destroy(world);
}

Test(refine, who_splits_and_merges_does_not_depend_on_the_number_of_threads) {
    uint64_t hashes[2];
    for (int t = 0; t < 2; t++) {
        setup s;
        tl_world *world = make_pool(&s, &by_warmth, 1 + 2 * t);
        tl_world_make_adverse(world);
        warm_above(world, 0.8 * DEEP * DX);
        run_to(world, 0.2);
        warm_above(world, 0.9 * DEEP * DX);
        run_to(world, 0.4);
        cr_expect(books(world).splits > 100 && books(world).merges > 10);
        hashes[t] = tl_world_hash(world);
        tl_world_destroy(world);
    }
    cr_expect_eq(hashes[0], hashes[1]);
}

/* Saved while some split and others merge. */
Test(refine, who_splits_and_merges_is_the_same_after_a_resumption) {
    char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tallow-refine-XXXXXX", folder ? folder : P_tmpdir);
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    setup a, b;
    tl_world *through = make_pool(&a, &by_warmth, 1), *resumed = make_pool(&b, &by_warmth, 1);
    warm_above(through, 0.8 * DEEP * DX);
    run_to(through, 0.2);
    warm_above(through, 0.9 * DEEP * DX);
    run_to(through, 0.26);
    const tl_ledger then = books(through);
    cr_assert_eq(tl_world_save(through, path, NULL), TL_OK);
    cr_assert_eq(tl_world_restore(resumed, path, NULL), TL_OK);
    run_to(through, 0.4);
    run_to(resumed, 0.4);
    cr_expect(then.merges > 0 && books(through).merges > then.merges);
    cr_expect_eq(tl_world_hash(resumed), tl_world_hash(through));
    tl_world_destroy(through);
    tl_world_destroy(resumed);
    unlink(path);
}
