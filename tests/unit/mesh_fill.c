/* Bodies that are forms: how many particles, how far apart, how deep; and what is refused. */
#include "scene/fill.h"
#include "scene/shapes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static tl_scene *load(const char *body, const char *fill) {
    char text[2048];
    snprintf(text, sizeof text,
             "spacing: 1 cm\n"
             "bodies:\n"
             "  - {material: water, %s, fill: %s}\n"
             "walls:\n"
             "  - {name: floor, plane: z, at: -0.5}\n",
             body, fill);
    tl_scene *scene = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s: %s (%s)", error.where, error.what, error.fix);
    return scene;
}

static const tl_body_def *first_body(const tl_scene *scene) { return scene->bodies.items; }

static size_t seed(const tl_scene *scene, int threads, tl_seed **seeds) {
    size_t count;
    tl_error error = {0};
    const tl_parallel parallel = tl_parallel_adverse(threads);
    cr_assert_eq(tl_scene_seed(scene, &parallel, seeds, &count, &error), TL_OK, "%s", error.what);
    return count;
}

/* What a filling looks like, in spacings. */
typedef struct look {
    size_t count;
    double part;    /* of the volume */
    double closest; /* pair */
    double shallow; /* least depth below the surface */
    double
        outermost; /* the same where a spacing below the surface is half a spacing from all of it */
    double layer_off; /* root mean square of depth - ½ of those above one */
    double uneven;    /* root mean square of the neighbours within 1.5 well inside, by their mean */
} look;

static look look_at(const tl_scene *scene, const tl_seed *seeds, size_t count) {
    const tl_body_def *body = first_body(scene);
    const double dx = scene->spacing;
    look l = {.count = count, .closest = HUGE_VAL, .shallow = HUGE_VAL, .outermost = HUGE_VAL};
    l.part = (double)count / tl_fill_estimate(body, dx);
    double off = 0, sum = 0, squares = 0;
    size_t outer = 0, inner = 0;
    for (size_t i = 0; i < count; i++) {
        const tl_vec3 x = tl_vec3_of(seeds[i].position);
        size_t near = 0;
        for (size_t j = 0; j < count; j++) {
            const double d = tl_vec3_length(tl_vec3_sub(x, tl_vec3_of(seeds[j].position))) / dx;
            if (j != i)
                l.closest = fmin(l.closest, d);
            near += d < 1.5;
        }
        const double depth = tl_body_depth(body, x) / dx;
        l.shallow = fmin(l.shallow, depth);
        double surface;
        tl_vec3 outward;
        if (tl_body_surface(body, x, dx, &surface, &outward) &&
            tl_body_depth(body, tl_vec3_mad(x, surface - dx, outward)) > 0.5 * dx)
            l.outermost = fmin(l.outermost, depth);
        if (depth < 1) {
            off += (depth - 0.5) * (depth - 0.5);
            outer++;
        } else if (depth > 2) {
            sum += (double)near;
            squares += (double)(near * near);
            inner++;
        }
    }
    l.layer_off = sqrt(off / (double)outer);
    if (inner) {
        const double mean = sum / (double)inner;
        l.uneven = sqrt(fmax(0, squares / (double)inner - mean * mean)) / mean;
    }
    return l;
}

static const char *const shapes[] = {
    "capsule: {from: [0, 0, 0], to: [0.05, 0.02, 0.08], radius: 5 cm}",
    "torus: {axis: [1, 2, 3], radius: 8 cm, tube_radius: 3 cm}",
    "cone: {from: [0, 0, 0], to: [0, 0, 0.15], radius: 8 cm}",
    "rounded_box: {from: [0, 0, 0], to: [0.15, 0.12, 0.1], radius: 2 cm}, rotate: [0.3, 0.5, 0.7]",
    "sphere: {center: [0, 0, 0], radius: 7 cm}",
    "limbs: [{from: [0, 0, 0], radius: 5 cm}, {from: [6 cm, 0, 4 cm], radius: 3 cm}]",
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Evenly spread fills have no lattice to be measured by: never close, never at the surface, as many
 * as the volume asks for, and alike everywhere. */
Test(fill, relaxed_particles_keep_their_distance_and_their_depth) {
    for (int s = 0; s < SHAPES; s++) {
        tl_scene *scene = load(shapes[s], "relaxed");
        tl_seed *seeds;
        const size_t count = seed(scene, 1, &seeds);
        const look l = look_at(scene, seeds, count);
        if (!first_body(scene)->has_limbs) /* they overlap: the estimate is no measure */
            cr_assert_float_eq(l.part, 1, 1e-3, "shape %d: %g", s, l.part);
        cr_assert_gt(l.closest, 0.75, "shape %d: %g", s, l.closest);
        cr_assert_gt(l.shallow, 0.29, "shape %d: %g", s, l.shallow);
        cr_assert_lt(l.layer_off, 0.15, "shape %d: %g", s, l.layer_off);
        cr_assert_lt(l.uneven, 0.1, "shape %d: %g", s, l.uneven);
        free(seeds);
        tl_scene_destroy(scene);
    }
}

Test(fill, conforming_particles_begin_half_a_spacing_below_the_surface) {
    for (int s = 0; s < SHAPES; s++) {
        tl_scene *scene = load(shapes[s], "conforming");
        tl_seed *seeds;
        const size_t count = seed(scene, 1, &seeds);
        const look l = look_at(scene, seeds, count);
        if (!first_body(scene)->has_limbs)
            cr_assert_float_eq(l.part, 1, 1e-3, "shape %d: %g", s, l.part);
        cr_assert_gt(l.closest, 0.7, "shape %d: %g", s, l.closest);
        cr_assert_gt(l.shallow, 0.29, "shape %d: %g", s, l.shallow);
        cr_assert_gt(l.outermost, 0.47, "shape %d: %g", s, l.outermost);
        cr_assert_lt(l.layer_off, 0.05, "shape %d: %g", s, l.layer_off);
        cr_assert_lt(l.uneven, 0.1, "shape %d: %g", s, l.uneven);
        free(seeds);
        tl_scene_destroy(scene);
    }
}

Test(fill, lattices_meet_the_volume_and_stay_inside) {
    static const char *const fills[] = {"cubic", "hexagonal"};
    static const double distance[] = {1, 1.1224};
    for (int s = 0; s < 4; s++)
        for (int f = 0; f < 2; f++) {
            tl_scene *scene = load(shapes[s], fills[f]);
            tl_seed *seeds;
            const size_t count = seed(scene, 1, &seeds);
            const look l = look_at(scene, seeds, count);
            cr_assert_float_eq(l.part, 1, 0.025, "shape %d %s: %g", s, fills[f], l.part);
            cr_assert_float_eq(l.closest, distance[f], 1e-3);
            cr_assert_geq(l.shallow, 0);
            free(seeds);
            tl_scene_destroy(scene);
        }
}

Test(fill, does_not_depend_on_the_number_of_threads) {
    static const char *const fills[] = {"cubic", "hexagonal", "jittered", "relaxed", "conforming"};
    for (int f = 0; f < 5; f++) {
        tl_scene *scene = load(shapes[1], fills[f]);
        tl_seed *one, *three;
        const size_t count = seed(scene, 1, &one);
        cr_assert_eq(seed(scene, 3, &three), count);
        cr_assert_eq(memcmp(one, three, count * sizeof *one), 0, "%s", fills[f]);
        free(one);
        free(three);
        tl_scene_destroy(scene);
    }
}

Test(fill, a_count_is_met_exactly) {
    static const char *const fills[] = {"cubic", "hexagonal", "jittered", "relaxed", "conforming"};
    static const size_t counts[] = {1400, 1414, 1433, 1490};
    for (int f = 0; f < 5; f++)
        for (int n = 0; n < 4; n++) {
            char body[256];
            snprintf(body, sizeof body, "%s, particles: %zu", shapes[1], counts[n]);
            tl_scene *scene = load(body, fills[f]);
            tl_seed *seeds;
            cr_assert_eq(seed(scene, 1, &seeds), counts[n]);
            free(seeds);
            tl_scene_destroy(scene);
        }
}

/* ---- Places and temperatures ---- */

Test(body, a_form_stands_on_a_plane_or_in_a_tank) {
    tl_scene *scene = load("cone: {from: [0, 0, 0], to: [0, 0, 0.2], radius: 5 cm}, on: floor, "
                           "rotate: [180 deg, 0, 0]",
                           "cubic");
    const tl_box_def bounds = tl_body_bounds(first_body(scene));
    cr_assert_float_eq(bounds.from[2], -0.5, 1e-12);
    cr_assert_float_eq(bounds.to[2], -0.3, 1e-12);
    tl_scene_destroy(scene);
    static const char tank[] = "spacing: 1 cm\nbodies:\n  - {material: water, on: tank, capsule: "
                               "{from: [0, 0, 1], to: [0, 0, 1], radius: 5 cm}}\n"
                               "walls: [{name: tank, box: {from: [-1, -1, 0.3], to: [1, 1, 2]}}]\n";
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(tank, strlen(tank), "test", NULL, &scene, &error), TL_OK,
                 "%s", error.what);
    cr_assert_float_eq(tl_body_bounds(first_body(scene)).from[2], 0.3, 1e-12);
    tl_scene_destroy(scene);
}

/* A ring as wide as the world, a spacing thick: the box around it would have 10¹⁴ points. */
Test(fill, a_box_of_points_that_does_not_fit_is_refused) {
    tl_scene *scene = load(
        "torus: {center: [0, 0, 450], axis: [1, 1, 1], radius: 450, tube_radius: 2 cm}", "cubic");
    tl_seed *seeds = NULL;
    size_t count;
    tl_error error = {0};
    cr_assert_eq(tl_scene_seed(scene, &(tl_parallel){.threads = 1}, &seeds, &count, &error),
                 TL_NO_MEMORY);
    tl_scene_destroy(scene);
}

Test(body, a_temperature_is_linear_with_the_distance_from_a_point) {
    tl_scene *scene = load("capsule: {from: [1, 0, 0], to: [1, 0, 0], radius: 6 cm}, "
                           "temperature: {radius: 4 cm, from: 90, to: 10}",
                           "cubic");
    tl_seed *seeds;
    const size_t count = seed(scene, 1, &seeds);
    for (size_t i = 0; i < count; i++) {
        const double away =
            hypot(hypot(seeds[i].position[0] - 1, seeds[i].position[1]), seeds[i].position[2]);
        cr_assert_float_eq((double)seeds[i].temperature, 90 - 80 * fmin(away / 0.04, 1), 1e-3);
    }
    free(seeds);
    tl_scene_destroy(scene);
}

/* ---- Files ---- */

static const char box[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                          "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n";

/* A mesh and a scene beside it, in a folder of their own. */
static void write_files(char *folder, const char *mesh, const char *scene) {
    cr_assert_not_null(mkdtemp(folder));
    const char *const names[] = {"box.obj", "scene.yaml"}, *const texts[] = {mesh, scene};
    for (int k = 0; k < 2; k++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        FILE *file = fopen(path, "w");
        cr_assert_not_null(file);
        fputs(texts[k], file);
        fclose(file);
    }
}

static void remove_files(const char *folder) {
    char path[128];
    snprintf(path, sizeof path, "%s/box.obj", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    unlink(path);
    rmdir(folder);
}

static const char box_scene[] = "spacing: 1 cm\n"
                                "bodies:\n"
                                "  - material: water\n"
                                "    mesh: box.obj\n"
                                "    height: 10 cm\n"
                                "    foot: [1, 1, 0]\n";

Test(file, a_mesh_beside_the_scene_is_filled_and_run_yaml_finds_it_again) {
    char folder[] = P_tmpdir "/tallow-scene-XXXXXX", path[128], mesh[512];
    snprintf(mesh, sizeof mesh, "%sf 2 4 8 6\n", box);
    write_files(folder, mesh, box_scene);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    tl_scene *scene = NULL, *again = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_file(path, NULL, &scene, &error), TL_OK, "%s", error.what);
    tl_seed *seeds, *same;
    cr_assert_eq(seed(scene, 1, &seeds), 1000);
    const tl_box_def bounds = tl_body_bounds(first_body(scene));
    cr_assert_float_eq(bounds.from[0], 0.95, 1e-12);
    cr_assert_float_eq(bounds.to[2], 0.1, 1e-12);
    char *written;
    cr_assert_eq(tl_scene_write(scene, &written, &error), TL_OK);
    cr_assert_eq(
        tl_scene_load_memory(written, strlen(written), "elsewhere/run.yaml", NULL, &again, &error),
        TL_OK, "%s: %s", error.where, error.what);
    cr_assert_eq(seed(again, 1, &same), 1000);
    cr_assert_eq(memcmp(seeds, same, 1000 * sizeof *seeds), 0);
    free(seeds);
    free(same);
    free(written);
    tl_scene_destroy(scene);
    tl_scene_destroy(again);
    remove_files(folder);
}

/* Green at the top, not at the bottom. */
Test(file, a_temperature_follows_the_colours_of_the_mesh) {
    char folder[] = P_tmpdir "/tallow-scene-XXXXXX", path[128], mesh[1024] = "", scene[512];
    for (int k = 0; k < 8; k++)
        snprintf(mesh + strlen(mesh), sizeof mesh - strlen(mesh), "v %d %d %d 0 %d 0\n", k & 1,
                 k >> 1 & 1, k >> 2, k >> 2);
    snprintf(mesh + strlen(mesh), sizeof mesh - strlen(mesh), "%sf 2 4 8 6\n", strchr(box, 'f'));
    snprintf(scene, sizeof scene, "%s    temperature: {colour: green, from: 10, to: 90}\n",
             box_scene);
    write_files(folder, mesh, scene);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    tl_scene *loaded = NULL;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_file(path, NULL, &loaded, &error), TL_OK, "%s", error.what);
    tl_seed *seeds;
    const size_t count = seed(loaded, 1, &seeds);
    for (size_t i = 0; i < count; i++) {
        const double *x = seeds[i].position;
        const double side = fmax(fabs(x[0] - 1), fabs(x[1] - 1)); /* 5 cm: the sides */
        if (side > fabs(x[2] - 0.05) + 1e-9) /* a side is nearest, at the same height */
            cr_assert_float_eq((double)seeds[i].temperature, 10 + 80 * x[2] / 0.1, 1e-2);
        else if (side < fabs(x[2] - 0.05) - 1e-9)
            cr_assert_float_eq((double)seeds[i].temperature, x[2] > 0.05 ? 90 : 10, 1e-2);
    }
    free(seeds);
    tl_scene_destroy(loaded);
    remove_files(folder);
}

static void refuses(const char *path, const char *override, const char *where, const char *what,
                    const char *fix) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    const tl_scene_options options = {.overrides = &override, .override_count = override != NULL};
    cr_assert_eq(tl_scene_load_file(path, &options, &scene, &error), TL_BAD_INPUT, "%s",
                 override ? override : what);
    cr_assert(strstr(error.where, where), "%s", error.where);
    cr_assert(strstr(error.what, what), "%s", error.what);
    cr_assert(strstr(error.fix, fix), "%s", error.fix);
}

Test(file, holes_are_closed_on_request_and_counted) {
    char folder[] = P_tmpdir "/tallow-scene-XXXXXX", path[128];
    write_files(folder, box, box_scene);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    tl_scene *scene = NULL;
    tl_error error = {0};
    tl_diagnostics found = {0};
    const char *override = "bodies.0.mesh={file: box.obj, close_holes: true}";
    const tl_scene_options options = {
        .overrides = &override, .override_count = 1, .diagnostics = &found};
    cr_assert_eq(tl_scene_load_file(path, &options, &scene, &error), TL_OK, "%s", error.what);
    cr_assert_eq(found.count, 1);
    cr_assert(found.items[0].is_warning);
    cr_assert_str_eq(found.items[0].what, "1 hole of the mesh was closed");
    tl_seed *seeds;
    cr_assert_eq(seed(scene, 1, &seeds), 1000);
    free(seeds);
    tl_scene_destroy(scene);
    tl_diagnostics_clear(&found);
    remove_files(folder);
}

Test(file, what_cannot_be_matter_is_refused_at_its_place) {
    char folder[] = P_tmpdir "/tallow-scene-XXXXXX", path[128];
    write_files(folder, box, box_scene);
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    refuses(path, NULL, "scene.yaml:4:11", "not closed: 1 hole with 4 open edges",
            "set close_holes of the mesh");
    refuses(path, "bodies.0.mesh=bix.obj", "--set", "there is no mesh \"bix.obj\" in",
            "did you mean box.obj?");
    refuses(path, "bodies.0.scale=2", "scene.yaml:5:13", "both scale and height", "leave out one");
    remove_files(folder);
}

static void refuses_text(const char *body, const char *what) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "spacing: 1 cm\nbodies:\n  - {name: thing, material: water, %s}\n"
        "walls: [{name: floor, plane: z, at: 0}, {name: post, outside: true, box: {from: [-0.1, "
        "-0.1, 0], to: [0, 0, 1]}}]\n",
        body);
    tl_scene *scene = NULL;
    tl_error error = {0};
    tl_seed *seeds = NULL;
    size_t count;
    tl_status status = tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error);
    if (status == TL_OK) /* particles are looked at one by one when the body is filled */
        status = tl_scene_seed(scene, &(tl_parallel){.threads = 1}, &seeds, &count, &error);
    cr_assert_eq(status, TL_BAD_INPUT, "accepted: %s", body);
    cr_assert(strstr(error.what, what), "%s", error.what);
    tl_scene_destroy(scene);
}

Test(body, what_does_not_fit_is_said) {
    refuses_text("capsule: {from: [1, 1, 0.2], to: [1, 1, 0.3], radius: 4 mm}",
                 "is thinner than a spacing along x");
    refuses_text("capsule: {from: [1, 1, 0.2], to: [1, 1, 0.3], radius: 5 cm}, particles: 9000",
                 "9000 particles of 0.01 m make 0.009 m³; body \"thing\" has 0.0013 m³");
    refuses_text("capsule: {from: [1, 1, 0], to: [1, 1, 0.3], radius: 5 cm}",
                 "reaches 0.05 m into wall \"floor\"");
    refuses_text("capsule: {from: [0, 0, 0.3], to: [0, 0, 0.3], radius: 5 cm}",
                 "reaches into wall \"post\"");
    refuses_text("torus: {radius: 5 cm, tube_radius: 5 cm}", "meets itself");
    refuses_text("cone: {from: [1, 1, 0], to: [1, 1, 0.1], radius: 5 cm}, on: flor",
                 "there is no wall \"flor\" to stand on");
    refuses_text("cone: {from: [1, 1, 0], to: [1, 1, 0.1], radius: 5 cm}, on: post",
                 "wall \"post\" is neither");
    refuses_text("cone: {from: [1, 1, 0], to: [1, 1, 0.1], radius: 5 cm}}\n"
                 "  - {name: other, material: water, capsule: {from: [1, 1, 0.1], to: [1, 1, 0.1], "
                 "radius: 3 cm}",
                 "bodies \"thing\" and \"other\" overlap");
    refuses_text("cone: {from: [1, 1, 0], to: [1, 1, 0.1], radius: 5 cm}, box: {from: [0, 0, 0], "
                 "to: [1, 1, 1]}",
                 "more than one shape");
    refuses_text(
        "cone: {from: [1, 1, 0], to: [1, 1, 0.1], radius: 5 cm}, temperature: {colour: red, "
        "from: 1, to: 2}",
        "the cone of body \"thing\" has no colours");
    refuses_text("cone: {from: [1, 1, 0], to: [1, 1, 0.1], radius: 5 cm}, temperature: {radius: 1, "
                 "along: z, from: 1, to: 2}",
                 "along an axis, a radius or a colour or falls");
}

/* Only where the package is there that has it. */
Test(file, the_bunny_is_found_by_name_and_filled) {
    if (access("/usr/share/glmark2/models/bunny.obj", R_OK) != 0)
        return;
    static const char *const fills[] = {"cubic", "hexagonal", "relaxed", "conforming"};
    for (int f = 0; f < 4; f++) {
        tl_scene *scene =
            load("mesh: bunny.obj, height: 20 cm, rotate: [90 deg, 0, 0], on: floor", fills[f]);
        tl_seed *seeds;
        const size_t count = seed(scene, 1, &seeds);
        cr_assert(first_body(scene)->mesh.closed);
        const look l = look_at(scene, seeds, count);
        cr_assert_float_eq(l.part, 1, f < 2 ? 0.03 : 1e-3, "%s: %g", fills[f], l.part);
        cr_assert_geq(l.shallow, 0, "%s: %g", fills[f], l.shallow);
        cr_assert_gt(l.closest, 0.5, "%s: %g", fills[f], l.closest);
        free(seeds);
        tl_scene_destroy(scene);
    }
}
