/* Conduction in bodies with free surfaces: they are insulating, and conduct along themselves as
 * their cross-section says. Diffusivity 1 m²/s. */
#include "heat_build.h"

#include <criterion/criterion.h>
#include <math.h>

#define PI 3.14159265358979323846

/* A rod of length 1 m along x, n particles long and `across` thick. The amplitude of cos(πx) falls
 * with exp(-π² t). Returns the error of that rate. */
static double rod_error(int n, int across_y, int across_z, double jitter, int scheme) {
    const double dx = 1.0 / n, time = 0.05;
    plate p = plate_make(dx);
    p.def.heat.scheme = scheme;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){1, across_y * dx, across_z * dx}, 0, 0);
    plate_jitter(&p, jitter);
    for (size_t i = 0; i < p.count; i++)
        p.seeds[i].temperature = (float)(50 + 50 * cos(PI * p.seeds[i].position[0]));
    tl_world *w = plate_world(&p);
    double before = 0, after = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        before += ((double)plate_temperatures(w)[i] - 50) * cos(PI * plate_places(w)[3 * i]);
    plate_run(w, time);
    for (size_t i = 0; i < tl_world_count(w); i++)
        after += ((double)plate_temperatures(w)[i] - 50) * cos(PI * plate_places(w)[3 * i]);
    tl_world_destroy(w);
    return log(before / after) / (PI * PI * time) - 1;
}

Test(heat_shapes, explore) {
    const int across[][2] = {{1, 1}, {2, 2}, {1, 8}, {2, 8}, {3, 8}, {8, 8}};
    for (size_t k = 0; k < sizeof across / sizeof across[0]; k++)
        for (int n = 10; n <= 40; n *= 2)
            cr_log_info("%d x %d of %d: even %+.4f, jittered %+.4f", across[k][0], across[k][1], n,
                        rod_error(n, across[k][0], across[k][1], 0, 1),
                        rod_error(n, across[k][0], across[k][1], 0.2, 1));
}

typedef struct ball {
    double radius;
} ball;
static bool in_ball(const double x[3], void *context) {
    const ball *b = context;
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < b->radius * b->radius;
}

static double mode(double r) {
    return r > 1e-9 ? sin(4.493409457909064 * r) / (4.493409457909064 * r) : 1;
}

/* An insulated ball of radius 1 m; first radial mode. */
static double ball_error(int n, double jitter, double *rate) {
    const double dx = 1.0 / n, lambda = 4.493409457909064, time = 0.03;
    plate p = plate_make(dx);
    p.def.heat.scheme = 1;
    plate_add_box(&p, (double[]){-1, -1, -1}, (double[]){1, 1, 1}, 0, 0);
    plate_jitter(&p, jitter);
    plate_keep(&p, in_ball, &(ball){1});
    for (size_t i = 0; i < p.count; i++) {
        const double *x = p.seeds[i].position;
        p.seeds[i].temperature =
            (float)(50 + 50 * mode(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])));
    }
    tl_world *w = plate_world(&p);
    plate_run(w, time);
    double error = 0, scale = 0, sum = 0, norm = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double *x = plate_places(w) + 3 * i;
        const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        const double exact = 50 * mode(r) * exp(-lambda * lambda * time);
        const double T = (double)plate_temperatures(w)[i] - 50;
        error += pow(T - exact, 2);
        scale += exact * exact;
        sum += T * mode(r);
        norm += 50 * mode(r) * mode(r);
    }
    *rate = -log(sum / norm) / (lambda * lambda * time) - 1;
    tl_world_destroy(w);
    return sqrt(error / scale);
}

Test(heat_shapes, explore_ball) {
    for (int n = 6; n <= 24; n *= 2) {
        double a, b;
        const double e = ball_error(n, 0, &a), f = ball_error(n, 0.2, &b);
        cr_log_info("ball %d: even %.4f rate %+.4f, jittered %.4f rate %+.4f", n, e, a, f, b);
    }
}
