/* Solids that melt and freeze in a flow: what thins by its latent heat, against exact films. */
#include "heat_build.h"

#include <criterion/criterion.h>
#include <math.h>

static const float *field(tl_world *w, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(w, name, &view), "no field %s", name);
    return view.data;
}

/* ---- Viscosity follows melting -----------------------------------------------------------------
 */

/* A film of 1 m on a slope, heated evenly from a degree below its sharp melting point on, so that
 * all latent heat is in after 11 s. */
static tl_world *warm_film(plate *p, int scheme, double solid, double liquid, double slope) {
    const double dx = p->def.spacing, width = 6 * dx;
    p->materials[0] = (tl_material){.name = (char *)"fat",
                                    .density = 1000,
                                    .specific_heat = 1,
                                    .conductivity = 1e-6,
                                    .latent_heat = 10,
                                    .solidus = 20,
                                    .liquidus = 20,
                                    .has_solidus = true,
                                    .has_liquidus = true,
                                    .heating = 1000,
                                    .viscosity.value = liquid,
                                    .solid_viscosity.value = solid,
                                    .has_solid_viscosity = true};
    p->def.gravity[0] = slope;
    p->def.gravity[2] = -1;
    p->def.flow.scheme = scheme;
    p->def.flow.tolerance = 1e-3;
    plate_add_box(p, (double[]){0, 0, 0}, (double[]){width, width, 1}, 0, 19);
    plate_periodic(p, 0, 0, width);
    plate_periodic(p, 1, 0, width);
    plate_add_plane(p, TL_SIDE_Z, 0, 0)->has_temperature = false;
    return plate_world(p);
}

/* While the film takes up its latent heat at one temperature, f = t/t_L, its viscosity falls as
 * η_s^(1-f) η_l^f, and its mean velocity is ρ g h² / 3η. The rheology is up to 20 ms behind. */
Test(heat_solid, a_film_with_a_sharp_melting_point_flows_by_its_latent_heat) {
    const double solid = 1e8, liquid = 1e4;
    plate p = plate_make(0.1);
    tl_world *w = warm_film(&p, TL_SCHEME_COUPLED, solid, liquid, 1);
    for (int k = 0; k <= 10; k++) {
        plate_run(w, 1 + k);
        const tl_ledger l = plate_books(w);
        const double f = (double)plate_fractions(w)[0], eta = pow(solid, 1 - f) * pow(liquid, f);
        const double viscosity = (double)field(w, "viscosity")[0];
        const double velocity = l.momentum[0] / l.mass, exact = 1000 / (3 * viscosity);
        cr_log_info("f %.3f at %.2f °C: viscosity %.4g of %.4g Pa·s, %.4g of %.4g m/s", f,
                    (double)plate_temperatures(w)[0], viscosity, eta, velocity, exact);
        cr_expect_float_eq((double)plate_temperatures(w)[0], 20, 0.01);
        cr_expect_float_eq(f, k / 10.0, 0.002);
        cr_expect_float_eq(viscosity, eta, 0.025 * eta);
        cr_expect_float_eq(velocity, exact, 0.05 * exact);
    }
    plate_expect_closed(w);
    tl_world_destroy(w);
}

Test(heat_solid, the_explicit_scheme_sees_the_liquid_fraction_too) {
    const double solid = 50, liquid = 0.5;
    plate p = plate_make(0.2);
    tl_world *w = warm_film(&p, TL_SCHEME_EXPLICIT, solid, liquid, 0);
    for (int k = 0; k <= 10; k += 2) {
        plate_run(w, 1 + k);
        const double f = (double)plate_fractions(w)[0], eta = pow(solid, 1 - f) * pow(liquid, f);
        cr_expect_float_eq(f, k / 10.0, 0.002);
        cr_expect_float_eq((double)field(w, "viscosity")[0], eta, 0.025 * eta);
    }
    plate_expect_closed(w);
    tl_world_destroy(w);
}
