/* Pictures of frames: the same from a world and from its file, with what the options ask for. */
#include "output/film.h"
#include "output/vtp.h"
#include "run/picture.h"
#include "run/picture_colours.h"
#include "run/picture_touch.h"
#include "scratch_folder.h"
#include "world/world.h"

#include <math.h>

TestSuite(picture_frames, .init = scratch_make, .fini = scratch_remove);

enum { WIDTH = 160, HEIGHT = 90, BYTES = 3 * WIDTH * HEIGHT };

static const char scene_text[] =
    "spacing: 0.1\nduration: 1\n"
    "bodies: [{material: honey, sphere: {center: [0, 0, 0.7], radius: 0.4}, velocity: [1, 0, 0]}]\n"
    "walls:\n"
    "  - {plane: z, at: 0}\n"
    "  - {sphere: {center: [0.8, 0.1, 0.3], radius: 0.3}, motion: [{speed: 0.7, along: y}]}\n"
    "output: {width: 160, height: 90, colour_by: velocity}\n";

typedef struct sample {
    tl_scene *scene;
    tl_world *world;
    tl_frame frame; /* a view of the world, in motion */
} sample;

static sample make_sample(const char *text) {
    sample s = {0};
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &s.scene, &error), TL_OK,
                 "%s", error.what);
    const tl_world_options options = {.threads = 1};
    cr_assert_eq(tl_world_create(s.scene, &options, &s.world, &error), TL_OK, "%s", error.what);
    for (int k = 0; k < 3; k++)
        cr_assert_eq(tl_world_step(s.world, NULL, &error), TL_OK, "%s", error.what);
    tl_frame_of_fields(tl_world_fields(s.world), tl_world_time(s.world), 3, &s.frame);
    return s;
}

static void free_sample(sample *s) {
    tl_world_destroy(s->world);
    tl_scene_destroy(s->scene);
}

static void paint(const tl_scene *scene, const tl_picture_options *options, const tl_frame *frame,
                  unsigned char *rgb) {
    tl_picture *picture;
    tl_error error = {0};
    cr_assert_eq(tl_picture_create(scene, options, &picture, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_picture_paint(picture, frame, rgb, &error), TL_OK, "%s", error.what);
    tl_picture_destroy(picture);
}

Test(picture_frames, a_frame_and_its_file_give_the_same_pixels) {
    sample s = make_sample(scene_text);
    static unsigned char first[BYTES], second[BYTES];
    tl_picture_options options = tl_picture_options_of(s.scene);
    tl_frame copy, read;
    tl_error error = {0};
    cr_assert_eq(tl_frame_copy(&s.frame, TL_DOUBLES_AS_FLOATS, &copy, &error), TL_OK);
    cr_assert_eq(tl_vtp_write(in_scratch("f.vtp"), &s.frame, TL_DOUBLES_AS_FLOATS, &error), TL_OK);
    cr_assert_eq(tl_vtp_read(in_scratch("f.vtp"), &read, &error), TL_OK, "%s", error.what);
    options.threads = 1;
    paint(s.scene, &options, &copy, first);
    options.threads = 3;
    paint(s.scene, &options, &read, second);
    cr_assert_eq(memcmp(first, second, BYTES), 0);
    options.from = 0, options.to = 30;
    paint(s.scene, &options, &read, second);
    cr_assert_neq(memcmp(first, second, BYTES), 0, "the range is heeded");
    tl_frame_free(&copy);
    tl_frame_free(&read);
    free_sample(&s);
}

Test(picture_frames, the_camera_of_the_options_comes_before_the_scene) {
    sample s = make_sample(scene_text);
    static unsigned char first[BYTES], second[BYTES];
    tl_picture_options options = tl_picture_options_of(s.scene);
    paint(s.scene, &options, &s.frame, first);
    options.has_camera = true;
    options.camera = (tl_camera){{0, 0, 0.7}, {1, 0, 0.7}, {0, 0, 1}, 0.6};
    paint(s.scene, &options, &s.frame, second); /* from within the matter */
    cr_assert_neq(memcmp(first, second, BYTES), 0);
    free_sample(&s);
}

Test(picture_frames, every_word_can_be_left_out_and_a_scale_added) {
    sample s = make_sample(scene_text);
    static unsigned char with[BYTES], without[BYTES], scaled[BYTES];
    tl_picture_options options = tl_picture_options_of(s.scene);
    paint(s.scene, &options, &s.frame, with);
    options.no_caption = options.no_legend = true;
    paint(s.scene, &options, &s.frame, without);
    cr_assert_neq(memcmp(with, without, BYTES), 0);
    options.scale_bar = true;
    options.title = "A title";
    paint(s.scene, &options, &s.frame, scaled);
    size_t top = 0, bottom = 0; /* rows that differ: the title's, and those of the bar */
    for (size_t y = 0; y < HEIGHT; y++)
        if (memcmp(&without[3 * WIDTH * y], &scaled[3 * WIDTH * y], 3 * WIDTH) != 0)
            ++*(y < HEIGHT / 2 ? &top : &bottom);
    cr_assert(top >= 9 && top < 16 && bottom >= 9 && bottom < 30, "%zu %zu", top, bottom);
    free_sample(&s);
}

/* Hot wax, which would glow and let light through. */
static const char hot_text[] =
    "spacing: 0.1\nduration: 1\n"
    "materials: {hot: {density: 1000, viscosity: 10, colour: '#808080', look: {translucency: 1}}}\n"
    "bodies: [{material: hot, sphere: {center: [0, 0, 0.7], radius: 0.4}, temperature: 1100}]\n"
    "walls: [{plane: z, at: 0}]\n"
    "output: {width: 160, height: 90, look: smooth, colour_by: temperature}\n";

Test(picture_frames, the_legend_changes_nothing_but_its_corner) {
    sample s = make_sample(hot_text);
    static unsigned char with[BYTES], without[BYTES];
    tl_picture_options options = tl_picture_options_of(s.scene);
    paint(s.scene, &options, &s.frame, with);
    options.no_legend = true;
    paint(s.scene, &options, &s.frame, without);
    cr_assert_neq(memcmp(with, without, BYTES), 0);
    for (size_t y = 0; y < HEIGHT; y++)
        cr_assert_eq(memcmp(&with[3 * WIDTH * y], &without[3 * WIDTH * y],
                            y < HEIGHT / 2 ? 3 * WIDTH : 3 * WIDTH / 3),
                     0, "row %zu", y);
    free_sample(&s);
}

/* The green of the sky in a corner: how bright the day is. */
static int sky_of(const char *text, const char *colour_by, bool is_empty) {
    sample s = make_sample(text);
    static unsigned char rgb[BYTES];
    tl_picture_options options = tl_picture_options_of(s.scene);
    options.no_caption = options.no_legend = true;
    options.colour_by = colour_by;
    if (is_empty)
        s.frame.count = 0;
    paint(s.scene, &options, &s.frame, rgb);
    free_sample(&s);
    return rgb[1];
}

static char *with_words(const char *text, const char *from, const char *to) {
    static char out[1024];
    const char *at = strstr(text, from);
    cr_assert_not_null(at);
    snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

Test(picture_frames, the_day_is_dim_beside_matter_that_glows_and_only_then) {
    const char dark[] = "translucency: 1, glows: false";
    const char nozzle[] = "emitters: [{material: hot, temperature: 1100, speed: 1, from: 0.5,\n"
                          "  disc: {center: [1, 0, 1], direction: [0, 0, -1], radius: 0.3}}]\n"
                          "walls:";
    const int day = sky_of(with_words(hot_text, "1100", "20"), "material", false);
    const int dim = sky_of(hot_text, "material", false);
    cr_expect_lt(dim, day - 20, "%d of %d", dim, day);
    cr_expect_eq(sky_of(hot_text, "temperature", false), day, "colours to be read");
    cr_expect_eq(sky_of(with_words(hot_text, "translucency: 1", dark), "material", false), day,
                 "matter that does not glow");
    cr_expect_eq(sky_of(hot_text, "material", true), dim, "before and after its particles");
    char cold[1024];
    snprintf(cold, sizeof cold, "%s", with_words(hot_text, "1100", "20"));
    cr_expect_eq(sky_of(with_words(cold, "walls:", nozzle), "material", false), dim,
                 "what is yet to come out of a nozzle");
}

Test(picture_frames, it_is_night_in_all_frames_of_a_scene_with_a_flame) {
    const char late[] = "sources: [{shape: sphere, position: [0, 0, 1.4], radius: 0.1,\n"
                        "  power: [[0.5 s, 0 W], [1 s, 50 W]]}]\nheat: {ambient: 20}\nwalls:";
    const char never[] = "sources: [{shape: sphere, position: [0, 0, 1.4], radius: 0.1,\n"
                         "  power: 0 W}]\nheat: {ambient: 20}\nwalls:";
    char cold[1024], text[1024];
    snprintf(text, sizeof text, "%s", with_words(hot_text, "1100", "20"));
    snprintf(cold, sizeof cold, "%s",
             with_words(text, "viscosity: 10", "viscosity: 10, specific_heat: 1, conductivity: 1"));
    const int day = sky_of(cold, "material", false);
    snprintf(text, sizeof text, "%s", with_words(cold, "walls:", late));
    const int before = sky_of(text, "material", false);
    const int burning = sky_of(with_words(text, "0.5 s, 0 W", "0 s, 50 W"), "material", false);
    cr_expect_lt(burning, day - 40, "%d of %d", burning, day);
    cr_expect_eq(before, burning, "before it is lit: %d, not %d", before, burning);
    cr_expect_eq(sky_of(text, "temperature", false), day, "colours to be read");
    cr_expect_eq(sky_of(with_words(cold, "walls:", never), "material", false), day,
                 "a source that never burns");
}

/* The mean of all bytes at a time. */
static double mean_at(const char *text, double time) {
    sample s = make_sample(text);
    static unsigned char rgb[BYTES];
    double sum = 0;
    tl_picture_options options = tl_picture_options_of(s.scene);
    options.no_caption = options.no_legend = true;
    options.colour_by = "material";
    s.frame.time = time;
    paint(s.scene, &options, &s.frame, rgb);
    for (size_t i = 0; i < BYTES; i++)
        sum += rgb[i];
    free_sample(&s);
    return sum / BYTES;
}

/* In two seconds, at ten pictures a second. */
Test(picture_frames, a_flame_that_is_lit_slowly_does_not_flash) {
    const char slowly[] = "sources: [{shape: sphere, position: [0, 0, 1.4], radius: 0.1,\n"
                          "  power: [[0 s, 0 W], [2 s, 50 W]]}]\nheat: {ambient: 20}\nwalls:";
    char text[1024];
    snprintf(text, sizeof text, "%s", with_words(hot_text, "1100", "20"));
    snprintf(text, sizeof text, "%s",
             with_words(text, "viscosity: 10", "viscosity: 10, specific_heat: 1, conductivity: 1"));
    snprintf(text, sizeof text, "%s", with_words(text, "walls:", slowly));
    const double first = mean_at(text, 0), second = mean_at(text, 0.1), lit = mean_at(text, 2);
    cr_expect_gt(lit, first + 3, "%g after %g: it shines", lit, first);
    cr_expect_lt(second - first, 0.15 * (lit - first), "%g, %g … %g", first, second, lit);
}

Test(picture_frames, thermal_particles_touch_walls_that_push_them) {
    const char text[] =
        "dynamics: thermal-particles\nspacing: 1\nduration: 1\n"
        "thermal_particles: {collision: {force: 25, distance: 0.8}}\n"
        "materials: {wax: {density: 1, specific_heat: 1, cohesion: {energy: 200}}}\n"
        "bodies: [{material: wax, box: {from: [0, 0, 4], to: [2, 2, 6]}}]\n"
        "walls:\n"
        "  - {plane: z, at: 3}\n"
        "  - {sphere: {center: [9, 0, 5], radius: 2}}\n";
    const double places[] = {0, 0, 3.7, 0, 0, 4.5, 6.5, 0, 5, 0, 0, 3.9};
    const float wanted[] = {0, 0, -0.7f, 0, 0, 0, 0.5f, 0, 0, 0, 0, -0.7f};
    sample s = make_sample(text);
    const tl_frame frame = {.count = 4};
    tl_shot shot = {.scene = s.scene, .frame = &frame, .view = {.positions = places}};
    tl_arena arena = {0};
    const float *ways;
    cr_assert_eq(tl_shot_find_ways(&shot, &arena, &ways, NULL), TL_OK);
    for (int k = 0; k < 12; k++)
        cr_expect_float_eq(ways[k], wanted[k], 1e-6f, "%d: %g", k, (double)ways[k]);
    tl_arena_free(&arena);
    free_sample(&s);
    s = make_sample(scene_text);
    shot.scene = s.scene;
    cr_assert_eq(tl_shot_find_ways(&shot, &arena, &ways, NULL), TL_OK);
    cr_expect_null(ways, "matter that flows is half a spacing from walls");
    free_sample(&s);
}

/* The ball as triangles covers what the spheres cover, but for their outline. */
Test(picture_frames, the_surface_is_where_the_spheres_are) {
    sample s = make_sample(scene_text);
    static unsigned char spheres[BYTES], surface[BYTES], empty[BYTES];
    tl_picture_options options = tl_picture_options_of(s.scene);
    options.no_caption = options.no_legend = true;
    options.from = 0, options.to = 1.5;
    paint(s.scene, &options, &s.frame, spheres);
    options.look = TL_LOOK_SURFACE;
    paint(s.scene, &options, &s.frame, surface);
    tl_frame none = s.frame;
    none.count = 0;
    paint(s.scene, &options, &none, empty);
    size_t both = 0, either = 0;
    for (size_t i = 0; i < BYTES; i += 3) {
        const bool a = abs(spheres[i] - empty[i]) > 25, b = abs(surface[i] - empty[i]) > 25;
        both += a && b;
        either += a || b;
    }
    cr_assert(both > 0.85 * (double)either && both > 300, "%zu of %zu pixels", both, either);
    options.colour_by = "density"; /* a field that surfaces do not carry by themselves */
    paint(s.scene, &options, &s.frame, empty);
    cr_assert_neq(memcmp(surface, empty, BYTES), 0);
    free_sample(&s);
}

/* Where the sphere of a wall and the camera are, at times. */
Test(picture_frames, the_camera_follows_its_path_and_turns) {
    char text[1024];
    snprintf(text, sizeof text,
             "%scamera:\n  from: [4, 0, 1]\n  look_at: [0, 0, 1]\n  turn: 0.25 rev/s\n"
             "  path:\n    - {at: 1, look_at: [0, 0, 2]}\n    - {at: 2, from: [6, 0, 2]}\n",
             scene_text);
    sample s = make_sample(text);
    const tl_picture_options options = tl_picture_options_of(s.scene);
    tl_picture *picture;
    cr_assert_eq(tl_picture_create(s.scene, &options, &picture, NULL), TL_OK);
    tl_camera c = tl_picture_camera(picture, 0);
    cr_assert(c.from.x == 4 && c.from.y == 0 && c.from.z == 1 && c.look_at.z == 2);
    c = tl_picture_camera(picture, 3); /* three quarters of a turn */
    cr_assert_float_eq(c.from.x, 0, 1e-12);
    cr_assert_float_eq(c.from.y, -6, 1e-12);
    cr_assert_float_eq(c.from.z, 2, 1e-12);
    const tl_camera other = {{1, 2, 3}, {0, 0, 0}, {0, 0, 1}, 1};
    tl_picture_aim(picture, &other);
    cr_assert_eq(tl_picture_camera(picture, 3).from.y, 2);
    tl_picture_destroy(picture);
    free_sample(&s);
}

Test(picture_frames, words_of_the_scene_are_what_pictures_can_do) {
    size_t i = 0;
    for (; tl_colormap_names[i]; i++)
        cr_assert_str_eq(tl_colormap_names[i], tl_colour_map_names[i]);
    cr_assert_null(tl_colour_map_names[i]);
    for (i = 0; tl_film_suffixes[i]; i++)
        cr_assert_str_eq(tl_film_suffixes[i], tl_film_names[i]);
    cr_assert_null(tl_film_names[i]);
    cr_assert_str_eq(tl_look_names[TL_LOOK_SPHERES], "spheres");
    cr_assert_str_eq(tl_look_names[TL_LOOK_SMOOTH], "smooth");
    cr_assert_str_eq(tl_look_names[TL_LOOK_SURFACE], "surface");
    cr_assert_str_eq(tl_look_names[TL_LOOK_TRACED], "traced");
    cr_assert_str_eq(tl_look_names[TL_LOOK_BALLS], "balls");
    cr_assert_str_eq(tl_look_names[TL_LOOK_ELLIPSOIDS], "ellipsoids");
}

Test(picture_frames, a_frame_without_particles_is_drawn_empty) {
    sample s = make_sample(scene_text);
    static unsigned char first[BYTES], second[BYTES];
    tl_picture_options options = tl_picture_options_of(s.scene);
    paint(s.scene, &options, &s.frame, first);
    s.frame.count = 0;
    paint(s.scene, &options, &s.frame, second);
    cr_assert_neq(memcmp(first, second, BYTES), 0);
    options.look = TL_LOOK_SURFACE;
    paint(s.scene, &options, &s.frame, second);
    cr_assert_neq(memcmp(first, second, BYTES), 0);
    free_sample(&s);
}

Test(picture_frames, an_unknown_field_names_the_nearest) {
    sample s = make_sample(scene_text);
    tl_picture_options options = tl_picture_options_of(s.scene);
    tl_picture *picture;
    tl_error error = {0};
    options.colour_by = "presure";
    cr_assert_eq(tl_picture_create(s.scene, &options, &picture, &error), TL_OK);
    cr_assert_eq(tl_picture_check(picture, &s.frame, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.fix, "did you mean pressure?"), "%s", error.fix);
    tl_picture_destroy(picture);
    free_sample(&s);
}

Test(picture_frames, ranges_are_round_and_hold_what_was_found) {
    const float values[] = {3.1f, 9.7f, 4}, vectors[] = {3, 4, 0, 0, 0, 2};
    const tl_frame_array scalar = {"a", "", "", TL_F32, 1, values};
    const tl_frame_array vector = {"v", "", "", TL_F32, 3, vectors};
    tl_preview_legend legend = {0};
    double low = HUGE_VAL, high = -HUGE_VAL;
    tl_colours_widen(&scalar, 3, &low, &high);
    cr_assert_float_eq(low, 3.1, 1e-6);
    tl_colours_round(low, high, &legend);
    cr_assert(legend.min == 2 && legend.max == 10, "%g %g", legend.min, legend.max);
    low = HUGE_VAL, high = -HUGE_VAL;
    tl_colours_widen(&vector, 2, &low, &high);
    cr_assert(low == 0 && high == 5, "lengths, from 0");
    const float tensors[] = {0, 0, 0, 0, 5, 0, 4, -2, -2, 0, 0, 0};
    const tl_frame_array tensor = {"s", "", "", TL_F32, 6, tensors};
    low = HUGE_VAL, high = -HUGE_VAL;
    tl_colours_widen(&tensor, 1, &low, &high);
    cr_assert(low == 0 && high == 5, "a simple shear has its stress");
    high = -HUGE_VAL;
    tl_colours_widen(&(tl_frame_array){"s", "", "", TL_F32, 6, tensors + 6}, 1, &low, &high);
    cr_assert_float_eq(high, sqrt(12), 1e-12);
    tl_colours_round(HUGE_VAL, -HUGE_VAL, &legend);
    cr_assert(legend.min == 0 && legend.max == 1, "of nothing");
}
