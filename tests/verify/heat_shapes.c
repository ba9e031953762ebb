/* Conduction in bodies with free surfaces: these are insulating, and the bodies conduct along them
 * as their cross-section says. Diffusivity 1 m²/s. */
#include "heat_build.h"

#include <criterion/criterion.h>
#include <math.h>

#define PI 3.14159265358979323846

/* The amplitude of cos(πx). */
static double amplitude(tl_world *w) {
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        sum += ((double)plate_temperatures(w)[i] - 50) * cos(PI * plate_places(w)[3 * i]);
    return sum;
}

/* A rod of 1 m along x, n particles long and as many across as given, free on all sides: cos(πx)
 * falls with exp(-π² t). Returns the error of that rate. */
static double rod_error(int n, const int across[2], double jitter) {
    const double dx = 1.0 / n, time = 0.05;
    plate p = plate_make(dx);
    p.def.heat.scheme = TL_HEAT_EXPLICIT;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){1, across[0] * dx, across[1] * dx}, 0, 0);
    plate_jitter(&p, jitter);
    for (size_t i = 0; i < p.count; i++)
        p.seeds[i].temperature = (float)(50 + 50 * cos(PI * p.seeds[i].position[0]));
    tl_world *w = plate_world(&p);
    const double before = amplitude(w);
    plate_run(w, time);
    const double error = log(before / amplitude(w)) / (PI * PI * time) - 1;
    tl_world_destroy(w);
    return error;
}

/* One particle across, two, a plate, a sheet of a single layer. */
static const int thread[2] = {1, 1}, rod[2] = {2, 2}, sheet[2] = {1, 8}, slab[2] = {3, 8},
                 bar[2] = {8, 8};

Test(heat_shapes, threads_sheets_and_bars_conduct_as_their_cross_section_says) {
    const int *const shapes[] = {thread, rod, sheet, slab, bar};
    for (int k = 0; k < 5; k++) {
        const double coarse = rod_error(10, shapes[k], 0), fine = rod_error(20, shapes[k], 0);
        cr_log_info("%d x %d across: rate off by %+.4f with 10, %+.4f with 20 along", shapes[k][0],
                    shapes[k][1], coarse, fine);
        cr_expect_lt(fabs(fine), 0.01);
        cr_expect_gt(log2(fabs(coarse / fine)), 1.8);
    }
}

/* A thread of single particles in disorder is a chain of random resistors: no claim for it. */
Test(heat_shapes, disorder_costs_less_than_two_per_cent) {
    const int *const shapes[] = {rod, sheet, slab, bar};
    for (int k = 0; k < 4; k++) {
        const double error = rod_error(40, shapes[k], 0.2);
        cr_log_info("%d x %d across, jitter 0.2: rate off by %+.4f", shapes[k][0], shapes[k][1],
                    error);
        cr_expect_lt(fabs(error), 0.02);
    }
}

/* ---- Balls -------------------------------------------------------------------------------------
 */

static double radius_of(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static bool in_ball(const double x[3], void *context) {
    (void)context;
    return radius_of(x) < 1;
}

static const double lambda = 4.493409457909064; /* tan λ = λ */

/* First radial mode of an insulated ball of 1 m. */
static double mode(double r) { return r > 1e-9 ? sin(lambda * r) / (lambda * r) : 1; }

/* An insulated ball, n particles from its middle to its surface. */
static double ball_error(int n, double jitter) {
    const double dx = 1.0 / n, time = 0.03;
    plate p = plate_make(dx);
    p.def.heat.scheme = TL_HEAT_EXPLICIT;
    plate_add_box(&p, (double[]){-1, -1, -1}, (double[]){1, 1, 1}, 0, 0);
    plate_jitter(&p, jitter);
    plate_keep(&p, in_ball, NULL);
    for (size_t i = 0; i < p.count; i++)
        p.seeds[i].temperature = (float)(50 * mode(radius_of(p.seeds[i].position)));
    tl_world *w = plate_world(&p);
    plate_run(w, time);
    double error = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double exact =
            50 * mode(radius_of(plate_places(w) + 3 * i)) * exp(-lambda * lambda * time);
        error += pow(((double)plate_temperatures(w)[i] - exact) / 50, 2);
    }
    error = sqrt(error / (double)tl_world_count(w));
    cr_log_info("insulated ball of radius %d, jitter %g: error %.5f", n, jitter, error);
    tl_world_destroy(w);
    return error;
}

/* The surface of a ball on a lattice has steps. */
Test(heat_shapes, an_insulated_ball_evens_out_as_its_first_mode) {
    const double coarse = ball_error(8, 0), fine = ball_error(16, 0);
    cr_log_info("order %.2f", log2(coarse / fine));
    cr_expect_lt(fine, 0.01);
    cr_expect_gt(log2(coarse / fine), 1.5);
    cr_expect_lt(ball_error(16, 0.2), 0.02);
}

/* A ball of 100 °C in a bath of 0 °C. */
static double cooled(double r, double time) {
    double sum = 0;
    for (int n = 1; n < 200; n++)
        sum += (n % 2 ? 200 : -200) * (r > 1e-9 ? sin(n * PI * r) / (n * PI * r) : 1) *
               exp(-n * n * PI * PI * time);
    return sum;
}

/* The bath conducts a thousand times as well and holds ten million times as much heat. Its surface
 * stands half-way between particles of ball and bath: to the spacing, not to its square. */
static double bath_error(int n, double jitter, double time) {
    const double dx = 1.0 / n, edge = ceil(1.25 * n) * dx;
    plate p = plate_make(dx);
    p.materials[1].conductivity = 1e3;
    p.materials[1].specific_heat = 1e7;
    p.def.heat.scheme = TL_HEAT_EXPLICIT;
    plate_add_box(&p, (double[]){-edge, -edge, -edge}, (double[]){edge, edge, edge}, 0, 100);
    plate_jitter(&p, jitter);
    for (size_t i = 0; i < p.count; i++)
        if (!in_ball(p.seeds[i].position, NULL)) {
            p.seeds[i].material = 1;
            p.seeds[i].temperature = 0;
        }
    tl_world *w = plate_world(&p);
    plate_run(w, time);
    double error = 0;
    size_t count = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double r = radius_of(plate_places(w) + 3 * i);
        if (r >= 1)
            continue;
        error += pow(((double)plate_temperatures(w)[i] - cooled(r, time)) / 100, 2);
        count++;
    }
    error = sqrt(error / (double)count);
    cr_log_info("ball of radius %d in a bath, jitter %g: error %.5f", n, jitter, error);
    tl_world_destroy(w);
    return error;
}

Test(heat_shapes, a_ball_in_a_bath_cools_as_the_series_says) {
    const double coarse = bath_error(8, 0, 0.05), fine = bath_error(16, 0, 0.05);
    cr_log_info("order %.2f", log2(coarse / fine));
    cr_expect_lt(fine, 0.01);
    cr_expect_gt(log2(coarse / fine), 0.9);
    cr_expect_lt(bath_error(16, 0.2, 0.05), 0.02);
}
