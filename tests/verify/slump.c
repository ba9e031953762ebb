/* Yield stress against gravity. Bingham cylinders slump until their own weight no longer makes them
 * yield (Pashias et al. 1996, with the yield on the second invariant: 2 τ' becomes √3 τ'), sheets
 * on a slope stop at the thickness τ0 / (ρ g sin), and what does not yield creeps with the plateau
 * viscosity. Plastic viscosities are so high that inertia plays no role. */
#include "../unit/sample_materials.h"
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

static const double RHO = 1000, G = 9.81;

/* ---- Cylinders ---- */

static const double HEIGHT = 0.2;

/* s' = 1 - √3 τ' (1 - ln(√3 τ')): how much lower the cylinder ends, relative to its height. */
static double pashias(double tau) {
    const double y = sqrt(3) * tau;
    return y < 1 ? 1 - y * (1 - log(y)) : 0;
}

/* Top of the matter within two spacings of the axis: mean of the highest layer there. */
static double height_at_axis(tl_world *world, double dx) {
    double top = 0, sum = 0;
    int count = 0;
    const double *x = positions(world);
    for (size_t i = 0; i < tl_world_count(world); i++)
        if (hypot(x[3 * i], x[3 * i + 1]) < 2 * dx)
            top = fmax(top, x[3 * i + 2]);
    for (size_t i = 0; i < tl_world_count(world); i++)
        if (hypot(x[3 * i], x[3 * i + 1]) < 2 * dx && x[3 * i + 2] > top - 0.5 * dx) {
            sum += x[3 * i + 2];
            count++;
        }
    return sum / count + 0.5 * dx;
}

static double EP = 200, E0 = 3e5, TEND = 4;
static int NH = 16, CONTACT = TL_CONTACT_NO_SLIP;

static void slump(double tau) {
    const double dx = HEIGHT / NH;
    setup s = setup_make(dx);
    s.material = plastic(TL_RHEOLOGY_BINGHAM, tau * RHO * G * HEIGHT, EP, E0);
    setup_implicit(&s, 0.02);
    s.def.gravity[2] = -G;
    setup_add_cylinder(&s, 0.5 * HEIGHT, 0, HEIGHT);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = CONTACT;
    tl_world *world = setup_world(&s, 2);
    for (double t = 0.25; t <= TEND + 1e-9; t += 0.25) {
        run_to(world, t);
        cr_log_info("  t %.2f: height %.4f s' %.4f mean z %.4f steps %d fastest %.3g e %.3g", t,
                    height_at_axis(world, dx), 1 - height_at_axis(world, dx) / HEIGHT,
                    mean_of(world, 2), (int)tl_world_steps(world), books(world).max_speed,
                    books(world).density_error);
    }
    cr_log_info("tau' %.2f: s' %.4f, exact %.4f", tau, 1 - height_at_axis(world, dx) / HEIGHT,
                pashias(tau));
    tl_world_destroy(world);
}

#include <stdlib.h>
Test(slump, cylinders) {
    if (getenv("EP")) EP = atof(getenv("EP"));
    if (getenv("E0")) E0 = atof(getenv("E0"));
    if (getenv("NH")) NH = atoi(getenv("NH"));
    if (getenv("SLIP")) CONTACT = TL_CONTACT_FREE_SLIP;
    if (getenv("TEND")) TEND = atof(getenv("TEND"));
    if (getenv("TAU")) { slump(atof(getenv("TAU"))); return; }
    const double taus[] = {0.05, 0.1, 0.15, 0.2, 0.3};
    for (int k = 0; k < 5; k++)
        slump(taus[k]);
}
