/* See picture_meshes.h. */
#include "run/picture_meshes.h"

#include "boundary/move.h"
#include "mesh/round.h"

#include <stdlib.h>
#include <string.h>

typedef struct tl_box_mesh {
    tl_vec3 corners[8];
    uint32_t triangles[12][3];
} tl_box_mesh;

/* Corner c has the upper end of axis k where bit k of c is set. */
static void add_face(tl_preview_mesh *mesh, tl_box_mesh *box, int axis, int upper, bool inward) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3, base = upper << axis;
    const uint32_t ring[4] = {(uint32_t)base, (uint32_t)(base | 1 << u),
                              (uint32_t)(base | 1 << u | 1 << v), (uint32_t)(base | 1 << v)};
    const bool forward = (upper == 1) != inward; /* u × v is the axis */
    for (int half = 0; half < 2; half++) {
        const uint32_t b = ring[1 + half], c = ring[2 + half];
        uint32_t *triangle = box->triangles[mesh->triangle_count++];
        triangle[0] = ring[0], triangle[1] = forward ? b : c, triangle[2] = forward ? c : b;
    }
}

static void set_box(const tl_wall_def *wall, tl_box_mesh *box, tl_preview_mesh *mesh) {
    const tl_vec3 from = tl_vec3_of(wall->box.from), to = tl_vec3_of(wall->box.to);
    for (int c = 0; c < 8; c++)
        box->corners[c] =
            (tl_vec3){c & 1 ? to.x : from.x, c & 2 ? to.y : from.y, c & 4 ? to.z : from.z};
    for (int axis = 0; axis < 3; axis++)
        for (int upper = 0; upper < 2; upper++)
            if (wall->open != (upper ? TL_SIDE_X : TL_SIDE_MINUS_X) + axis)
                add_face(mesh, box, axis, upper, !wall->outside);
    mesh->vertices = box->corners;
    mesh->vertex_count = 8;
    mesh->triangles = (const uint32_t(*)[3])box->triangles;
    mesh->hollow = !wall->outside;
}

static void set_mesh(const tl_wall_def *wall, tl_preview_mesh *mesh) {
    mesh->vertices = wall->mesh.vertices;
    mesh->vertex_count = wall->mesh.vertex_count;
    mesh->triangles = (const uint32_t(*)[3])wall->mesh.triangles;
    mesh->triangle_count = wall->mesh.triangle_count;
    mesh->hollow = tl_wall_is_sealed(wall);
}

/* ---- Wicks -------------------------------------------------------------------------------------
 */

/* Charred: what stands out of the wax is black at once. */
static const float charred[3] = {0.045f, 0.04f, 0.038f};

typedef struct tl_wick_mesh {
    tl_mesh mesh; /* as it stands at the start */
    const tl_source_def *source;
    size_t index; /* of the source */
} tl_wick_mesh;

static tl_status add_wick(tl_picture_meshes *all, const tl_source_def *source, size_t index,
                          tl_error *error) {
    const tl_wick_def *wick = &source->wick;
    tl_wick_mesh *own = &all->wicks[all->wick_count];
    tl_capsule_def form = {.radius = wick->radius};
    memcpy(form.from, wick->foot, sizeof form.from);
    memcpy(form.to, wick->tip, sizeof form.to);
    *own = (tl_wick_mesh){.source = source, .index = index};
    TL_TRY(tl_capsule_mesh(&form, 0.02 * wick->radius, &own->mesh, error));
    all->wick_count++;
    tl_preview_mesh *item = &all->items[all->count++];
    *item = (tl_preview_mesh){.vertices = own->mesh.vertices,
                              .vertex_count = own->mesh.vertex_count,
                              .triangles = (const uint32_t(*)[3])own->mesh.triangles,
                              .triangle_count = own->mesh.triangle_count,
                              .pose = tl_pose_none()};
    memcpy(item->colour, charred, sizeof item->colour);
    return TL_OK;
}

static tl_status add_wicks(tl_picture_meshes *all, const tl_scene *scene, tl_error *error) {
    const tl_source_def *sources = scene->sources.items;
    for (size_t i = 0; i < scene->sources.count; i++)
        if (sources[i].has_wick)
            TL_TRY(add_wick(all, &sources[i], i, error));
    return TL_OK;
}

/* What has burnt off its tip is drawn below its foot, where matter hides it. */
void tl_picture_meshes_burn(tl_picture_meshes *meshes, const tl_frame *frame) {
    tl_preview_mesh *items = meshes->items + meshes->count - meshes->wick_count;
    for (size_t k = 0; k < meshes->wick_count; k++) {
        const tl_wick_mesh *own = &meshes->wicks[k];
        const tl_wick_def *wick = &own->source->wick;
        items[k].pose = tl_pose_none();
        if (own->index >= frame->flame_count)
            continue;
        const tl_vec3 start = tl_wick_flame(wick, tl_wick_reach(wick));
        items[k].pose.place = tl_vec3_sub(tl_vec3_of(frame->flame[own->index].at), start);
    }
}

tl_status tl_picture_meshes_make(const tl_scene *scene, tl_picture_meshes *out, tl_error *error) {
    const tl_wall_def *walls = scene->walls.items;
    const size_t room = scene->walls.count + scene->sources.count + 1;
    *out = (tl_picture_meshes){.items = tl_allocate(room, sizeof *out->items),
                               .walls = tl_allocate(room, sizeof *out->walls),
                               .boxes = tl_allocate(room, sizeof *out->boxes),
                               .wicks = tl_allocate(room, sizeof *out->wicks)};
    if (!out->items || !out->walls || !out->boxes || !out->wicks)
        return tl_fail_memory(error, room, sizeof *out->boxes);
    for (size_t i = 0; i < scene->walls.count; i++) {
        if (!tl_wall_shows_mesh(&walls[i]))
            continue;
        tl_preview_mesh *mesh = &out->items[out->count];
        *mesh = (tl_preview_mesh){.pose = tl_pose_none()};
        memcpy(mesh->colour, walls[i].colour, sizeof mesh->colour);
        mesh->clarity = (float)(1 - walls[i].opacity);
        if (walls[i].has_box)
            set_box(&walls[i], &out->boxes[out->count], mesh);
        else
            set_mesh(&walls[i], mesh);
        out->walls[out->count++] = &walls[i];
    }
    return add_wicks(out, scene, error);
}

void tl_picture_meshes_aim(tl_picture_meshes *meshes, double time) {
    for (size_t i = 0; i < meshes->count - meshes->wick_count; i++)
        meshes->items[i].pose = tl_moves_at(&meshes->walls[i]->motion, time);
}

void tl_picture_meshes_free(tl_picture_meshes *meshes) {
    for (size_t k = 0; k < meshes->wick_count; k++)
        tl_mesh_free(&meshes->wicks[k].mesh);
    free(meshes->wicks);
    free(meshes->items);
    free(meshes->walls);
    free(meshes->boxes);
    *meshes = (tl_picture_meshes){0};
}
