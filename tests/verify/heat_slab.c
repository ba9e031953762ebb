/* Conduction in slabs against their exact solutions. Width 1 m, diffusivity 1 m²/s, periodic along
 * y and z. Errors are L2, relative to the temperature that drives. */
#include "heat_build.h"

#include <criterion/criterion.h>
#include <math.h>

#define PI 3.14159265358979323846

/* Between walls at 0 °C, from 100 °C. */
static double cooled(double x, double time) {
    double sum = 0;
    for (int n = 1; n < 400; n += 2)
        sum += 400 / (n * PI) * sin(n * PI * x) * exp(-n * n * PI * PI * time);
    return sum;
}

/* From 100 °C, insulated at x = 0, with a wall of 0 °C and conductance 2 at x = 1: Biot number 2.
 */
static double cooled_through_film(double x, double time) {
    double sum = 0;
    for (int n = 0; n < 60; n++) {
        double low = n * PI + 1e-9, high = n * PI + 0.5 * PI - 1e-12; /* β tan β = 2 */
        for (int k = 0; k < 100; k++) {
            const double b = 0.5 * (low + high);
            *(b * tan(b) < 2 ? &low : &high) = b;
        }
        sum +=
            100 * 4 * sin(low) / (2 * low + sin(2 * low)) * exp(-low * low * time) * cos(low * x);
    }
    return sum;
}

typedef struct slab {
    int n, scheme;
    double jitter, step, support, time;
    double conductance; /* of the wall at x = 1; the one at x = 0 is insulating then */
} slab;

static double slab_error(const slab *s) {
    const double dx = 1.0 / s->n;
    plate p = plate_make(dx);
    p.def.heat.scheme = s->scheme;
    p.def.heat.max_step = s->step;
    p.def.flow.support = s->support;
    const double width = 8 * dx;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){1, width, width}, 0, 100);
    plate_jitter(&p, s->jitter);
    plate_periodic(&p, 1, 0, width);
    plate_periodic(&p, 2, 0, width);
    if (s->conductance == 0)
        plate_add_plane(&p, TL_SIDE_X, 0, 0);
    plate_add_plane(&p, TL_SIDE_MINUS_X, 1, 0)->conductance = s->conductance;
    tl_world *w = plate_world(&p);
    plate_run(w, s->time);
    double error = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double x = plate_places(w)[3 * i];
        const double exact =
            s->conductance > 0 ? cooled_through_film(x, s->time) : cooled(x, s->time);
        error += pow(((double)plate_temperatures(w)[i] - exact) / 100, 2);
    }
    plate_expect_closed(w);
    const double mean = sqrt(error / (double)tl_world_count(w));
    const tl_ledger l = plate_books(w);
    cr_log_info("%d across, jitter %g, support %g%s: error %.5f; %g steps, %g iterations", s->n,
                s->jitter, s->support, s->conductance > 0 ? ", film" : "", mean, l.steps,
                l.heat_iterations);
    tl_world_destroy(w);
    return mean;
}

Test(heat_slab, cools_as_the_series_says_in_second_order) {
    const double supports[] = {2, 2.5, 3};
    for (int k = 0; k < 3; k++) {
        slab s = {.n = 10, .scheme = TL_HEAT_EXPLICIT, .support = supports[k], .time = 0.05};
        const double coarse = slab_error(&s);
        s.n = 20;
        const double fine = slab_error(&s);
        cr_log_info("support %g: order %.2f", supports[k], log2(coarse / fine));
        cr_expect_lt(fine, 0.002);
        cr_expect_gt(log2(coarse / fine), 1.8);
    }
}

/* Steps of dx²/10, so that the first order in time shows as second order in space. */
Test(heat_slab, implicit_steps_converge_to_the_series_too) {
    slab s = {.n = 10, .scheme = TL_HEAT_IMPLICIT, .time = 0.05, .step = 1e-3};
    const double coarse = slab_error(&s);
    s.n = 20;
    s.step /= 4;
    const double fine = slab_error(&s);
    cr_expect_lt(fine, 0.005);
    cr_expect_gt(log2(coarse / fine), 1.8);
}

/* The whole run as one step, and as ten: what is asked for does not matter, steps choose their
 * length. Backward Euler was 12 % and 1.6 % off. */
Test(heat_slab, implicit_steps_of_any_length_are_within_half_a_per_cent) {
    for (int steps = 1; steps <= 10; steps += 9) {
        const slab s = {
            .n = 20, .support = 2.5, .time = 0.1, .scheme = TL_HEAT_IMPLICIT, .step = 0.1 / steps};
        cr_expect_lt(slab_error(&s), 0.005);
    }
}

Test(heat_slab, disorder_costs_less_than_two_per_cent) {
    slab s = {.n = 20, .scheme = TL_HEAT_EXPLICIT, .time = 0.05, .jitter = 0.2};
    cr_expect_lt(slab_error(&s), 0.02);
    s.scheme = TL_HEAT_IMPLICIT;
    s.step = 2.5e-4;
    cr_expect_lt(slab_error(&s), 0.02);
}

Test(heat_slab, an_interface_conductance_is_a_film_of_that_biot_number) {
    slab s = {.n = 10, .scheme = TL_HEAT_EXPLICIT, .time = 0.3, .conductance = 2};
    const double coarse = slab_error(&s);
    s.n = 20;
    const double fine = slab_error(&s);
    cr_log_info("order %.2f", log2(coarse / fine));
    cr_expect_lt(fine, 0.005);
    cr_expect_gt(log2(coarse / fine), 1.5);
    s.jitter = 0.2;
    cr_expect_lt(slab_error(&s), 0.02);
}

/* Temperatures of a slab between a wall and a film of air, with heat made in it, after `time` at a
 * speed of heat, in order of the particles' names; `books` are then. */
static size_t sped_up(double speed, double time, int scheme, double *out, tl_ledger *books) {
    const double dx = 1.0 / 16;
    plate p = plate_make(dx);
    p.def.heat.scheme = scheme;
    p.def.heat.speed = speed;
    p.def.heat.has_ambient = true;
    p.def.heat.convection = 3;
    p.materials[0].heating = 20;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){1, 6 * dx, 6 * dx}, 0, 100);
    plate_periodic(&p, 1, 0, 6 * dx);
    plate_periodic(&p, 2, 0, 6 * dx);
    plate_add_plane(&p, TL_SIDE_X, 0, 0)->conductance = 2;
    tl_world *w = plate_world(&p);
    plate_run(w, time);
    const size_t count = tl_world_count(w);
    for (size_t i = 0; i < count; i++)
        out[i] = (double)plate_temperatures(w)[i];
    *books = plate_books(w);
    plate_expect_closed(w);
    tl_world_destroy(w);
    return count;
}

Test(heat_slab, heat_ten_times_as_fast_is_after_a_second_where_it_was_after_ten) {
    static double slow[4096], fast[4096];
    for (int scheme = TL_HEAT_EXPLICIT; scheme <= TL_HEAT_IMPLICIT; scheme++) {
        tl_ledger after_ten, after_one;
        const size_t count = sped_up(1, 0.2, scheme, slow, &after_ten);
        cr_assert_eq(count, sped_up(10, 0.02, scheme, fast, &after_one));
        double most = 0;
        for (size_t i = 0; i < count; i++)
            most = fmax(most, fabs(slow[i] - fast[i]));
        cr_log_info("scheme %d: differs by %.3g K; conducted %g and %g J, lost %g and %g J", scheme,
                    most, after_ten.conducted_heat, after_one.conducted_heat,
                    after_ten.lost_convection, after_one.lost_convection);
        cr_expect_lt(most, 1e-3);
        cr_expect_float_eq(after_one.conducted_heat / after_ten.conducted_heat, 1, 1e-5);
        cr_expect_float_eq(after_one.lost_convection / after_ten.lost_convection, 1, 1e-5);
        cr_expect_float_eq(after_one.volumetric_heat / after_ten.volumetric_heat, 1, 1e-5);
        cr_expect_lt(slow[0], 95, "nothing happened: %g", slow[0]);
    }
}

/* One layer on a hot wall, free above: it is one temperature, and half its thickness conducts. */
Test(heat_slab, a_film_of_one_layer_takes_heat_through_half_its_thickness) {
    const double dx = 0.1, time = 0.5 * dx * dx;
    plate p = plate_make(dx);
    p.def.heat.scheme = TL_HEAT_EXPLICIT;
    p.def.heat.max_step = 0.001 * time;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){0.8, 0.8, dx}, 0, 0);
    plate_periodic(&p, 0, 0, 0.8);
    plate_periodic(&p, 1, 0, 0.8);
    plate_add_plane(&p, TL_SIDE_Z, 0, 100);
    tl_world *w = plate_world(&p);
    plate_run(w, time);
    const double rate = -log(1 - (double)plate_temperatures(w)[0] / 100) / time;
    cr_log_info("warms with %.4f of 2 α / dx²", rate * dx * dx / 2);
    cr_expect_float_eq(rate * dx * dx / 2, 1, 0.02);
    tl_world_destroy(w);
}

/* ---- Two materials -----------------------------------------------------------------------------
 */

/* Two half-spaces that touch at x = ½ with 100 °C and 0 °C: the second conducts ten times as well
 * and holds half as much. */
static double touching(double x, double time) {
    const double k2 = 10, c2 = 0.5, effusivity = sqrt(k2 * c2);
    const double contact = 100 / (1 + effusivity), y = x - 0.5;
    if (y < 0)
        return contact + (100 - contact) * erf(-y / (2 * sqrt(time)));
    return contact * erfc(y / (2 * sqrt(k2 / c2 * time)));
}

static double touching_error(int n, double jitter, double time) {
    const double dx = 1.0 / n;
    plate p = plate_make(dx);
    p.materials[1].conductivity = 10;
    p.materials[1].specific_heat = 0.5;
    p.def.heat.scheme = TL_HEAT_EXPLICIT;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){0.5, 6 * dx, 6 * dx}, 0, 100);
    plate_add_box(&p, (double[]){0.5, 0, 0}, (double[]){1, 6 * dx, 6 * dx}, 1, 0);
    plate_jitter(&p, jitter);
    plate_periodic(&p, 1, 0, 6 * dx);
    plate_periodic(&p, 2, 0, 6 * dx);
    tl_world *w = plate_world(&p);
    plate_run(w, time);
    double error = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        error += pow(
            ((double)plate_temperatures(w)[i] - touching(plate_places(w)[3 * i], time)) / 100, 2);
    const double mean = sqrt(error / (double)tl_world_count(w));
    cr_log_info("two materials, %d across, jitter %g: error %.5f", n, jitter, mean);
    tl_world_destroy(w);
    return mean;
}

/* Until heat comes near the ends. */
Test(heat_slab, two_materials_that_touch_exchange_heat_as_two_half_spaces) {
    const double coarse = touching_error(20, 0, 1e-3), fine = touching_error(40, 0, 1e-3);
    cr_log_info("order %.2f", log2(coarse / fine));
    cr_expect_lt(fine, 0.01);
    cr_expect_gt(log2(coarse / fine), 0.9);
    cr_expect_lt(touching_error(40, 0.2, 1e-3), 0.02);
}

/* The middle of a composite slab between 100 °C and 0 °C: 100 / (1 + k1/k2 ...) by resistances. */
Test(heat_slab, a_composite_slab_has_the_profile_of_its_resistances) {
    for (int n = 10; n <= 20; n *= 2) {
        const double dx = 1.0 / n;
        plate p = plate_make(dx);
        p.materials[1].conductivity = 10;
        p.def.heat.scheme = TL_HEAT_IMPLICIT;
        p.def.heat.max_step = 100;
        plate_add_box(&p, (double[]){0, 0, 0}, (double[]){0.5, 6 * dx, 6 * dx}, 0, 0);
        plate_add_box(&p, (double[]){0.5, 0, 0}, (double[]){1, 6 * dx, 6 * dx}, 1, 0);
        plate_periodic(&p, 1, 0, 6 * dx);
        plate_periodic(&p, 2, 0, 6 * dx);
        plate_add_plane(&p, TL_SIDE_X, 0, 100);
        plate_add_plane(&p, TL_SIDE_MINUS_X, 1, 0);
        tl_world *w = plate_world(&p);
        plate_run(w, 1e4);
        double error = 0;
        const double flux = 100 / (0.5 / 1 + 0.5 / 10);
        for (size_t i = 0; i < tl_world_count(w); i++) {
            const double x = plate_places(w)[3 * i];
            const double exact = x < 0.5 ? 100 - flux * x : flux * (1 - x) / 10;
            error += pow(((double)plate_temperatures(w)[i] - exact) / 100, 2);
        }
        error = sqrt(error / (double)tl_world_count(w));
        cr_log_info("composite, %d across: error %.5f", n, error);
        cr_expect_lt(error, n == 10 ? 0.02 : 0.01);
        tl_world_destroy(w);
    }
}
