/* Taylor-Green vortices in a periodic box: u = -U e^{bt} cos(2πx) sin(2πy), v = U e^{bt} sin(2πx)
 * cos(2πy), b = -8π²/Re, decay for ever and keep their shape. Re = 10, ten-fold decay. */
#include "build.h"

#include "math/kernels.h"

#include <criterion/criterion.h>
#include <math.h>

static const double RE = 10, U = 1;

typedef struct decay {
    double speed, energy; /* largest relative errors of the peak speed and of the kinetic energy */
    double ledger;        /* largest unexplained energy, relative to the initial one */
    double momentum;      /* largest |momentum| over mass times U */
} decay;

static double decay_rate(void) { return 8 * M_PI * M_PI * U / RE; }

/* The default scheme at three spacings of support, or that of the papers. */
static tl_world *make_vortices(int n, bool papers, int threads) {
    const double dx = 1.0 / n, depth = 7 * dx;
    setup s = setup_make(dx);
    s.material.density = 1;
    s.material.viscosity.value = U / RE;
    s.def.flow.support = 3;
    if (papers) {
        s.def.flow.viscosity = TL_VISCOSITY_NESTED;
        s.def.flow.kernel = TL_KERNEL_QUINTIC;
        s.def.flow.xsph = 0.05;
    }
    s.def.flow.artificial_viscosity = 0;
    s.def.flow.pulls = true;
    s.def.flow.sound_speed = 10 * U;

    setup_periodic(&s, 0, 0, 1);
    setup_periodic(&s, 1, 0, 1);
    setup_periodic(&s, 2, 0, depth);
    setup_add_box(&s, 0, 0, 0, 1, 1, depth);
    for (size_t i = 0; i < s.count; i++) {
        const double x = 2 * M_PI * s.seeds[i].position[0], y = 2 * M_PI * s.seeds[i].position[1];
        s.seeds[i].velocity[0] = -U * cos(x) * sin(y);
        s.seeds[i].velocity[1] = U * sin(x) * cos(y);
    }
    return setup_world(&s, threads);
}

static decay measure(int n, bool papers) {
    tl_world *world = make_vortices(n, papers, 2);
    tl_ledger start, now;
    tl_world_ledger(world, &start);
    decay worst = {0};
    for (int k = 1; k <= 8; k++) {
        const double t = k * log(10) / decay_rate() / 8;
        run_to(world, t);
        tl_world_ledger(world, &now);
        const double factor = exp(-decay_rate() * t);
        worst.speed = fmax(worst.speed, fabs(now.max_speed / (U * factor) - 1));
        worst.energy = fmax(
            worst.energy, fabs(now.kinetic_energy / (start.kinetic_energy * factor * factor) - 1));
        worst.ledger = fmax(worst.ledger, fabs(now.energy_error) / start.kinetic_energy);
        for (int a = 0; a < 3; a++)
            worst.momentum = fmax(worst.momentum, fabs(now.momentum[a]) / (now.mass * U));
    }
    cr_expect_eq(now.mass, start.mass, "mass is conserved exactly");
    tl_world_destroy(world);
    return worst;
}

Test(vortex, taylor_green_decays_within_three_per_cent_and_converges) {
    const decay coarse = measure(16, false), fine = measure(32, false);
    cr_log_info("speed %.4f -> %.4f, energy %.4f -> %.4f, ledger %.1e -> %.1e, momentum %.1e",
                coarse.speed, fine.speed, coarse.energy, fine.energy, coarse.ledger, fine.ledger,
                fine.momentum);
    cr_expect_lt(fine.speed, 0.03);
    cr_expect_lt(fine.energy, 0.03);
    cr_expect_gt(coarse.energy, 2 * fine.energy);
    cr_expect_lt(fine.ledger, 0.02);
    cr_expect_lt(fine.momentum, 1e-6);
}

Test(vortex, taylor_green_decays_within_five_per_cent_with_the_scheme_of_the_papers) {
    const decay coarse = measure(16, true), fine = measure(32, true);
    cr_log_info("speed %.4f -> %.4f, energy %.4f -> %.4f, ledger %.1e -> %.1e, momentum %.1e",
                coarse.speed, fine.speed, coarse.energy, fine.energy, coarse.ledger, fine.ledger,
                fine.momentum);
    cr_expect_lt(fine.speed, 0.05);
    cr_expect_lt(fine.energy, 0.05);
    cr_expect_gt(coarse.energy, 2 * fine.energy);
    cr_expect_lt(fine.ledger, 0.02);
    cr_expect_lt(fine.momentum, 1e-6);
}
