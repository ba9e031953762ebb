/* A ball and a plate that cool in air, conduction and loss together, against the series for
 * Newton's law of cooling (Carslaw & Jaeger, Conduction of Heat in Solids, 9.4 and 3.11). Radius,
 * half the thickness, and diffusivity 1; the start is 1 K, the air 0. */
#include "heat_build.h"

#include <criterion/criterion.h>
#include <math.h>

#define PI 3.14159265358979323846

static double radius_of(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static bool in_ball(const double x[3], void *context) {
    (void)context;
    return radius_of(x) < 1;
}

/* The n-th root of 1 - ζ cot ζ = Bi (ball) or ζ tan ζ = Bi (plate). */
static double root(bool ball, double biot, int n) {
    double low = (n - 1) * PI + 1e-12, high = (ball ? n : n - 0.5) * PI - 1e-12;
    for (int k = 0; k < 100; k++) {
        const double z = 0.5 * (low + high);
        *((ball ? 1 - z / tan(z) : z * tan(z)) < biot ? &low : &high) = z;
    }
    return low;
}

enum { TERMS = 30 };

/* Temperature at r from the middle, with the roots for the Biot number. */
static double exact_at(bool ball, const double roots[TERMS], double r, double time) {
    double sum = 0;
    for (int n = 0; n < TERMS; n++) {
        const double z = roots[n],
                     shape = ball ? (r > 1e-9 ? sin(z * r) / (z * r) : 1) : cos(z * r);
        const double part = ball ? 4 * (sin(z) - z * cos(z)) / (2 * z - sin(2 * z))
                                 : 4 * sin(z) / (2 * z + sin(2 * z));
        sum += part * shape * exp(-z * z * time);
    }
    return sum;
}

typedef struct errors {
    double l2, mean; /* of the temperature, in K */
} errors;

/* n particles from the middle to the surface. */
static errors cool(bool ball, int n, double biot, double time, double jitter) {
    const double dx = 1.0 / n, wide = 6 * dx;
    plate p = plate_make(dx);
    p.def.heat.scheme = TL_HEAT_EXPLICIT;
    p.def.heat.has_ambient = true;
    p.def.heat.convection = biot;
    if (ball)
        plate_add_box(&p, (double[]){-1, -1, -1}, (double[]){1, 1, 1}, 0, 1);
    else
        plate_add_box(&p, (double[]){-1, 0, 0}, (double[]){1, wide, wide}, 0, 1);
    for (int axis = 1; axis < 3 && !ball; axis++)
        plate_periodic(&p, axis, 0, wide);
    plate_jitter(&p, jitter);
    if (ball)
        plate_keep(&p, in_ball, NULL);
    tl_world *w = plate_world(&p);
    plate_run(w, time);
    errors e = {0};
    double roots[TERMS];
    for (int k = 0; k < TERMS; k++)
        roots[k] = root(ball, biot, k + 1);
    const double count = (double)tl_world_count(w);
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double *x = plate_places(w) + 3 * i, r = ball ? radius_of(x) : fabs(x[0]);
        const double off = (double)plate_temperatures(w)[i] - exact_at(ball, roots, r, time);
        e.l2 += off * off / count;
        e.mean += off / count;
    }
    e.l2 = sqrt(e.l2);
    cr_log_info("%s, Biot number %g, %d to the surface, jitter %g: error %.5f, of the mean %+.5f",
                ball ? "ball" : "plate", biot, n, jitter, e.l2, e.mean);
    plate_expect_closed(w);
    tl_world_destroy(w);
    return e;
}

static const double biots[2] = {1, 10};

Test(heat_cooling, a_plate_in_air_cools_as_the_series_says) {
    const double times[2] = {0.6, 0.2};
    for (int k = 0; k < 2; k++) {
        const errors coarse = cool(false, 8, biots[k], times[k], 0);
        const errors fine = cool(false, 16, biots[k], times[k], 0);
        cr_log_info("order %.2f", log2(coarse.l2 / fine.l2));
        cr_expect_lt(fine.l2, 0.01);
        cr_expect_gt(log2(coarse.l2 / fine.l2), 0.9);
        cr_expect_lt(cool(false, 16, biots[k], times[k], 0.2).l2, 0.02);
    }
}

/* The surface of a ball on a lattice is known to the spacing, not to its square. */
Test(heat_cooling, a_ball_in_air_cools_as_the_series_says) {
    const double times[2] = {0.2, 0.06};
    for (int k = 0; k < 2; k++) {
        const errors coarse = cool(true, 12, biots[k], times[k], 0);
        const errors fine = cool(true, 24, biots[k], times[k], 0);
        cr_log_info("order %.2f", log2(coarse.l2 / fine.l2));
        cr_expect_lt(fine.l2, 0.01);
        cr_expect_gt(log2(coarse.l2 / fine.l2), 0.9);
        cr_expect_lt(cool(true, 16, biots[k], times[k], 0.2).l2, 0.02);
    }
}
