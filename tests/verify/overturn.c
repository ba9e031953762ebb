/* Two liquids between slippery walls, one on the other: Rayleigh-Taylor growth against linear
 * theory, σ² = A g k tanh kh with the Atwood number A, k = π/L and both layers h deep, and light
 * over heavy, which stays. The box is one period of six spacings wide. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double G = 9.81, L = 1, H = 1;

/* A box of two layers, whose interface is `wave` higher at one side than in the middle. */
static tl_world *make_layers(int n, double top, double bottom, double wave, tl_scheme scheme) {
    const double dx = L / n, width = 6 * dx;
    setup s = setup_make(dx);
    tl_material liquids[2] = {s.material, s.material};
    liquids[0].density = bottom;
    liquids[1].density = top;
    s.def.gravity[2] = -G;
    s.def.flow.scheme = scheme;
    setup_periodic(&s, 1, 0, width);
    setup_add_box(&s, 0, 0, 0, L, width, H);
    for (size_t i = 0; i < s.count; i++) {
        const double *x = s.seeds[i].position;
        s.seeds[i].material = x[2] > H / 2 + wave * cos(M_PI * x[0] / L);
    }
    const int sides[4] = {TL_SIDE_Z, TL_SIDE_X, TL_SIDE_MINUS_X, TL_SIDE_MINUS_Z};
    const double at[4] = {0, 0, L, H};
    for (int w = 0; w < 4; w++)
        setup_add_plane(&s, sides[w], at[w])->contact = TL_CONTACT_FREE_SLIP;
    return setup_world_of(&s, liquids, 2, 1);
}

/* Amplitude of the interface's first mode, by where the upper liquid is. */
static double amplitude(tl_world *world) {
    const uint8_t *material = materials(world);
    double sum = 0, all = 0;
    for (size_t i = 0; i < tl_world_count(world); i++, all++)
        sum -= material[i] ? cos(M_PI * positions(world)[3 * i] / L) : 0;
    return 2 * H * sum / all;
}

/* Mean height of the upper liquid over that of the lower one. */
static double lead(tl_world *world) {
    const uint8_t *material = materials(world);
    double sum[2] = {0}, count[2] = {0};
    for (size_t i = 0; i < tl_world_count(world); i++) {
        sum[material[i]] += positions(world)[3 * i + 2];
        count[material[i]] += 1;
    }
    return sum[1] / count[1] - sum[0] / count[0];
}

/* Growth rate over the theory's, from rest to the time t. */
static double growth(int n, double t, tl_scheme scheme) {
    const double k = M_PI / L, sigma = sqrt(G * k / 3 * tanh(k * H / 2));
    tl_world *world = make_layers(n, 2000, 1000, 0.06, scheme);
    const double start = amplitude(world);
    run_to(world, t);
    const double rate = acosh(amplitude(world) / start) / t / sigma;
    tl_world_destroy(world);
    return rate;
}

/* Particles that pressure held in their places like a solid stayed as they were for ever. */
Test(overturn, heavy_liquid_begins_to_sink_as_in_linear_theory) {
    const double coarse = growth(20, 0.3, TL_SCHEME_EXPLICIT),
                 fine = growth(28, 0.3, TL_SCHEME_EXPLICIT);
    cr_log_info("explicit %.3f with 20 across, %.3f with 28", coarse, fine);
    cr_expect_float_eq(coarse, 1, 0.12);
    cr_expect_float_eq(fine, 1, 0.1);
}

Test(overturn, heavy_liquid_begins_to_sink_as_in_linear_theory_in_coupled_steps) {
    const double rate = growth(20, 0.3, TL_SCHEME_COUPLED);
    cr_log_info("coupled %.3f with 20 across", rate);
    cr_expect_float_eq(rate, 1, 0.1);
}

Test(overturn, heavy_liquid_ends_below) {
    tl_world *world = make_layers(12, 2000, 1000, 0.06, TL_SCHEME_EXPLICIT);
    run_to(world, 3);
    cr_log_info("the heavy one's mean is %+.3f m above the light one's", lead(world));
    cr_expect_lt(lead(world), -0.1);
    tl_world_destroy(world);
}

Test(overturn, light_liquid_stays_above) {
    const double densities_above[2] = {912, 500}, below[2] = {998, 1000};
    for (int k = 0; k < 2; k++) {
        tl_world *world = make_layers(12, densities_above[k], below[k], 0, TL_SCHEME_EXPLICIT);
        const double start = lead(world);
        run_to(world, 5);
        cr_log_info("%g over %g: lead %.3f m of %.3f m", densities_above[k], below[k], lead(world),
                    start);
        cr_expect_float_eq(lead(world), start, 0.04);
        tl_world_destroy(world);
    }
}

/* A light liquid that bore no more than its own weight was crushed at once. */
Test(overturn, liquid_a_thousand_times_as_heavy_falls_through) {
    tl_world *world = make_layers(8, 1000, 1, 0.1, TL_SCHEME_EXPLICIT);
    run_to(world, 0.3);
    const tl_ledger now = books(world);
    cr_log_info("compression %.3f, amplitude %.3f", now.density_error, amplitude(world));
    cr_expect_lt(now.density_error, 0.05);
    cr_expect_gt(amplitude(world), 0.12);
    tl_world_destroy(world);
}
