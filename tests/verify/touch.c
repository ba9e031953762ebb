/* Elastic solids that touch: balls on plates and on each other against Hertz's contact; what meets
 * does not stick, and gains no energy. */
#include "build.h"

#include "math/pi.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

/* A ball in shells of particles, as round as they can be: on a lattice it would begin to touch with
 * a flat. */
static void add_ball(setup *s, const double center[3], double radius, double speed, uint32_t body) {
    const double dx = s->def.spacing;
    const int shells = (int)lround(radius / dx);
    for (int k = 0; k < shells; k++) {
        const double r = (k + 0.5) * radius / shells;
        const double volume =
            4.0 / 3 * TL_PI * (pow(k + 1, 3) - pow(k, 3)) * pow(radius / shells / dx, 3);
        const int count = (int)lround(volume);
        for (int j = 0; j < count; j++) {
            const double z = 1 - (2 * j + 1.0) / count, a = j * TL_PI * (3 - sqrt(5)) + k;
            const double along = sqrt(1 - z * z);
            cr_assert_eq(TL_ARRAY_RESERVE(s->seeds, s->count, s->count + 1, NULL), TL_OK);
            s->seeds[s->count++] =
                (tl_seed){.position = {center[0] + r * along * cos(a),
                                       center[1] + r * along * sin(a), center[2] + r * z},
                          .velocity = {0, 0, speed},
                          .body = body};
        }
    }
}

/* How a ball changes its speed in a contact: the times from losing a twentieth of it to rest and
 * from rest to nineteen twentieths of what it leaves with. */
typedef struct contact_times {
    double in, out, restitution;
} contact_times;

/* Hertz: m x'' = -4/3 E' √R x^3/2, E' = 3G/(1 - ν²) = 4G; it takes as long to leave. */
static double hertz_time(double radius, double modulus, double speed) {
    const double m = 4.0 / 3 * TL_PI * pow(radius, 3) * 1000;
    const double k = 4.0 / 3 * 4 * modulus * sqrt(radius) / m;
    double x = 0, v = speed, t = 0, from = 0;
    const double dt = 1e-4 * sqrt(1000 / modulus) * radius;
    while (v > 0) {
        v -= dt * k * pow(x, 1.5);
        x += dt * v;
        t += dt;
        if (from == 0 && v < 0.95 * speed)
            from = t;
    }
    return t - from;
}

typedef struct contact_case {
    double spacing, modulus, speed;
    double step; /* over Hertz's time */
    double gap;  /* spacings */
    bool two;    /* balls; or one on a plate */
    bool folded; /* they are parts of one body */
} contact_case;

static tl_world *make_balls(const contact_case *c, double radius, double step) {
    setup s = setup_make(c->spacing);
    const double half = 0.5 * c->gap * c->spacing;
    setup_implicit(&s, step);
    s.material.viscosity.value = 0;
    s.material.elastic = (tl_elastic){.modulus.value = c->modulus};
    s.material.has_elastic = true;
    s.def.flow.tolerance = 0.01;
    add_ball(&s, (double[]){0, 0, radius + half}, radius, -c->speed, 0);
    if (c->two) {
        add_ball(&s, (double[]){0, 0, -radius - half}, radius, c->speed, c->folded ? 0 : 1);
    } else {
        tl_wall_def *plate = setup_add_plane(&s, TL_SIDE_Z, 0);
        plate->contact = TL_CONTACT_FREE_SLIP;
        plate->has_stickiness = true;
    }
    return setup_world(&s, 1);
}

/* Mean velocity along z of the first n that were named. */
static double speed_of(tl_world *w, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        sum += names(w)[i] < n ? velocities(w)[3 * i + 2] : 0;
    return sum / (double)n;
}

/* When a speed that grows passes a level. */
static double passes(const double *times, const double *speeds, size_t count, double level) {
    for (size_t k = 1; k < count; k++)
        if (speeds[k - 1] < level && speeds[k] >= level)
            return times[k - 1] + (times[k] - times[k - 1]) * (level - speeds[k - 1]) /
                                      (speeds[k] - speeds[k - 1]);
    return (double)NAN;
}

/* A ball of 6 cm radius meets a slippery plate, or another one that comes as fast. */
static contact_times touch(contact_case c) {
    enum { MOST = 2000 };
    const double radius = 0.06, hertz = hertz_time(radius, c.modulus, c.speed);
    tl_world *w = make_balls(&c, radius, c.step * hertz);
    const size_t ball = tl_world_count(w) / (c.two ? 2 : 1);
    const double motion = books(w).kinetic_energy, until = c.gap * c.spacing / c.speed + 8 * hertz;
    double times[MOST] = {0}, speeds[MOST] = {-c.speed}, most = motion;
    size_t count = 1;
    for (; tl_world_time(w) < until && count < MOST; count++) {
        run_to(w, tl_world_time(w) + c.step * hertz);
        times[count] = tl_world_time(w);
        speeds[count] = speed_of(w, ball);
        most = fmax(most, books(w).kinetic_energy + books(w).elastic_energy);
    }
    const tl_ledger l = books(w);
    const double last = speeds[count - 1], rest = passes(times, speeds, count, 0);
    const contact_times out = {(rest - passes(times, speeds, count, -0.95 * c.speed)) / hertz,
                               (passes(times, speeds, count, 0.95 * last) - rest) / hertz,
                               last / c.speed};
    cr_log_info("%s, spacing %g, %g m/s, steps of %g: in %.3f and out %.3f of Hertz, restitution "
                "%.3f; %g steps, energy no more than %.4f of the first",
                c.two ? "two balls" : "a plate", c.spacing, c.speed, c.step, out.in, out.out,
                out.restitution, l.steps, most / motion);
    cr_expect_eq(l.rejected, 0);
    cr_expect_lt(most, 1.001 * motion, "energy was made: %g", most / motion);
    cr_expect_lt(fabs(l.energy_error), 0.01 * motion, "%g J", l.energy_error);
    tl_world_destroy(w);
    return out;
}

static void expect_hertz(contact_times t) {
    cr_expect_float_eq((t.in + t.out) / 2, 1, 0.1, "%g and %g of Hertz's time", t.in, t.out);
}

/* 12 and 16 spacings across. */
Test(touch, a_ball_touches_a_plate_as_long_as_hertz_says) {
    const double spacings[] = {1e-2, 7.5e-3};
    for (int k = 0; k < 2; k++) {
        const contact_times t = touch((contact_case){
            .spacing = spacings[k], .modulus = 1e5, .speed = 0.5, .step = 0.03, .gap = 2});
        expect_hertz(t);
        cr_expect_float_eq(t.restitution, 0.94, 0.05, "%g", t.restitution);
    }
}

Test(touch, two_balls_push_each_other_as_a_plate_does_and_part) {
    contact_case c = {
        .spacing = 7.5e-3, .modulus = 1e5, .speed = 0.5, .step = 0.03, .gap = 4, .two = true};
    const contact_times fine = touch(c);
    c.step = 0.1;
    const contact_times coarse = touch(c);
    expect_hertz(fine);
    cr_expect_float_eq(fine.restitution, 0.95, 0.05, "%g", fine.restitution);
    cr_expect_lt(coarse.restitution, fine.restitution);
    cr_expect_gt(coarse.restitution, 0.8, "%g", coarse.restitution);
}

Test(touch, so_do_two_parts_of_one_body_that_were_far_from_each_other) {
    const contact_times t = touch((contact_case){.spacing = 0.01,
                                                 .modulus = 1e5,
                                                 .speed = 0.5,
                                                 .step = 0.03,
                                                 .gap = 8,
                                                 .two = true,
                                                 .folded = true});
    cr_expect_gt(t.restitution, 0.85, "%g", t.restitution);
}

/* Two cubes, one on the other, or a column of that height. Returns by how much its middle has sunk,
 * over ρgH²/3E with E = 3G, when an hour glass of 1 s has run out and nine more. */
static void stand(bool two, double out[2]) {
    const double side = 0.06, modulus = 2e4;
    setup s = setup_make(0.01);
    setup_implicit(&s, 0.01);
    s.def.gravity[2] = -9.81;
    s.material.viscosity.value = 30;
    s.material.elastic = (tl_elastic){.modulus.value = modulus};
    s.material.has_elastic = true;
    s.def.flow.tolerance = 0.01;
    setup_add_box(&s, 0, 0, 0, side, side, 2 * side);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].body = two && s.seeds[i].position[2] > side;
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_world *w = setup_world(&s, 1);
    const double sag = 1000 * 9.81 * 4 * side * side / (9 * modulus);
    for (int k = 0; k < 2; k++) {
        run_to(w, 1 + 9 * k);
        out[k] = (side - mean_of(w, 2)) / sag;
    }
    cr_log_info("%s: sag %.5f, then %.5f", two ? "two cubes" : "a column", out[0], out[1]);
    tl_world_destroy(w);
}

Test(touch, what_stands_stays_as_it_is) {
    double column[2], cubes[2];
    stand(false, column);
    stand(true, cubes);
    cr_expect_float_eq(column[1], column[0], 2e-3);
    cr_expect_float_eq(cubes[1], cubes[0], 2e-3);
}

/* A cube that touches another one, which sticks to the ceiling, falls as it would alone. */
Test(touch, what_touches_does_not_hold) {
    const double side = 0.06, time = 0.2;
    setup s = setup_make(0.01);
    setup_implicit(&s, 0.005);
    s.def.gravity[2] = -9.81;
    s.material.viscosity.value = 1;
    s.material.elastic = (tl_elastic){.modulus.value = 2e4};
    s.material.has_elastic = true;
    s.def.flow.tolerance = 0.01;
    setup_add_box(&s, 0, 0, -2 * side, side, side, 0);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].body = s.seeds[i].position[2] > -side;
    setup_add_plane(&s, TL_SIDE_MINUS_Z, 0);
    tl_world *w = setup_world(&s, 1);
    run_to(w, time);
    double speed = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        speed += positions(w)[3 * i + 2] < -side - 0.05 ? -velocities(w)[3 * i + 2] : 0;
    speed /= (double)tl_world_count(w) / 2;
    cr_log_info("falls with %.4f of g t", speed / (9.81 * time));
    cr_expect_float_eq(speed, 9.81 * time, 0.02 * 9.81 * time, "%g m/s", speed);
    tl_world_destroy(w);
}
