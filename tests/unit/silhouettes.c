/* Outlines and dents of filled bodies in the look `smooth`, measured in the picture: they are those
 * of the bodies, not of the particles in them. Lengths are in radii of the bodies. */
#include "silhouettes.h"
#include "render/skin.h"
#include "render/triangles.h"

#include <criterion/criterion.h>
#include <math.h>

enum { SIDE = 512, ANGLES = 720, FINENESSES = 3 };

/* Pixels a unit in the plane of the middle. */
#define SCALE 170.0
/* From so far away that the rims of round bodies are nearly in that plane. */
#define DISTANCE 60.0

/* A radius has so many spacings. */
static const double finenesses[FINENESSES] = {5, 8, 12};

typedef struct picture {
    tl_arena arena;
    filled_body *body;
    tl_preview_skin matter;
    tl_preview_scene scene, rest; /* with and without the particles */
    tl_view view;
    tl_skin skin;
} picture;

/* What is seen from -y: x is right, z is up. */
static void take(const char *body, double spacing, double shake, picture *out) {
    const tl_parallel parallel = {.threads = 1};
    static tl_float3 scratch[SIDE * SIDE];
    const tl_camera camera = {
        {0, -DISTANCE, 0}, {0, 0, 0}, {0, 0, 1}, 2 * atan(0.5 * SIDE / SCALE / DISTANCE)};
    tl_error error = {0};
    *out = (picture){.body = filled_body_make(body, spacing, shake), .scene = tl_preview_default()};
    out->matter = filled_body_skin(out->body);
    out->rest = out->scene;
    out->scene.positions = filled_body_places(out->body);
    out->scene.count = out->matter.count;
    out->scene.skin = &out->matter;
    cr_assert_eq(tl_view_create(&out->arena, &out->rest, &camera, SIDE, SIDE, &out->view, &error),
                 TL_OK);
    cr_assert_eq(tl_skin_make(&parallel, &out->arena, &out->view, &out->scene, &out->skin, &error),
                 TL_OK);
    out->view.skin = &out->skin;
    cr_assert_eq(tl_triangles_build(&parallel, &out->arena, &out->view, &error), TL_OK);
    cr_assert_eq(tl_raster(&parallel, &out->arena, &out->view, &error), TL_OK);
    cr_assert_eq(tl_skin_soften(&parallel, &out->arena, &out->view, &error), TL_OK);
    tl_skin_turn(&parallel, &out->view, scratch);
}

static void put_away(picture *p) {
    tl_arena_free(&p->arena);
    filled_body_free(p->body);
}

/* How much of a place is covered, 0 to 1, between the middles of pixels. */
static double cover_at(const picture *p, double x, double z) {
    const double px = 0.5 * SIDE + SCALE * x - 0.5, py = 0.5 * SIDE - SCALE * z - 0.5;
    const int i = (int)floor(px), j = (int)floor(py);
    const double u = px - i, v = py - j;
    cr_assert(i >= 0 && j >= 0 && i + 1 < SIDE && j + 1 < SIDE);
    const uint8_t *c = &p->skin.cover[j * SIDE + i];
    return 0.25 *
           ((1 - v) * ((1 - u) * c[0] + u * c[1]) + v * ((1 - u) * c[SIDE] + u * c[SIDE + 1]));
}

/* The way from a place within along a direction until half of a pixel is covered. */
static double way_out(const picture *p, double x, double z, double along_x, double along_z) {
    double low = 0, high = 1.4;
    cr_assert(cover_at(p, x, z) > 0.5 && cover_at(p, x + high * along_x, z + high * along_z) < 0.5);
    for (int k = 0; k < 30; k++) {
        const double middle = 0.5 * (low + high);
        const bool is_in = cover_at(p, x + middle * along_x, z + middle * along_z) > 0.5;
        *(is_in ? &low : &high) = middle;
    }
    return low;
}

/* Root mean square of what a straight line leaves of ways, in radii. */
static double off_line(const double *way, int count) {
    double mean = 0, slope = 0, squares = 0, sum = 0;
    for (int k = 0; k < count; k++) {
        const double t = k - 0.5 * (count - 1);
        mean += way[k] / count, slope += t * way[k], squares += t * t;
    }
    for (int k = 0; k < count; k++) {
        const double off = way[k] - mean - slope / squares * (k - 0.5 * (count - 1));
        sum += off * off;
    }
    return sqrt(sum / count);
}

static double round_outline(const picture *p) {
    double way[ANGLES], mean = 0, sum = 0;
    for (int k = 0; k < ANGLES; k++) {
        way[k] = way_out(p, 0, 0, cos(2 * M_PI / ANGLES * k), sin(2 * M_PI / ANGLES * k));
        mean += way[k] / ANGLES;
    }
    for (int k = 0; k < ANGLES; k++)
        sum += (way[k] - mean) * (way[k] - mean);
    return sqrt(sum / ANGLES);
}

/* Of what stands upright, away from its ends: the worse of both sides. */
static double straight_outline(const picture *p) {
    double left[ANGLES], right[ANGLES];
    for (int k = 0; k < ANGLES; k++) {
        const double z = 0.7 * (2.0 * k / (ANGLES - 1) - 1);
        left[k] = way_out(p, 0, z, -1, 0), right[k] = way_out(p, 0, z, 1, 0);
    }
    return fmax(off_line(left, ANGLES), off_line(right, ANGLES));
}

static void outline_is_smooth(const char *name, const char *body,
                              double (*outline)(const picture *)) {
    double before = HUGE_VAL;
    for (int k = 0; k < FINENESSES; k++) {
        const double spacing = 1 / finenesses[k];
        static picture p;
        take(body, spacing, 0, &p);
        const double off = outline(&p);
        cr_expect_lt(off, 0.05 * spacing, "%s, %g spacings a radius: %g spacings", name,
                     finenesses[k], off / spacing);
        cr_expect_lt(off, before, "%s: finer is not smoother: %g after %g", name, off, before);
        before = off;
        put_away(&p);
    }
}

Test(silhouettes, of_a_ball_are_smooth) {
    outline_is_smooth("ball", "sphere: {center: [0, 0, 0], radius: 1}", round_outline);
}

Test(silhouettes, of_a_cylinder_are_smooth) {
    outline_is_smooth("cylinder", "cylinder: {from: [0, 0, -1.2], to: [0, 0, 1.2], radius: 0.6}",
                      straight_outline);
}

/* Two to five spacings thick: the free edge of what has spread. */
Test(silhouettes, of_a_round_sheet_are_smooth) {
    outline_is_smooth("sheet", "cylinder: {from: [0, -0.2, 0], to: [0, 0.2, 0], radius: 1}",
                      round_outline);
}

/* Three to seven spacings thick. */
Test(silhouettes, of_a_thread_are_smooth) {
    outline_is_smooth("thread", "cylinder: {from: [0, 0, -1.2], to: [0, 0, 1.2], radius: 0.3}",
                      straight_outline);
}

/* How deep a point on the ray through a pixel is in two balls; negative outside both. */
static double depth_within(const picture *p, int x, int y, double half, double radius) {
    const double depth = 1 / (double)p->skin.near[y * SIDE + x];
    const double rx = (double)tl_pixel_x(&p->view, x), rz = (double)tl_pixel_y(&p->view, y);
    const tl_vec3 at = {depth * rx, depth - DISTANCE, depth * rz};
    return radius - fmin(tl_vec3_length(tl_vec3_sub(at, (tl_vec3){-half, 0, 0})),
                         tl_vec3_length(tl_vec3_sub(at, (tl_vec3){half, 0, 0})));
}

/* Two balls that are one body: between them is a dent. Nothing lies a quarter of a spacing deeper
 * in them than the skin does in the mean. */
Test(silhouettes, have_no_pits_in_a_dent) {
    for (int k = 0; k < FINENESSES; k++) {
        static picture p;
        const double spacing = 1 / finenesses[k];
        double deepest = 0, sum = 0, count = 0;
        take("limbs: [{from: [-0.45, 0, 0], radius: 0.8}, {from: [0.45, 0, 0], radius: 0.8}]",
             spacing, 0, &p);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                if (p.skin.cover[y * SIDE + x] == 4) {
                    const double depth = depth_within(&p, x, y, 0.45, 0.8);
                    deepest = fmax(deepest, depth), sum += depth, count++;
                }
        cr_expect_lt(deepest - sum / count, 0.25 * spacing, "%g spacings a radius: %g spacings",
                     finenesses[k], (deepest - sum / count) / spacing);
        put_away(&p);
    }
}

/* What has flowed is no longer in order. Moving particles by a fifth of a spacing, 0.12 in the
 * mean, moves the free edge by less. */
Test(silhouettes, of_disorder_are_smoother_than_it) {
    for (int k = 0; k < FINENESSES; k++) {
        static picture p;
        const double spacing = 1 / finenesses[k];
        take("cylinder: {from: [0, -0.2, 0], to: [0, 0.2, 0], radius: 1}", spacing, 0.2, &p);
        const double off = round_outline(&p);
        cr_expect_lt(off, 0.1 * spacing, "%g spacings a radius: %g spacings", finenesses[k],
                     off / spacing);
        put_away(&p);
    }
}
