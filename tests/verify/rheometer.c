/* Every rheology in simple shear between two plates, in the implicit scheme: the force on the plate
 * that moves, per area and shear rate, is the viscosity of the law, over six decades of the rate.
 * The force follows from the work that the plate does; the matter is so light that the flow is
 * steady after a few steps. */
#include "../unit/sample_materials.h"
#include "build.h"

#include <criterion/criterion.h>
#include <math.h>

/* η that the plates feel (Pa·s), eight spacings apart. */
static double measured_viscosity(const tl_material *material, double rate) {
    const double dx = 0.125, H = 8 * dx, area = 36 * dx * dx, dt = 0.02 / rate;
    setup s = setup_make(dx);
    s.material = *material;
    s.material.density = 0.03 * tl_viscosity_at(material, rate, 0) * dt / (H * H);
    setup_implicit(&s, dt);
    s.def.flow.pulls = true;
    s.def.flow.tolerance = 1e-3;
    setup_periodic(&s, 0, 0, 6 * dx);
    setup_periodic(&s, 1, 0, 6 * dx);
    setup_add_box(&s, 0, 0, 0, 6 * dx, 6 * dx, H);
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, H)->velocity[0] = rate * H;
    tl_world *world = setup_world(&s, 2);
    double work = 0, time = 0;
    for (int k = 0; k < 20; k++) {
        work = books(world).wall_work;
        time = tl_world_time(world);
        tl_error error = {0};
        cr_assert_eq(tl_world_step(world, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
    }
    const double power = (books(world).wall_work - work) / (tl_world_time(world) - time);
    tl_world_destroy(world);
    return power / (area * rate * H) / rate;
}

static void expect_its_law(const char *name, tl_material material) {
    double worst = 0, at = 0;
    for (int decade = -3; decade <= 3; decade++) {
        const double rate = pow(10, decade), eta = tl_viscosity_at(&material, rate, 0);
        const double error = measured_viscosity(&material, rate) / eta - 1;
        if (fabs(error) > fabs(worst)) {
            worst = error;
            at = rate;
        }
    }
    cr_log_info("%-17s largest error %+.2f %%, at %g 1/s", name, 100 * worst, at);
    cr_expect_lt(fabs(worst), 0.01, "%s", name);
}

Test(rheometer, laws_without_yield_are_felt_at_the_plates) {
    expect_its_law("newtonian", (tl_material){.viscosity.value = 3});
    expect_its_law("power-law, n 0.3", power_law(12, 0.3, 1e-3, 1e5));
    expect_its_law("power-law, n 1.6", power_law(0.2, 1.6, 1e-3, 1e5));
    expect_its_law("cross", thinning(TL_RHEOLOGY_CROSS, 500, 0.1, 3, 0.7));
    expect_its_law("carreau", thinning(TL_RHEOLOGY_CARREAU, 500, 0.1, 3, 0.3));
}

Test(rheometer, laws_with_yield_are_felt_at_the_plates) {
    expect_its_law("bingham", plastic(TL_RHEOLOGY_BINGHAM, 30, 2, 3000));
    expect_its_law("herschel-bulkley", herschel_bulkley(15, 8, 0.45, 5000));
    expect_its_law("casson", plastic(TL_RHEOLOGY_CASSON, 10, 1.5, 1000));
    expect_its_law("jump", jump(1500, 0.5, 10, 2));
}
