/* See picture.h. Particles are coloured by their material or by the size of a field. The ends of
 * the colour bar are round numbers around what the frame holds: a frame looks the same whichever
 * session of the run draws it, and the bar seldom changes from frame to frame. */
#include "run/picture.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "boundary/move.h"
#include "output/png.h"
#include "run/picture_meshes.h"
#include "scene/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct extent {
    tl_vec3 from, to;
} extent;

struct tl_picture {
    const tl_scene *scene;
    tl_parallel parallel;
    tl_camera camera;
    extent extent; /* of the view */
    tl_preview_plane *planes;
    tl_preview_box *boxes;
    tl_picture_meshes meshes;
    size_t plane_count, box_count;
    const tl_colormap *map;
    unsigned char *pixels;
    double
        *positions; /* only for worlds whose positions are floats, and for walls that are balls */
    float *colours, *radii;
    size_t position_capacity, colour_capacity, radius_capacity;
    size_t ball_count; /* walls that are balls, and seen */
};

/* ---- The view ------------------------------------------------------------------------------ */

static void include(extent *e, const double p[3], double margin) {
    e->from.x = fmin(e->from.x, p[0] - margin), e->to.x = fmax(e->to.x, p[0] + margin);
    e->from.y = fmin(e->from.y, p[1] - margin), e->to.y = fmax(e->to.y, p[1] + margin);
    e->from.z = fmin(e->from.z, p[2] - margin), e->to.z = fmax(e->to.z, p[2] + margin);
}

static void include_body(extent *e, const tl_body_def *body) {
    if (body->has_box) {
        include(e, body->box.from, 0);
        include(e, body->box.to, 0);
    } else if (body->has_sphere) {
        include(e, body->sphere.center, body->sphere.radius);
    } else if (body->has_cylinder) {
        include(e, body->cylinder.from, body->cylinder.radius);
        include(e, body->cylinder.to, body->cylinder.radius);
    } else {
        const tl_box_def bounds = tl_body_bounds(body);
        include(e, bounds.from, 0);
        include(e, bounds.to, 0);
    }
}

/* Axis 0..2 of a plane along the axes, and the sign of its normal. */
static int plane_axis(int side, double *sign) {
    *sign = side >= TL_SIDE_MINUS_X ? -1 : 1;
    return (side - TL_SIDE_X) % 3;
}

/* A plane near by, such as the floor under a drop, belongs to the view. */
static void include_plane(extent *e, const tl_wall_def *wall) {
    double sign, p[3] = {e->from.x, e->from.y, e->from.z};
    const int axis = plane_axis(wall->plane, &sign);
    const double size = tl_vec3_length(tl_vec3_sub(e->to, e->from));
    if (fabs(wall->at - p[axis]) > 4 * size)
        return;
    p[axis] = wall->at;
    include(e, p, 0);
}

/* The box along the axes around a wall that is no plane, before it moves. False for planes. */
static bool wall_bounds(const tl_wall_def *wall, tl_vec3 *low, tl_vec3 *high) {
    if (wall->has_box) {
        *low = tl_vec3_of(wall->box.from), *high = tl_vec3_of(wall->box.to);
    } else if (wall->has_sphere) {
        const double r = wall->sphere.radius;
        *low = tl_vec3_add(tl_vec3_of(wall->sphere.center), (tl_vec3){-r, -r, -r});
        *high = tl_vec3_add(tl_vec3_of(wall->sphere.center), (tl_vec3){r, r, r});
    } else if (wall->mesh.vertex_count > 0) {
        tl_mesh_bounds(&wall->mesh, low, high);
    } else {
        return false;
    }
    return true;
}

/* A wall that moves belongs to the view wherever it comes to. */
static void include_wall(extent *e, const tl_wall_def *wall, double duration) {
    enum { TIMES = 64 };
    tl_vec3 low, high;
    if (!wall_bounds(wall, &low, &high))
        return;
    for (int k = 0; k <= (wall->motion.count ? TIMES : 0); k++) {
        const tl_pose pose = tl_moves_at(&wall->motion, duration * k / TIMES);
        for (int c = 0; c < 8; c++) {
            const tl_vec3 corner = {c & 1 ? high.x : low.x, c & 2 ? high.y : low.y,
                                    c & 4 ? high.z : low.z};
            const tl_vec3 p = tl_pose_apply(&pose, corner);
            include(e, (const double[3]){p.x, p.y, p.z}, 0);
        }
    }
}

static extent scene_extent(const tl_scene *scene) {
    const tl_body_def *bodies = scene->bodies.items;
    const tl_wall_def *walls = scene->walls.items;
    extent e = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < scene->bodies.count; i++)
        include_body(&e, &bodies[i]);
    for (size_t i = 0; i < scene->emitters.count; i++) {
        const tl_emitter_def *emitter = (const tl_emitter_def *)scene->emitters.items + i;
        include(&e, emitter->has_disc ? emitter->disc.center : emitter->rectangle.center,
                sqrt(tl_emitter_area(emitter)));
    }
    for (size_t i = 0; i < scene->walls.count; i++)
        if (!walls[i].hidden)
            include_wall(&e, &walls[i], scene->duration);
    for (size_t i = 0; i < scene->walls.count; i++)
        if (walls[i].plane != TL_SIDE_NONE && !walls[i].hidden)
            include_plane(&e, &walls[i]);
    return e;
}

static tl_camera choose_camera(const tl_scene *scene, const extent *e) {
    const tl_camera_def *def = &scene->camera;
    tl_camera camera;
    tl_camera_frame(e->from, e->to, (int)scene->output.width, (int)scene->output.height, &camera);
    const tl_vec3 from = tl_vec3_of(def->from), look_at = tl_vec3_of(def->look_at);
    if (tl_vec3_length(tl_vec3_sub(from, look_at)) > 0) {
        camera.from = from;
        camera.look_at = look_at;
        camera.field_of_view = def->field_of_view;
    }
    return camera;
}

/* ---- Walls --------------------------------------------------------------------------------- */

/* What lies on such a plane may flow down it for long. */
static bool is_floor(const tl_preview_plane *plane) { return plane->normal.z > 0.5; }

/* A floor or slope is endless; other planes are drawn as far as the view reaches. */
static tl_preview_plane picture_of_plane(const tl_wall_def *wall, const extent *e, double time) {
    const tl_pose pose = tl_moves_at(&wall->motion, time);
    tl_preview_plane plane = {.normal = tl_vec3_unit(tl_vec3_of(wall->normal)),
                              .point = tl_vec3_of(wall->through)};
    memcpy(plane.colour, wall->colour, sizeof plane.colour);
    if (wall->plane != TL_SIDE_NONE) {
        double sign, normal[3] = {0}, point[3] = {0};
        const int axis = plane_axis(wall->plane, &sign);
        normal[axis] = sign;
        point[axis] = wall->at;
        plane.normal = tl_vec3_of(normal);
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

static bool has_vessel(const tl_picture *picture) {
    bool any = false;
    for (size_t i = 0; i < picture->box_count; i++)
        any = any || !picture->boxes[i].filled;
    for (size_t i = 0; i < picture->meshes.count; i++)
        any = any || picture->meshes.items[i].hollow;
    return any;
}

/* A tank stands on something: without it there would be no shadow to tell where things are. */
static void add_ground(tl_picture *picture) {
    for (size_t i = 0; i < picture->plane_count; i++)
        if (is_floor(&picture->planes[i]))
            return;
    if (has_vessel(picture))
        picture->planes[picture->plane_count++] =
            (tl_preview_plane){.point = {0, 0, picture->extent.from.z},
                               .normal = {0, 0, 1},
                               .colour = {0.75f, 0.76f, 0.78f}};
}

static tl_status make_walls(tl_picture *picture, tl_error *error) {
    const size_t room = picture->scene->walls.count + 1;
    picture->planes = tl_allocate(room, sizeof *picture->planes);
    picture->boxes = tl_allocate(room, sizeof *picture->boxes);
    if (!picture->planes || !picture->boxes)
        return tl_fail_memory(error, room, sizeof *picture->planes);
    return tl_picture_meshes_make(picture->scene, &picture->meshes, error);
}

/* The walls where they are at a time. */
static void collect_walls(tl_picture *picture, double time) {
    const tl_param_list *walls = &picture->scene->walls;
    picture->plane_count = picture->box_count = picture->ball_count = 0;
    tl_picture_meshes_aim(&picture->meshes, time);
    for (size_t i = 0; i < walls->count; i++) {
        const tl_wall_def *wall = (const tl_wall_def *)walls->items + i;
        if (wall->hidden || tl_wall_shows_mesh(wall))
            continue;
        if (wall->has_sphere) {
            picture->ball_count++;
        } else if (wall->has_box) {
            tl_preview_box *box = &picture->boxes[picture->box_count++];
            *box = (tl_preview_box){.from = tl_vec3_of(wall->box.from),
                                    .to = tl_vec3_of(wall->box.to),
                                    .filled = wall->outside};
            memcpy(box->colour, wall->colour, sizeof box->colour);
        } else {
            picture->planes[picture->plane_count++] =
                picture_of_plane(wall, &picture->extent, time);
        }
    }
    add_ground(picture);
}

/* ---- Colours ------------------------------------------------------------------------------- */

static double element(const tl_field_view *view, size_t i) {
    switch (view->type) {
    case TL_F32: return (double)((const float *)view->data)[i];
    case TL_F64: return ((const double *)view->data)[i];
    case TL_U8: return ((const uint8_t *)view->data)[i];
    case TL_U32: return ((const uint32_t *)view->data)[i];
    case TL_U64: return (double)((const uint64_t *)view->data)[i];
    }
    return 0;
}

/* The number a particle is coloured by: the value, or the length of a vector. */
static double magnitude(const tl_field_view *view, size_t particle) {
    const size_t n = (size_t)view->components;
    if (n == 1)
        return element(view, particle);
    double sum = 0;
    for (size_t c = 0; c < n; c++) {
        const double x = element(view, particle * n + c);
        sum += x * x;
    }
    return sqrt(sum);
}

static void colour_by_material(const tl_picture *picture, const tl_field_view *view) {
    const tl_param_list *materials = &picture->scene->materials;
    for (size_t i = 0; i < view->count; i++) {
        const size_t index = (size_t)element(view, i);
        if (index < materials->count)
            memcpy(&picture->colours[3 * i], ((const tl_material *)materials->items)[index].colour,
                   3 * sizeof(float));
    }
}

/* The least of 1, 2, 5, 10, ... times a power of ten that is not below x. */
static double round_up(double x) {
    const double power = pow(10, floor(log10(x)));
    return power * (x <= power ? 1 : x <= 2 * power ? 2 : x <= 5 * power ? 5 : 10);
}

static void find_range(const tl_field_view *view, tl_preview_legend *legend) {
    double low = view->components > 1 ? 0 : HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < view->count; i++) {
        const double x = magnitude(view, i);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    if (!(high > low) || !isfinite(high - low))
        high = (low = isfinite(low) ? low : 0) + 1;
    const double unit = round_up((high - low) / 4);
    legend->min = floor(low / unit) * unit;
    legend->max = ceil(high / unit) * unit;
}

static void colour_by_field(const tl_picture *picture, const tl_field_view *view,
                            tl_preview_legend *legend) {
    const tl_output_def *output = &picture->scene->output;
    if (output->colour_from != output->colour_to)
        legend->min = output->colour_from, legend->max = output->colour_to;
    else
        find_range(view, legend);
    legend->map = picture->map;
    for (size_t i = 0; i < view->count; i++)
        tl_colormap_at(picture->map,
                       (magnitude(view, i) - legend->min) / (legend->max - legend->min),
                       &picture->colours[3 * i]);
}

static tl_status find_field(const tl_scene *scene, tl_world *world, tl_field_view *out,
                            tl_error *error) {
    const char *name = scene->output.colour_by ? scene->output.colour_by : "material";
    if (tl_world_field(world, name, out))
        return TL_OK;
    const char *names[TL_MAX_FIELDS];
    const size_t count = tl_world_field_count(world);
    for (size_t i = 0; i < count; i++)
        names[i] = tl_world_field_at(world, i, out) ? out->name : "";
    const char *nearest = tl_nearest_word(name, names, count);
    char fix[160] = "take one of the arrays of frames/00000.vtp, or material";
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean %s?", nearest);
    return tl_fail(error, TL_BAD_INPUT, "output.colour_by", fix, "there is no field called %s",
                   name);
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* The renderer takes doubles. */
static tl_status find_positions(tl_picture *picture, tl_world *world, const double **out,
                                tl_error *error) {
    tl_field_view view;
    if (!tl_world_field(world, "position", &view))
        return tl_fail(error, TL_BAD_INPUT, NULL, NULL, "the world has no positions");
    *out = view.data;
    if (view.type == TL_F64 && picture->ball_count == 0)
        return TL_OK;
    const size_t n = 3 * view.count, room = n + 3 * picture->ball_count;
    TL_TRY(TL_RESERVE(picture->positions, picture->position_capacity, 0, room, error));
    for (size_t i = 0; i < n; i++)
        picture->positions[i] = element(&view, i);
    *out = picture->positions;
    return TL_OK;
}

/* Walls that are balls are drawn like particles, after them. */
static tl_status add_balls(tl_picture *picture, double time, tl_preview_scene *view,
                           tl_error *error) {
    const tl_param_list *walls = &picture->scene->walls;
    if (picture->ball_count == 0)
        return TL_OK;
    const size_t room = view->count + picture->ball_count;
    TL_TRY(TL_RESERVE(picture->radii, picture->radius_capacity, 0, room, error));
    for (size_t i = 0; i < view->count; i++)
        picture->radii[i] = (float)view->radius;
    for (size_t i = 0; i < walls->count; i++) {
        const tl_wall_def *wall = (const tl_wall_def *)walls->items + i;
        if (!wall->has_sphere || wall->hidden || tl_wall_shows_mesh(wall))
            continue;
        const tl_pose pose = tl_moves_at(&wall->motion, time);
        const tl_vec3 center = tl_pose_apply(&pose, tl_vec3_of(wall->sphere.center));
        memcpy(picture->positions + 3 * view->count,
               (const double[3]){center.x, center.y, center.z}, 3 * sizeof(double));
        memcpy(picture->colours + 3 * view->count, wall->colour, sizeof wall->colour);
        picture->radii[view->count++] = (float)wall->sphere.radius;
    }
    view->radii = picture->radii;
    return TL_OK;
}

tl_status tl_picture_draw(tl_picture *picture, tl_world *world, const char *path, tl_error *error) {
    const int width = (int)picture->scene->output.width,
              height = (int)picture->scene->output.height;
    const double time = tl_world_time(world);
    tl_preview_scene view = tl_preview_default();
    tl_preview_legend legend = {0};
    tl_field_view field;
    char caption[64], label[96];

    collect_walls(picture, time);
    TL_TRY(find_field(picture->scene, world, &field, error));
    TL_TRY(find_positions(picture, world, &view.positions, error));
    TL_TRY(TL_RESERVE(picture->colours, picture->colour_capacity, 0,
                      3 * (field.count + picture->ball_count), error));
    if (strcmp(field.name, "material") == 0) {
        colour_by_material(picture, &field);
    } else {
        snprintf(label, sizeof label, *field.unit ? "%s, %s" : "%s", field.name, field.unit);
        legend.label = label;
        colour_by_field(picture, &field, &legend);
        view.legend = &legend;
    }
    snprintf(caption, sizeof caption, "t = %.3f s", time);
    view.caption = caption;
    view.count = field.count;
    view.radius = 0.5 * picture->scene->spacing;
    view.colours = picture->colours;
    view.planes = picture->planes;
    view.plane_count = picture->plane_count;
    TL_TRY(add_balls(picture, time, &view, error));
    view.boxes = picture->boxes;
    view.box_count = picture->box_count;
    view.meshes = picture->meshes.items;
    view.mesh_count = picture->meshes.count;
    TL_TRY(tl_preview_draw(&picture->parallel, &view, &picture->camera, width, height,
                           picture->pixels, error));
    return tl_png_write(path, picture->pixels, (size_t)width, (size_t)height, &picture->parallel,
                        error);
}

static tl_status set_up(tl_picture *picture, tl_world *world, tl_error *error) {
    const tl_scene *scene = picture->scene;
    const size_t pixels = (size_t)scene->output.width * (size_t)scene->output.height;
    tl_field_view field;
    TL_TRY(find_field(scene, world, &field, error));
    picture->extent = scene_extent(scene);
    picture->camera = choose_camera(scene, &picture->extent);
    picture->map = tl_colormap_by_name("viridis");
    picture->pixels = tl_allocate(pixels, 3);
    if (!picture->pixels)
        return tl_fail_memory(error, pixels, 3);
    return make_walls(picture, error);
}

tl_status tl_picture_create(const tl_scene *scene, tl_world *world, int threads, tl_picture **out,
                            tl_error *error) {
    tl_picture *picture = tl_allocate(1, sizeof *picture);
    *out = NULL;
    if (!picture)
        return tl_fail_memory(error, 1, sizeof *picture);
    picture->scene = scene;
    picture->parallel = tl_parallel_create(threads);
    const tl_status status = set_up(picture, world, error);
    if (status == TL_OK)
        *out = picture;
    else
        tl_picture_destroy(picture);
    return status;
}

void tl_picture_destroy(tl_picture *picture) {
    if (!picture)
        return;
    free(picture->planes);
    free(picture->boxes);
    tl_picture_meshes_free(&picture->meshes);
    free(picture->pixels);
    free(picture->positions);
    free(picture->colours);
    free(picture->radii);
    free(picture);
}
