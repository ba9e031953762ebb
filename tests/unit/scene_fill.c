/* Bodies filled with particles: how many, where, and whose. */
#include "scene/fill.h"
#include "scene_texts.h"

#include <math.h>
#include <stdio.h>

static size_t fill(const char *body, tl_seed **seeds) {
    tl_text text = {0};
    tl_text_print(&text, "spacing: 0.1\nbodies:\n  - {material: water, %s}\n", body);
    tl_scene *scene = load(text.bytes, NULL);
    size_t count;
    tl_error error = {0};
    cr_assert_eq(tl_scene_seed(scene, &(tl_parallel){.threads = 1}, seeds, &count, &error), TL_OK,
                 "%s", error.what);
    tl_scene_destroy(scene);
    free(text.bytes);
    return count;
}

static double distance(const tl_seed *a, const tl_seed *b) {
    return hypot(hypot(a->position[0] - b->position[0], a->position[1] - b->position[1]),
                 a->position[2] - b->position[2]);
}

/* Distance to the nearest other seed, and how many are that near. */
static double nearest(const tl_seed *seeds, size_t count, size_t i, int *touching) {
    double least = HUGE_VAL;
    for (size_t j = 0; j < count; j++)
        if (j != i)
            least = fmin(least, distance(&seeds[i], &seeds[j]));
    *touching = 0;
    for (size_t j = 0; j < count; j++)
        *touching += j != i && distance(&seeds[i], &seeds[j]) < least * (1 + 1e-6);
    return least;
}

Test(fill, a_box_has_an_exact_count_half_a_spacing_inside_its_faces) {
    tl_seed *seeds;
    const size_t count = fill("box: {from: [1, 2, 3], to: [1.3, 2.5, 3.2]}", &seeds);
    cr_assert_eq(count, 3 * 5 * 2);
    cr_assert_float_eq(seeds[0].position[0], 1.05, 1e-12);
    cr_assert_float_eq(seeds[0].position[1], 2.05, 1e-12);
    cr_assert_float_eq(seeds[0].position[2], 3.05, 1e-12);
    cr_assert_float_eq(seeds[count - 1].position[0], 1.25, 1e-12);
    cr_assert_float_eq(seeds[count - 1].position[1], 2.45, 1e-12);
    cr_assert_float_eq(seeds[count - 1].position[2], 3.15, 1e-12);
    free(seeds);
}

Test(fill, round_shapes_keep_their_volume_and_their_centre) {
    static const char *const fills[] = {"cubic", "hexagonal"};
    for (int f = 0; f < 2; f++)
        for (int r = 1; r < 12; r++) {
            char body[200];
            const double radius = 0.1 * r;
            tl_seed *seeds;
            snprintf(body, sizeof body, "fill: %s, sphere: {center: [1, 1, 1], radius: %g}",
                     fills[f], radius);
            const size_t ball = fill(body, &seeds);
            const double volume = 4 * M_PI / 3 * r * r * r;
            /* Lattice points in a ball differ from its volume by less than a part of its shell. */
            cr_assert_lt(fabs((double)ball - volume), 1.2 * r * r + 2, "%s %d: %zu, %g", fills[f],
                         r, ball, volume);
            for (size_t i = 0; i < ball; i++) {
                const tl_seed centre = {.position = {1, 1, 1}};
                cr_assert_leq(distance(&seeds[i], &centre), radius * (1 + 1e-9));
            }
            free(seeds);
            snprintf(body, sizeof body,
                     "fill: %s, cylinder: {from: [0, 0, 0], to: [3, 0, 4], radius: %g}", fills[f],
                     radius);
            const size_t tube = fill(body, &seeds);
            cr_assert_lt(fabs((double)tube / (50 * M_PI * r * r) - 1), r < 3 ? 0.3 : 0.1,
                         "%s %d: %zu", fills[f], r, tube);
            double middle[3] = {0};
            for (size_t i = 0; i < tube; i++)
                for (int k = 0; k < 3; k++)
                    middle[k] += seeds[i].position[k] / (double)tube;
            cr_assert_lt(fabs(middle[0] - 1.5) + fabs(middle[1]) + fabs(middle[2] - 2), 0.08);
            free(seeds);
        }
}

/* How deep x is in the hull of two balls, by trying the balls between them. */
static double slow_depth(const double x[3], const double from[3], const double to[3], double r,
                         double s) {
    double deepest = -HUGE_VAL;
    for (int t = 0; t <= 4000; t++) {
        const double part = t / 4000.0;
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += pow(x[k] - from[k] - part * (to[k] - from[k]), 2);
        deepest = fmax(deepest, r + part * (s - r) - sqrt(square));
    }
    return deepest;
}

Test(fill, limbs_hold_the_lattice_points_between_their_ends_once) {
    const double from[3] = {0, 0, 0.5}, to[3] = {1, 0.5, 1.5}, lone[3] = {0, 0, 0.5};
    tl_seed *seeds, *again;
    const size_t count = fill("fill: cubic, limbs: [{from: [0, 0, 0.5], to: [1, 0.5, 1.5], "
                              "radius: 0.5, end_radius: 0.25}]",
                              &seeds);
    /* Every point of the same lattice, inside or not, decides as the slow search does. */
    size_t expected = 0;
    double low = HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        cr_assert_geq(slow_depth(seeds[i].position, from, to, 0.5, 0.25), -1e-6);
        low = fmin(low, seeds[i].position[2]);
    }
    cr_assert_float_eq(low, 0.05, 1e-9, "the lowest layer is half a spacing up: %g", low);
    for (int i = -18; i <= 18; i++) /* the limb is 1.75 x 1.25 x 1.75 m */
        for (int j = -13; j <= 13; j++)
            for (int k = 0; k < 18; k++) {
                const double x[3] = {seeds[0].position[0] + 0.1 * i, seeds[0].position[1] + 0.1 * j,
                                     0.05 + 0.1 * k};
                expected += slow_depth(x, from, to, 0.5, 0.25) >= 0;
            }
    cr_assert_eq(count, expected);
    const size_t twice = fill("fill: cubic, limbs: [{from: [0, 0, 0.5], radius: 0.5}, {from: [0, "
                              "0, 0.5], to: [1, 0.5, 1.5], radius: 0.5, end_radius: 0.25}]",
                              &again);
    cr_assert_eq(twice, count);
    cr_assert_eq(memcmp(seeds, again, count * sizeof *seeds), 0);
    free(again);
    /* A ball within the other end adds nothing to it. */
    const size_t ball = fill("fill: cubic, limbs: [{from: [0, 0, 0.5], to: [0.1, 0, 0.5], radius: "
                             "0.5, end_radius: 0.2}]",
                             &again);
    cr_assert_lt(fabs((double)ball - 4 * M_PI / 3 * 125), 35);
    for (size_t i = 0; i < ball; i++)
        cr_assert_geq(slow_depth(again[i].position, lone, lone, 0.5, 0.5), -1e-9);
    free(again);
    free(seeds);
}

Test(fill, hexagonal_is_close_packed_with_a_spacing_cubed_for_each) {
    tl_seed *seeds;
    const size_t count = fill("fill: hexagonal, box: {from: [0, 0, 0], to: [1, 1, 1]}", &seeds);
    cr_assert_float_eq((double)count, 1000, 60);
    int touching;
    size_t inner = 0;
    for (size_t i = 0; i < count; i++) {
        const double *x = seeds[i].position;
        cr_assert(x[0] > 0 && x[0] < 1 && x[1] > 0 && x[1] < 1 && x[2] > 0 && x[2] < 1.001);
        if (fmin(fmin(x[0], x[1]), x[2]) < 0.25 || fmax(fmax(x[0], x[1]), x[2]) > 0.75)
            continue;
        inner++;
        cr_assert_float_eq(nearest(seeds, count, i, &touching), 0.1 * pow(2, 1.0 / 6), 1e-9);
        cr_assert_eq(touching, 12);
    }
    cr_assert_gt(inner, 50);
    free(seeds);
}

Test(fill, jitter_is_bounded_and_belongs_to_the_seed) {
    tl_seed *a, *b, *still;
    const char *shape = "fill: jittered, jitter: 0.2, box: {from: [0, 0, 0], to: [1, 1, 1]}";
    const size_t count = fill(shape, &a);
    cr_assert_eq(fill(shape, &b), count);
    cr_assert_eq(memcmp(a, b, count * sizeof *a), 0);
    cr_assert_eq(fill("box: {from: [0, 0, 0], to: [1, 1, 1]}", &still), count);
    double farthest = 0, mean = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const double moved = a[i].position[k] - still[i].position[k];
            farthest = fmax(farthest, fabs(moved));
            mean += moved / (3 * (double)count);
        }
    cr_assert(farthest <= 0.02 && farthest > 0.0195);
    cr_assert_lt(fabs(mean), 0.001);
    free(a);
    free(b);
    free(still);
}

Test(fill, seeds_carry_their_body_material_and_velocity) {
    tl_scene *scene = load("spacing: 0.1\nbodies:\n"
                           "  - {material: honey, sphere: {center: [0, 0, 0], radius: 0.3}}\n"
                           "  - {material: water, velocity: [1, 2, 3],\n"
                           "     sphere: {center: [1, 0, 0], radius: 0.3}}\n"
                           "materials: {x: {like: water}, honey: {like: honey}}\n",
                           NULL);
    tl_seed *seeds;
    size_t count;
    cr_assert_eq(tl_scene_seed(scene, &(tl_parallel){.threads = 1}, &seeds, &count, NULL), TL_OK);
    const tl_material *materials = scene->materials.items;
    cr_assert_eq(seeds[0].body, 0);
    cr_assert_str_eq(materials[seeds[0].material].name, "honey");
    cr_assert_eq(seeds[count - 1].body, 1);
    cr_assert_str_eq(materials[seeds[count - 1].material].name, "water");
    cr_assert_eq(seeds[count - 1].velocity[2], 3);
    cr_assert_eq(seeds[0].velocity[2], 0);
    free(seeds);
    tl_scene_destroy(scene);
}

static tl_status seed_two(const char *second, const char *walls, tl_error *error) {
    tl_text text = {0};
    tl_text_print(&text,
                  "spacing: 0.1\n%sbodies:\n"
                  "  - {name: first, material: water, box: {from: [0, 0, 0], to: [1, 1, 1]}}\n"
                  "  - {name: second, material: water, %s}\n",
                  walls, second);
    tl_scene *scene = load(text.bytes, NULL);
    free(text.bytes);
    tl_seed *seeds;
    size_t count;
    const tl_status status =
        tl_scene_seed(scene, &(tl_parallel){.threads = 1}, &seeds, &count, error);
    if (status == TL_OK)
        free(seeds);
    tl_scene_destroy(scene);
    return status;
}

Test(fill, bodies_may_touch_but_not_overlap) {
    tl_error error = {0};
    cr_assert_eq(seed_two("box: {from: [1, 0, 0], to: [2, 1, 1]}", "", &error), TL_OK);
    cr_assert_eq(seed_two("box: {from: [-1, -1, -1], to: [0, 0, 0]}", "", &error), TL_OK);
    cr_assert_eq(seed_two("box: {from: [0.9, 0.9, 0.9], to: [2, 2, 2]}", "", &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "\"first\" and \"second\" overlap at (0.95, 0.95, 0.95)"), "%s",
              error.what);
    cr_assert_eq(seed_two("sphere: {center: [1.1, 1.1, 0.5], radius: 0.4}", "", &error),
                 TL_BAD_INPUT);
    cr_assert_eq(seed_two("sphere: {center: [1.3, 1.3, 0.5], radius: 0.4}", "", &error), TL_OK);
}

Test(fill, a_cylinder_may_pass_an_obstacle_but_not_pierce_it) {
    tl_error error = {0};
    const char *pole = "cylinder: {from: [2, 2, 0], to: [4, 4, 0], radius: 0.3}";
    cr_assert_eq(
        seed_two(pole, "walls: [{box: {from: [3.5,2,-1], to: [4,3,1]}, outside: true}]\n", &error),
        TL_OK, "%s", error.what);
    cr_assert_eq(seed_two(pole,
                          "walls: [{name: w, box: {from: [3,3,-1], to: [4,4,1]}, outside: true}]\n",
                          &error),
                 TL_BAD_INPUT);
    cr_assert(strstr(error.what, "\"second\" reaches into wall \"w\""));
}

/* ---- What a fill is when nothing is said ---- */

static int fill_of(const char *body) {
    tl_text text = {0};
    tl_text_print(&text, "spacing: 0.1\nbodies:\n  - {material: water, %s}\n", body);
    tl_scene *scene = load(text.bytes, NULL);
    const int found = body_at(scene, 0)->fill;
    tl_scene_destroy(scene);
    free(text.bytes);
    return found;
}

static const char a_ball[] = "sphere: {center: [0, 0, 0], radius: 0.5}";

Test(fill, without_a_word_boxes_are_gridded_and_all_else_follows_its_surface) {
    cr_assert_eq(fill_of("box: {from: [0, 0, 0], to: [1, 1, 1]}"), TL_FILL_CUBIC);
    cr_assert_eq(fill_of(a_ball), TL_FILL_CONFORMING);
    cr_assert_eq(fill_of("cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 0.5}"),
                 TL_FILL_CONFORMING);
    cr_assert_eq(fill_of("cone: {from: [0, 0, 0], to: [0, 0, 1], radius: 0.5}"),
                 TL_FILL_CONFORMING);
    cr_assert_eq(fill_of("limbs: [{from: [0, 0, 0], radius: 0.5}]"), TL_FILL_CONFORMING);
    cr_assert_eq(fill_of("rounded_box: {from: [0, 0, 0], to: [1, 1, 1], radius: 0.2}"),
                 TL_FILL_CONFORMING);
    char text[200];
    snprintf(text, sizeof text, "fill: cubic, %s", a_ball);
    cr_assert_eq(fill_of(text), TL_FILL_CUBIC);
    /* the distance at which thermal particles rest is that of a lattice */
    tl_scene *scene = load("spacing: 0.1\ndynamics: thermal-particles\n"
                           "materials: {m: {cohesion: {energy: 200}}}\n"
                           "bodies: [{material: m, sphere: {center: [0, 0, 1], radius: 0.5}}]\n",
                           NULL);
    cr_assert_eq(body_at(scene, 0)->fill, TL_FILL_CUBIC);
    tl_scene_destroy(scene);
}

/* Particles stand for spacing³ each: as many as the volume asks for, to 1 %, overlaps once. */
Test(fill, without_a_word_bodies_have_the_mass_of_their_shape) {
    const struct {
        const char *body;
        double volume; /* spacings³ */
    } cases[] = {
        {"sphere: {center: [0, 0, 0], radius: 0.53}", 4 * M_PI / 3 * pow(5.3, 3)},
        {"cylinder: {from: [0, 0, 0], to: [0, 0, 1.17], radius: 0.44}", M_PI * 4.4 * 4.4 * 11.7},
        {"cone: {from: [0, 0, 0], to: [0, 0, 1.3], radius: 0.6}", M_PI / 3 * 36 * 13},
        /* two balls a radius apart: together less than two by the lens they share, 5/12 π r³ */
        {"limbs: [{from: [0, 0, 0], radius: 0.6}, {from: [0.6, 0, 0], radius: 0.6}]",
         (8.0 / 3 - 5.0 / 12) * M_PI * 216},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        tl_seed *seeds;
        const double count = (double)fill(cases[k].body, &seeds);
        cr_expect_float_eq(count / cases[k].volume, 1, 0.01, "%s: %g of %g", cases[k].body, count,
                           cases[k].volume);
        free(seeds);
    }
}

/* The part of particles well inside that stand in the planes of the grid across an axis. */
static double order_along(const tl_seed *seeds, size_t count, int axis, double radius) {
    double even = 0, odd = 0, inner = 0;
    for (size_t i = 0; i < count; i++) {
        const double *x = seeds[i].position;
        if (hypot(hypot(x[0], x[1]), x[2]) > radius)
            continue;
        even += cos(2 * M_PI * x[axis] / 0.1);
        odd += sin(2 * M_PI * x[axis] / 0.1);
        inner++;
    }
    return hypot(even, odd) / inner;
}

/* That of as many places at random is some 0.03. */
Test(fill, without_a_grid_means_inside_as_well) {
    static const char *const fills[] = {"relaxed", "conforming", "cubic"};
    for (int f = 0; f < 3; f++) {
        char body[200];
        tl_seed *seeds;
        snprintf(body, sizeof body, "fill: %s, sphere: {center: [0, 0, 0], radius: 0.83}",
                 fills[f]);
        const size_t count = fill(body, &seeds);
        for (int k = 0; k < 3; k++) {
            const double order = order_along(seeds, count, k, 0.6);
            cr_expect(f == 2 ? order > 0.99 : order < 0.3, "%s: %g along %d", fills[f], order, k);
        }
        free(seeds);
    }
}
