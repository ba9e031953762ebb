/* See picture_nozzles.h. A spout is a pipe around the mouth: its outline, outside from the closed
 * back to the front, and inside back again. */
#include "run/picture_nozzles.h"

#include "math/pi.h"

#include <string.h>

/* In radii of the mouth, or halves of its shorter side: how far the pipe goes back, and how thick
 * its wall is. */
#define BACK 1.2
#define WALL 0.14

/* In spacings: the gap between matter and pipe, and how long a nozzle is without a word. */
#define GAP    0.15
#define LENGTH 3.0

static const float steel[3] = {0.42f, 0.44f, 0.47f};

bool tl_emitter_shows_spout(const tl_emitter_def *e) {
    return !e->hidden && (e->has_disc || e->has_rectangle);
}

/* Point k of the outline of the mouth, wider by `more`, across and along it. */
static void outline(const tl_emitter_def *e, int k, double more, double out[2]) {
    if (e->has_disc) {
        const double angle = 2 * TL_PI * k / TL_SPOUT_SIDES, r = e->disc.radius + more;
        out[0] = r * cos(angle), out[1] = r * sin(angle);
        return;
    }
    /* As many points on each side of the rectangle; its corners are among them. */
    const int side = k / (TL_SPOUT_SIDES / 4), at = k % (TL_SPOUT_SIDES / 4);
    const double t = 2 * (double)at / (TL_SPOUT_SIDES / 4) - 1;
    static const double ends[4][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    static const double ways[4][2] = {{0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    const double half[2] = {0.5 * e->rectangle.width + more, 0.5 * e->rectangle.height + more};
    for (int c = 0; c < 2; c++)
        out[c] = half[c] * (ways[side][c] != 0 ? t * ways[side][c] : ends[side][c]);
}

/* As boundary/nozzle.c has them. */
static void find_axes(tl_vec3 d, tl_vec3 *across, tl_vec3 *along) {
    const tl_vec3 level = tl_vec3_cross((tl_vec3){0, 0, 1}, d);
    *across = tl_vec3_length(level) > 1e-6 ? tl_vec3_unit(level)
                                           : tl_vec3_unit(tl_vec3_mad((tl_vec3){1, 0, 0}, -d.x, d));
    *along = tl_vec3_cross(d, *across);
}

void tl_spout_make(const tl_emitter_def *e, double spacing, tl_spout *out, tl_preview_mesh *mesh) {
    const tl_mouth mouth = tl_emitter_mouth(e);
    const double size =
        e->has_disc ? e->disc.radius : 0.5 * fmin(e->rectangle.width, e->rectangle.height);
    const double gap = GAP * spacing, wall = gap + WALL * size;
    const double front = e->has_length ? e->length : LENGTH * spacing;
    /* Along the axis, how much wider than the mouth, and what part of that: the middle of the back,
     * the pipe outside, its rim, and the pipe inside as far as one sees into it. */
    const double profile[TL_SPOUT_RINGS][3] = {{-BACK * size, 0, 0},
                                               {-BACK * size, wall, 1},
                                               {front, wall, 1},
                                               {front, gap, 1},
                                               {0, gap, 1}};
    const tl_vec3 d = tl_vec3_unit(mouth.direction);
    tl_vec3 across, along;
    find_axes(d, &across, &along);
    for (int ring = 0; ring < TL_SPOUT_RINGS; ring++)
        for (int k = 0; k < TL_SPOUT_SIDES; k++) {
            double at[2];
            const double part = profile[ring][2];
            outline(e, k, profile[ring][1], at);
            tl_vec3 p = tl_vec3_mad(mouth.center, profile[ring][0], d);
            p = tl_vec3_mad(p, part * at[0], across);
            out->vertices[ring * TL_SPOUT_SIDES + k] = tl_vec3_mad(p, part * at[1], along);
        }
    size_t count = 0;
    for (uint32_t ring = 0; ring + 1 < TL_SPOUT_RINGS; ring++)
        for (uint32_t k = 0; k < TL_SPOUT_SIDES; k++) {
            const uint32_t a = ring * TL_SPOUT_SIDES + k, c = a + TL_SPOUT_SIDES;
            const uint32_t b = ring * TL_SPOUT_SIDES + (k + 1) % TL_SPOUT_SIDES;
            const uint32_t two[2][3] = {{a, b, c}, {b, b + TL_SPOUT_SIDES, c}};
            memcpy(out->triangles[count], two, sizeof two);
            count += 2;
        }
    *mesh = (tl_preview_mesh){.vertices = out->vertices,
                              .triangles = (const uint32_t(*)[3])out->triangles,
                              .vertex_count = TL_SPOUT_SIDES * TL_SPOUT_RINGS,
                              .triangle_count = count,
                              .pose = tl_pose_none()};
    memcpy(mesh->colour, steel, sizeof steel);
}

void tl_spout_aim(const tl_emitter_def *e, double time, tl_preview_mesh *mesh) {
    mesh->pose.place = tl_vec3_scale(tl_vec3_of(e->velocity), time);
}
