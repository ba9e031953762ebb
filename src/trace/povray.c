/* See povray.h. Axes stay as they are, z up and right-handed.
 * Colours are linear (assumed_gamma 1). What POV-Ray cannot do is told by the nearest thing it can:
 * facets become highlights. Panes are left out: it knows no sheets. */
#include "trace/povray.h"

#include "base/memory.h"
#include "output/sink.h"
#include "render/flame.h"
#include "render/glow.h"
#include "render/view.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Colours and temperatures of vertices are told apart by so many levels: a texture each. */
enum { COLOUR_BITS = 5, HEAT_BITS = 6, KEY_BITS = 3 * COLOUR_BITS + HEAT_BITS };
#define COLDEST   450.0f /* °C, of the levels */
#define HEAT_STEP 20.0f

static void put(tl_sink *sink, const char *text, ...) TL_PRINTF(2, 3);
static void put(tl_sink *sink, const char *text, ...) {
    char line[400];
    va_list arguments;
    va_start(arguments, text);
    const int n = vsnprintf(line, sizeof line, text, arguments);
    va_end(arguments);
    tl_sink_put(sink, line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

static void put_vector(tl_sink *sink, const char *before, tl_vec3 v, const char *after) {
    put(sink, "%s<%.8g, %.8g, %.8g>%s", before, v.x, v.y, v.z, after);
}

static void put_colour(tl_sink *sink, const char *before, tl_float3 c, const char *after) {
    put(sink, "%srgb <%.5g, %.5g, %.5g>%s", before, (double)c.x, (double)c.y, (double)c.z, after);
}

/* ---- Matter -------------------------------------------------------------------------------- */

static bool is_translucent(const tl_trace_matter *m) {
    return m->translucency > 0 && m->clarity < 0.5f && m->metal < 0.5f;
}

/* The highlight of facets: the exponent of Blinn that is as wide, 2 / α² (Walter et al. 2007). */
static void put_highlight(tl_sink *sink, const tl_trace_matter *m) {
    const float alpha = fmaxf(m->roughness * m->roughness, 0.03f);
    const float f = (m->refraction - 1) / (m->refraction + 1);
    put(sink, "    specular albedo %.4g roughness %.4g\n", m->metal > 0.5f ? 0.7 : (double)(f * f),
        (double)(0.5f * alpha * alpha));
}

static void put_finish(tl_sink *sink, const tl_trace_matter *m, tl_float3 emission) {
    const float dull = (1 - m->metal) * (1 - m->clarity);
    put(sink, "  finish {\n    ambient 0 diffuse albedo %.4g\n", (double)dull);
    put_colour(sink, "    emission ", emission, "\n");
    put_highlight(sink, m);
    if (m->metal > 0.5f)
        put(sink, "    metallic reflection { 0.8 metallic }\n");
    else if (m->clarity > 0 || m->roughness < 0.2f)
        put(sink, "    reflection { 0, 1 fresnel on } conserve_energy\n");
    if (is_translucent(m))
        put(sink, "#if (Subsurface) subsurface { translucency %.4g } #end\n",
            m->translucency * 1e3);
    put(sink, "  }\n");
}

/* One texture; of glowing matter the pigment is taken out of the emission again. */
static void put_texture(tl_sink *sink, const tl_trace_matter *m, tl_float3 colour, tl_float3 glow) {
    const float least = 0.03f;
    const tl_float3 p = {fmaxf(colour.x, least), fmaxf(colour.y, least), fmaxf(colour.z, least)};
    const tl_float3 clear = tl_float3_mix(p, (tl_float3){1, 1, 1}, m->clarity);
    put(sink, "texture {\n  pigment { rgbf <%.5g, %.5g, %.5g, %.4g> }\n", (double)clear.x,
        (double)clear.y, (double)clear.z, (double)m->clarity);
    put_finish(sink, m, (tl_float3){glow.x / p.x, glow.y / p.y, glow.z / p.z});
    put(sink, "}\n");
}

static void put_interior(tl_sink *sink, const tl_trace_matter *m) {
    put(sink, "interior {\n  ior %.5g\n", (double)fmaxf(m->refraction, 1.0001f));
    if (m->clarity > 0 && m->depth > 0) {
        const tl_float3 c = tl_linear(m->colour);
        put(sink, "  media { absorption rgb <%.5g, %.5g, %.5g> samples 1, 1 }\n",
            -log(fmax((double)c.x, 1e-3)) / m->depth, -log(fmax((double)c.y, 1e-3)) / m->depth,
            -log(fmax((double)c.z, 1e-3)) / m->depth);
    }
    put(sink, "}\n");
}

static void put_matter(tl_sink *sink, const tl_trace_matter *m) {
    put_texture(sink, m, tl_linear(m->colour), (tl_float3){0, 0, 0});
    put_interior(sink, m);
}

/* ---- Things -------------------------------------------------------------------------------- */

/* Textures of vertices: which there are, and the number of each. */
typedef struct palette {
    uint32_t *number; /* [1 << KEY_BITS], from 1; 0: not there */
    uint32_t *keys;   /* of the textures, in order */
    size_t count;
    tl_glow glow;
} palette;

static uint32_t key_of(const tl_trace_mesh *mesh, size_t i) {
    const float *c = mesh->colours ? &mesh->colours[3 * i] : mesh->matter.colour;
    const uint32_t levels = (1 << COLOUR_BITS) - 1, heats = (1 << HEAT_BITS) - 1;
    uint32_t key = 0;
    for (int k = 0; k < 3; k++)
        key = key << COLOUR_BITS | (uint32_t)(tl_clamp01(c[k]) * (float)levels + 0.5f);
    if (mesh->temperatures && mesh->matter.glows) {
        const float heat = (mesh->temperatures[i] - COLDEST) / HEAT_STEP;
        key |= (heat > 0 ? (heat < (float)heats ? (uint32_t)heat : heats) : 0) << 3 * COLOUR_BITS;
    }
    return key;
}

static void put_key(tl_sink *sink, const palette *p, const tl_trace_matter *m, uint32_t key) {
    const uint32_t levels = (1 << COLOUR_BITS) - 1, heat = key >> 3 * COLOUR_BITS;
    float srgb[3];
    for (int k = 0; k < 3; k++)
        srgb[k] = (float)(key >> (2 - k) * COLOUR_BITS & levels) / (float)levels;
    const tl_float3 glow =
        heat > 0 ? tl_glow_at(&p->glow, COLDEST + HEAT_STEP * (float)heat) : (tl_float3){0, 0, 0};
    put_texture(sink, m, tl_linear(srgb), glow);
}

static tl_status find_palette(tl_arena *arena, const tl_trace_mesh *mesh, float hottest, palette *p,
                              tl_error *error) {
    p->number = tl_arena_allocate(arena, (size_t)1 << KEY_BITS, sizeof *p->number);
    p->keys = tl_arena_allocate(arena, mesh->vertex_count, sizeof *p->keys);
    if (!p->number || !p->keys)
        return tl_fail_memory(error, (size_t)1 << KEY_BITS, sizeof *p->number);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        uint32_t *number = &p->number[key_of(mesh, i)];
        if (*number == 0) {
            p->keys[p->count] = key_of(mesh, i);
            *number = (uint32_t)++p->count;
        }
    }
    tl_glow_make(&p->glow, hottest);
    return TL_OK;
}

static void put_vertices(tl_sink *sink, const tl_trace_mesh *mesh) {
    put(sink, "vertex_vectors { %zu", mesh->vertex_count);
    for (size_t i = 0; i < mesh->vertex_count; i++)
        put_vector(sink, ",\n", tl_pose_apply(&mesh->pose, mesh->vertices[i]), "");
    put(sink, "\n}\n");
    if (!mesh->normals)
        return;
    put(sink, "normal_vectors { %zu", mesh->vertex_count);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const float *n = &mesh->normals[3 * i];
        const tl_vec3 normal = {(double)n[0], (double)n[1], (double)n[2]};
        put_vector(sink, ",\n", tl_turn_apply(mesh->pose.turn, normal), "");
    }
    put(sink, "\n}\n");
}

static void put_faces(tl_sink *sink, const tl_trace_mesh *mesh, const palette *p) {
    put(sink, "face_indices { %zu", mesh->triangle_count);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles[t];
        put(sink, ",\n<%u, %u, %u>", v[0], v[1], v[2]);
        if (p->count > 1)
            put(sink, ",%u,%u,%u", p->number[key_of(mesh, v[0])] - 1,
                p->number[key_of(mesh, v[1])] - 1, p->number[key_of(mesh, v[2])] - 1);
    }
    put(sink, "\n}\n");
}

static tl_status put_mesh(tl_sink *sink, const tl_trace_mesh *mesh, float hottest,
                          tl_error *error) {
    const bool varies = mesh->colours || (mesh->temperatures && mesh->matter.glows);
    tl_arena arena = {0};
    palette p = {0};
    const tl_status status = varies ? find_palette(&arena, mesh, hottest, &p, error) : TL_OK;
    if (status == TL_OK && mesh->triangle_count > 0) {
        put(sink, "mesh2 {\n");
        put_vertices(sink, mesh);
        if (p.count > 1) {
            put(sink, "texture_list { %zu\n", p.count);
            for (size_t i = 0; i < p.count; i++)
                put_key(sink, &p, &mesh->matter, p.keys[i]);
            put(sink, "}\n");
        }
        put_faces(sink, mesh, &p);
        if (mesh->matter.clarity > 0 || mesh->matter.translucency > 0)
            put(sink, "inside_vector <0, 0, 1>\n");
        if (p.count == 1)
            put_key(sink, &p, &mesh->matter, p.keys[0]);
        if (p.count > 0)
            put_interior(sink, &mesh->matter);
        else
            put_matter(sink, &mesh->matter);
        if (mesh->matter.clarity > 0)
            put(sink, "hollow no_radiosity\n");
        if (mesh->one_sided)
            put(sink, "interior_texture { pigment { rgbt 1 } finish { ambient 0 } } no_shadow\n");
        put(sink, "}\n");
    }
    tl_arena_free(&arena);
    return status;
}

static void put_sphere(tl_sink *sink, const tl_trace_sphere *sphere) {
    put_vector(sink, "sphere {\n", sphere->center, "");
    put(sink, ", %.8g\n", sphere->radius);
    put_matter(sink, &sphere->matter);
    put(sink, "}\n");
}

/* An endless plane grows transparent towards the sky. */
static void put_endless(tl_sink *sink, const tl_trace_plane *plane, tl_vec3 middle) {
    const tl_vec3 normal = tl_vec3_unit(plane->normal);
    const tl_float3 c = tl_linear(plane->matter.colour);
    put_vector(sink, "plane {\n", normal, "");
    put(sink, ", %.8g\n", tl_vec3_dot(normal, plane->point));
    if (plane->fade > 0) {
        put(sink, "texture {\n  pigment {\n    spherical color_map {\n");
        put(sink, "      [0 rgbt 1]\n      [0.75 rgbt <%.5g, %.5g, %.5g, 0>]\n    }\n", (double)c.x,
            (double)c.y, (double)c.z);
        put(sink, "    scale %.8g\n", 4 * plane->fade);
        put_vector(sink, "    translate ", middle, "\n  }\n");
        put(sink, "  finish { ambient 0 diffuse albedo 1 }\n}\n}\n");
        return;
    }
    put_matter(sink, &plane->matter);
    put(sink, "}\n");
}

static void put_plane(tl_sink *sink, const tl_trace_plane *plane, tl_vec3 middle) {
    const tl_vec3 u = plane->half_u, v = plane->half_v, p = plane->point;
    if (!(tl_vec3_length(u) > 0)) {
        put_endless(sink, plane, middle);
        return;
    }
    const tl_vec3 low = tl_vec3_sub(p, u), high = tl_vec3_add(p, u);
    const tl_vec3 ring[5] = {tl_vec3_sub(low, v), tl_vec3_sub(high, v), tl_vec3_add(high, v),
                             tl_vec3_add(low, v), tl_vec3_sub(low, v)};
    put(sink, "polygon { 5");
    for (int k = 0; k < 5; k++)
        put_vector(sink, ",\n", ring[k], "");
    put(sink, "\n");
    put_matter(sink, &plane->matter);
    put(sink, "}\n");
}

/* ---- Light --------------------------------------------------------------------------------- */

/* POV-Ray's light of colour 1 makes a white sheet that faces it white, as ours does. */
static void put_light(tl_sink *sink, const tl_trace_light *light, tl_vec3 middle, double far) {
    const bool is_far = tl_vec3_length(light->towards) > 0;
    const tl_vec3 at =
        is_far ? tl_vec3_mad(middle, far, tl_vec3_unit(light->towards)) : light->position;
    const double distance = tl_vec3_length(tl_vec3_sub(at, middle)), fade = 1e-3 * distance;
    const double radius = is_far ? far * tan(0.5 * fmin(light->size, 3)) : light->size;
    const float scale = is_far ? 1 : (float)(0.5 / (fade * fade)); /* it fades by 2/(1 + d²/f²) */
    put_vector(sink, "light_source {\n  ", at, "\n");
    put_colour(
        sink, "  ",
        (tl_float3){scale * light->power[0], scale * light->power[1], scale * light->power[2]},
        "\n");
    if (is_far)
        put_vector(sink, "  parallel point_at ", middle, "\n");
    else
        put(sink, "  fade_distance %.8g fade_power 2\n", fade);
    if (radius > 0)
        put(sink,
            "  area_light <%.8g, 0, 0>, <0, %.8g, 0>, 5, 5 adaptive 0 jitter circular orient\n",
            2 * radius, 2 * radius);
    put(sink, "}\n");
}

/* Its shape in the light between core and rim; it lights things as a lamp, and casts no shadow. */
static void put_flame(tl_sink *sink, const tl_trace_flame *flame, tl_vec3 middle, double far) {
    enum { POINTS = 17 };
    const double tall = (double)TL_FLAME_TALL * flame->width;
    const tl_vec3 up = tl_flame_up(flame->up), side = tl_vec3_unit((tl_vec3){up.z, 0, -up.x});
    const tl_vec3 back = tl_vec3_cross(up, side);
    const tl_vec3 foot = tl_vec3_mad(flame->position, -(double)TL_FLAME_MIDDLE * tall, up);
    tl_trace_light light = {.position = flame->position, .size = 0.5 * flame->width};
    memcpy(light.power, flame->power, sizeof light.power);
    put_light(sink, &light, middle, far);
    put(sink, "lathe {\n  linear_spline %d", POINTS);
    for (int k = 0; k < POINTS; k++) {
        const float t = (float)k / (POINTS - 1);
        put(sink, ", <%.6g, %.6g>", (double)tl_flame_half_width(t) * flame->width,
            (double)t * tall);
    }
    put_colour(sink, "\n  pigment { ",
               tl_float3_scale(tl_flame_light(TL_FLAME_MIDDLE, 0.5f), flame->strength), " }\n");
    put(sink, "  finish { ambient 0 diffuse 0 emission 1 }\n  no_shadow no_radiosity\n");
    put(sink,
        "  rotate 90*x matrix <%.6g, %.6g, %.6g, %.6g, %.6g, %.6g, %.6g, %.6g, %.6g, 0, 0, 0>",
        side.x, side.y, side.z, back.x, back.y, back.z, up.x, up.y, up.z);
    put_vector(sink, " translate ", foot, "\n}\n");
}

static void put_sky(tl_sink *sink, const tl_trace_sky *sky) {
    enum { STEPS = 8 };
    const tl_float3 z = {sky->zenith[0], sky->zenith[1], sky->zenith[2]};
    const tl_float3 h = {sky->horizon[0], sky->horizon[1], sky->horizon[2]};
    put(sink, "sky_sphere {\n  pigment {\n    gradient z color_map {\n");
    for (int k = 0; k <= STEPS; k++) {
        const float t = (float)k / STEPS;
        put(sink, "      [%.5g ", 0.5 + 0.5 * (double)t);
        put_colour(sink, "", tl_float3_mix(h, z, tl_smoothstep(0, 1, t)), "]\n");
    }
    put(sink, "    }\n    scale 2 translate -z\n  }\n}\n");
}

/* Its x axis turned over: ours is right-handed. */
static void put_camera(tl_sink *sink, const tl_camera *camera) {
    const tl_vec3 forward = tl_vec3_unit(tl_vec3_sub(camera->look_at, camera->from));
    tl_vec3 sky = camera->up;
    if (!(tl_vec3_length(tl_vec3_cross(forward, sky)) > 1e-6))
        sky = fabs(forward.z) > 0.9 ? (tl_vec3){0, 1, 0} : (tl_vec3){0, 0, 1};
    put_vector(sink, "camera {\n  location ", camera->from, "\n");
    put(sink, "  up y right -x * image_width / image_height\n");
    put(sink, "  angle degrees(2 * atan(%.10g * image_width / image_height))\n",
        tan(0.5 * camera->field_of_view));
    put_vector(sink, "  sky ", sky, "\n");
    put_vector(sink, "  look_at ", camera->look_at, "\n}\n");
}

/* Lengths are m, and POV-Ray's translucency is in mm. Its light under surfaces is slow, and POV-Ray
 * warns that it is an experiment: it has to be asked for. */
static void put_settings(tl_sink *sink) {
    put(sink, "// Made by Tallow %s. povray +Ithis.pov +W1280 +H720 +A0.1\n#version 3.7;\n",
        TL_VERSION);
    put(sink, "// Declare=Subsurface=1 lets light wander in wax: slow.\n"
              "#ifndef (Subsurface) #declare Subsurface = 0; #end\n"
              "global_settings {\n  assumed_gamma 1\n  max_trace_level 24 adc_bailout 0.03\n"
              "#if (Subsurface)\n  mm_per_unit 1000 subsurface { samples 64, 16 }\n#end\n");
    put(sink, "  radiosity { pretrace_start 0.08 pretrace_end 0.01 count 80 error_bound 0.6\n"
              "    recursion_limit 2 normal on }\n}\n");
}

tl_status tl_povray_write(const char *path, const tl_trace_scene *scene, const tl_camera *camera,
                          tl_error *error) {
    const double distance = tl_vec3_length(tl_vec3_sub(camera->from, camera->look_at));
    tl_status status = TL_OK;
    tl_sink sink;
    TL_TRY(tl_sink_begin(&sink, path, error));
    put_settings(&sink);
    put_camera(&sink, camera);
    put_sky(&sink, &scene->sky);
    for (size_t i = 0; i < scene->light_count; i++)
        put_light(&sink, &scene->lights[i], camera->look_at, 100 * distance);
    for (size_t i = 0; i < scene->flame_count; i++)
        put_flame(&sink, &scene->flames[i], camera->look_at, 100 * distance);
    for (size_t i = 0; i < scene->plane_count; i++)
        put_plane(&sink, &scene->planes[i], camera->look_at);
    for (size_t i = 0; i < scene->sphere_count; i++)
        put_sphere(&sink, &scene->spheres[i]);
    for (size_t i = 0; i < scene->mesh_count && status == TL_OK; i++)
        if (!scene->meshes[i].matter.thin)
            status = put_mesh(&sink, &scene->meshes[i], scene->hottest, error);
    if (status == TL_OK)
        return tl_sink_commit(&sink, error);
    tl_sink_discard(&sink);
    return status;
}
