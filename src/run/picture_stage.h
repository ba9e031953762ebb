/* What the pictures of a scene show besides its particles: walls where they are at a time, the
 * ground, and the place of the camera. It depends on the scene only, so that it is the same when a
 * run is resumed, and when its frames are drawn again later. */
#ifndef TL_RUN_PICTURE_STAGE_H
#define TL_RUN_PICTURE_STAGE_H

#include "run/picture_meshes.h"

/* A box along the axes. */
typedef struct tl_extent {
    tl_vec3 from, to;
} tl_extent;

/* A wall that is a ball: drawn as a sphere. */
typedef struct tl_stage_ball {
    tl_vec3 center;
    float radius, colour[3];
} tl_stage_ball;

typedef struct tl_stage {
    const tl_scene *scene;
    tl_extent extent; /* of the action */
    tl_preview_plane *planes;
    tl_preview_box *boxes;
    tl_stage_ball *balls;
    size_t plane_count, box_count, ball_count;
    tl_picture_meshes meshes;
    tl_camera_key *keys; /* of the scene's camera path */
} tl_stage;

/* Borrows the scene. Free with tl_stage_free, also after a failure. */
tl_status tl_stage_make(const tl_scene *scene, tl_stage *out, tl_error *error);

/* Brings everything to where it is at a time (s). */
void tl_stage_set(tl_stage *stage, double time);

/* The camera of the scene at a time, for pictures of that size; without one, a view of the whole
 * extent. */
tl_camera tl_stage_camera(const tl_stage *stage, double time, int width, int height);

void tl_stage_free(tl_stage *stage);

#endif
