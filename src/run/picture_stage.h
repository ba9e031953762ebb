/* What the pictures of a scene show besides its particles: walls where they are at a time, the
 * ground, and the place of the camera. It depends on the scene only, so that it is the same when a
 * run is resumed, unless all frames are known already. */
#ifndef TL_RUN_PICTURE_STAGE_H
#define TL_RUN_PICTURE_STAGE_H

#include "run/picture_extent.h"
#include "run/picture_meshes.h"

/* A wall that is a ball: drawn as a sphere. */
typedef struct tl_picture_stage_ball {
    tl_vec3 center;
    float radius, colour[3];
} tl_picture_stage_ball;

typedef struct tl_picture_stage {
    const tl_scene *scene;
    tl_extent extent; /* of the action */
    tl_preview_plane *planes;
    tl_preview_box *boxes;
    tl_picture_stage_ball *balls;
    size_t plane_count, box_count, ball_count;
    tl_picture_meshes meshes;
    tl_camera_key *keys; /* of the scene's camera path */
} tl_picture_stage;

/* Borrows the scene. `seen` is where its matter is in all frames; NULL: as far as the scene tells.
 * Free with tl_picture_stage_free, also after a failure. */
tl_status tl_picture_stage_make(const tl_scene *scene, const tl_extent *seen, tl_picture_stage *out,
                                tl_error *error);

/* Brings everything to where it is at a time (s). */
void tl_picture_stage_set(tl_picture_stage *stage, double time);

/* Whether a scene says where the camera is; if not, it stands by itself. */
bool tl_camera_is_given(const tl_camera_def *def);

/* The camera of the scene at a time, for pictures of that size; without one, a view of the whole
 * extent. */
tl_camera tl_picture_stage_camera(const tl_picture_stage *stage, double time, int width,
                                  int height);

void tl_picture_stage_free(tl_picture_stage *stage);

#endif
