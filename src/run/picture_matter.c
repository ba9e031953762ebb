/* See picture_matter.h. */
#include "run/picture_matter.h"

#include "materials/material.h"
#include "run/picture_colours.h"
#include "run/picture_light.h"

#include <string.h>

/* In heights of the picture at what is looked at: where endless floors begin to fade, the depth at
 * which clear matter has its colour, and the width of the edges of a tank. */
#define FADE  2.5
#define DEPTH 0.35
#define EDGE  0.004

static double view_height(const tl_shot *shot) {
    const tl_camera *c = &shot->camera;
    return 2 * tan(0.5 * c->field_of_view) * tl_vec3_length(tl_vec3_sub(c->look_at, c->from));
}

static void *room_for(tl_matter_scene *m, size_t count, size_t size) {
    return tl_arena_allocate(&m->arena, count + 1, size);
}

/* ---- Matter -------------------------------------------------------------------------------- */

static tl_trace_matter matter_of(const tl_shot *shot, size_t index) {
    static const tl_look plain = {.roughness = 0.4, .refraction = 1.45, .glows = true};
    const tl_param_list *list = &shot->scene->materials;
    const tl_material *material =
        index < list->count ? (const tl_material *)list->items + index : NULL;
    const tl_look *look = material ? &material->look : &plain;
    tl_trace_matter m = {.colour = {0.8f, 0.8f, 0.8f},
                         .roughness = (float)look->roughness,
                         .clarity = (float)look->clarity,
                         .refraction = (float)look->refraction,
                         .metal = (float)look->metal,
                         .translucency = look->translucency,
                         .depth = DEPTH * view_height(shot),
                         .glows = look->glows};
    if (material)
        memcpy(m.colour, material->colour, sizeof m.colour);
    return m;
}

/* The colours of a field; of a material they are those of the matter itself. */
static tl_status colour_vertices(const tl_shot *shot, tl_matter_scene *m, const tl_frame *vertices,
                                 tl_trace_mesh *mesh, tl_error *error) {
    const tl_frame_array *by = tl_frame_find(vertices, shot->by->name);
    if (!by || tl_colours_are_of_materials(by))
        return TL_OK;
    float *colours = room_for(m, 3 * vertices->count, sizeof *colours);
    if (!colours)
        return tl_fail_memory(error, 3 * vertices->count, sizeof *colours);
    tl_colours_by_field(by, vertices->count, shot->legend, colours);
    mesh->colours = colours;
    return TL_OK;
}

static tl_status add_surface(const tl_shot *shot, tl_matter_scene *m, size_t material,
                             bool is_alone, tl_trace_mesh *mesh, tl_error *error) {
    tl_surface *s = &m->surfaces[m->surface_count++];
    const tl_surface_options options = {.spacing = shot->scene->spacing,
                                        .cells = TL_SURFACE_CELLS,
                                        .smooth = TL_SURFACE_SMOOTH,
                                        .also = shot->by->name,
                                        .material = is_alone ? -1 : (int)material,
                                        .threads = shot->parallel->threads};
    TL_TRY(tl_surface_make(s, shot->frame, &options, error));
    const tl_frame_array *heat = tl_frame_find(&s->vertices, "temperature");
    *mesh = (tl_trace_mesh){.vertices = s->mesh.vertices,
                            .triangles = (const uint32_t(*)[3])s->mesh.triangles,
                            .vertex_count = s->mesh.vertex_count,
                            .triangle_count = s->mesh.triangle_count,
                            .normals = tl_frame_find(&s->vertices, "normal")->data,
                            .temperatures = heat && heat->type == TL_F32 ? heat->data : NULL,
                            .pose = tl_pose_none(),
                            .matter = matter_of(shot, material)};
    return colour_vertices(shot, m, &s->vertices, mesh, error);
}

/* Materials that the frame has particles of. */
static size_t find_materials(const tl_frame *frame, bool used[256]) {
    const tl_frame_array *a = tl_frame_find(frame, "material");
    size_t count = 0;
    memset(used, 0, 256 * sizeof *used);
    if (!a || a->type != TL_U8)
        used[0] = true;
    for (size_t i = 0; a && a->type == TL_U8 && i < frame->count; i++)
        used[((const uint8_t *)a->data)[i]] = true;
    for (size_t i = 0; i < 256; i++)
        count += used[i];
    return count;
}

static tl_status add_surfaces(const tl_shot *shot, tl_matter_scene *m, tl_trace_mesh *meshes,
                              tl_error *error) {
    bool used[256];
    const size_t count = find_materials(shot->frame, used);
    m->surfaces = room_for(m, count, sizeof *m->surfaces);
    if (!m->surfaces)
        return tl_fail_memory(error, count, sizeof *m->surfaces);
    for (size_t i = 0; i < 256; i++)
        if (used[i])
            TL_TRY(add_surface(shot, m, i, count == 1, &meshes[m->scene.mesh_count++], error));
    return TL_OK;
}

/* ---- Walls --------------------------------------------------------------------------------- */

static tl_trace_matter wall_matter(const float colour[3]) {
    tl_trace_matter m = {.roughness = 0.5f, .refraction = 1.4f};
    memcpy(m.colour, colour, sizeof m.colour);
    return m;
}

static tl_trace_matter floor_matter(const float colour[3]) {
    tl_trace_matter m = {.roughness = 1, .refraction = 1};
    memcpy(m.colour, colour, sizeof m.colour);
    return m;
}

static tl_trace_matter pane_matter(void) {
    return (tl_trace_matter){.colour = {1, 1, 1}, .refraction = 1.5f, .clarity = 1, .thin = true};
}

typedef struct box_mesh {
    tl_vec3 corners[8];
    uint32_t triangles[12][3];
} box_mesh;

/* The faces of a box but those at the ends of z, or all; corner c has the upper end of axis k where
 * bit k of c is set. */
static tl_status add_box(tl_matter_scene *m, const tl_preview_box *box, tl_trace_mesh *mesh,
                         tl_error *error) {
    static const uint32_t faces[12][3] = {{0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                          {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                          {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    box_mesh *b = room_for(m, 1, sizeof *b);
    if (!b)
        return tl_fail_memory(error, 1, sizeof *b);
    for (int c = 0; c < 8; c++)
        b->corners[c] = (tl_vec3){c & 1 ? box->to.x : box->from.x, c & 2 ? box->to.y : box->from.y,
                                  c & 4 ? box->to.z : box->from.z};
    memcpy(b->triangles, faces, sizeof faces);
    *mesh = (tl_trace_mesh){.vertices = b->corners,
                            .triangles = (const uint32_t(*)[3])b->triangles,
                            .vertex_count = 8,
                            .triangle_count = box->filled ? 12 : 8,
                            .pose = tl_pose_none(),
                            .matter = box->filled ? wall_matter(box->colour) : pane_matter()};
    return TL_OK;
}

/* The edges of a tank, as bars. */
static tl_status add_edges(tl_matter_scene *m, const tl_preview_box *box, double width,
                           tl_trace_mesh *mesh, tl_error *error) {
    enum { BARS = 12 };
    tl_trace_mesh bar;
    tl_vec3 *vertices = room_for(m, 8 * BARS, sizeof *vertices);
    uint32_t(*triangles)[3] = room_for(m, 12 * BARS, sizeof *triangles);
    if (!vertices || !triangles)
        return tl_fail_memory(error, 12 * BARS, sizeof *triangles);
    for (int k = 0; k < BARS; k++) {
        const int axis = k / 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
        double from[3] = {box->from.x, box->from.y, box->from.z};
        double to[3] = {box->to.x, box->to.y, box->to.z};
        from[u] = to[u] = k & 1 ? to[u] : from[u];
        from[v] = to[v] = k & 2 ? to[v] : from[v];
        for (int i = 0; i < 3; i++)
            from[i] -= 0.5 * width, to[i] += 0.5 * width;
        const tl_preview_box one = {tl_vec3_of(from), tl_vec3_of(to), {0, 0, 0}, true};
        TL_TRY(add_box(m, &one, &bar, error));
        memcpy(&vertices[8 * k], bar.vertices, 8 * sizeof *vertices);
        for (int t = 0; t < 12; t++)
            for (int c = 0; c < 3; c++)
                triangles[12 * k + t][c] = bar.triangles[t][c] + 8 * (uint32_t)k;
    }
    *mesh = (tl_trace_mesh){.vertices = vertices,
                            .triangles = (const uint32_t(*)[3])triangles,
                            .vertex_count = 8 * BARS,
                            .triangle_count = 12 * BARS,
                            .pose = tl_pose_none(),
                            .matter = wall_matter(box->colour)};
    return TL_OK;
}

/* What one sees through is a pane of glass, however much it lets through. */
static void add_wall(const tl_preview_mesh *wall, tl_trace_mesh *mesh) {
    *mesh = (tl_trace_mesh){.vertices = wall->vertices,
                            .triangles = wall->triangles,
                            .vertex_count = wall->vertex_count,
                            .triangle_count = wall->triangle_count,
                            .normals = wall->normals,
                            .colours = wall->colours,
                            .pose = wall->pose,
                            .matter = wall->clarity > 0 ? pane_matter() : wall_matter(wall->colour),
                            .one_sided = wall->hollow && !(wall->clarity > 0)};
}

static tl_status add_walls(const tl_shot *shot, tl_matter_scene *m, tl_trace_mesh *meshes,
                           tl_error *error) {
    const tl_preview_scene *view = &shot->view;
    tl_trace_plane *planes = room_for(m, view->plane_count, sizeof *planes);
    const size_t particles = shot->frame->count, balls = view->count - particles;
    tl_trace_sphere *spheres = room_for(m, balls, sizeof *spheres);
    if (!planes || !spheres)
        return tl_fail_memory(error, balls + view->plane_count, sizeof *spheres);
    for (size_t i = 0; i < view->plane_count; i++) {
        const tl_preview_plane *p = &view->planes[i];
        planes[i] = (tl_trace_plane){.point = p->point,
                                     .normal = p->normal,
                                     .half_u = p->half_u,
                                     .half_v = p->half_v,
                                     .matter = floor_matter(p->colour)};
        if (!(tl_vec3_length(p->half_u) > 0))
            planes[i].fade = FADE * view_height(shot);
    }
    for (size_t i = 0; i < balls; i++) {
        const size_t k = particles + i;
        spheres[i] = (tl_trace_sphere){tl_vec3_of(&view->positions[3 * k]), (double)view->radii[k],
                                       wall_matter(&view->colours[3 * k])};
    }
    for (size_t i = 0; i < view->box_count; i++) {
        TL_TRY(add_box(m, &view->boxes[i], &meshes[m->scene.mesh_count++], error));
        if (!view->boxes[i].filled)
            TL_TRY(add_edges(m, &view->boxes[i], EDGE * view_height(shot),
                             &meshes[m->scene.mesh_count++], error));
    }
    for (size_t i = 0; i < view->mesh_count; i++)
        add_wall(&view->meshes[i], &meshes[m->scene.mesh_count++]);
    m->scene.planes = planes, m->scene.plane_count = view->plane_count;
    m->scene.spheres = spheres, m->scene.sphere_count = balls;
    return TL_OK;
}

/* ---- Light --------------------------------------------------------------------------------- */

static float linear(float srgb) {
    return srgb <= 0.04045f ? srgb / 12.92f : powf((srgb + 0.055f) / 1.055f, 2.4f);
}

static tl_trace_light light_of(const tl_shot *shot, const tl_light_def *def) {
    tl_trace_light light = {.size = def->size};
    double scale = def->strength;
    if (def->has_direction) {
        light.towards = tl_vec3_of(def->direction);
    } else {
        light.position = tl_vec3_of(def->position);
        const tl_vec3 way = tl_vec3_sub(light.position, shot->camera.look_at);
        scale *= tl_vec3_dot(way, way);
    }
    for (int k = 0; k < 3; k++)
        light.power[k] = (float)scale * linear(def->colour[k]);
    return light;
}

static tl_trace_flame flame_of(const tl_preview_flame *from) {
    tl_trace_flame flame = {
        .position = from->at, .up = from->up, .width = from->width, .strength = from->strength};
    const float distance = (float)(TL_FLAME_DISTANCE * from->width);
    for (int k = 0; k < 3; k++)
        flame.power[k] =
            TL_FLAME_LIGHT * from->strength * distance * distance * linear(tl_flame_colour[k]);
    return flame;
}

static tl_status add_flames(const tl_shot *shot, tl_matter_scene *m, tl_error *error) {
    const size_t count = tl_shot_is_lifelike(shot) ? shot->scene->sources.count : 0;
    tl_trace_flame *flames = room_for(m, count, sizeof *flames);
    if (!flames)
        return tl_fail_memory(error, count, sizeof *flames);
    m->scene.flames = flames;
    for (size_t i = 0; i < count; i++) {
        tl_preview_flame flame;
        if (tl_flame_in_shot(shot, i, &flame))
            flames[m->scene.flame_count++] = flame_of(&flame);
    }
    return TL_OK;
}

/* Without lights in the scene: a large soft one, where the preview has its own. */
static tl_status add_lights(const tl_shot *shot, tl_matter_scene *m, tl_error *error) {
    const float day = tl_shot_daylight(shot);
    m->scene.hottest = tl_shot_hottest(shot);
    const tl_param_list *list = &shot->scene->lights;
    const size_t count = list->count > 0 ? list->count : 1;
    tl_trace_light *lights = room_for(m, count, sizeof *lights);
    if (!lights)
        return tl_fail_memory(error, count, sizeof *lights);
    lights[0] = (tl_trace_light){.towards = shot->view.to_light,
                                 .size = 0.5,
                                 .power = {1.05f * day, 1.0f * day, 0.92f * day}};
    for (size_t i = 0; i < list->count; i++)
        lights[i] = light_of(shot, (const tl_light_def *)list->items + i);
    m->scene.lights = lights, m->scene.light_count = count;
    for (int k = 0; k < 3; k++) {
        m->scene.sky.zenith[k] = 0.6f * day * linear(shot->view.background_top[k]);
        m->scene.sky.horizon[k] = 0.8f * day * linear(shot->view.background_bottom[k]);
    }
    m->scene.most = 8;
    m->scene.contact = 0.75 * shot->scene->spacing;
    return TL_OK;
}

tl_status tl_matter_scene_make(const tl_shot *shot, tl_matter_scene *out, tl_error *error) {
    const size_t room = 256 + 2 * shot->view.box_count + shot->view.mesh_count;
    *out = (tl_matter_scene){0};
    tl_trace_mesh *meshes = room_for(out, room, sizeof *meshes);
    if (!meshes)
        return tl_fail_memory(error, room, sizeof *meshes);
    out->scene.meshes = meshes;
    TL_TRY(add_surfaces(shot, out, meshes, error));
    TL_TRY(add_walls(shot, out, meshes, error));
    TL_TRY(add_flames(shot, out, error));
    return add_lights(shot, out, error);
}

void tl_matter_scene_free(tl_matter_scene *m) {
    for (size_t i = 0; i < m->surface_count; i++)
        tl_surface_free(&m->surfaces[i]);
    tl_arena_free(&m->arena);
    *m = (tl_matter_scene){0};
}
