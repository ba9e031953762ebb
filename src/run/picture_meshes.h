/* What pictures show as triangles of a scene: walls that are meshes, vessels, or boxes that move,
 * the spouts of emitters, and the wicks of flames. */
#ifndef TL_RUN_PICTURE_MESHES_H
#define TL_RUN_PICTURE_MESHES_H

#include "run/picture_wicks.h"

typedef struct tl_picture_meshes {
    tl_preview_mesh *items;
    const tl_wall_def **walls; /* [wall_count]: whose mesh it is */
    struct tl_box_mesh *boxes;
    const tl_emitter_def **emitters; /* [spout_count]: whose spout it is */
    struct tl_spout *spouts;
    tl_wick_mesh *wicks;
    size_t count, wall_count, spout_count, wick_count; /* walls come first, wicks last */
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

/* Brings walls and spouts to where they are at a time (s). */
void tl_picture_meshes_aim(tl_picture_meshes *meshes, double time);

/* Brings wicks to where they are in a frame. */
void tl_picture_meshes_burn(tl_picture_meshes *meshes, const tl_scene *scene,
                            const tl_frame *frame);

void tl_picture_meshes_free(tl_picture_meshes *meshes);

#endif
