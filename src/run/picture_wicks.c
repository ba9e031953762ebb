/* See picture_wicks.h. The last BEND radii below the tip lean over, by a parabola to LEAN of that
 * way; a ring of triangles stands on each of so many places along it. */
#include "run/picture_wicks.h"

#include "math/pi.h"

#include <string.h>

enum { AROUND = 12, ALONG = 28 };

#define BEND 13.0
#define LEAN 0.28

/* Black where it burns, brown below, where fuel rises in it. */
static const float charred[3] = {0.05f, 0.045f, 0.042f}, soaked[3] = {0.2f, 0.16f, 0.12f};

static const tl_wick_def *wick_of(const tl_scene *scene, size_t source) {
    return &((const tl_source_def *)scene->sources.items)[source].wick;
}

/* Across the wick, of length one: where it bends to. With the air, or to a side. */
static tl_vec3 aside(const tl_wick_def *wick) {
    const tl_vec3 axis = tl_wick_axis(wick), air = tl_vec3_of(wick->draught);
    const tl_vec3 some = fabs(axis.x) < 0.8 ? (tl_vec3){0.9, -0.45, 0} : (tl_vec3){0, 0.9, 0.45};
    tl_vec3 way = tl_vec3_mad(air, -tl_vec3_dot(air, axis), axis);
    if (!(tl_vec3_length(way) > 0))
        way = tl_vec3_mad(some, -tl_vec3_dot(some, axis), axis);
    return tl_vec3_unit(way);
}

/* A place of the wick as long as it is at the start, `below` (m) its tip. */
static tl_vec3 place_at(const tl_wick_def *wick, double below) {
    const double bend = fmin(BEND * wick->radius, tl_wick_reach(wick));
    const double part = fmax(1 - below / bend, 0);
    const tl_vec3 straight = tl_vec3_mad(tl_vec3_of(wick->tip), -below, tl_wick_axis(wick));
    return tl_vec3_mad(straight, LEAN * bend * part * part, aside(wick));
}

/* Where flames were, if one of the whole wick is at `flame` now. */
static tl_vec3 burnt_off(const tl_wick_def *wick, tl_vec3 flame) {
    return tl_vec3_sub(flame, tl_wick_flame(wick, tl_wick_reach(wick)));
}

tl_vec3 tl_wick_end(const tl_wick_def *wick, tl_vec3 flame) {
    return tl_vec3_add(place_at(wick, 0), burnt_off(wick, flame));
}

/* The ring number k of ALONG, close to each other at the tip; the last is at the foot. */
static double below_of(const tl_wick_def *wick, int k) {
    const double bend = fmin(BEND * wick->radius, tl_wick_reach(wick));
    return k < ALONG - 1 ? bend * k / (ALONG - 2) : tl_wick_reach(wick);
}

static tl_status add_ring(const tl_wick_def *wick, int k, tl_mesh *form, tl_error *error) {
    const tl_vec3 axis = tl_wick_axis(wick), u = aside(wick), v = tl_vec3_cross(axis, u);
    const double below = below_of(wick, k), part = fmin(below / below_of(wick, ALONG - 2), 1);
    /* A braid, rounded off at its end. */
    const double thick = TL_WICK_THIN + (1 - TL_WICK_THIN) * part + 0.05 * sin(2.2 * k);
    const double radius = wick->radius * thick * (k == 0 ? 0.5 : 1);
    for (int a = 0; a < AROUND; a++) {
        const double angle = 2 * TL_PI * a / AROUND;
        const tl_vec3 out = tl_vec3_mad(tl_vec3_scale(u, cos(angle)), sin(angle), v);
        TL_TRY(tl_mesh_add_vertex(form, tl_vec3_mad(place_at(wick, below), radius, out), error));
    }
    return TL_OK;
}

static tl_status add_sides(int k, tl_mesh *form, tl_error *error) {
    for (int a = 0; a < AROUND; a++) {
        const uint32_t one = (uint32_t)(k * AROUND + a),
                       next = (uint32_t)(k * AROUND + (a + 1) % AROUND);
        TL_TRY(tl_mesh_add_triangle(form, one, one + AROUND, next, error));
        TL_TRY(tl_mesh_add_triangle(form, next, one + AROUND, next + AROUND, error));
    }
    return TL_OK;
}

static tl_status make_form(const tl_wick_def *wick, tl_mesh *form, tl_error *error) {
    for (int k = 0; k < ALONG; k++)
        TL_TRY(add_ring(wick, k, form, error));
    for (int k = 0; k + 1 < ALONG; k++)
        TL_TRY(add_sides(k, form, error));
    TL_TRY(tl_mesh_add_vertex(
        form, tl_vec3_mad(place_at(wick, 0), 0.3 * wick->radius, tl_wick_axis(wick)), error));
    for (uint32_t a = 0; a < AROUND; a++)
        TL_TRY(tl_mesh_add_triangle(form, ALONG * AROUND, a, (a + 1) % AROUND, error));
    return TL_ARRAY_RESERVE(form->colours, 0, form->vertex_count, error);
}

static void paint(const tl_mesh *form) {
    for (size_t i = 0; i < form->vertex_count; i++) {
        const float low = fminf((float)(i / AROUND) / (ALONG - 2), 1);
        const float part = i == ALONG * AROUND ? 0 : fmaxf(2.5f * (low - 0.6f), 0);
        for (int k = 0; k < 3; k++)
            form->colours[i][k] = charred[k] + part * (soaked[k] - charred[k]);
    }
}

tl_status tl_wick_make(const tl_scene *scene, size_t source, tl_wick_mesh *out,
                       tl_preview_mesh *mesh, tl_error *error) {
    *out = (tl_wick_mesh){.source = source};
    TL_TRY(make_form(wick_of(scene, source), &out->form, error));
    paint(&out->form);
    *mesh = (tl_preview_mesh){.vertices = out->form.vertices,
                              .vertex_count = out->form.vertex_count,
                              .triangles = (const uint32_t(*)[3])out->form.triangles,
                              .triangle_count = out->form.triangle_count,
                              .colours = &out->form.colours[0][0],
                              .pose = tl_pose_none()};
    memcpy(mesh->colour, charred, sizeof mesh->colour);
    return TL_OK;
}

/* It is moved down by what has burnt off its tip: its foot is in the matter or below it, where it
 * is not seen. */
void tl_wick_burn(const tl_scene *scene, const tl_wick_mesh *own, const tl_frame *frame,
                  tl_preview_mesh *mesh) {
    mesh->pose = tl_pose_none();
    if (own->source < frame->flame_count)
        mesh->pose.place =
            burnt_off(wick_of(scene, own->source), tl_vec3_of(frame->flame[own->source].at));
}
