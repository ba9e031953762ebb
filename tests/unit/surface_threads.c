/* Surfaces on one and on many threads, as a plain program for the thread sanitizer: the same
 * vertices, triangles and fields to the last bit. */
#include "base/random.h"
#include "surface/surface.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 20, COUNT = SIDE * SIDE * SIDE };

static double place[COUNT][3];
static float temperature[COUNT];

/* A block that gets looser along x, down to spray. */
static void make_matter(void) {
    for (size_t i = 0; i < COUNT; i++) {
        const size_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (size_t k = 0; k < 3; k++) {
            const double x = (double)at[k], spread = 1 + 0.1 * (double)at[0];
            place[i][k] = spread * (x + 0.3 * tl_random_uniform(4, 3 * i + k));
        }
        temperature[i] = (float)(at[0] + 2 * at[1]);
    }
}

static int same(const tl_surface *a, const tl_surface *b) {
    if (a->mesh.vertex_count != b->mesh.vertex_count ||
        a->mesh.triangle_count != b->mesh.triangle_count || a->mesh.triangle_count == 0)
        return 0;
    const void *x = tl_frame_find(&a->vertices, "temperature")->data;
    const void *y = tl_frame_find(&b->vertices, "temperature")->data;
    return memcmp(a->mesh.vertices, b->mesh.vertices,
                  a->mesh.vertex_count * sizeof *a->mesh.vertices) == 0 &&
           memcmp(a->mesh.triangles, b->mesh.triangles,
                  a->mesh.triangle_count * sizeof *a->mesh.triangles) == 0 &&
           memcmp(x, y, a->mesh.vertex_count * sizeof(float)) == 0;
}

int main(void) {
    tl_surface surfaces[2] = {0};
    tl_error error = {0};
    tl_frame frame = {.count = COUNT, .array_count = 2};
    make_matter();
    frame.array[0] = (tl_frame_array){"position", "m", "", TL_F64, 3, place};
    frame.array[1] = (tl_frame_array){"temperature", "°C", "", TL_F32, 1, temperature};
    for (int i = 0; i < 2; i++) {
        const tl_surface_options options = {
            .spacing = 1, .cells = 0.5, .smooth = 3, .material = -1, .threads = i ? 4 : 1};
        if (tl_surface_make(&surfaces[i], &frame, &options, &error) != TL_OK) {
            fprintf(stderr, "%s\n", error.what);
            return 1;
        }
    }
    const int is_same = same(&surfaces[0], &surfaces[1]);
    if (!is_same)
        fprintf(stderr, "the surface depends on the number of threads\n");
    for (int i = 0; i < 2; i++)
        tl_surface_free(&surfaces[i]);
    return !is_same;
}
