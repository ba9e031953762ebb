/* Frames as pictures in which light is followed, and as scenes for POV-Ray. */
#include "base/file.h"
#include "output/frame.h"
#include "run/picture.h"
#include "scratch_folder.h"
#include "trace/trace.h"

#include <math.h>

TestSuite(picture_traced, .init = scratch_make, .fini = scratch_remove);

enum { WIDTH = 96, HEIGHT = 54, BYTES = 3 * WIDTH * HEIGHT, SIDE = 8, COUNT = SIDE * SIDE * SIDE };

/* A block of matter to the left, a dark stone to the right. */
static const char scene_text[] =
    "spacing: 0.1\nduration: 1\n"
    "materials:\n"
    "  paste: {density: 1000, viscosity: 1, colour: \"#d04020\", look: %s}\n"
    "bodies: [{material: paste, box: {from: [-1, -0.4, 0], to: [-0.2, 0.4, 0.8]}}]\n"
    "walls:\n"
    "  - {plane: z, at: 0, colour: \"#909090\"}\n"
    "  - {box: {from: [0.3, -0.2, 0], to: [0.7, 0.2, 0.4]}, outside: true, colour: \"#303030\"}\n"
    "lights: [%s]\n"
    "camera: {from: [0, -4, 1.5], look_at: [0, 0, 0.3]}\n"
    "output: {width: 96, height: 54, colour_by: material}\n%s";

#define SUN "{direction: [-1, -1, 2], strength: 0.7, size: 0.17}"

typedef struct sample {
    const char *more; /* of the scene */
    tl_scene *scene;
    double place[3 * COUNT];
    uint8_t material[COUNT];
    float heat[COUNT];
    tl_frame frame;
} sample;

static sample s;

static void make_sample(const char *look, const char *light, float celsius) {
    char text[1200];
    tl_error error = {0};
    snprintf(text, sizeof text, scene_text, look, light, s.more ? s.more : "");
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &s.scene, &error), TL_OK,
                 "%s", error.what);
    for (size_t i = 0; i < COUNT; i++) {
        const size_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        const double from[3] = {-0.95, -0.35, 0.05};
        for (size_t k = 0; k < 3; k++)
            s.place[3 * i + k] = from[k] + 0.1 * (double)at[k];
        s.heat[i] = celsius + 10 * (float)at[2];
    }
    s.frame = (tl_frame){.count = COUNT, .array_count = 3};
    s.frame.array[0] = (tl_frame_array){"position", "m", "", TL_F64, 3, s.place};
    s.frame.array[1] = (tl_frame_array){"material", "", "", TL_U8, 1, s.material};
    s.frame.array[2] = (tl_frame_array){"temperature", "°C", "", TL_F32, 1, s.heat};
}

static void free_sample(void) { tl_scene_destroy(s.scene); }

static tl_picture_options traced(void) {
    tl_picture_options options = tl_picture_options_of(s.scene);
    options.look = TL_LOOK_TRACED;
    options.samples = 8;
    options.no_caption = true;
    options.threads = 1;
    return options;
}

static void paint(const tl_picture_options *options, unsigned char *rgb) {
    tl_picture *picture;
    tl_error error = {0};
    cr_assert_eq(tl_picture_create(s.scene, options, &picture, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_picture_paint(picture, &s.frame, rgb, &error), TL_OK, "%s", error.what);
    tl_picture_destroy(picture);
}

static char *write_povray(const tl_picture_options *options) {
    tl_picture *picture;
    tl_error error = {0};
    char *bytes;
    size_t size;
    cr_assert_eq(tl_picture_create(s.scene, options, &picture, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_picture_povray(picture, &s.frame, in_scratch("s.pov"), &error), TL_OK);
    tl_picture_destroy(picture);
    FILE *file = fopen(in_scratch("s.pov"), "rb");
    cr_assert(file && fseek(file, 0, SEEK_END) == 0);
    size = (size_t)ftell(file);
    rewind(file);
    bytes = calloc(size + 1, 1);
    cr_assert(bytes && fread(bytes, 1, size, file) == size);
    fclose(file);
    return bytes;
}

#ifdef TL_HAS_EMBREE

/* A picture of the whole sample. */
static void draw(const char *look, const char *light, float celsius, unsigned char *rgb) {
    make_sample(look, light, celsius);
    const tl_picture_options options = traced();
    paint(&options, rgb);
    free_sample();
}

static double brightness(const unsigned char *rgb, int x, int y) {
    const unsigned char *p = rgb + 3 * (y * WIDTH + x);
    return (p[0] + p[1] + p[2]) / 765.0;
}

Test(picture_traced, pixels_do_not_depend_on_the_number_of_threads) {
    static unsigned char first[BYTES], second[BYTES];
    make_sample("{translucency: 2 cm}", SUN, 20);
    tl_picture_options options = traced();
    paint(&options, first);
    options.threads = 3;
    paint(&options, second);
    cr_expect_eq(memcmp(first, second, BYTES), 0);
    options.samples = 9;
    paint(&options, second);
    cr_expect_neq(memcmp(first, second, BYTES), 0, "the number of samples is heeded");
    free_sample();
}

Test(picture_traced, matter_walls_and_shadows_are_where_they_belong) {
    static unsigned char rgb[BYTES];
    draw("{roughness: 0.6}", SUN, 20, rgb);
    const unsigned char *matter = rgb + 3 * (26 * WIDTH + 34);
    cr_expect(matter[0] > 2 * matter[2], "the matter is red: %d, %d", matter[0], matter[2]);
    cr_expect(brightness(rgb, 57, 29) < 0.3, "the stone is dark: %.2f", brightness(rgb, 57, 29));
    cr_expect(brightness(rgb, 46, 40) > 0.5, "the floor is lit: %.2f", brightness(rgb, 46, 40));
}

Test(picture_traced, lights_of_the_scene_are_as_strong_as_they_say) {
    static unsigned char far[BYTES], near[BYTES], weak[BYTES];
    draw("{}", "{direction: [0, 0, 1], strength: 0.5}", 20, far);
    draw("{}", "{position: [0, 0, 40.3], strength: 0.5, size: 0}", 20, near);
    draw("{}", "{direction: [0, 0, 1], strength: 0.2}", 20, weak);
    cr_expect_float_eq(brightness(far, 46, 40), brightness(near, 46, 40), 0.02);
    cr_expect(brightness(weak, 46, 40) < brightness(far, 46, 40) - 0.05);
}

Test(picture_traced, hot_matter_shines_unless_its_look_forbids_it) {
    static unsigned char cold[BYTES], hot[BYTES], forbidden[BYTES];
    draw("{}", SUN, 20, cold);
    draw("{}", SUN, 1200, hot);
    draw("{glows: false}", SUN, 1200, forbidden);
    cr_expect(brightness(hot, 34, 26) > brightness(cold, 34, 26) + 0.1);
    cr_expect_float_eq(brightness(forbidden, 34, 26), brightness(cold, 34, 26), 1e-9);
}

/* Where the camera of the sample sees a place. */
static void pixel_of(double x, double y, double z, int *column, int *row) {
    const double back = hypot(4, 1.2), d[3] = {x, y, z - 0.3};
    const double depth = back + (4 * d[1] - 1.2 * d[2]) / back;
    const double up = (1.2 * d[1] + 4 * d[2]) / back;
    const double scale = HEIGHT / (2 * tan(17.5 * acos(-1) / 180)) / depth;
    *column = (int)(0.5 * WIDTH + scale * d[0]);
    *row = (int)(0.5 * HEIGHT - scale * up);
}

static double brightness_of(const unsigned char *rgb, double x, double y, double z) {
    int column, row;
    pixel_of(x, y, z, &column, &row);
    return brightness(rgb, column, row);
}

/* A flame above the matter, which is lit from frame 0 on, or later. */
static void draw_flame(bool burns, const char *colour_by, unsigned char *rgb) {
    s.more = burns ? "heat: {ambient: 20}\nsources: [{shape: sphere, position: [-0.6, -0.2, 1.2],"
                     " radius: 0.14, power: 50 W}]\n"
                   : "heat: {ambient: 20}\nsources: [{shape: sphere, position: [-0.6, -0.2, 1.2],"
                     " radius: 0.14, power: [[0.5 s, 0 W], [1 s, 50 W]]}]\n";
    make_sample("{roughness: 0.6}, specific_heat: 1, conductivity: 1", "", 20);
    tl_picture_options options = traced();
    options.samples = 32;
    options.colour_by = colour_by;
    options.no_legend = true;
    paint(&options, rgb);
    free_sample();
    s.more = NULL;
}

Test(picture_traced, a_flame_is_a_bright_warm_spot_where_it_burns) {
    static unsigned char lit[BYTES], unlit[BYTES];
    draw_flame(true, "material", lit);
    draw_flame(false, "material", unlit);
    int x, y;
    pixel_of(-0.6, -0.2, 1.25, &x, &y);
    const unsigned char *flame = lit + 3 * (y * WIDTH + x);
    cr_expect(flame[0] > 240 && flame[1] > 180, "%d %d %d", flame[0], flame[1], flame[2]);
    cr_expect(flame[0] > flame[2] + 25, "it is warm: %d %d %d", flame[0], flame[1], flame[2]);
    cr_expect(brightness(unlit, x, y) < 0.5, "it is night: %.2f", brightness(unlit, x, y));
    cr_expect_float_eq(brightness(lit, x + 12, y), brightness(unlit, x + 12, y), 0.02,
                       "beside it there is sky");
}

Test(picture_traced, a_flame_lights_what_is_near_it_and_casts_shadows) {
    static unsigned char lit[BYTES], unlit[BYTES];
    draw_flame(true, "material", lit);
    draw_flame(false, "material", unlit);
    const double near = brightness_of(lit, -0.6, -0.2, 0.8) - brightness_of(unlit, -0.6, -0.2, 0.8);
    const double far = brightness_of(lit, -0.3, 0, 0.8) - brightness_of(unlit, -0.3, 0, 0.8);
    cr_expect(near > 0.2, "%.3f", near);
    cr_expect(far > 0.05 && near > far + 0.05, "%.3f, %.3f", near, far);
    const double shadow = brightness_of(lit, 0.95, 0, 0) - brightness_of(unlit, 0.95, 0, 0);
    const double open = brightness_of(lit, 0.95, -0.7, 0) - brightness_of(unlit, 0.95, -0.7, 0);
    cr_expect(open > 0.04 && shadow < 0.5 * open, "%.3f behind the stone, %.3f", shadow, open);
}

Test(picture_traced, colours_to_be_read_are_not_lit_by_flames) {
    static unsigned char lit[BYTES], unlit[BYTES];
    draw_flame(true, "temperature", lit);
    draw_flame(false, "temperature", unlit);
    cr_expect_eq(memcmp(lit, unlit, BYTES), 0);
}

Test(picture_traced, a_frame_without_matter_is_a_picture) {
    static unsigned char rgb[BYTES];
    make_sample("{clarity: 1}", SUN, 20);
    s.frame.count = 0;
    const tl_picture_options options = traced();
    paint(&options, rgb);
    cr_expect(brightness(rgb, 57, 29) < 0.3, "the stone is there");
    free_sample();
}

#else

Test(picture_traced, a_build_without_embree_says_so) {
    tl_picture *picture;
    tl_error error;
    make_sample("{}", SUN, 20);
    const tl_picture_options options = traced();
    cr_assert_eq(tl_picture_create(s.scene, &options, &picture, &error), TL_BAD_INPUT);
    cr_expect(strstr(error.fix, "Embree"), "%s", error.fix);
    free_sample();
}

#endif

/* ---- POV-Ray ------------------------------------------------------------------------------- */

static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

Test(picture_traced, povray_gets_matter_walls_lights_and_camera) {
    make_sample("{roughness: 0.02, clarity: 1, refraction: 1.333}", SUN, 20);
    tl_picture_options options = traced();
    options.look = TL_LOOK_SPHERES;
    char *text = write_povray(&options);
    cr_expect_eq(count_of(text, "mesh2 {"), 2, "the matter and the stone");
    cr_expect_eq(count_of(text, "\nplane {"), 1);
    cr_expect_eq(count_of(text, "light_source {"), 1);
    cr_expect_eq(count_of(text, "camera {"), 1);
    cr_expect_eq(count_of(text, "ior 1.333"), 1);
    cr_expect_eq(count_of(text, "media { absorption"), 1);
    free(text);
    options.colour_by = "temperature";
    text = write_povray(&options);
    cr_expect_eq(count_of(text, "texture_list {"), 1, "colours of vertices");
    free(text);
    free_sample();
}

Test(picture_traced, povray_gets_flames_that_shine) {
    s.more = "heat: {ambient: 20}\nsources: [{shape: sphere, position: [-0.6, -0.2, 1.2],"
             " radius: 0.14, power: 50 W}]\n";
    make_sample("{roughness: 0.6}, specific_heat: 1, conductivity: 1", SUN, 20);
    tl_picture_options options = traced();
    options.look = TL_LOOK_SPHERES;
    char *text = write_povray(&options);
    cr_expect_eq(count_of(text, "light_source {"), 2, "the sun and the flame");
    cr_expect_eq(count_of(text, "lathe {"), 1);
    free(text);
    free_sample();
    s.more = NULL;
}

static void read_ppm(const char *path, unsigned char *rgb) {
    FILE *file = fopen(path, "rb");
    int width, height, most, c;
    cr_assert(file, "%s", path);
    cr_assert_eq(fscanf(file, "P6 "), 0);
    while ((c = fgetc(file)) == '#')
        cr_assert_eq(fscanf(file, "%*[^\n] "), 0);
    ungetc(c, file);
    cr_assert_eq(fscanf(file, "%d %d %d", &width, &height, &most), 3);
    cr_assert(width == WIDTH && height == HEIGHT && most == 255);
    fgetc(file);
    cr_assert_eq(fread(rgb, 1, BYTES, file), BYTES);
    fclose(file);
}

/* Renders what was written, and expects POV-Ray to have nothing to say about it. */
static void render_povray(unsigned char *rgb) {
    char line[1000], log[2000] = "";
    snprintf(line, sizeof line, "cd %s && povray +Is.pov +W%d +H%d +FP +Os.ppm -D +WT1 >s.log 2>&1",
             scratch, WIDTH, HEIGHT);
    cr_assert_eq(system(line), 0, "POV-Ray fails");
    FILE *file = fopen(in_scratch("s.log"), "rb");
    cr_assert(file);
    while (fgets(log, sizeof log, file))
        cr_expect(!strstr(log, "Warning:") && !strstr(log, "Error:"), "%s", log);
    fclose(file);
    read_ppm(in_scratch("s.ppm"), rgb);
}

/* The mean difference of two pictures where the matter is, of white. */
static double difference(const unsigned char *a, const unsigned char *b) {
    enum { LEFT = 28, RIGHT = 42, TOP = 18, BOTTOM = 34 };
    double sum = 0;
    for (size_t y = TOP; y < BOTTOM; y++)
        for (size_t i = 3 * (y * WIDTH + LEFT); i < 3 * (y * WIDTH + RIGHT); i++)
            sum += fabs((double)a[i] - b[i]) / 255;
    return sum / (3 * (RIGHT - LEFT) * (BOTTOM - TOP));
}

enum { LOOKS = 4 };

/* One look of matter, by POV-Ray and by us. */
static void draw_both(const char *look, unsigned char *theirs, unsigned char *ours) {
    make_sample(look, SUN, 20);
    tl_picture_options options = traced();
    options.look = TL_LOOK_SPHERES;
    free(write_povray(&options));
    render_povray(theirs);
    options.look = TL_LOOK_TRACED;
    if (tl_trace_available())
        paint(&options, ours);
    free_sample();
}

/* Dull things look alike; what shines and lets light through is told in other ways
 * (docs/tracing.md). Another look is 0.08 to 0.17 off, but for the first two, which are alike. */
Test(picture_traced, povray_draws_the_same_picture_of_every_look) {
    static unsigned char ours[LOOKS][BYTES], theirs[LOOKS][BYTES];
    static const char *const looks[] = {"{roughness: 0.6}", "{translucency: 1 cm}",
                                        "{clarity: 1, roughness: 0.02}", "{metal: 1}"};
    static const double most[] = {0.03, 0.03, 0.04, 0.07};
    if (system("command -v povray >/dev/null") != 0)
        cr_skip_test("povray is not installed");
    for (int k = 0; k < LOOKS; k++)
        draw_both(looks[k], theirs[k], ours[k]);
    for (int k = 0; k < LOOKS && tl_trace_available(); k++) {
        const double d = difference(ours[k], theirs[k]);
        cr_log_info("%s: %.4f", looks[k], d);
        cr_expect_lt(d, most[k], "%s: %.4f", looks[k], d);
    }
}
