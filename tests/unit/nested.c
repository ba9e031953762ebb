/* Nested viscosity (flow.viscosity: nested): the stress that a particle carries, and what pairs and
 * walls make of it. */
#include "base/random.h"
#include "flow/stress.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 12, COUNT = N * N * N };

static const double dx = 0.01;

/* Thins with the shear rate, from 5 to 0.1 Pa·s. */
static tl_material make_paint(void) {
    tl_material m = {.name = (char *)"paint",
                     .density = 1000,
                     .has_rheology = true,
                     .rheology.model = TL_RHEOLOGY_CARREAU};
    m.rheology.law[TL_PLATEAU_VISCOSITY].value = 5;
    m.rheology.law[TL_INFINITE_VISCOSITY].value = 0.1;
    m.rheology.law[TL_RELAXATION_TIME].value = 1;
    m.rheology.law[TL_EXPONENT].value = 0.4;
    return m;
}

/* Particle i of a jittered cube. */
static void place(size_t i, double x[3]) {
    const size_t at[3] = {i % N, i / N % N, i / N / N};
    for (size_t k = 0; k < 3; k++)
        x[k] = dx * ((double)at[k] + 0.3 * (tl_random_uniform(9, 3 * i + k) - 0.5));
}

static void move_linearly(const double G[3][3], const double x[3], double v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = 0.1 * k + G[k][0] * x[0] + G[k][1] * x[1] + G[k][2] * x[2];
}

static bool is_inside(const double x[3]) {
    for (int k = 0; k < 3; k++)
        if (x[k] < 2.5 * dx || x[k] > (N - 3.5) * dx)
            return false;
    return true;
}

/* ---- The first pass ----------------------------------------------------------------------------
 */

/* The cube in records and what the first pass writes. */
typedef struct cube {
    tl_records records;
    tl_neighbor_list list;
    double density[COUNT];
    float pressure[COUNT], strain_rate[COUNT], viscosity[COUNT], shift[3 * COUNT];
    float temperature[COUNT];
    uint8_t material[COUNT];
    tl_stress_sums sums;
} cube;

static cube *cube_make(const double G[3][3]) {
    cube *c = calloc(1, sizeof *c);
    c->records = (tl_records){.particles = COUNT, .tensors = TL_TENSORS_SYMMETRIC};
    cr_assert_eq(tl_records_reserve(&c->records, NULL), TL_OK);
    for (size_t i = 0; i < COUNT; i++) {
        double x[3], v[3];
        place(i, x);
        move_linearly(G, x, v);
        tl_record *a = &c->records.a[i];
        for (int k = 0; k < 3; k++)
            a->x[k] = (float)x[k], a->v[k] = (float)v[k];
        a->mass = (float)(1000 * dx * dx * dx);
        a->inverse_density = 1e-3f;
        c->density[i] = 1000;
    }
    return c;
}

static void cube_free(cube *c) {
    tl_records_free(&c->records);
    tl_neighbor_list_free(&c->list);
    free(c);
}

static void find_stress(cube *c, tl_kernel kernel, double support) {
    const tl_parallel parallel = tl_parallel_create(1);
    const tl_points points = {.xyz = (const float *)c->records.a,
                              .stride = TL_RECORD,
                              .count = COUNT,
                              .radius = (float)(support * dx)};
    tl_search *search = tl_search_create(TL_SEARCH_GRID);
    cr_assert_eq(tl_search_build(search, &parallel, &points, COUNT, &c->list, NULL), TL_OK);
    tl_search_destroy(search);

    const tl_pass pass = {&parallel, &c->records, &c->list, kernel, (float)(support * dx)};
    const tl_fluid fluid = {1000, 100};
    const tl_material paint = make_paint();
    const tl_flow_params params = {.pulls = true};
    tl_stress_sums partial[(COUNT + TL_BLOCK - 1) / TL_BLOCK];
    tl_stress_update update = {.records = &c->records,
                               .units = tl_units_of_pass(&pass),
                               .density = c->density,
                               .pressure = c->pressure,
                               .strain_rate = c->strain_rate,
                               .viscosity = c->viscosity,
                               .shift = c->shift,
                               .temperature = c->temperature,
                               .material = c->material,
                               .fluids = &fluid,
                               .materials = &paint,
                               .params = &params,
                               .sound_speed = 10,
                               .sizes = tl_sizes_alike(dx, support * dx),
                               .lattice = tl_lattice_sums(kernel, support),
                               .partial = partial};
    tl_pass_rates(&pass, TL_FILLING_NONE, tl_stress_finish, &update);
    c->sums = tl_stress_total(partial, sizeof partial / sizeof *partial * TL_BLOCK);
}

/* The largest departure of the interior's stress from η (G + Gᵀ), of `scale`. */
static double stress_error(const double G[3][3], tl_kernel kernel, double support, double scale) {
    const double D[6] = {2 * G[0][0],       2 * G[1][1],       2 * G[2][2],
                         G[0][1] + G[1][0], G[0][2] + G[2][0], G[1][2] + G[2][1]};
    double squares = 0;
    for (int k = 0; k < 6; k++)
        squares += (k < 3 ? 0.5 : 1) * D[k] * D[k];
    const tl_material paint = make_paint();
    const double viscosity = tl_viscosity_at(&paint, sqrt(squares), 0);
    cube *c = cube_make(G);
    find_stress(c, kernel, support);
    double worst = 0;
    size_t inside = 0;
    for (size_t i = 0; i < COUNT; i++) {
        double x[3];
        place(i, x);
        if (!is_inside(x))
            continue;
        const tl_stress *b = &c->records.b[i];
        const float *S = c->records.c[i].s;
        cr_assert_eq(b->viscosity, 0, "no pairwise viscosity beside it");
        for (int k = 0; k < 6; k++)
            worst = fmax(worst, fabs((double)(S[k] / b->beta) - viscosity * D[k]) / scale);
        inside++;
    }
    cr_assert_gt(inside, 200);
    cube_free(c);
    return worst;
}

Test(nested, stress_of_a_linear_flow_is_exact_on_a_disordered_lattice) {
    const double shear[3][3] = {{0, 0, 2}, {0, 0, 0}, {0, 0, 0}};
    const double any[3][3] = {{1, -2, 0.5}, {0.7, -3, 4}, {2.5, 0.1, 2}};
    const tl_material paint = make_paint();
    const double tau = 2 * tl_viscosity_at(&paint, 2, 0);
    for (int kernel = 0; kernel < TL_KERNEL_COUNT; kernel++) {
        cr_expect_lt(stress_error(shear, (tl_kernel)kernel, 2.5, tau), 1e-5, "kernel %d", kernel);
        cr_expect_lt(stress_error(any, (tl_kernel)kernel, 2.5, tau), 1e-5, "kernel %d", kernel);
    }
    cr_expect_lt(stress_error(shear, TL_KERNEL_WENDLAND, 2, tau), 1e-5);
}

Test(nested, a_rigid_rotation_has_no_stress) {
    const double spin[3][3] = {{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}};
    cr_expect_lt(stress_error(spin, TL_KERNEL_WENDLAND, 2, 5 * sqrt(14)), 1e-5);
}

Test(nested, heat_is_stress_times_rate_of_all_particles) {
    const double shear[3][3] = {{0, 1, 2}, {0, 0, 0}, {0, 0, 0}};
    cube *c = cube_make(shear);
    find_stress(c, TL_KERNEL_WENDLAND, 2);
    double heat = 0;
    for (size_t i = 0; i < COUNT; i++)
        heat += dx * dx * dx * (double)(c->viscosity[i] * c->strain_rate[i] * c->strain_rate[i]);
    cr_expect_float_eq(c->sums.viscous_power, heat, 1e-5 * heat);
    cube_free(c);
}

/* ---- Whole worlds ------------------------------------------------------------------------------
 */

static const tl_material liquids[] = {
    {.name = (char *)"light", .density = 1000, .viscosity.value = 0.5},
    {.name = (char *)"heavy", .density = 2500, .viscosity.value = 3},
};

/* With a wall, the world repeats itself along x and y; without, steps are tiny. */
static tl_world *world_of(const tl_seed *seeds, size_t count, const tl_wall_def *wall,
                          tl_viscosity_form form, tl_kernel kernel, double xsph) {
    const double period = wall ? N * dx : 0;
    const tl_world_def def = {.spacing = dx,
                              .flow = {.scheme = TL_SCHEME_EXPLICIT,
                                       .viscosity = (int)form,
                                       .kernel = (int)kernel,
                                       .support = 2.5,
                                       .xsph = xsph,
                                       .cfl = 0.3,
                                       .max_step = wall ? 0.01 : 1e-8,
                                       .skin = 0.1},
                              .materials = liquids,
                              .material_count = 2,
                              .period_to = {period, period, 0},
                              .walls = wall,
                              .wall_count = wall != NULL,
                              .seeds = seeds,
                              .seed_count = count};
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_world_make(&def, NULL, &world, &error), TL_OK, "%s", error.what);
    return world;
}

static const void *field(tl_world *world, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(world, name, &view), "no field %s", name);
    return view.data;
}

/* |Σ m a| of Σ m |a|. */
static double net_force(tl_world *world) {
    const float *a = field(world, "acceleration"), *mass = field(world, "mass");
    double sum[3] = {0}, scale = 0;
    for (size_t i = 0; i < tl_world_count(world); i++)
        for (size_t k = 0; k < 3; k++) {
            sum[k] += (double)mass[i] * (double)a[3 * i + k];
            scale += fabs((double)mass[i] * (double)a[3 * i + k]);
        }
    cr_assert_gt(scale, 0);
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / scale;
}

Test(nested, forces_of_a_pair_are_opposite_and_slow_it_down) {
    const tl_seed pair[2] = {
        {.position = {0, 0, 0}, .velocity = {0.1, 0.05, 0}},
        {.position = {0.008, 0.003, -0.002}, .velocity = {-0.2, 0, 0.1}, .material = 1}};
    tl_world *world = world_of(pair, 2, NULL, TL_VISCOSITY_NESTED, TL_KERNEL_WENDLAND, 0);
    cr_expect_lt(net_force(world), 1e-7);
    const double *x = field(world, "position");
    const float *a = field(world, "acceleration");
    double along = 0;
    for (size_t k = 0; k < 3; k++)
        along += (double)(a[k] - a[3 + k]) * (x[3 + k] - x[k]);
    cr_expect_lt(along, 0); /* they approach each other */
    tl_world_destroy(world);
}

Test(nested, forces_of_all_pairs_add_up_to_nothing_and_take_what_the_books_say) {
    tl_seed *seeds = calloc(COUNT, sizeof *seeds);
    for (size_t i = 0; i < COUNT; i++) {
        place(i, seeds[i].position);
        seeds[i].material = i % 5 == 0;
        for (size_t k = 0; k < 3; k++)
            seeds[i].velocity[k] = tl_random_uniform(4, 3 * i + k) - 0.5;
    }
    for (int kernel = 0; kernel < TL_KERNEL_COUNT; kernel++)
        for (int xsph = 0; xsph < 2; xsph++) {
            tl_world *world =
                world_of(seeds, COUNT, NULL, TL_VISCOSITY_NESTED, (tl_kernel)kernel, 0.1 * xsph);
            cr_expect_lt(net_force(world), 1e-7, "kernel %d", kernel);
            cr_expect_eq(tl_world_step(world, NULL, NULL), TL_OK);
            cr_expect_lt(net_force(world), 1e-7, "kernel %d after a step", kernel);
            tl_ledger books;
            tl_world_ledger(world, &books);
            cr_expect_gt(books.viscous_heat, 0);
            cr_expect_lt(fabs(books.energy_error), 1e-3 * books.viscous_heat,
                         "kernel %d: %g of %g J", kernel, books.energy_error, books.viscous_heat);
            tl_world_destroy(world);
        }
    free(seeds);
}

/* Impulse of a wall below a sheared layer, on the layer, per area, time and stress η γ̇; the
 * momentum that the matter gains must be the same. */
static double drag(tl_viscosity_form form, int contact) {
    const double rate = 3;
    tl_seed *seeds = calloc(COUNT, sizeof *seeds);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t at[3] = {i % N, i / N % N, i / N / N};
        for (size_t k = 0; k < 3; k++)
            seeds[i].position[k] = dx * ((double)at[k] + 0.5);
        seeds[i].velocity[0] = rate * seeds[i].position[2];
    }
    const tl_wall_def wall = {.plane = TL_SIDE_Z, .contact = contact};
    tl_world *world = world_of(seeds, COUNT, &wall, form, TL_KERNEL_WENDLAND, 0);
    tl_ledger start, end;
    tl_world_ledger(world, &start);
    cr_assert_eq(tl_world_step(world, NULL, NULL), TL_OK);
    tl_world_ledger(world, &end);
    const double unit = N * dx * N * dx * liquids[0].viscosity.value * rate * end.dt;
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq(end.momentum[k] - start.momentum[k], end.wall_impulse[k], 1e-4 * unit,
                           "axis %d", k);
    cr_expect_lt(fabs(end.energy_error), 0.02 * end.viscous_heat);
    tl_world_destroy(world);
    free(seeds);
    return end.wall_impulse[0] / unit;
}

Test(nested, walls_that_hold_drag_with_the_stress_beside_them_and_slippery_ones_do_not) {
    const tl_viscosity_form forms[] = {TL_VISCOSITY_NESTED, TL_VISCOSITY_PAIRWISE,
                                       TL_VISCOSITY_COMPLETE};
    for (int f = 0; f < 3; f++) {
        const double held = drag(forms[f], TL_CONTACT_NO_SLIP);
        const double slippery = drag(forms[f], TL_CONTACT_FREE_SLIP);
        cr_log_info("form %d: drag %g, %g", f, held, slippery);
        cr_expect_float_eq(held, -1, 0.02, "form %d: %g", f, held);
        cr_expect_lt(fabs(slippery), 0.01, "form %d: %g", f, slippery);
    }
}
