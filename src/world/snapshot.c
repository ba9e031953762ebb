/* What of a world goes into a snapshot: the saved fields and every scalar of the state. Neighbour
 * lists are not saved: they are rebuilt from the places of the last build, which are a field, so
 * that a resumed world sums in the same order and ends with the same bits. */
#include "base/hash.h"
#include "world/snapshot_file.h"
#include "world/state.h"

#include <stdio.h>
#include <string.h>

/* The state is all doubles; each is saved under the name of its member. */
#define SCALAR(member)                                                                             \
    { #member, offsetof(tl_world_state, member), 1 }
#define VECTOR(member)                                                                             \
    { #member, offsetof(tl_world_state, member), 3 }

static const struct scalar {
    const char *name;
    size_t offset, count;
} scalars[] = {
    SCALAR(time),
    SCALAR(steps),
    SCALAR(rejected),
    SCALAR(dt),
    SCALAR(free_dt),
    SCALAR(max_speed),
    SCALAR(max_acceleration),
    SCALAR(compression),
    SCALAR(max_kinematic_viscosity),
    SCALAR(viscous_power),
    SCALAR(numerical_power),
    SCALAR(wall_power),
    VECTOR(wall_force),
    SCALAR(initial_energy),
    SCALAR(viscous_heat),
    SCALAR(numerical_heat),
    SCALAR(wall_work),
    VECTOR(wall_impulse),
    SCALAR(builds),
    SCALAR(iterations),
};

enum { VALUE_COUNT = sizeof(tl_world_state) / sizeof(double) + 1 };

typedef struct values {
    tl_snapshot_value value[VALUE_COUNT];
    char name[VALUE_COUNT][32];
} values;

static uint64_t mix(uint64_t hash, const double *numbers, size_t count) {
    return tl_hash(hash, numbers, count * sizeof *numbers);
}

/* A hash of what must be equal for a snapshot to fit a world: all that the physics reads. */
static uint64_t fingerprint(const tl_world *w) {
    const tl_world_def *def = &w->def;
    const tl_flow_params *f = &def->flow;
    const double flow[] = {def->spacing,     w->sound_speed,
                           f->kernel,        f->support,
                           f->density,       f->artificial_viscosity,
                           f->xsph,          f->density_diffusion,
                           f->shifting,      f->tension,
                           f->cfl,           f->max_step,
                           f->skin,          f->neighbors,
                           f->scheme,        f->motion,
                           f->tolerance,     (double)f->max_iterations,
                           f->stabilization, f->viscosity};
    uint64_t hash = mix(0, flow, sizeof flow / sizeof *flow);
    hash = mix(mix(hash, def->gravity, 3), def->period_from, 3);
    hash = mix(hash, def->period_to, 3);
    for (size_t m = 0; m < def->material_count; m++)
        hash = tl_rheology_hash(mix(hash, &w->materials[m].density, 1), &w->materials[m]);
    for (size_t s = 0; s < w->shapes.count; s++) {
        const tl_shape *shape = &w->shapes.items[s];
        const double numbers[] = {shape->is_box,     shape->contact,    shape->offset,
                                  shape->normal.x,   shape->normal.y,   shape->normal.z,
                                  shape->from.x,     shape->from.y,     shape->from.z,
                                  shape->to.x,       shape->to.y,       shape->to.z,
                                  shape->velocity.x, shape->velocity.y, shape->velocity.z};
        hash = mix(hash, numbers, sizeof numbers / sizeof *numbers);
    }
    return hash;
}

static void collect(const tl_world *w, values *out) {
    size_t n = 0;
    for (size_t s = 0; s < sizeof scalars / sizeof scalars[0]; s++)
        for (size_t k = 0; k < scalars[s].count; k++, n++) {
            snprintf(out->name[n], sizeof out->name[n], scalars[s].count > 1 ? "%s_%c" : "%s",
                     scalars[s].name, "xyz"[k]);
            out->value[n] = (tl_snapshot_value){.name = out->name[n], .type = TL_F64};
            memcpy(&out->value[n].f64,
                   (const char *)&w->state + scalars[s].offset + k * sizeof(double),
                   sizeof(double));
        }
    out->value[n] =
        (tl_snapshot_value){.name = "fingerprint", .type = TL_U64, .u64 = fingerprint(w)};
}

_Static_assert(sizeof(tl_world_state) == 24 * sizeof(double),
               "a new scalar of the state needs a line in scalars[]");

tl_status tl_world_save(const tl_world *world, const char *path, tl_error *error) {
    values all;
    collect(world, &all);
    return tl_snapshot_write(path, &world->fields, all.value, VALUE_COUNT, error);
}

/* Materials are indices into the scene's list, which may have become shorter. */
static bool materials_fit(const tl_world *w) {
    for (size_t i = 0; i < w->fields.count; i++)
        if (tl_material_of(w)[i] >= w->def.material_count)
            return false;
    return true;
}

tl_status tl_world_restore(tl_world *w, const char *path, tl_error *error) {
    values all;
    collect(w, &all);
    TL_TRY(tl_snapshot_read(path, &w->fields, all.value, VALUE_COUNT, error));
    if (all.value[VALUE_COUNT - 1].u64 != fingerprint(w) || !materials_fit(w))
        return tl_fail(error, TL_BAD_INPUT, path, "resume with the scene the run was started with",
                       "the snapshot is of another scene");
    size_t n = 0;
    for (size_t s = 0; s < sizeof scalars / sizeof scalars[0]; s++)
        for (size_t k = 0; k < scalars[s].count; k++, n++)
            memcpy((char *)&w->state + scalars[s].offset + k * sizeof(double), &all.value[n].f64,
                   sizeof(double));
    return tl_world_rebuild_lists(w, error);
}
