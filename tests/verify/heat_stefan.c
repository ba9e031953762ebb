/* Melting and freezing fronts against Neumann's solution. Diffusivity, density and specific heat 1,
 * melting at 0 °C; the wall at x = 0 is 1 K above or below, so that the latent heat is 1 / Ste. */
#include "heat_build.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* λ of a front s = 2 λ √t between matter that starts `other` K on the far side of melting and a
 * wall 1 K on this side. */
static double front_constant(double ste, double other) {
    double low = 1e-9, high = 10;
    for (int k = 0; k < 200; k++) {
        const double l = 0.5 * (low + high);
        const double left = ste * exp(-l * l) / erf(l) - ste * other * exp(-l * l) / erfc(l);
        *(left > l * sqrt(PI) ? &low : &high) = l;
    }
    return low;
}

/* The heat in a slab of 1 m beyond that of its start, by the exact temperatures and the front s. */
static double heat_exact(double ste, double other, double lambda, double s) {
    enum { POINTS = 2000 };
    const double scale = s / lambda; /* 2 √t */
    double sum = s / ste + other;
    for (int k = 0; k < POINTS; k++) {
        const double near = (k + 0.5) / POINTS * s, far = s + (k + 0.5) / POINTS * (1 - s);
        sum += (1 - erf(near / scale) / erf(lambda)) * s / POINTS;
        sum -= other * (1 - erfc(far / scale) / erfc(lambda)) * (1 - s) / POINTS;
    }
    return sum;
}

/* How far the front is from where it should be, relative, while it goes from 0.25 m to 0.5 m, and
 * the heat that went in, relative to the exact one.
 *
 * The front by volume is what is molten. Matter melts layer by layer, and a layer that melts stays
 * at one temperature: what its warm part holds beyond that, and its cold part lacks, counts as
 * molten, so that this front swings about the true one once a layer, the more the larger Ste. At
 * the instant when a layer is half molten both are alike, and the front is in its middle (Voller &
 * Cross 1981, Int. J. Heat Mass Transfer 24, 545). The front by layers goes through these instants,
 * evenly in √t between. */
typedef struct front {
    double mean, largest; /* by volume */
    double by_layers;     /* the largest */
    double heat;
} front;

enum { MOST_LAYERS = 64 };

/* When layers were half molten, or half frozen. */
typedef struct layers {
    int count;
    double done[MOST_LAYERS]; /* the part that has changed, at the last look */
    double root[MOST_LAYERS]; /* √t; 0: not yet */
    double last;              /* √t of the last look */
} layers;

/* Looks at the slab, whose front has gone far enough for each layer to change between two looks. */
static void watch(layers *l, tl_world *w, double sign, double time) {
    double sum[MOST_LAYERS] = {0}, size[MOST_LAYERS] = {0};
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double f = (double)plate_fractions(w)[i];
        const int k = (int)(plate_places(w)[3 * i] * l->count);
        sum[k] += sign > 0 ? f : 1 - f;
        size[k]++;
    }
    for (int k = 0; k < l->count; k++) {
        const double done = sum[k] / size[k], before = l->done[k];
        if (before < 0.5 && done >= 0.5)
            l->root[k] = l->last + (sqrt(time) - l->last) * (0.5 - before) / (done - before);
        l->done[k] = done;
    }
    l->last = sqrt(time);
}

/* Where the front was at √t, by layers. */
static double front_of_layers(const layers *l, double root) {
    int k = 0;
    while (k + 2 < l->count && l->root[k + 2] > 0 && l->root[k + 1] < root)
        k++;
    cr_assert(l->root[k] > 0 && l->root[k] <= root && l->root[k + 1] >= root);
    return (k + 0.5 + (root - l->root[k]) / (l->root[k + 1] - l->root[k])) / l->count;
}

static double place_of_front(tl_world *w, double sign) {
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double f = (double)plate_fractions(w)[i];
        sum += sign > 0 ? f : 1 - f;
    }
    return sum / (double)tl_world_count(w);
}

/* A slab of 1 m with n particles, until the exact front has gone half of it. sign +1: melts.
 * The far end follows the exact solution. */
static front run(int n, double ste, double other, double sign, double jitter, int scheme,
                 double step) {
    const double dx = 1.0 / n, lambda = front_constant(ste, other);
    const double time = pow(0.5 / (2 * lambda), 2);
    plate p = plate_make(dx);
    p.materials[0].latent_heat = 1 / ste;
    p.materials[0].has_solidus = p.materials[0].has_liquidus = true;
    p.def.heat.scheme = scheme;
    p.def.heat.max_step = step * time;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){1, 6 * dx, 6 * dx}, 0, -sign * other);
    for (size_t i = 0; i < p.count && sign < 0 && other == 0; i++)
        p.seeds[i].temperature = 1e-6f; /* liquid, but no warmer than need be */
    plate_jitter(&p, jitter);
    plate_periodic(&p, 1, 0, 6 * dx);
    plate_periodic(&p, 2, 0, 6 * dx);
    plate_add_plane(&p, TL_SIDE_X, 0, sign);
    enum { POINTS = 500 };
    static double table[POINTS + 1][2];
    for (int k = 0; k <= POINTS; k++) {
        table[k][0] = 1.4 * time * k / POINTS;
        table[k][1] = k == 0
                          ? -sign * other
                          : -sign * other * (1 - erfc(1 / (2 * sqrt(table[k][0]))) / erfc(lambda));
    }
    if (other > 0)
        plate_add_plane(&p, TL_SIDE_MINUS_X, 1, 0)->temperature.points =
            (tl_param_list){table, POINTS + 1};
    tl_world *w = plate_world(&p);
    const double start = plate_books(w).thermal_energy, area = pow(6 * dx, 2);
    enum { SAMPLES = 60, EARLY = 42, LATE = 18 }; /* from 0.08 m to 0.575 m */
    front out = {0};
    layers seen = {.count = n};
    for (int k = 1 - EARLY; k <= SAMPLES + LATE; k++) {
        const double exact = 0.25 + 0.25 * k / SAMPLES, now = time * pow(exact / 0.5, 2);
        plate_run(w, now);
        watch(&seen, w, sign, now);
        if (k < 1 || k > SAMPLES)
            continue;
        const double error = place_of_front(w, sign) / exact - 1;
        out.mean += error / SAMPLES;
        out.largest = fmax(out.largest, fabs(error));
        const double heat = sign * (plate_books(w).thermal_energy - start) / area;
        out.heat = fmax(out.heat, fabs(heat / heat_exact(ste, other, lambda, exact) - 1));
    }
    for (int k = 1; k <= SAMPLES && jitter == 0; k++) {
        const double exact = 0.25 + 0.25 * k / SAMPLES;
        const double found = front_of_layers(&seen, sqrt(time) * exact / 0.5);
        out.by_layers = fmax(out.by_layers, fabs(found / exact - 1));
    }
    const tl_ledger l = plate_books(w);
    cr_log_info(
        "Ste %g, other %g, %s, n %d: front off by %+.2f %% on the mean, %.2f %% at most, by layers "
        "%.2f %%, heat by %.2f %% at most; %g steps, %g iterations, books %.1g",
        ste, other, sign > 0 ? "melting" : "freezing", n, 100 * out.mean, 100 * out.largest,
        100 * out.by_layers, 100 * out.heat, l.steps, l.heat_iterations,
        l.heat_error / l.conducted_heat);
    plate_expect_closed(w);
    tl_world_destroy(w);
    return out;
}

/* One layer of particles melts after the other: half of one is how well a front can be told. */
static void expect_front(front f, int n) {
    cr_expect_lt(fabs(f.mean), 0.02);
    cr_expect_lt(f.largest, 0.02 + 0.5 / n / 0.25);
    cr_expect_lt(f.heat, 0.01);
}

static const double stefan_numbers[] = {0.1, 1, 5};

Test(heat_stefan, one_phase_fronts_melt_and_freeze_as_neumann_says) {
    for (int k = 0; k < 3; k++)
        for (int sign = -1; sign < 2; sign += 2) {
            const front coarse = run(10, stefan_numbers[k], 0, sign, 0, TL_HEAT_EXPLICIT, 0);
            const front fine = run(20, stefan_numbers[k], 0, sign, 0, TL_HEAT_EXPLICIT, 0);
            expect_front(fine, 20);
            cr_expect_lt(fine.largest, 0.02);
            cr_expect_lt(fine.largest, 0.6 * coarse.largest);
            cr_expect_lt(fine.by_layers, 0.02);
        }
}

/* From the tenth layer of forty on the front is within 2 % at all times. Melting and freezing are
 * mirror images. */
Test(heat_stefan, two_phase_fronts_melt_and_freeze_as_neumann_says) {
    for (int k = 0; k < 3; k++)
        for (int sign = -1; sign < 2; sign += 2) {
            const front coarse = run(20, stefan_numbers[k], 0.5, sign, 0, TL_HEAT_EXPLICIT, 0);
            const front fine = run(40, stefan_numbers[k], 0.5, sign, 0, TL_HEAT_EXPLICIT, 0);
            expect_front(fine, 40);
            cr_expect_lt(fine.by_layers, 0.02);
            cr_expect_lt(fine.by_layers, 0.6 * coarse.by_layers);
            cr_expect_lt(fabs(fine.mean), 0.6 * fabs(coarse.mean));
            cr_expect_lt(fine.largest, 0.6 * coarse.largest);
        }
}

/* Disorder smears the front over a layer more: that costs as much again as the layers themselves.
 */
Test(heat_stefan, implicit_fronts_in_disorder_are_right_as_well) {
    for (int k = 0; k < 3; k++) {
        expect_front(run(20, stefan_numbers[k], 0, 1, 0.2, TL_HEAT_IMPLICIT, 0.005), 20);
        expect_front(run(40, stefan_numbers[k], 0.5, -1, 0.2, TL_HEAT_IMPLICIT, 0.005), 40);
    }
}

/* In twenty steps of each scheme: explicit ones have sub-steps, implicit ones choose theirs. */
Test(heat_stefan, implicit_and_explicit_steps_have_the_same_fronts) {
    for (int k = 0; k < 3; k++) {
        const front a = run(20, stefan_numbers[k], 0.5, 1, 0, TL_HEAT_EXPLICIT, 0.05);
        const front b = run(20, stefan_numbers[k], 0.5, 1, 0, TL_HEAT_IMPLICIT, 0.05);
        cr_expect_lt(fabs(a.mean - b.mean), 0.01);
        cr_expect_lt(fabs(a.heat - b.heat), 0.01);
    }
}

/* Melts half of the slab, turns the wall cold, and waits. */
Test(heat_stefan, what_has_melted_freezes_again_and_gives_all_heat_back) {
    plate p = plate_make(0.05);
    p.materials[0].latent_heat = 1;
    p.materials[0].has_solidus = p.materials[0].has_liquidus = true;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){1, 0.3, 0.3}, 0, -0.5);
    plate_periodic(&p, 1, 0, 0.3);
    plate_periodic(&p, 2, 0, 0.3);
    static double table[][2] = {{0, 2}, {0.4, 2}, {0.4001, -0.5}};
    plate_add_plane(&p, TL_SIDE_X, 0, 0)->temperature.points = (tl_param_list){table, 3};
    tl_world *w = plate_world(&p);
    plate_run(w, 0.4);
    const double molten = place_of_front(w, 1), given = plate_books(w).conducted_heat;
    cr_expect(molten > 0.4 && molten < 1, "%g", molten);
    plate_run(w, 20);
    const double left = plate_books(w).conducted_heat;
    cr_log_info("%.3f of the slab molten by %.4f J; after freezing %.3f, %.2g J are left", molten,
                given, place_of_front(w, 1), left);
    cr_expect_eq(place_of_front(w, 1), 0);
    cr_expect_lt(fabs(left), 1e-6 * given);
    tl_world_destroy(w);
}
