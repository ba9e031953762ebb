/* Conduction in slabs against their series. Width 1 m, diffusivity 1 m²/s. */
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

static double slab_error(int n, double jitter, int scheme, double step, double time) {
    const double dx = 1.0 / n;
    plate p = plate_make(dx);
    p.def.heat.scheme = scheme;
    p.def.heat.max_step = step;
    plate_add_box(&p, (double[]){0, 0, 0}, (double[]){1, 6 * dx, 6 * dx}, 0, 100);
    plate_jitter(&p, jitter);
    plate_periodic(&p, 1, 0, 6 * dx);
    plate_periodic(&p, 2, 0, 6 * dx);
    plate_add_plane(&p, TL_SIDE_X, 0, 0);
    plate_add_plane(&p, TL_SIDE_MINUS_X, 1, 0);
    tl_world *w = plate_world(&p);
    plate_run(w, time);
    double error = 0, scale = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double exact = cooled(plate_places(w)[3 * i], time);
        error += pow((double)plate_temperatures(w)[i] - exact, 2);
        scale += exact * exact;
    }
    const tl_ledger l = plate_books(w);
    cr_log_info("n %d jitter %g: error %.5f, steps %g, iterations %g, heat error %.3g of %.3g", n,
                jitter, sqrt(error / scale), l.steps, l.heat_iterations, l.heat_error,
                l.conducted_heat);
    plate_expect_closed(w);
    tl_world_destroy(w);
    return sqrt(error / scale);
}

Test(heat_slab, explore) {
    for (int s = 1; s < 3; s++)
        for (int n = 10; n <= 40; n *= 2) {
            slab_error(n, 0, s, s == 2 ? 0.1 / n / n : 0, 0.05);
            slab_error(n, 0.2, s, s == 2 ? 0.1 / n / n : 0, 0.05);
        }
}
