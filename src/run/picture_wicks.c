/* See picture_wicks.h. */
#include "run/picture_wicks.h"

#include "mesh/round.h"

#include <string.h>

/* What stands out of the wax is black at once. */
static const float charred[3] = {0.045f, 0.04f, 0.038f};

static const tl_wick_def *wick_of(const tl_scene *scene, size_t source) {
    return &((const tl_source_def *)scene->sources.items)[source].wick;
}

tl_status tl_wick_make(const tl_scene *scene, size_t source, tl_wick_mesh *out,
                       tl_preview_mesh *mesh, tl_error *error) {
    const tl_wick_def *wick = wick_of(scene, source);
    tl_capsule_def form = {.radius = wick->radius};
    memcpy(form.from, wick->foot, sizeof form.from);
    memcpy(form.to, wick->tip, sizeof form.to);
    *out = (tl_wick_mesh){.source = source};
    TL_TRY(tl_capsule_mesh(&form, 0.02 * wick->radius, &out->form, error));
    *mesh = (tl_preview_mesh){.vertices = out->form.vertices,
                              .vertex_count = out->form.vertex_count,
                              .triangles = (const uint32_t(*)[3])out->form.triangles,
                              .triangle_count = out->form.triangle_count,
                              .pose = tl_pose_none()};
    memcpy(mesh->colour, charred, sizeof mesh->colour);
    return TL_OK;
}

/* It is moved down by what has burnt off its tip: its foot is in the matter or below it, where it
 * is not seen. */
void tl_wick_burn(const tl_scene *scene, const tl_wick_mesh *own, const tl_frame *frame,
                  tl_preview_mesh *mesh) {
    const tl_wick_def *wick = wick_of(scene, own->source);
    mesh->pose = tl_pose_none();
    if (own->source >= frame->flame_count)
        return;
    const tl_vec3 start = tl_wick_flame(wick, tl_wick_reach(wick));
    mesh->pose.place = tl_vec3_sub(tl_vec3_of(frame->flame[own->source].at), start);
}
