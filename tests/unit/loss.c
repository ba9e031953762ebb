/* Loss at a surface: lumped cooling follows the exact curves. */
#include "heat/loss.h"
#include "cloud.h"

#include <stdlib.h>

static const double density = 900, heat = 2000, ambient = 20, emissivity = 0.9, convection = 12;

/* Cools all particles of a ball together (infinite conduction) for `time`, by linearly implicit
 * steps, and returns its temperature. */
static double cool(const cloud *c, double start, double time, int steps, double e, double h) {
    const double capacity = density * heat * pow(cloud_dx, 3) * (double)c->count;
    double t = start;
    for (int k = 0; k < steps; k++) {
        double power = 0, slope = 0;
        for (size_t i = 0; i < c->count; i++) {
            const tl_open_surface surface = {.area = tl_exposed_area(&c->exposed, i),
                                             .emissivity = e,
                                             .convection = h,
                                             .ambient = ambient};
            const tl_loss loss = tl_loss_at(&surface, t);
            power += loss.radiation + loss.convection;
            slope += loss.radiation_slope + loss.convection_slope;
        }
        const double dt = time / steps;
        t -= dt * power / (capacity + dt * slope);
    }
    return t;
}

/* Exact: a(T) = 1/(4 Ta³) (ln((T + Ta)/(T - Ta)) + 2 atan(T/Ta)) grows as ε σ A t / C. */
static double radiative_age(double celsius) {
    const double t = celsius + TL_ZERO_CELSIUS, a = ambient + TL_ZERO_CELSIUS;
    return (log((t + a) / (t - a)) + 2 * atan(t / a)) / (4 * a * a * a);
}

static double exact_radiative(double start, double rate) {
    double low = ambient + 1e-9, high = start;
    for (int k = 0; k < 100; k++) {
        const double middle = (low + high) / 2;
        *(radiative_age(middle) - radiative_age(start) > rate ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

static void expect_curve(double found, double exact, double start, const char *what) {
    const double error = (found - exact) / (start - ambient);
    cr_log_info("%s: %.2f °C, exact %.2f °C: %.2f %% of the range", what, found, exact,
                100 * error);
    cr_expect_lt(fabs(error), 0.02, "%s: %g", what, error);
}

Test(loss, a_sphere_cools_along_the_exact_curves) {
    for (int shaken = 0; shaken < 2; shaken++) {
        const double size[3] = {10}, start = 600, radius = size[0] * cloud_dx;
        cloud c = {0};
        cloud_fill_shape(&c, cloud_ball, size, (double[3]){0}, CLOUD_CUBIC, 0.2 * shaken);
        cloud_build(&c, NULL, 0, 2, 1);
        const double area = 4 * TL_PI * radius * radius;
        const double capacity = density * heat * 4 * TL_PI / 3 * pow(radius, 3);
        for (double time = 300; time < 3001; time *= 3) {
            const double newton =
                ambient + (start - ambient) * exp(-convection * area * time / capacity);
            expect_curve(cool(&c, start, time, 1000, 0, convection), newton, start, "Newton");
            const double rate = emissivity * TL_STEFAN_BOLTZMANN * area * time / capacity;
            expect_curve(cool(&c, start, time, 1000, emissivity, 0), exact_radiative(start, rate),
                         start, "radiation");
        }
        cloud_free(&c);
    }
}

/* A surface far and near, dark and lit. */
static const tl_open_surface surfaces[] = {
    {.area = 0.3, .emissivity = 0.8, .convection = 5, .ambient = 20},
    {.area = 0.3, .emissivity = 0.8, .convection = 5, .ambient = 20, .conductance = 1},
    {.area = 0.3, .emissivity = 0.8, .convection = 5, .ambient = 20, .conductance = 1e6},
    {.area = 0.3, .emissivity = 0.8, .ambient = 20, .conductance = 2, .absorbed = 3e4},
    {.area = 0.3, .convection = 5, .ambient = -20, .conductance = 2, .absorbed = 10},
};

Test(loss, the_slope_is_the_derivative) {
    for (size_t k = 0; k < sizeof surfaces / sizeof *surfaces; k++)
        for (double t = -200; t < 2000; t += 100) {
            const tl_loss a = tl_loss_at(&surfaces[k], t - 0.01),
                          b = tl_loss_at(&surfaces[k], t + 0.01), m = tl_loss_at(&surfaces[k], t);
            const double light = (b.radiation - a.radiation) / 0.02,
                         air = (b.convection - a.convection) / 0.02;
            cr_expect_float_eq(m.radiation_slope, light, 1e-5 * light + 1e-6, "%g °C: %g", t,
                               light);
            cr_expect_float_eq(m.convection_slope, air, 1e-5 * air + 1e-6, "%g °C: %g", t, air);
            cr_expect(m.radiation_slope >= 0 && m.convection_slope >= 0);
        }
}

/* G (T - Ts) + absorbed = P(Ts): with convection alone that is solved by hand. */
Test(loss, a_surface_is_as_warm_as_what_goes_through_it_says) {
    const tl_open_surface *s = &surfaces[4];
    const double film = s->convection * s->area, T = 500;
    const double surface =
        (s->conductance * T + film * s->ambient + s->absorbed) / (s->conductance + film);
    cr_expect_float_eq(tl_loss_at(s, T).convection, film * (surface - s->ambient), 1e-9 * film);
}

/* Matter that nearly does not conduct loses what its surface absorbs; one that conducts well has
 * its own temperature at the surface. */
Test(loss, poor_and_good_conductors_are_the_limits) {
    tl_open_surface s = surfaces[3];
    s.conductance = 1e-9;
    cr_expect_float_eq(tl_loss_at(&s, 1000).radiation, s.absorbed, 1e-6 * s.absorbed);
    s.conductance = 1e15;
    const tl_loss far = tl_loss_at(&s, 1000);
    s.conductance = 0;
    cr_expect_float_eq(far.radiation, tl_loss_at(&s, 1000).radiation, 1e-6 * far.radiation);
}

Test(loss, nothing_flows_at_the_ambient_temperature) {
    tl_open_surface s = {
        .area = 1, .emissivity = 1, .convection = 100, .ambient = 20, .conductance = 3};
    cr_expect(tl_loss_at(&s, 20).radiation == 0 && tl_loss_at(&s, 20).convection == 0);
    cr_expect_lt(tl_loss_at(&s, 10).radiation, 0, "a cold surface is warmed");
}
