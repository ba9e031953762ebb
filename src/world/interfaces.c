/* Tension between liquids in implicit steps. See tension/interface.h. */
#include "tension/interface.h"

#include "world/state.h"

#include <math.h>
#include <string.h>

tl_status tl_world_begin_interfaces(tl_world *w, tl_error *error) {
    const tl_world_def *def = &w->def;
    const size_t m = def->material_count;
    w->tension.parted = false;
    TL_TRY(TL_ARRAY_RESERVE(w->tension.between, 0, m * m, error));
    memset(w->tension.between, 0, m * m * sizeof *w->tension.between);
    for (size_t k = 0; k < def->interface_count && w->dynamics->solves; k++) {
        const tl_interface_def *f = &def->interfaces[k];
        const size_t a = f->materials[0], b = f->materials[1];
        w->tension.between[a * m + b] = w->tension.between[b * m + a] = f->surface_tension;
        w->tension.parted = w->tension.parted || f->surface_tension > 0;
    }
    return TL_OK;
}

double tl_world_parting_tension(const tl_world *w, size_t i) {
    double most = 0;
    if (!w->tension.parted || tl_rigid_of(w, i))
        return 0;
    const double *row = w->tension.between + (size_t)tl_material_of(w)[i] * w->def.material_count;
    for (size_t m = 0; m < w->def.material_count; m++)
        most = fmax(most, row[m]);
    return most;
}

tl_status tl_world_aim_interfaces(tl_world *w, tl_error *error) {
    const tl_interface_task task = {.material = tl_material_of(w),
                                    .materials = w->def.material_count,
                                    .gamma = w->tension.between,
                                    .shapes = &w->shapes,
                                    .list = &w->list,
                                    .samples = &w->samples,
                                    .filling = w->lattice.filling,
                                    .full = 3 * w->lattice.moment};
    return w->tension.parted
               ? tl_interfaces_find(&w->tension.border, &w->solver, &task, w->solver.tension, error)
               : TL_OK;
}
