/* Pictures of frames: the same from a world and from its file, with what the options ask for. */
#include "output/vtp.h"
#include "run/picture.h"
#include "run/picture_colours.h"
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

Test(picture_frames, a_frame_without_particles_is_drawn_empty) {
    sample s = make_sample(scene_text);
    static unsigned char first[BYTES], second[BYTES];
    tl_picture_options options = tl_picture_options_of(s.scene);
    paint(s.scene, &options, &s.frame, first);
    s.frame.count = 0;
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
    tl_colours_round(HUGE_VAL, -HUGE_VAL, &legend);
    cr_assert(legend.min == 0 && legend.max == 1, "of nothing");
}
