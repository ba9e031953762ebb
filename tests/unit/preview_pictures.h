/* Small pictures of simple scenes, and what is drawn in them. */
#ifndef TL_TESTS_PREVIEW_PICTURES_H
#define TL_TESTS_PREVIEW_PICTURES_H

#include "base/random.h"
#include "render/preview.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { W = 320, H = 240 };
static const double not_a_number = (double)NAN;

static inline unsigned char *draw_sized(const tl_preview_scene *scene, const tl_camera *camera,
                                        int width, int height, int threads) {
    const tl_parallel parallel = tl_parallel_adverse(threads);
    tl_error error;
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    cr_assert(rgb);
    cr_assert_eq(tl_preview_draw(&parallel, scene, camera, width, height, rgb, &error), TL_OK);
    return rgb;
}

static inline unsigned char *draw(const tl_preview_scene *scene, const tl_camera *camera) {
    return draw_sized(scene, camera, W, H, 2);
}

/* From (0, -10, 0) along y: world x is right, z is up. */
static inline tl_camera front_camera(void) {
    return (tl_camera){{0, -10, 0}, {0, 0, 0}, {0, 0, 1}, 0.5};
}

static inline double pixels_per_slope(double field_of_view) {
    return H / (2 * tan(field_of_view / 2));
}

/* Red spheres before black: whatever is not black is sphere. */
static inline tl_preview_scene red_on_black(void) {
    tl_preview_scene scene = tl_preview_default();
    memset(scene.background_top, 0, sizeof scene.background_top);
    memset(scene.background_bottom, 0, sizeof scene.background_bottom);
    scene.colour[0] = 1, scene.colour[1] = 0.2f, scene.colour[2] = 0.2f;
    return scene;
}

static inline bool is_drawn(const unsigned char *rgb, int x, int y) {
    const unsigned char *p = rgb + 3 * (y * W + x);
    return p[0] > 2;
}

static inline double brightness(const unsigned char *rgb, int x, int y) {
    const unsigned char *p = rgb + 3 * (y * W + x);
    return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
}

/* A bumpy sheet of 2 × 40 × 40 triangles over [-1, 1]², counter-clockwise seen from above. */
enum { SHEET = 40 };
static tl_vec3 sheet_vertices[(SHEET + 1) * (SHEET + 1)];
static uint32_t sheet_triangles[2 * SHEET * SHEET][3];

static inline tl_preview_mesh sheet_mesh(double bumps) {
    for (uint32_t j = 0; j <= SHEET; j++)
        for (uint32_t i = 0; i <= SHEET; i++)
            sheet_vertices[j * (SHEET + 1) + i] =
                (tl_vec3){2.0 * i / SHEET - 1, 2.0 * j / SHEET - 1,
                          bumps * tl_random_uniform(7, j * (SHEET + 1) + i)};
    for (uint32_t k = 0; k < SHEET * SHEET; k++) {
        const uint32_t a = k / SHEET * (SHEET + 1) + k % SHEET, d = a + SHEET + 1;
        const uint32_t two[2][3] = {{a, a + 1, d + 1}, {a, d + 1, d}};
        memcpy(sheet_triangles[2 * k], two, sizeof two);
    }
    return (tl_preview_mesh){.vertices = sheet_vertices,
                             .vertex_count = (SHEET + 1) * (SHEET + 1),
                             .triangles = (const uint32_t(*)[3])sheet_triangles,
                             .triangle_count = 2 * SHEET * SHEET,
                             .pose = tl_pose_none(),
                             .colour = {1, 0.2f, 0.2f}};
}

/* Pixels of spheres, those at the rim counted half. */
static inline double drawn_area(const unsigned char *rgb) {
    double area = 0;
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
            if (is_drawn(rgb, x, y))
                area += is_drawn(rgb, x - 1, y) && is_drawn(rgb, x + 1, y) &&
                                is_drawn(rgb, x, y - 1) && is_drawn(rgb, x, y + 1)
                            ? 1
                            : 0.5;
    return area;
}

#endif
