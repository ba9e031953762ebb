/* See friction.h. */
#include "boundary/friction.h"

#include "flow/passes.h"

/* The force acts where the particles are, not at the surface: between the first layers matter is
 * sheared by a third of a spacing's worth less than it should be. With distances longer by that (in
 * spacings; measured in films of 10 and 20 layers) the flow is right from the third layer on. */
static const double missing_shear = 0.33;

void tl_friction_make(tl_friction *f, tl_kernel kernel, double support, double spacing) {
    f->area = (float)(2 / tl_lattice_sums(kernel, support / spacing).moment);
}

void tl_friction_add(const tl_friction *f, tl_wall_link *link, const float n[3], float across,
                     double depth, double spacing, const float v[3]) {
    const double later = missing_shear * spacing;
    const float strength = f->area * across / (float)(depth + later);
    const float through = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
    const float along[3] = {v[0] - through * n[0], v[1] - through * n[1], v[2] - through * n[2]};
    const float tensor[6] = {1 - n[0] * n[0], 1 - n[1] * n[1], 1 - n[2] * n[2],
                             -n[0] * n[1],    -n[0] * n[2],    -n[1] * n[2]};
    link->rubs = true;
    for (int k = 0; k < 6; k++)
        link->rub[k] += strength * tensor[k];
    for (int k = 0; k < 3; k++) {
        link->tow[k] += strength * along[k];
        link->grind += strength * along[k] * along[k];
    }
}
