/* See stage.h. */
#include "stage.h"

#include <criterion/criterion.h>

stage stage_open(const char *scene, const char *const *overrides) {
    stage s = {0};
    tl_error error = {0};
    tl_scene_options options = {.overrides = overrides};
    const tl_world_options one = {.threads = 1};
    while (overrides && overrides[options.override_count])
        options.override_count++;
    cr_assert_eq(tl_scene_load_file(scene, &options, &s.scene, &error), TL_OK, "%s: %s",
                 error.where, error.what);
    cr_assert_eq(tl_world_create(s.scene, &one, &s.world, &error), TL_OK, "%s", error.what);
    s.count = tl_world_count(s.world);
    return s;
}

void stage_run(stage *s, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(s->world, time, &error), TL_OK, "%s: %s", error.where,
                 error.what);
    s->count = tl_world_count(s->world);
}

void stage_close(stage *s) {
    tl_world_destroy(s->world);
    tl_scene_destroy(s->scene);
}

static const void *field(stage *s, const char *name, tl_type type) {
    tl_field_view view;
    cr_assert(tl_world_field(s->world, name, &view), "no field %s", name);
    cr_assert_eq(view.type, type);
    return view.data;
}

const double *stage_positions(stage *s) { return field(s, "position", TL_F64); }
const double *stage_velocities(stage *s) { return field(s, "velocity", TL_F64); }
const float *stage_temperatures(stage *s) { return field(s, "temperature", TL_F32); }
const float *stage_viscosities(stage *s) { return field(s, "viscosity", TL_F32); }
const uint32_t *stage_bodies(stage *s) { return field(s, "body", TL_U32); }
const uint64_t *stage_ids(stage *s) { return field(s, "id", TL_U64); }
