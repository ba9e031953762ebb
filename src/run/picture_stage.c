/* See picture_stage.h. */
#include "run/picture_stage.h"

#include "boundary/move.h"

#include <stdlib.h>
#include <string.h>

/* ---- The camera ---------------------------------------------------------------------------- */

bool tl_camera_is_given(const tl_camera_def *def) {
    const tl_vec3 line = tl_vec3_sub(tl_vec3_of(def->from), tl_vec3_of(def->look_at));
    return tl_vec3_length(line) > 0;
}

/* The box around all that an extent sweeps when it turns about its own vertical axis. */
static tl_extent around_axis(const tl_extent *e) {
    const tl_vec3 middle = tl_vec3_scale(tl_vec3_add(e->from, e->to), 0.5);
    const double r = 0.5 * hypot(e->to.x - e->from.x, e->to.y - e->from.y);
    return (tl_extent){{middle.x - r, middle.y - r, e->from.z},
                       {middle.x + r, middle.y + r, e->to.z}};
}

/* Where it stands by itself. */
static tl_camera standing_camera(const tl_picture_stage *stage, int width, int height) {
    const tl_camera_def *def = &stage->scene->camera;
    const tl_extent e = def->turn != 0 ? around_axis(&stage->extent) : stage->extent;
    tl_camera camera;
    tl_camera_frame(e.from, e.to, width, height, &camera);
    if (tl_camera_is_given(def)) {
        camera.from = tl_vec3_of(def->from);
        camera.look_at = tl_vec3_of(def->look_at);
        camera.field_of_view = def->field_of_view;
    }
    return camera;
}

/* What a key leaves out is as in the one before. */
static tl_camera moving_camera(const tl_picture_stage *stage, double time, tl_camera camera) {
    const tl_param_list *path = &stage->scene->camera.path;
    const tl_camera_key_def *defs = path->items;
    for (size_t i = 0; i < path->count; i++) {
        if (defs[i].has_from)
            camera.from = tl_vec3_of(defs[i].from);
        if (defs[i].has_look_at)
            camera.look_at = tl_vec3_of(defs[i].look_at);
        if (defs[i].has_field_of_view)
            camera.field_of_view = defs[i].field_of_view;
        stage->keys[i] = (tl_camera_key){defs[i].at, camera};
    }
    return tl_camera_along(stage->keys, path->count, time);
}

tl_camera tl_picture_stage_camera(const tl_picture_stage *stage, double time, int width,
                                  int height) {
    const tl_camera_def *def = &stage->scene->camera;
    tl_camera camera = standing_camera(stage, width, height);
    if (def->path.count > 0)
        camera = moving_camera(stage, time, camera);
    if (def->turn != 0)
        tl_camera_turn(&camera, def->turn * time);
    return camera;
}

/* ---- Walls --------------------------------------------------------------------------------- */

/* What lies on such a plane may flow down it for long. */
static bool is_floor(const tl_preview_plane *plane) { return plane->normal.z > 0.5; }

/* A floor or slope is endless; other planes are drawn as far as the view reaches. */
static tl_preview_plane picture_of_plane(const tl_wall_def *wall, const tl_extent *e, double time) {
    const tl_pose pose = tl_moves_at(&wall->motion, time);
    tl_preview_plane plane = {.normal = tl_vec3_unit(tl_vec3_of(wall->normal)),
                              .point = tl_vec3_of(wall->through)};
    memcpy(plane.colour, wall->colour, sizeof plane.colour);
    if (wall->plane != TL_SIDE_NONE) {
        double point[3] = {0};
        point[(wall->plane - TL_SIDE_X) % 3] = wall->at;
        plane.normal = tl_side_normal(wall->plane);
        plane.point = tl_vec3_of(point);
    }
    plane.normal = tl_turn_apply(pose.turn, plane.normal);
    plane.point = tl_pose_apply(&pose, plane.point);
    if (is_floor(&plane))
        return plane;
    const tl_vec3 middle = tl_vec3_scale(tl_vec3_add(e->from, e->to), 0.5);
    const double reach = 0.5 * tl_vec3_length(tl_vec3_sub(e->to, e->from));
    const double height = tl_vec3_dot(tl_vec3_sub(middle, plane.point), plane.normal);
    const tl_vec3 up = fabs(plane.normal.z) > 0.99 ? (tl_vec3){1, 0, 0} : (tl_vec3){0, 0, 1};
    plane.point = tl_vec3_mad(middle, -height, plane.normal);
    plane.half_u = tl_vec3_scale(tl_vec3_unit(tl_vec3_cross(up, plane.normal)), reach);
    plane.half_v = tl_vec3_scale(tl_vec3_unit(tl_vec3_cross(plane.normal, plane.half_u)), reach);
    return plane;
}

static bool has_vessel(const tl_picture_stage *stage) {
    bool any = false;
    for (size_t i = 0; i < stage->box_count; i++)
        any = any || !stage->boxes[i].filled;
    for (size_t i = 0; i < stage->meshes.count; i++)
        any = any || stage->meshes.items[i].hollow;
    return any;
}

/* A tank stands on something: without it there would be no shadow to tell where things are. */
static void add_ground(tl_picture_stage *stage) {
    for (size_t i = 0; i < stage->plane_count; i++)
        if (is_floor(&stage->planes[i]))
            return;
    if (has_vessel(stage))
        stage->planes[stage->plane_count++] =
            (tl_preview_plane){.point = {0, 0, stage->extent.from.z},
                               .normal = {0, 0, 1},
                               .colour = {0.75f, 0.76f, 0.78f}};
}

static void add_ball(tl_picture_stage *stage, const tl_wall_def *wall, double time) {
    const tl_pose pose = tl_moves_at(&wall->motion, time);
    tl_picture_stage_ball *ball = &stage->balls[stage->ball_count++];
    *ball = (tl_picture_stage_ball){.center = tl_pose_apply(&pose, tl_vec3_of(wall->sphere.center)),
                                    .radius = (float)wall->sphere.radius};
    memcpy(ball->colour, wall->colour, sizeof ball->colour);
}

static void add_box(tl_picture_stage *stage, const tl_wall_def *wall) {
    tl_preview_box *box = &stage->boxes[stage->box_count++];
    *box = (tl_preview_box){.from = tl_vec3_of(wall->box.from),
                            .to = tl_vec3_of(wall->box.to),
                            .filled = wall->outside};
    memcpy(box->colour, wall->colour, sizeof box->colour);
}

void tl_picture_stage_set(tl_picture_stage *stage, double time) {
    const tl_wall_def *walls = stage->scene->walls.items;
    stage->plane_count = stage->box_count = stage->ball_count = 0;
    tl_picture_meshes_aim(&stage->meshes, time);
    for (size_t i = 0; i < stage->scene->walls.count; i++) {
        const tl_wall_def *wall = &walls[i];
        if (wall->hidden || tl_wall_shows_mesh(wall))
            continue;
        if (wall->has_sphere)
            add_ball(stage, wall, time);
        else if (wall->has_box)
            add_box(stage, wall);
        else
            stage->planes[stage->plane_count++] = picture_of_plane(wall, &stage->extent, time);
    }
    add_ground(stage);
}

tl_status tl_picture_stage_make(const tl_scene *scene, const tl_extent *seen, tl_picture_stage *out,
                                tl_error *error) {
    const size_t room = scene->walls.count + 1;
    const tl_extent matter = seen ? *seen : tl_extent_guess(scene);
    *out = (tl_picture_stage){.scene = scene,
                              .extent = tl_extent_of_scene(scene, &matter),
                              .planes = tl_allocate(room, sizeof *out->planes),
                              .boxes = tl_allocate(room, sizeof *out->boxes),
                              .balls = tl_allocate(room, sizeof *out->balls),
                              .keys = tl_allocate(scene->camera.path.count + 1, sizeof *out->keys)};
    if (!out->planes || !out->boxes || !out->balls || !out->keys)
        return tl_fail_memory(error, room, sizeof *out->planes);
    return tl_picture_meshes_make(scene, &out->meshes, error);
}

void tl_picture_stage_free(tl_picture_stage *stage) {
    free(stage->planes);
    free(stage->boxes);
    free(stage->balls);
    free(stage->keys);
    tl_picture_meshes_free(&stage->meshes);
    *stage = (tl_picture_stage){0};
}
