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
            const tl_loss loss = tl_loss_at(tl_exposed_area(&c->exposed, i), e, h, t, ambient);
            power += loss.radiation + loss.convection;
            slope += loss.slope;
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

Test(loss, the_slope_is_the_derivative) {
    for (double t = -200; t < 2000; t += 100) {
        const tl_loss a = tl_loss_at(0.3, 0.8, 5, t - 0.01, 20),
                      b = tl_loss_at(0.3, 0.8, 5, t + 0.01, 20), m = tl_loss_at(0.3, 0.8, 5, t, 20);
        const double slope = (b.radiation + b.convection - a.radiation - a.convection) / 0.02;
        cr_expect_float_eq(m.slope, slope, 1e-6 * slope, "%g °C: %g and %g", t, m.slope, slope);
        cr_expect_geq(m.slope, 0);
    }
}

Test(loss, nothing_flows_at_the_ambient_temperature) {
    const tl_loss loss = tl_loss_at(1, 1, 100, 20, 20);
    cr_expect(loss.radiation == 0 && loss.convection == 0);
    cr_expect_lt(tl_loss_at(1, 1, 0, 10, 20).radiation, 0, "a cold surface is warmed");
}
