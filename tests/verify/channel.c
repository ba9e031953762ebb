/* Plane Couette and Poiseuille flow against their series solutions in time (Schlichting,
 * Boundary-Layer Theory; Morris, Fox & Zhu 1997). The channel is 0 < z < H, the flow along x,
 * periodic in x and y. */
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double H = 1, U = 1, NU = 1;

/* Start-up of the flow between a wall at rest and one that moves with U. */
static double couette(double z, double t) {
    double u = U * z / H;
    for (int k = 1; k < 80; k++)
        u += 2 * U / (k * M_PI) * (k % 2 ? -1 : 1) * sin(k * M_PI * z / H) *
             exp(-NU * pow(k * M_PI / H, 2) * t);
    return u;
}

/* Start-up under a body force 8 ν U / H² between walls at rest; U is the speed it ends with. */
static double poiseuille(double z, double t) {
    const double force = 8 * NU * U / (H * H);
    double u = force / (2 * NU) * z * (H - z);
    for (int k = 0; k < 40; k++) {
        const double m = 2 * k + 1;
        u -= 4 * force * H * H / (NU * pow(M_PI * m, 3)) * sin(M_PI * z / H * m) *
             exp(-NU * pow(m * M_PI / H, 2) * t);
    }
    return u;
}

/* Relative L2 error of the profile at time t with n particles across. */
static double error_with(tl_viscosity_form form, double xsph, double (*exact)(double, double),
                         int n, double jitter, double t) {
    const double dx = H / n, length = 6 * dx;
    setup s = setup_make(dx);
    s.material.density = 1;
    s.material.viscosity.value = NU;
    s.def.flow.viscosity = (int)form;
    s.def.flow.xsph = xsph;
    s.def.flow.artificial_viscosity = 0;
    s.def.flow.pulls = true;
    s.def.flow.sound_speed = 10 * U;
    setup_periodic(&s, 0, 0, length);
    setup_periodic(&s, 1, 0, length);
    setup_add_box(&s, 0, 0, 0, length, length, H);
    setup_jitter(&s, jitter);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    tl_wall_def *top = setup_add_plane(&s, TL_SIDE_MINUS_Z, H);
    if (exact == couette)
        top->velocity[0] = U;
    else
        s.def.gravity[0] = 8 * NU * U / (H * H);
    tl_world *world = setup_world(&s, 2);
    run_to(world, t);
    const double *x = positions(world), *v = velocities(world);
    double error = 0, scale = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double u = exact(x[3 * i + 2], t);
        error += pow(v[3 * i] - u, 2);
        scale += u * u;
    }
    tl_world_destroy(world);
    return sqrt(error / scale);
}

static double error_of(double (*exact)(double, double), int n, double jitter, double t) {
    return error_with(TL_VISCOSITY_AUTOMATIC, 0, exact, n, jitter, t);
}

Test(channel, couette_starts_up_within_one_per_cent) {
    cr_expect_lt(error_of(couette, 10, 0, 0.05), 0.01);
    cr_expect_lt(error_of(couette, 10, 0, 0.5), 0.002);
}

Test(channel, poiseuille_is_within_two_per_cent_and_converges_in_second_order) {
    const double coarse = error_of(poiseuille, 8, 0, 0.25),
                 fine = error_of(poiseuille, 16, 0, 0.25);
    cr_log_info("L2 error %.4f with 8, %.4f with 16 across", coarse, fine);
    cr_expect_lt(error_of(poiseuille, 10, 0, 0.5), 0.02);
    cr_expect_lt(fine, 0.01);
    cr_expect_gt(log2(coarse / fine), 1.6);
}

Test(channel, poiseuille_does_not_mind_disorder) {
    cr_expect_lt(error_of(poiseuille, 12, 0.15, 0.25), 0.04);
}

/* Without XSPH neighbouring layers part: the nested sum does not feel them alternate. */
Test(channel, nested_viscosity_comes_to_couette_flow_with_a_little_xsph_only) {
    const tl_viscosity_form nested = TL_VISCOSITY_NESTED;
    const double plain = error_with(nested, 0, couette, 10, 0, 0.5),
                 filtered = error_with(nested, 0.1, couette, 10, 0, 0.5);
    cr_log_info("Couette %.4f, with XSPH %.4f", plain, filtered);
    cr_expect_lt(filtered, 0.02);
    cr_expect_gt(plain, 5 * filtered);
}

Test(channel, nested_viscosity_with_xsph_is_within_six_per_cent_of_poiseuille_and_converges) {
    const tl_viscosity_form nested = TL_VISCOSITY_NESTED;
    const double coarse = error_with(nested, 0.1, poiseuille, 8, 0, 0.25),
                 fine = error_with(nested, 0.1, poiseuille, 16, 0, 0.25);
    cr_log_info("Poiseuille %.4f with 8, %.4f with 16 across", coarse, fine);
    cr_expect_lt(fine, 0.06);
    cr_expect_gt(coarse, 2 * fine);
}
