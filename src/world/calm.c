/* See calm.h.
 *
 * Pressure pushes by the places at the start of a step. Where it stays as it is and these change,
 * it changes its push: the packing is a body with a stiffness of some parts of p, and a wave of it
 * has ω² of some p / ρ dx². Neither that nor the bend of paths is in the matrix of the solve, so
 * the step must be short for both, however slowly matter moves: else particles are thrown about,
 * the liquid crowds, and solves do not converge. Thick matter (ν dt > dx²) has no such waves. */
#include "world/calm.h"

#include "world/state.h"

#include <math.h>

/* Steps in units of dx √(ρ/p). With 1 a tank of ten spacings loses 1 % of its level in a second,
 * with 0.6 0.3 %. */
static const double calm_part = 0.6;

double tl_calm_step(double spacing, double pressure, double density, double viscosity) {
    const double inertia = pressure > 0 ? calm_part * spacing * sqrt(density / pressure) : HUGE_VAL;
    const double reach = viscosity * inertia / (density * spacing * spacing);
    return reach < 1 ? inertia / (1 - reach) : HUGE_VAL;
}

double tl_world_calm_step(const tl_world *w) {
    const float *pressure = tl_field_data(&w->fields, w->handle.pressure),
                *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    double longest = HUGE_VAL;
    if (w->state.steps == 0)
        return longest; /* nobody knows a pressure */
    for (size_t i = 0; i < w->fields.count; i++) {
        const tl_material *material = &w->materials[tl_material_of(w)[i]];
        if (material->has_elastic || tl_rigid_of(w, i) || (tl_held(w) && tl_held(w)[i]))
            continue;
        const double p = (double)pressure[i] - tl_world_balanced_pressure(w, i);
        const double rest = w->fluids[tl_material_of(w)[i]].rest_density;
        longest =
            fmin(longest, tl_calm_step(tl_spacing_of(&w->sizes, i), p, rest, (double)viscosity[i]));
    }
    return longest;
}
