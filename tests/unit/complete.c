/* Complete viscosity (flow.viscosity: complete): what a block in empty space feels of its own
 * motion. */
#include "base/random.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { N = 10, COUNT = N * N * N };

static const double dx = 0.01, eta = 2, rho = 1000;

static tl_material liquid(void) {
    return (tl_material){.name = (char *)"syrup", .density = rho, .viscosity.value = eta};
}

static void velocity_of(const double G[3][3], const double x[3], double v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = G[k][0] * x[0] + G[k][1] * x[1] + G[k][2] * x[2];
}

/* A block with the velocities G x, or random ones without G; tiny steps. */
static tl_world *block(const double G[3][3], tl_viscosity_form form, double support,
                       double jitter) {
    tl_seed *seeds = calloc(COUNT, sizeof *seeds);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t at[3] = {i % N, i / N % N, i / N / N};
        for (size_t k = 0; k < 3; k++) {
            const double off = jitter * (2 * tl_random_uniform(5, 3 * i + k) - 1);
            seeds[i].position[k] = dx * ((double)at[k] - 0.5 * (N - 1) + off);
            seeds[i].velocity[k] = tl_random_uniform(6, 3 * i + k) - 0.5;
        }
        if (G)
            velocity_of(G, seeds[i].position, seeds[i].velocity);
    }
    const tl_material material = liquid();
    const tl_world_def def = {.spacing = dx,
                              .flow = {.scheme = TL_SCHEME_EXPLICIT,
                                       .viscosity = (int)form,
                                       .support = support,
                                       .sound_speed = 10,
                                       .cfl = 0.3,
                                       .max_step = 1e-8,
                                       .skin = 0.1},
                              .materials = &material,
                              .material_count = 1,
                              .seeds = seeds,
                              .seed_count = COUNT};
    tl_world *world;
    cr_assert_eq(tl_world_make(&def, NULL, &world, NULL), TL_OK);
    free(seeds);
    return world;
}

static const void *field(tl_world *world, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(world, name, &view), "no field %s", name);
    return view.data;
}

static double largest_acceleration(const double G[3][3], tl_viscosity_form form) {
    tl_world *world = block(G, form, 2, 0.1);
    const float *a = field(world, "acceleration");
    double largest = 0;
    for (size_t i = 0; i < 3 * COUNT; i++)
        largest = fmax(largest, fabs((double)a[i]));
    tl_world_destroy(world);
    return largest;
}

Test(complete, a_block_that_turns_feels_nothing) {
    const double spin[3][3] = {{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}};
    const double complete = largest_acceleration(spin, TL_VISCOSITY_COMPLETE),
                 pairwise = largest_acceleration(spin, TL_VISCOSITY_PAIRWISE);
    cr_log_info("largest acceleration %.2g m/s2, pairwise %.2g", complete, pairwise);
    cr_expect_lt(complete, 1e-4 * pairwise);
}

/* Power that becomes heat, of 2 η E:E and the block's volume. */
static double dissipation(const double G[3][3], tl_viscosity_form form, double support,
                          double jitter) {
    double rate = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            rate += 0.5 * pow(G[r][c] + G[c][r], 2);
    tl_world *world = block(G, form, support, jitter);
    cr_assert_eq(tl_world_step(world, NULL, NULL), TL_OK);
    tl_ledger books;
    tl_world_ledger(world, &books);
    tl_world_destroy(world);
    return books.viscous_heat / (books.dt * eta * rate * COUNT * dx * dx * dx);
}

Test(complete, dissipation_of_linear_flows_is_that_of_the_material_free_surfaces_included) {
    const double stretch[3][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, 2}};
    const double shear[3][3] = {{0, 0, 2}, {0, 0, 0}, {0, 0, 0}};
    for (int jitter = 0; jitter < 2; jitter++) {
        const double long_ways = dissipation(stretch, TL_VISCOSITY_COMPLETE, 2, 0.1 * jitter),
                     across = dissipation(shear, TL_VISCOSITY_COMPLETE, 2, 0.1 * jitter),
                     wide = dissipation(stretch, TL_VISCOSITY_COMPLETE, 3, 0.1 * jitter);
        cr_log_info("stretch %.5f, shear %.5f, stretch at three spacings %.5f", long_ways, across,
                    wide);
        cr_expect_float_eq(long_ways, 1, 0.002);
        cr_expect_float_eq(across, 1, 0.002);
        cr_expect_float_eq(wide, 1, 0.02);
    }
    /* ∇v:∇v instead of 2 E:E */
    cr_expect_float_eq(dissipation(stretch, TL_VISCOSITY_PAIRWISE, 2, 0), 0.5, 0.05);
}

Test(complete, forces_and_torques_of_random_motions_add_up_to_nothing_and_heat_by_the_books) {
    tl_world *world = block(NULL, TL_VISCOSITY_COMPLETE, 2, 0.1);
    const double *x = field(world, "position");
    const float *a = field(world, "acceleration");
    double force[3] = {0}, torque[3] = {0}, scale = 0;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < 3; k++) {
            const size_t p = (k + 1) % 3, q = (k + 2) % 3;
            force[k] += (double)a[3 * i + k];
            torque[k] += x[3 * i + p] * (double)a[3 * i + q] - x[3 * i + q] * (double)a[3 * i + p];
            scale += fabs((double)a[3 * i + k]);
        }
    for (int k = 0; k < 3; k++) {
        cr_log_info("force %.2g, torque %.2g", force[k] / scale, torque[k] / (scale * dx));
        cr_expect_lt(fabs(force[k]), 1e-7 * scale);
        cr_expect_lt(fabs(torque[k]), 1e-5 * scale * dx);
    }
    cr_assert_eq(tl_world_step(world, NULL, NULL), TL_OK);
    tl_ledger books;
    tl_world_ledger(world, &books);
    cr_expect_gt(books.viscous_heat, 0);
    cr_expect_lt(fabs(books.energy_error), 1e-3 * books.viscous_heat, "%g of %g J",
                 books.energy_error, books.viscous_heat);
    tl_world_destroy(world);
}
