/* See picture_meshes.h. */
#include "run/picture_meshes.h"

#include "boundary/move.h"
#include "run/picture_nozzles.h"

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

static void add_spouts(const tl_scene *scene, tl_picture_meshes *out) {
    const tl_emitter_def *emitters = scene->emitters.items;
    for (size_t e = 0; e < scene->emitters.count; e++) {
        if (!tl_emitter_shows_spout(&emitters[e]))
            continue;
        const size_t k = out->spout_count++;
        tl_spout_make(&emitters[e], scene->spacing, &out->spouts[k], &out->items[out->count++]);
        out->emitters[k] = &emitters[e];
    }
}

static tl_status add_wicks(const tl_scene *scene, tl_picture_meshes *out, tl_error *error) {
    const tl_source_def *sources = scene->sources.items;
    for (size_t s = 0; s < scene->sources.count; s++) {
        if (!sources[s].has_wick)
            continue;
        const size_t k = out->wick_count++;
        TL_TRY(tl_wick_make(scene, s, &out->wicks[k], &out->items[out->count++], error));
    }
    return TL_OK;
}

tl_status tl_picture_meshes_make(const tl_scene *scene, tl_picture_meshes *out, tl_error *error) {
    const tl_wall_def *walls = scene->walls.items;
    const size_t spouts = scene->emitters.count + 1, wicks = scene->sources.count + 1;
    const size_t room = scene->walls.count + spouts + wicks;
    *out = (tl_picture_meshes){.items = tl_allocate(room, sizeof *out->items),
                               .walls = tl_allocate(room, sizeof *out->walls),
                               .boxes = tl_allocate(room, sizeof *out->boxes),
                               .emitters = tl_allocate(spouts, sizeof *out->emitters),
                               .spouts = tl_allocate(spouts, sizeof *out->spouts),
                               .wicks = tl_allocate(wicks, sizeof *out->wicks)};
    if (!out->items || !out->walls || !out->boxes || !out->emitters || !out->spouts || !out->wicks)
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
    out->wall_count = out->count;
    add_spouts(scene, out);
    return add_wicks(scene, out, error);
}

void tl_picture_meshes_aim(tl_picture_meshes *meshes, double time) {
    for (size_t i = 0; i < meshes->wall_count; i++)
        meshes->items[i].pose = tl_moves_at(&meshes->walls[i]->motion, time);
    for (size_t k = 0; k < meshes->spout_count; k++)
        tl_spout_aim(meshes->emitters[k], time, &meshes->items[meshes->wall_count + k]);
}

void tl_picture_meshes_burn(tl_picture_meshes *meshes, const tl_scene *scene,
                            const tl_frame *frame) {
    tl_preview_mesh *items = meshes->items + meshes->wall_count + meshes->spout_count;
    for (size_t k = 0; k < meshes->wick_count; k++)
        tl_wick_burn(scene, &meshes->wicks[k], frame, &items[k]);
}

void tl_picture_meshes_free(tl_picture_meshes *meshes) {
    free(meshes->items);
    free(meshes->walls);
    free(meshes->boxes);
    free(meshes->emitters);
    free(meshes->spouts);
    for (size_t k = 0; k < meshes->wick_count; k++)
        tl_mesh_free(&meshes->wicks[k].form);
    free(meshes->wicks);
    *meshes = (tl_picture_meshes){0};
}
