/* A column of water in a tank: the pressure is ρ g depth, nothing moves, and it keeps its height.
 */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double G = 9.81, H = 0.5;

static setup column(double dx, int contact) {
    const double side = 6 * dx;
    setup s = setup_make(dx);
    s.def.gravity[2] = -G;
    setup_add_box(&s, 0, 0, 0, side, side, H);
    tl_wall_def *wall = &s.walls[s.def.wall_count++];
    *wall = (tl_wall_def){.box = {{0, 0, 0}, {side, side, 1}},
                          .has_box = true,
                          .open = TL_SIDE_Z,
                          .contact = contact};
    return s;
}

static tl_world *make_column(double dx, int contact, int density) {
    setup s = column(dx, contact);
    s.def.flow.density = density;
    return setup_world(&s, 1);
}

typedef struct state {
    double pressure_error; /* largest, of ρ g H */
    double speed;          /* largest, of √(gH) */
    double middle;         /* mean height, of H/2 */
    double spread;         /* standard deviation of the height, of that of an even column */
} state;

static state look(tl_world *world) {
    const size_t n = tl_world_count(world);
    const double *x = positions(world), *v = velocities(world);
    const float *p = pressures(world);
    state s = {0};
    double sum = 0, sum2 = 0;
    for (size_t i = 0; i < n; i++) {
        const double z = x[3 * i + 2];
        s.pressure_error =
            fmax(s.pressure_error, fabs((double)p[i] / (1000 * G * H) - (H - z) / H));
        s.speed = fmax(s.speed, sqrt(v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] +
                                     v[3 * i + 2] * v[3 * i + 2]) /
                                    sqrt(G * H));
        sum += z;
        sum2 += z * z;
    }
    s.middle = sum / (double)n / (H / 2);
    s.spread = sqrt(sum2 / (double)n - pow(sum / (double)n, 2)) / (H / sqrt(12));
    return s;
}

static void expect_rest(int contact) {
    tl_world *world = make_column(0.025, contact, TL_DENSITY_CONTINUITY);
    run_to(world, 5);
    const state s = look(world);
    cr_log_info("pressure %.4f, speed %.5f, middle %.4f, spread %.4f", s.pressure_error, s.speed,
                s.middle, s.spread);
    cr_expect_lt(s.pressure_error, 0.02);
    cr_expect_lt(s.speed, 0.01);
    cr_expect_float_eq(s.middle, 1, 0.005, "the column sinks by its compression only");
    cr_expect_float_eq(s.spread, 1, 0.01);
    tl_ledger books;
    tl_world_ledger(world, &books);
    cr_expect_lt(fabs(books.energy_error), 0.1 * (books.elastic_energy + books.numerical_heat));
    tl_world_destroy(world);
}

Test(column, rests_between_sticky_walls_with_the_right_pressure) {
    expect_rest(TL_CONTACT_NO_SLIP);
}

Test(column, rests_between_slippery_walls_with_the_right_pressure) {
    expect_rest(TL_CONTACT_FREE_SLIP);
}

/* Summation sees missing neighbours at the surface as low density: the top layers carry no
 * pressure. */
Test(column, rests_with_summed_density_too) {
    tl_world *world = make_column(0.025, TL_CONTACT_NO_SLIP, TL_DENSITY_SUMMATION);
    run_to(world, 3);
    const state s = look(world);
    cr_log_info("pressure %.4f, speed %.5f, middle %.4f", s.pressure_error, s.speed, s.middle);
    cr_expect_lt(s.pressure_error, 0.05);
    cr_expect_lt(s.speed, 0.02);
    cr_expect_float_eq(s.middle, 1, 0.02);
    tl_world_destroy(world);
}

/* Implicit steps let the spring of pressure out. Done too fast, that feeds the slowest wave of
 * pressure, and a column of thin liquid bounced for ever. Crowding by 0.4 % is tolerated. Slippery
 * walls are come nearer by a twentieth of a spacing in a column of six. */
Test(column, thin_liquid_rests_in_implicit_steps) {
    for (int contact = 0; contact < 2; contact++) {
        setup s = column(0.025, contact);
        s.def.flow.scheme = TL_SCHEME_COUPLED;
        s.def.flow.max_step = 0.004;
        tl_world *world = setup_world(&s, 1);
        double fastest = 0, lowest = 1, highest = 1;
        for (int k = 5; k <= 30; k++) {
            run_to(world, 0.1 * k);
            const state now = look(world);
            lowest = fmin(lowest, now.middle);
            highest = fmax(highest, now.middle);
            fastest = fmax(fastest, fabs(books(world).momentum[2]) / books(world).mass);
        }
        cr_log_info("%s walls: middle %.4f to %.4f, mean speed up to %.4f of √(gH)",
                    contact == TL_CONTACT_NO_SLIP ? "sticky" : "slippery", lowest, highest,
                    fastest / sqrt(G * H));
        cr_expect_lt(fastest / sqrt(G * H), 0.005);
        cr_expect_gt(lowest, contact == TL_CONTACT_NO_SLIP ? 0.995 : 0.998);
        cr_expect_lt(highest, 1.005);
        tl_world_destroy(world);
    }
}

/* Drops of one particle that fall into a pool: each must be slowed down by the water and not
 * crushed by it. With gradients corrected for the few neighbours that a drop has at first, they
 * were. */
Test(column, drops_dive_into_a_pool_uncrushed) {
    const double dx = 0.02, side = 10 * dx;
    setup s = setup_make(dx);
    s.def.gravity[2] = -G;
    s.def.flow.sound_speed = 35;
    setup_add_box(&s, 0, 0, 0, side, side, 0.1);
    const size_t pool = s.count;
    for (int k = 0; k < 27; k++) {
        const double x = (1.1 + 3.2 * (k % 3) + 0.17 * k) * dx / 1.5, z = 0.1 + (3 + k) * dx;
        const double y = (1.3 + 3.1 * (k / 3 % 3) + 0.13 * k) * dx / 1.5;
        setup_add_box(&s, x, y, z, x + dx, y + dx, z + dx);
    }
    for (size_t i = pool; i < s.count; i++)
        s.seeds[i].velocity[2] = -6;
    tl_wall_def *wall = &s.walls[s.def.wall_count++];
    *wall = (tl_wall_def){.box = {{0, 0, 0}, {side, side, 1}},
                          .has_box = true,
                          .open = TL_SIDE_Z,
                          .contact = TL_CONTACT_FREE_SLIP};
    tl_world *world = setup_world(&s, 1);
    double worst = 0;
    tl_step_report report;
    while (tl_world_time(world) < 0.15) {
        cr_assert_eq(tl_world_step(world, &report, NULL), TL_OK);
        worst = fmax(worst, report.density_error);
    }
    cr_log_info("largest compression %.3f", worst);
    cr_expect_lt(worst, 6.0 / 35 + 0.01, "more than the water hammer, v over c");
    tl_world_destroy(world);
}
