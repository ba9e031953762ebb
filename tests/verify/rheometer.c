/* Every rheology in simple shear between two plates, in the implicit scheme: the force on the plate
 * that moves, per area and shear rate, is the viscosity of the law, over six decades of the rate.
 * The matter is so light that the flow is steady after a few steps. */
#include "../unit/sample_materials.h"
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* Stress on the plate that moves (Pa), from the work it does. */
static double plate_stress(tl_material material, double rate) {
    const int n = 8;
    const double dx = 0.125, H = n * dx, eta = tl_viscosity_at(&material, rate, 20);
    const double dt = 0.02 / rate;
    setup s = setup_make(dx);
    s.material = material;
    s.material.density = 0.3 * eta * dt / (H * H);
    setup_implicit(&s, dt);
    s.def.flow.tension = true;
    s.def.flow.tolerance = 1e-3;
    setup_periodic(&s, 0, 0, 6 * dx);
    setup_periodic(&s, 1, 0, 6 * dx);
    setup_add_box(&s, 0, 0, 0, 6 * dx, 6 * dx, H);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].temperature = 20;
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, H)->velocity[0] = rate * H;
    tl_world *world = setup_world(&s, 2);
    double work = 0, time = 0;
    for (int k = 0; k < 12; k++) {
        work = books(world).wall_work;
        time = tl_world_time(world);
        tl_error error = {0};
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
    }
    const double power = (books(world).wall_work - work) / (tl_world_time(world) - time);
    const double area = 36 * dx * dx;
    if (getenv("V"))
        cr_log_info("   rate %g: heat %g work %g rejected %g", rate, books(world).viscous_heat,
                    books(world).wall_work, books(world).rejected);
    tl_world_destroy(world);
    return power / (area * rate * H);
}

static double check(const char *name, tl_material material) {
    double worst = 0;
    for (int decade = -3; decade <= 3; decade++) {
        const double rate = pow(10, decade);
        const double ratio =
            plate_stress(material, rate) / rate / tl_viscosity_at(&material, rate, 20);
        worst = fmax(worst, fabs(ratio - 1));
        cr_log_info("%s at %g 1/s: eta %g, measured %+.2g of it", name, rate,
                    tl_viscosity_at(&material, rate, 20), ratio - 1);
    }
    return worst;
}

Test(rheometer, explore) {
    check("newtonian", (tl_material){.density = 1, .viscosity.value = 3});
    check("bingham", plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000));
}
