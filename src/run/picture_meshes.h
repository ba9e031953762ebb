/* What pictures show as triangles of a scene: walls that are meshes, vessels, or boxes that move,
 * and the spouts of emitters. */
#ifndef TL_RUN_PICTURE_MESHES_H
#define TL_RUN_PICTURE_MESHES_H

#include "render/preview.h"
#include "scene/scene.h"

typedef struct tl_picture_meshes {
    tl_preview_mesh *items;
    const tl_wall_def **walls; /* [wall_count]: whose mesh it is */
    struct tl_box_mesh *boxes;
    const tl_emitter_def **emitters; /* [count - wall_count]: whose spout it is */
    struct tl_spout *spouts;
    size_t count, wall_count; /* walls come first */
} tl_picture_meshes;

/* True for a wall that is drawn as triangles: what moves, what is seen through. A ball is drawn as
 * a sphere, which is rounder, unless it is a vessel. */
static inline bool tl_wall_shows_mesh(const tl_wall_def *wall) {
    const bool clear = wall->opacity < 1;
    if (wall->hidden)
        return false;
    if (wall->has_box)
        return wall->motion.count > 0 || (clear && wall->outside);
    return wall->mesh.triangle_count > 0 &&
           (clear || !wall->has_sphere || wall->hollow || wall->open != TL_SIDE_NONE);
}

/* Borrows the meshes of the scene. Free with tl_picture_meshes_free, also after a failure. */
tl_status tl_picture_meshes_make(const tl_scene *scene, tl_picture_meshes *out, tl_error *error);

/* Brings the walls to where they are at a time (s). */
void tl_picture_meshes_aim(tl_picture_meshes *meshes, double time);

void tl_picture_meshes_free(tl_picture_meshes *meshes);

#endif
