/* See picture_surface.h. */
#include "run/picture_surface.h"

#include "run/picture_colours.h"
#include "run/picture_looks.h"

#include <string.h>

/* Of the smallest spacing, the width of a cell; see TL_SURFACE_SEEN. */
#define SEEN_CLOSELY 0.35

static tl_status colour_vertices(const tl_shot *shot, tl_error *error) {
    tl_picture_surface *memory = shot->surface;
    const tl_frame *vertices = &memory->surface.vertices;
    const tl_frame_array *by = tl_frame_find(vertices, shot->by->name);
    if (!by)
        return tl_fail(error, TL_BAD_INPUT, shot->by->name, "colour by another field",
                       "a surface cannot show a field of %d components", shot->by->components);
    TL_TRY(TL_ARRAY_RESERVE(memory->colours, 0, 3 * vertices->count + 1, error));
    if (tl_colours_are_of_materials(by))
        tl_colours_by_material(by, vertices->count, shot->scene, memory->colours);
    else
        tl_colours_by_field(by, vertices->count, shot->legend, memory->colours);
    return TL_OK;
}

/* Where particles differ in size what is small is looked at, and a stray of its own has corners in
 * cells that are wide enough elsewhere. */
static double cells_seen(const tl_shot *shot) {
    return tl_frame_find(shot->frame, "size") ? SEEN_CLOSELY : TL_SURFACE_SEEN;
}

static tl_status find(const tl_shot *shot, const char *also, double cells, tl_preview_mesh *out,
                      tl_error *error) {
    tl_surface *s = &shot->surface->surface;
    const tl_surface_options options = {.spacing = shot->scene->spacing,
                                        .cells = cells,
                                        .smooth = TL_SURFACE_SMOOTH,
                                        .material = -1,
                                        .also = also,
                                        .threads = shot->parallel->threads};
    TL_TRY(tl_surface_make(s, shot->frame, &options, error));
    *out = (tl_preview_mesh){.vertices = s->mesh.vertices,
                             .triangles = (const uint32_t(*)[3])s->mesh.triangles,
                             .vertex_count = s->mesh.vertex_count,
                             .triangle_count = s->mesh.triangle_count,
                             .pose = tl_pose_none(),
                             .normals = tl_frame_find(&s->vertices, "normal")->data};
    return TL_OK;
}

tl_status tl_picture_surface_find(const tl_shot *shot, tl_preview_mesh *out, tl_error *error) {
    return find(shot, NULL, cells_seen(shot), out, error);
}

tl_status tl_picture_surface_make(const tl_shot *shot, tl_preview_mesh *out, tl_error *error) {
    TL_TRY(find(shot, shot->by->name, TL_SURFACE_CELLS, out, error));
    TL_TRY(colour_vertices(shot, error));
    out->colours = shot->surface->colours;
    return TL_OK;
}

/* The surface in place of the particles; walls that are balls stay. */
tl_status tl_look_surface(tl_shot *shot, tl_error *error) {
    tl_picture_surface *memory = shot->surface;
    tl_preview_scene view = shot->view;
    const size_t n = shot->frame->count;
    TL_TRY(TL_ARRAY_RESERVE(memory->meshes, 0, view.mesh_count + 1, error));
    if (view.mesh_count > 0)
        memcpy(memory->meshes, view.meshes, view.mesh_count * sizeof *view.meshes);
    TL_TRY(tl_picture_surface_make(shot, &memory->meshes[view.mesh_count], error));
    view.meshes = memory->meshes;
    view.mesh_count++;
    view.positions += 3 * n;
    view.colours += 3 * n;
    if (view.radii)
        view.radii += n;
    view.count -= n;
    return tl_preview_draw(shot->parallel, &view, &shot->camera, shot->options->width,
                           shot->options->height, shot->rgb, error);
}

void tl_picture_surface_free(tl_picture_surface *memory) {
    tl_surface_free(&memory->surface);
    TL_ARRAYS_FREE(memory->colours, memory->meshes);
    *memory = (tl_picture_surface){0};
}
