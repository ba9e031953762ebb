/* Scenes that leave to the program how bodies are filled and what vessels are made of: balls of
 * liquid stay round, and liquid in every kind of vessel rests where its volume puts it. */
#include "tallow/tallow.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct stage {
    tl_scene *scene;
    tl_world *world;
    size_t count;
    const double *places;
} stage;

static void look(stage *s) {
    tl_field_view view;
    cr_assert(tl_world_field(s->world, "position", &view));
    s->places = view.data;
    s->count = tl_world_count(s->world);
}

static stage open_stage(const char *text) {
    stage s = {0};
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &s.scene, &error), TL_OK,
                 "%s: %s (%s)\n%s", error.where, error.what, error.fix, text);
    cr_assert_eq(tl_world_create(s.scene, NULL, &s.world, &error), TL_OK, "%s", error.what);
    look(&s);
    return s;
}

static void run_to(stage *s, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(s->world, time, &error), TL_OK, "%s", error.what);
    look(s);
}

static void close_stage(stage *s) {
    tl_world_destroy(s->world);
    tl_scene_destroy(s->scene);
}

/* ---- Round things stay round ------------------------------------------------------------------
 */

/* How much the matter reaches farther in four directions than between them: the parts of Σ r⁴ that
 * go with cos 4φ and sin 4φ. A ring has none, a cross of thin bars along x and y has 1 and 0. */
typedef struct cross {
    double even, odd;
} cross;

static cross cross_of(const stage *s) {
    cross c = {0, 0};
    double all = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double x = s->places[3 * i], y = s->places[3 * i + 1], r4 = pow(x * x + y * y, 2);
        c.even += r4 * cos(4 * atan2(y, x));
        c.odd += r4 * sin(4 * atan2(y, x));
        all += r4;
    }
    return (cross){c.even / all, c.odd / all};
}

/* The largest ratio of second moments along x, y, z and the diagonal of these. */
static double oblong_of(const stage *s) {
    static const double ways[4][3] = {
        {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.57735026919, 0.57735026919, 0.57735026919}};
    double low = HUGE_VAL, high = 0, middle[3] = {0};
    for (size_t i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += s->places[3 * i + (size_t)k] / (double)s->count;
    for (int w = 0; w < 4; w++) {
        double sum = 0;
        for (size_t i = 0; i < s->count; i++) {
            double along = 0;
            for (int k = 0; k < 3; k++)
                along += ways[w][k] * (s->places[3 * i + (size_t)k] - middle[k]);
            sum += along * along;
        }
        low = fmin(low, sum), high = fmax(high, sum);
    }
    return high / low;
}

static stage ball_above(double height, int seed, const char *fill) {
    char text[600];
    snprintf(text, sizeof text,
             "spacing: 2.5 mm\nseed: %d\nmaterials: {yolk: {like: egg-yolk, viscosity: 1 Pa·s}}\n"
             "bodies: [{material: yolk, sphere: {center: [0, 0, %g], radius: 18 mm}, velocity: "
             "[0, 0, -1.5]%s}]\n"
             "walls: [{name: floor, plane: z, at: 0}]\n",
             seed, height, fill);
    return open_stage(text);
}

Test(defaults, a_falling_ball_of_liquid_stays_round) {
    stage s = ball_above(0.2, 1, "");
    run_to(&s, 0.08);
    const cross c = cross_of(&s);
    cr_log_info("in the air: oblong %.4f, cross %.4f %.4f", oblong_of(&s), c.even, c.odd);
    cr_expect_lt(oblong_of(&s), 1.02);
    cr_expect_lt(hypot(c.even, c.odd), 0.02);
    close_stage(&s);
}

/* The mean over some seeds of what a ball that has landed looks like. */
static double landed_cross(int seeds, const char *fill) {
    cross mean = {0, 0};
    for (int seed = 1; seed <= seeds; seed++) {
        stage s = ball_above(0.0181, seed, fill);
        run_to(&s, 0.04);
        const cross c = cross_of(&s);
        cr_log_info("landed%s: cross %.4f %.4f", fill, c.even, c.odd);
        mean.even += c.even / seeds;
        mean.odd += c.odd / seeds;
        close_stage(&s);
    }
    return hypot(mean.even, mean.odd);
}

Test(defaults, a_ball_of_liquid_that_lands_does_not_become_a_cross) {
    const double own = landed_cross(4, "");
    cr_expect_lt(own, 0.01, "%g", own);
}

/* ---- Vessels ----------------------------------------------------------------------------------
 */

typedef struct vessel {
    const char *name, *wall, *body;
    double height;                     /* m: the mean of the liquid's at rest */
    bool (*holds)(double r, double z); /* within its inside, distance from the axis and height */
} vessel;

static bool in_pipe(double r, double z) { return r < 0.04 && z > 0 && z < 0.1; }
static bool in_ball(double r, double z) { return hypot(r, z - 0.05) < 0.05; }
static bool in_bowl(double r, double z) { return in_ball(r, z) && z < 0.05; }
static bool in_cone(double r, double z) { return r < 0.02 + 0.4 * z && z > 0 && z < 0.1; }
static bool in_tube(double r, double z) {
    return r < 0.04 && z < 0.12 && (z > 0.04 || hypot(r, z - 0.04) < 0.04);
}

/* Mean height of what a ball of radius r makes in the lower part of one of radius R. */
static double cap_height(double R, double r) {
    double low = 0, high = 2 * R;
    for (int k = 0; k < 60; k++) {
        const double h = (low + high) / 2;
        *(h * h * (3 * R - h) < 4 * r * r * r ? &low : &high) = h;
    }
    return R - 3 * pow(2 * R - low, 2) / (4 * (3 * R - low));
}

static void expect_rest(const vessel *v) {
    char text[900];
    snprintf(text, sizeof text,
             "spacing: 7 mm\nmaterials: {syrup: {density: 1000, viscosity: 1 Pa·s}}\n"
             "bodies: [{material: syrup, %s}]\nwalls: [{name: vessel, %s}]\n",
             v->body, v->wall);
    stage s = open_stage(text);
    const size_t count = s.count;
    run_to(&s, 0.5);
    double height = 0;
    size_t gone = count - s.count;
    for (size_t i = 0; i < s.count; i++) {
        const double z = s.places[3 * i + 2];
        height += z / (double)s.count;
        gone += !v->holds(hypot(s.places[3 * i], s.places[3 * i + 1]), z);
    }
    cr_log_info("%s: %zu particles, height %.4f of %.4f m, %zu gone", v->name, count, height,
                v->height, gone);
    cr_expect_eq(gone, 0, "%s: %zu of %zu left", v->name, gone, count);
    cr_expect_float_eq(height / v->height, 1, 0.05, "%s: %g of %g", v->name, height, v->height);
    close_stage(&s);
}

/* What its fill crowds is no pressure that drives it apart. */
Test(defaults, a_block_without_weight_stays_at_rest_in_any_fill) {
    static const char *const fills[] = {"cubic", "hexagonal", "jittered", "relaxed"};
    for (size_t f = 0; f < sizeof fills / sizeof *fills; f++) {
        char text[512];
        snprintf(text, sizeof text,
                 "spacing: 1 cm\ngravity: [0, 0, 0]\nflow: {scheme: coupled}\n"
                 "materials: {oil: {density: 1000, viscosity: 0.4 Pa·s}}\n"
                 "bodies: [{material: oil, fill: %s, jitter: 0.2, "
                 "box: {from: [0, 0, 0], to: [5 cm, 5 cm, 5 cm]}}]\n",
                 fills[f]);
        stage s = open_stage(text);
        tl_field_view view;
        run_to(&s, 0.2);
        cr_assert(tl_world_field(s.world, "velocity", &view));
        double fastest = 0;
        for (size_t k = 0; k < 3 * s.count; k++)
            fastest = fmax(fastest, fabs(((const double *)view.data)[k]));
        cr_log_info("%s: %.2g m/s", fills[f], fastest);
        cr_expect_lt(fastest, 1e-6, "%s: %g m/s", fills[f], fastest);
        close_stage(&s);
    }
}

Test(defaults, closed_vessels_hold_their_liquid) {
    const vessel vessels[] = {
        {"hollow cylinder",
         "cylinder: {from: [0, 0, 0], to: [0, 0, 10 cm], radius: 4 cm}, hollow: true",
         "cylinder: {from: [0, 0, 0], to: [0, 0, 5 cm], radius: 4 cm}", 0.025, in_pipe},
        {"hollow sphere", "sphere: {center: [0, 0, 5 cm], radius: 5 cm}, hollow: true",
         "sphere: {center: [0, 0, 37 mm], radius: 35 mm}", cap_height(0.05, 0.035), in_ball},
    };
    for (size_t k = 0; k < sizeof vessels / sizeof vessels[0]; k++)
        expect_rest(&vessels[k]);
}

Test(defaults, open_vessels_hold_their_liquid) {
    const double r = 0.02, e = 0.04, tube = 2 * PI / 3 * pow(0.04, 3),
                 more = 4 * PI / 3 * pow(0.035, 3) - tube, rise = more / (PI * 0.0016);
    const vessel vessels[] = {
        {"cylinder", "cylinder: {from: [0, 0, 0], to: [0, 0, 10 cm], radius: 4 cm}, open: z",
         "cylinder: {from: [0, 0, 0], to: [0, 0, 5 cm], radius: 4 cm}", 0.025, in_pipe},
        {"bowl", "sphere: {center: [0, 0, 5 cm], radius: 5 cm}, open: z",
         "sphere: {center: [0, 0, 32 mm], radius: 30 mm}", cap_height(0.05, 0.03), in_bowl},
        {"cone",
         "cone: {from: [0, 0, 10 cm], to: [0, 0, 0], radius: 6 cm, end_radius: 2 cm}, open: z",
         "cone: {from: [0, 0, 0], to: [0, 0, 5 cm], radius: 2 cm, end_radius: 4 cm}",
         0.05 * (r * r + 2 * r * e + 3 * e * e) / (4 * (r * r + r * e + e * e)), in_cone},
        {"capsule", "capsule: {from: [0, 0, 4 cm], to: [0, 0, 12 cm], radius: 4 cm}, open: z",
         "sphere: {center: [0, 0, 4 cm], radius: 35 mm}",
         (tube * 0.025 + more * (0.04 + rise / 2)) / (tube + more), in_tube},
    };
    for (size_t k = 0; k < sizeof vessels / sizeof vessels[0]; k++)
        expect_rest(&vessels[k]);
}

/* On a lying cylinder, and beside it: none gets in. */
Test(defaults, a_cylinder_is_an_obstacle) {
    stage s =
        open_stage("spacing: 5 mm\nmaterials: {syrup: {density: 1000, viscosity: 1 Pa·s}}\n"
                   "bodies: [{material: syrup, box: {from: [-4 cm, -2 cm, 5 cm], to: [4 cm, 2 "
                   "cm, 8 cm]}}]\n"
                   "walls: [{plane: z, at: 0}, {cylinder: {from: [0, -6 cm, 25 mm], to: [0, 6 "
                   "cm, 25 mm], radius: 25 mm}}]\n");
    run_to(&s, 0.2);
    double nearest = HUGE_VAL, lowest = HUGE_VAL;
    for (size_t i = 0; i < s.count; i++) {
        const double *x = s.places + 3 * i;
        if (fabs(x[1]) < 0.06)
            nearest = fmin(nearest, hypot(x[0], x[2] - 0.025));
        lowest = fmin(lowest, x[2]);
    }
    cr_log_info("nearest to the axis %.4f m, lowest %.4f m", nearest, lowest);
    cr_expect_gt(nearest, 0.025 - 0.02 * 0.005);
    cr_expect_lt(lowest, 0.03, "nothing runs down beside it");
    close_stage(&s);
}
