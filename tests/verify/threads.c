/* Matter that is drawn out between plates stays whole, and thins as a thread does. */
#include "build.h"

#include "boundary/move.h"
#include "resample/voids.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SPEED 0.1 /* m/s */

static const double DX = 0.01, SIDE = 0.08;

/* A cube of 1000 Pa·s in light disorder between two plates, of which one is drawn away. Particles
 * are halved where `smallest` is above 0. */
static tl_world *cube_that_splits(setup *s, int rule, double disorder, double smallest,
                                  int threads) {
    static tl_move_def move = {.along = TL_SIDE_Z, .has_speed = true, .speed = SPEED};
    *s = setup_make(DX);
    s->material.density = 1000;
    s->material.viscosity.value = 1000;
    setup_implicit(s, 0.1);
    setup_add_box(s, -SIDE / 2, -SIDE / 2, 0, SIDE / 2, SIDE / 2, SIDE);
    setup_jitter(s, disorder);
    setup_add_plane(s, TL_SIDE_Z, 0);
    tl_wall_def *plate = setup_add_plane(s, TL_SIDE_MINUS_Z, SIDE);
    plate->motion = (tl_param_list){&move, 1};
    if (smallest > 0)
        s->def.resample = (tl_resample_params){rule, TL_MERGE_CLOSE, smallest};
    return setup_world(s, threads);
}

static double distance2(const double *a, const double *b) {
    double r2 = 0;
    for (int k = 0; k < 3; k++)
        r2 += (a[k] - b[k]) * (a[k] - b[k]);
    return r2;
}

/* Marks the particles that can be reached from the lowest one in leaps of up to `leap`. */
static void reach(const double *x, size_t n, double leap, bool *reached) {
    size_t *queue = calloc(n, sizeof *queue), lowest = 0, count = 1;
    for (size_t i = 0; i < n; i++)
        lowest = x[3 * i + 2] < x[3 * lowest + 2] ? i : lowest;
    reached[queue[0] = lowest] = true;
    for (size_t q = 0; q < count; q++)
        for (size_t j = 0; j < n; j++)
            if (!reached[j] && distance2(x + 3 * queue[q], x + 3 * j) < leap * leap)
                reached[queue[count++] = j] = true;
    free(queue);
}

/* The part of the particles that hang together with the lowest one. */
static double piece(tl_world *world, double leap) {
    const size_t n = tl_world_fields(world)->count;
    bool *reached = calloc(n, sizeof *reached);
    double part = 0;
    reach(positions(world), n, leap, reached);
    for (size_t i = 0; i < n; i++)
        part += reached[i] ? 1.0 / (double)n : 0;
    free(reached);
    return part;
}

/* m²: the cross-section at a height, by the mass along 1.5 spacings to both sides. */
static double section(tl_world *world, double height) {
    const double width = 1.5 * DX;
    const size_t n = tl_world_fields(world)->count;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double q = (positions(world)[3 * i + 2] - height) / width;
        sum += exp(-0.5 * q * q);
    }
    return sum * DX * DX * DX / (width * sqrt(2 * M_PI));
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sections of the thread at each of its particles, from the bottom up; plates hold the ends. */
static void profile(tl_world *world, double length, double *out) {
    const size_t n = tl_world_fields(world)->count;
    for (size_t i = 0; i < n; i++)
        out[i] = positions(world)[3 * i + 2];
    qsort(out, n, sizeof *out, by_size);
    for (size_t i = 0; i < n; i++)
        out[i] = fabs(out[i] / length - 0.5) > 0.35 ? SIDE * SIDE : section(world, out[i]);
}

/* A thread carries the same force 3 η A ė everywhere, and its particles keep their volume: all
 * sections lose the same area, A = A0 - c. Its length is then ∫ dV / (A0 - c), and what the plates
 * hold. The least section at a length, from the sections at an earlier one. */
static double thin_thread(const double *sections, size_t n, double before, double length) {
    const double V = DX * DX * DX;
    double held = before, least = HUGE_VAL, low = 0;
    for (size_t i = 0; i < n; i++) {
        held -= V / sections[i];
        least = fmin(least, sections[i]);
    }
    double high = least;
    for (int k = 0; k < 60; k++) {
        const double c = 0.5 * (low + high);
        double sum = held;
        for (size_t i = 0; i < n; i++)
            sum += V / (sections[i] - c);
        *(sum < length ? &low : &high) = c;
    }
    return least - low;
}

static double least_section(tl_world *world, double length) {
    double least = HUGE_VAL;
    for (int q = 15; q <= 85; q++)
        least = fmin(least, section(world, q / 100.0 * length));
    return least;
}

/* Up to ten times its length, where it has two spacings across (A = π dx²). */
Test(threads, cube_is_drawn_to_ten_times_its_length_in_one_piece_and_thins_as_a_thread) {
    setup s;
    const double disorders[] = {0.1, 0.2};
    for (int d = 0; d < 2; d++) {
        tl_world *world = cube_that_splits(&s, TL_SPLIT_NONE, disorders[d], 0, 1);
        double sections[512];
        run_to(world, 1.5 * SIDE / SPEED);
        profile(world, 2.5 * SIDE, sections);
        for (int times = 4; times <= 10; times += 2) {
            run_to(world, (times - 1) * SIDE / SPEED);
            const double expected = thin_thread(sections, 512, 2.5 * SIDE, times * SIDE);
            const double radius = sqrt(least_section(world, times * SIDE) / expected);
            const double whole = piece(world, 1.8 * DX);
            cr_log_info("disorder %g, %d times as long: %.3f in one piece, radius of the neck %.3f "
                        "of a thread's",
                        disorders[d], times, whole, radius);
            cr_expect_gt(whole, 0.98);
            cr_expect_lt(fabs(radius - 1), 0.1, "%d times: %g", times, radius);
        }
        tl_world_destroy(world);
    }
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

/* Drawn to twelve times its length by a rule, with less than `most` times the particles, it is
 * whole, and its books are as good as without. */
static void draw_out(int rule, double most) {
    setup s;
    tl_world *world = cube_that_splits(&s, rule, 0.1, 0.125, 1);
    const tl_ledger before = books(world);
    const double volume = volume_of(world);
    run_to(world, 11 * SIDE / SPEED);
    const tl_ledger l = books(world);
    const double whole = piece(world, 1.8 * DX), swollen = volume_of(world) / volume - 1;
    cr_log_info("12 times as long: %.3f in one piece, %g particles, %g splits, %g merges; heat of "
                "merging %g J, error %g J, work %g J; volume %+.2g",
                whole, l.particles, l.splits, l.merges, l.resample_heat, l.energy_error,
                l.wall_work, swollen);
    cr_expect_gt(whole, 0.98);
    cr_expect_leq(l.particles, most * before.particles);
    cr_expect_gt(l.splits, 100);
    cr_expect_eq(l.particles, before.particles + l.splits - l.merges);
    cr_expect_float_eq(l.mass, before.mass, 1e-14 * before.mass);
    cr_expect_lt(fabs(l.energy_error), 1e-3 * l.wall_work);
    cr_expect_lt(fabs(swollen), 0.01);
    tl_world_destroy(world);
}

/* Splitting finds no new way to part: longer than above. */
Test(threads, cube_whose_particles_split_is_drawn_to_twelve_times_its_length) {
    draw_out(TL_SPLIT_STRAIN, 2);
}

/* So it is where voids are filled, with more. */
Test(threads, cube_whose_voids_are_filled_is_drawn_to_twelve_times_its_length) {
    if (!tl_voids_available())
        cr_skip_test("no Qhull");
    draw_out(TL_SPLIT_VOID, 3);
}

/* How far the front of a thread of 20 Pa·s is below its spout, which is four spacings across, when
 * it first has a gap; or `most` (m), if it has none until there. */
static double fall_of_thread(double smallest, double most) {
    static const double spacing = 1e-3;
    const tl_emitter_def spout = {.has_disc = true,
                                  .disc = {{0, 0, 0}, {0, 0, -1}, 2 * spacing},
                                  .has_speed = true,
                                  .speed.value = 0.05};
    setup s = setup_make(spacing);
    s.material.viscosity.value = 20;
    setup_implicit(&s, 0.02);
    s.def.gravity[2] = -9.81;
    s.def.emitters = &spout;
    s.def.emitter_count = 1;
    if (smallest > 0)
        s.def.resample = (tl_resample_params){TL_SPLIT_STRAIN, TL_MERGE_CLOSE, smallest};
    tl_world *world = setup_world(&s, 1);
    double front = 0;
    run_to(world, 0.1);
    for (double time = 0.12; front < most && piece(world, 1.8 * spacing) > 0.999; time += 0.02) {
        run_to(world, time);
        for (size_t i = 0; i < tl_world_count(world); i++)
            front = fmax(front, -positions(world)[3 * i + 2]);
    }
    tl_world_destroy(world);
    return fmin(front, most);
}

Test(threads, falls_forty_spacings_farther_in_one_piece_if_its_particles_split) {
    const double without = fall_of_thread(0, 1), with = fall_of_thread(0.125, without + 0.045);
    cr_log_info("first gap at %.0f and %.0f spacings", 1e3 * without, 1e3 * with);
    cr_expect_gt(with, without + 0.04);
}

static uint64_t hash_of_drawn(int rule, double until, int threads) {
    setup s;
    tl_world *world = cube_that_splits(&s, rule, 0.1, 0.125, threads);
    tl_world_make_adverse(world);
    run_to(world, until);
    cr_expect_gt(books(world).splits, 20);
    const uint64_t hash = tl_fields_hash(tl_world_fields(world), 0);
    tl_world_destroy(world);
    return hash;
}

Test(threads, who_splits_does_not_depend_on_the_number_of_threads) {
    cr_expect_eq(hash_of_drawn(TL_SPLIT_STRAIN, 2 * SIDE / SPEED, 1),
                 hash_of_drawn(TL_SPLIT_STRAIN, 2 * SIDE / SPEED, 3));
    if (tl_voids_available())
        cr_expect_eq(hash_of_drawn(TL_SPLIT_VOID, 0.7 * SIDE / SPEED, 1),
                     hash_of_drawn(TL_SPLIT_VOID, 0.7 * SIDE / SPEED, 3));
}

static void resume_drawn(int rule, double saved, double until) {
    char path[256];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/tallow-threads-XXXXXX", folder ? folder : P_tmpdir);
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    setup a, b;
    tl_world *through = cube_that_splits(&a, rule, 0.1, 0.125, 1),
             *resumed = cube_that_splits(&b, rule, 0.1, 0.125, 1);
    run_to(through, saved);
    const double splits = books(through).splits;
    cr_assert_eq(tl_world_save(through, path, NULL), TL_OK);
    cr_assert_eq(tl_world_restore(resumed, path, NULL), TL_OK);
    run_to(through, until);
    run_to(resumed, until);
    cr_expect(splits > 0 && books(through).splits > splits);
    cr_expect_eq(tl_world_hash(resumed), tl_world_hash(through));
    tl_world_destroy(through);
    tl_world_destroy(resumed);
    unlink(path);
}

/* Saved when some have split and more will. */
Test(threads, who_splits_is_the_same_after_a_resumption) {
    resume_drawn(TL_SPLIT_STRAIN, SIDE / SPEED, 2 * SIDE / SPEED);
    if (tl_voids_available())
        resume_drawn(TL_SPLIT_VOID, 0.6 * SIDE / SPEED, 0.8 * SIDE / SPEED);
}

/* A pool of honey in disorder, in a box. */
static tl_world *pool_at_rest(setup *s, int rule) {
    *s = setup_make(DX);
    s->material.viscosity.value = 10;
    setup_implicit(s, 0.005);
    s->def.gravity[2] = -9.81;
    s->def.resample = (tl_resample_params){rule, TL_MERGE_CLOSE, 0.125};
    setup_add_box(s, 0, 0, 0, 5 * DX, 5 * DX, 4 * DX);
    setup_jitter(s, 0.15);
    setup_add_plane(s, TL_SIDE_Z, 0);
    setup_add_plane(s, TL_SIDE_X, 0);
    setup_add_plane(s, TL_SIDE_MINUS_X, 5 * DX);
    setup_add_plane(s, TL_SIDE_Y, 0);
    setup_add_plane(s, TL_SIDE_MINUS_Y, 5 * DX);
    return setup_world(s, 1);
}

/* In disorder at first, for two thousand steps; in the first second, while the
 * disorder goes, there may be a void. */
Test(threads, nobody_splits_or_merges_in_a_pool_at_rest) {
    const int rules[] = {TL_SPLIT_STRAIN, TL_SPLIT_VOID};
    for (int r = 0; r < (tl_voids_available() ? 2 : 1); r++) {
        setup s;
        tl_world *world = pool_at_rest(&s, rules[r]);
        run_to(world, 1);
        const tl_ledger then = books(world);
        cr_expect_leq(then.splits, r == 0 ? 0 : 2, "rule %d: %g splits", rules[r], then.splits);
        run_to(world, 10);
        const tl_ledger l = books(world);
        cr_expect_geq(l.steps, 2000);
        cr_expect_eq(l.splits + l.merges, then.splits, "rule %d: %g splits, %g merges", rules[r],
                     l.splits, l.merges);
        tl_world_destroy(world);
    }
}

/* As the paper's criterion has it: without gravity nobody is split; in a pool at rest half of it,
 * over and over, down to the lightest that there may be. */
Test(threads, chaos_criterion_flags_pools_at_rest_and_nothing_without_gravity) {
    setup s;
    tl_world *cube = cube_that_splits(&s, TL_SPLIT_CHAO, 0.1, 0.125, 1);
    run_to(cube, 0.5 * SIDE / SPEED);
    cr_expect_eq(books(cube).splits, 0);
    tl_world_destroy(cube);
    s = setup_make(DX);
    s.material.viscosity.value = 10;
    setup_implicit(&s, 0.005);
    s.def.gravity[2] = -9.81;
    s.def.resample = (tl_resample_params){TL_SPLIT_CHAO, TL_MERGE_NONE, 0.125};
    setup_add_box(&s, 0, 0, 0, 5 * DX, 5 * DX, 6 * DX);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_periodic(&s, 0, 0, 5 * DX);
    setup_periodic(&s, 1, 0, 5 * DX);
    tl_world *pool = setup_world(&s, 1);
    const tl_ledger before = books(pool);
    run_to(pool, 0.1);
    const tl_ledger l = books(pool);
    cr_log_info("%g particles became %g in %g steps", before.particles, l.particles, l.steps);
    cr_expect_gt(l.splits, 0.5 * before.particles);
    cr_expect_leq(l.particles, 8 * before.particles);
    cr_expect_float_eq(l.mass, before.mass, 1e-14 * before.mass);
    tl_world_destroy(pool);
}
