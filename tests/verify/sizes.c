/* Flow of particles of different sizes against exact solutions: what happens where they meet. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double G = 9.81;

static double size_of(tl_world *world, size_t i) {
    tl_field_view view;
    cr_assert(tl_world_field(world, "size", &view));
    return (double)((const float *)view.data)[i];
}

/* ---- A column at rest --------------------------------------------------------------------------
 */

/* Of pressures and ρ g depth, over the pressure at the foot. */
typedef struct side {
    double mean, rms; /* of the difference */
} side;

static const double DEPTH = 0.5, BORDER = 0.3;

/* Pressures of the particles below or above the border. */
static side look_at(tl_world *world, bool below) {
    const double foot = 1000 * G * DEPTH;
    double sum = 0, square = 0, volume = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double V = pow(size_of(world, i), 3), z = positions(world)[3 * i + 2];
        if ((z < BORDER) != below)
            continue;
        const double off = (double)pressures(world)[i] / foot - (DEPTH - z) / DEPTH;
        sum += V * off;
        square += V * off * off;
        volume += V;
    }
    return (side){sum / volume, sqrt(square / volume)};
}

/* The lower 0.3 m have particles of `part` of the spacing. */
static tl_world *make_column(double part, double viscosity) {
    const double dx = 0.025, width = 6 * dx;
    setup s = setup_make(dx);
    setup_implicit(&s, 0.01);
    s.material.viscosity.value = viscosity;
    s.def.gravity[2] = -G;
    setup_periodic(&s, 0, 0, width);
    setup_periodic(&s, 1, 0, width);
    setup_add_sized_box(&s, part * dx, (double[]){0, 0, 0}, (double[]){width, width, BORDER});
    setup_add_sized_box(&s, dx, (double[]){0, 0, BORDER}, (double[]){width, width, DEPTH});
    setup_add_plane(&s, TL_SIDE_Z, 0);
    return setup_world(&s, 1);
}

static void expect_rest(double part, double noise) {
    tl_world *world = make_column(part, 100);
    run_to(world, 0.3);
    const side lower = look_at(world, true), upper = look_at(world, false);
    double speed = 0;
    for (size_t i = 0; i < 3 * tl_world_count(world); i++)
        speed = fmax(speed, fabs(velocities(world)[i]));
    cr_log_info(
        "size %.3g below: pressure off by %+.4f there (rms %.4f), %+.4f above (%.4f); speed "
        "%.2g m/s; %.1f iterations a step",
        part, lower.mean, lower.rms, upper.mean, upper.rms, speed,
        books(world).iterations / books(world).steps);
    cr_expect_lt(fabs(lower.mean), 0.01);
    cr_expect_lt(fabs(upper.mean), 0.01);
    cr_expect_lt(lower.rms, noise);
    cr_expect_lt(upper.rms, noise);
    cr_expect_lt(speed, 2e-3 * sqrt(G * DEPTH));
    tl_world_destroy(world);
}

/* Volumes of 1 to 1, to 2.4 and to 8. Single pressures are noisy in one size already. */
Test(sizes, a_column_of_two_sizes_rests_with_the_pressure_of_its_depth) {
    expect_rest(1, 0.015);
    expect_rest(0.75, 0.015);
    expect_rest(0.5, 0.03);
}

/* ---- Flow between plates -----------------------------------------------------------------------
 */

/* L2 error of plane Poiseuille flow, whose layers beside the plates have particles of `size`, and
 * the middle those of 1/12 of the height. */
static double channel_error(double size) {
    const double dx = 1.0 / 12, width = 6 * dx, viscosity = 1, stress = 1;
    const double speed = stress / (4 * viscosity), dt = 0.1 * size / speed;
    setup s = setup_make(dx);
    setup_implicit(&s, dt);
    s.material.viscosity.value = viscosity;
    s.material.density = 0.1 * stress * dt / (4 * speed);
    s.def.flow.pulls = true;
    s.def.flow.tolerance = 1e-3;
    s.def.gravity[0] = 2 * stress / s.material.density;
    setup_periodic(&s, 0, 0, width);
    setup_periodic(&s, 1, 0, width);
    setup_add_sized_box(&s, size, (double[]){0, 0, 0}, (double[]){width, width, 0.25});
    setup_add_sized_box(&s, dx, (double[]){0, 0, 0.25}, (double[]){width, width, 0.75});
    setup_add_sized_box(&s, size, (double[]){0, 0, 0.75}, (double[]){width, width, 1});
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, 1);
    tl_world *world = setup_world(&s, 1);
    for (int k = 0; k < 30; k++) {
        tl_error error = {0};
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
    }
    double error = 0, scale = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double z = positions(world)[3 * i + 2], V = pow(size_of(world, i), 3);
        const double exact = stress / viscosity * z * (1 - z);
        error += V * pow(velocities(world)[3 * i] - exact, 2);
        scale += V * exact * exact;
    }
    cr_log_info("layers of %.4g beside 1/12: L2 error %.4f, %.1f iterations a step", size,
                sqrt(error / scale), books(world).iterations / books(world).steps);
    tl_world_destroy(world);
    return sqrt(error / scale);
}

Test(sizes, graded_layers_flow_between_plates_as_poiseuille_says) {
    cr_expect_lt(channel_error(1.0 / 12), 0.02);
    cr_expect_lt(channel_error(1.0 / 16), 0.02);
    cr_expect_lt(channel_error(1.0 / 24), 0.02);
}

/* ---- Grids -------------------------------------------------------------------------------------
 */

typedef struct sinking {
    double height;     /* m: of the centre of mass */
    double iterations; /* a step */
} sinking;

/* A block of 10 Pa·s, 16 x 16 x 32 mm, after 0.1 s on its floor; each level halves the spacing of
 * the upper half of what the one before has made. */
static sinking sink(int levels) {
    const double dx = 2e-3, width = 8 * dx, height = 16 * dx;
    setup s = setup_make(dx);
    setup_implicit(&s, 0.002);
    s.material.viscosity.value = 10;
    s.def.gravity[2] = -G;
    double from = 0, size = dx;
    for (int k = 1; k <= levels; k++) {
        const double to = k < levels ? 0.5 * (from + height) : height;
        setup_add_sized_box(&s, size, (double[]){0, 0, from}, (double[]){width, width, to});
        from = to;
        size /= 2;
    }
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_world *world = setup_world(&s, 1);
    run_to(world, 0.1);
    double moment = 0, volume = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double V = pow(size_of(world, i), 3);
        moment += V * positions(world)[3 * i + 2];
        volume += V;
    }
    const sinking out = {moment / volume, books(world).iterations / books(world).steps};
    cr_log_info("%d levels, %zu particles: centre at %.3f mm, %.0f steps of %.1f iterations",
                levels, tl_world_count(world), 1000 * out.height, books(world).steps,
                out.iterations);
    tl_world_destroy(world);
    return out;
}

/* With steps that are the same for all. */
Test(sizes, a_block_that_is_refined_sinks_as_it_did_in_hardly_more_iterations) {
    const sinking one = sink(1), two = sink(2);
    cr_expect_lt(fabs(two.height / one.height - 1), 0.005);
    cr_expect_lt(two.iterations, 1.5 * one.iterations);
}
