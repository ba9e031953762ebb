/* See terrain.h. Without an image, heights are a sum of octaves of gradient noise (Perlin 1985),
 * each half as wide as the one before and `roughness` times as high, stretched to the full range.
 */
#include "mesh/terrain.h"

#include "base/file.h"
#include "base/random.h"
#include "math/pi.h"

#include <stdlib.h>

enum { MOST_POINTS = 512, MOST_IMAGE_BYTES = 1 << 28 }; /* points of noise along a side */

/* The slope at a corner of the grid of one octave, times the way from there. */
static double pull(uint64_t seed, double corner_x, double corner_y, double x, double y) {
    const uint64_t which = (uint64_t)((int64_t)corner_x * 73856093 ^ (int64_t)corner_y * 19349663);
    const double angle = 2 * TL_PI * tl_random_uniform(seed, which);
    return cos(angle) * (x - corner_x) + sin(angle) * (y - corner_y);
}

static double fade(double t) { return t * t * t * (t * (6 * t - 15) + 10); }

static double noise(uint64_t seed, double x, double y) {
    const double i = floor(x), j = floor(y), u = fade(x - i), v = fade(y - j);
    const double low = (1 - u) * pull(seed, i, j, x, y) + u * pull(seed, i + 1, j, x, y);
    const double high = (1 - u) * pull(seed, i, j + 1, x, y) + u * pull(seed, i + 1, j + 1, x, y);
    return (1 - v) * low + v * high;
}

static double sum_octaves(const tl_terrain_def *t, double finest, double x, double y) {
    double sum = 0, part = 1, width = t->hill;
    for (uint64_t octave = 0; octave < 16 && (octave == 0 || width > 2 * finest); octave++) {
        sum += part * noise(tl_random_bits((uint64_t)t->seed, octave), x / width, y / width);
        width /= 2;
        part *= t->roughness;
    }
    return sum;
}

static void stretch(tl_heights *h) {
    float low = h->values[0], high = low;
    for (size_t i = 1; i < h->columns * h->rows; i++) {
        low = fminf(low, h->values[i]);
        high = fmaxf(high, h->values[i]);
    }
    for (size_t i = 0; i < h->columns * h->rows && high > low; i++)
        h->values[i] = (h->values[i] - low) / (high - low);
}

/* Points along a side of this length. */
static size_t count_points(double length, double cell) {
    return (size_t)fmin(fmax(ceil(length / cell), 1), MOST_POINTS - 1) + 1;
}

static tl_status make_noise(const tl_terrain_def *t, double spacing, tl_heights *out,
                            tl_error *error) {
    const double length[2] = {t->to[0] - t->from[0], t->to[1] - t->from[1]};
    tl_heights h = {.columns = count_points(length[0], spacing),
                    .rows = count_points(length[1], spacing)};
    h.values = tl_allocate(h.columns * h.rows, sizeof *h.values);
    if (!h.values)
        return tl_fail_memory(error, h.columns * h.rows, sizeof *h.values);
    const double finest = fmax(spacing, fmax(length[0], length[1]) / MOST_POINTS);
    for (size_t j = 0; j < h.rows; j++)
        for (size_t i = 0; i < h.columns; i++)
            h.values[j * h.columns + i] =
                (float)sum_octaves(t, finest, length[0] * (double)i / (double)(h.columns - 1),
                                   length[1] * (double)j / (double)(h.rows - 1));
    stretch(&h);
    *out = h;
    return TL_OK;
}

static tl_status load_image(const char *path, tl_heights *out, tl_error *error) {
    char *bytes;
    size_t size;
    TL_TRY(tl_file_read(path, MOST_IMAGE_BYTES, &bytes, &size, error));
    const tl_status status =
        (tl_is_png(bytes, size) ? tl_read_png : tl_read_pgm)(bytes, size, path, out, error);
    free(bytes);
    return status;
}

/* Surface vertices first, then the same on the bottom. */
static tl_status add_vertices(const tl_terrain_def *t, const tl_heights *h, tl_mesh *m,
                              tl_error *error) {
    for (int bottom = 0; bottom < 2; bottom++)
        for (size_t j = 0; j < h->rows; j++)
            for (size_t i = 0; i < h->columns; i++) {
                const double height = (double)h->values[j * h->columns + i];
                const tl_vec3 v = {
                    t->from[0] + (t->to[0] - t->from[0]) * (double)i / (double)(h->columns - 1),
                    t->from[1] + (t->to[1] - t->from[1]) * (double)j / (double)(h->rows - 1),
                    bottom ? t->from[2] - t->thickness
                           : t->from[2] + (t->to[2] - t->from[2]) * height};
                TL_TRY(tl_mesh_add_vertex(m, v, error));
            }
    return TL_OK;
}

static tl_status add_quad(tl_mesh *m, size_t a, size_t b, size_t c, size_t d, tl_error *error) {
    TL_TRY(tl_mesh_add_triangle(m, (uint32_t)a, (uint32_t)b, (uint32_t)c, error));
    return tl_mesh_add_triangle(m, (uint32_t)a, (uint32_t)c, (uint32_t)d, error);
}

static tl_status add_faces(const tl_heights *h, tl_mesh *m, tl_error *error) {
    const size_t n = h->columns, rows = h->rows, under = n * rows;
    for (size_t j = 0; j + 1 < rows; j++)
        for (size_t i = 0; i + 1 < n; i++) {
            const size_t a = j * n + i, b = a + 1, c = a + n + 1, d = a + n;
            TL_TRY(add_quad(m, a, b, c, d, error));
            TL_TRY(add_quad(m, a + under, d + under, c + under, b + under, error));
        }
    for (size_t i = 0; i + 1 < n; i++) {
        const size_t back = (rows - 1) * n + i;
        TL_TRY(add_quad(m, i, i + under, i + 1 + under, i + 1, error));
        TL_TRY(add_quad(m, back, back + 1, back + 1 + under, back + under, error));
    }
    for (size_t j = 0; j + 1 < rows; j++) {
        const size_t left = j * n, right = left + n - 1;
        TL_TRY(add_quad(m, left, left + n, left + n + under, left + under, error));
        TL_TRY(add_quad(m, right, right + under, right + n + under, right + n, error));
    }
    return TL_OK;
}

static tl_status check(const tl_terrain_def *t, tl_error *error) {
    for (int k = 0; k < 3; k++)
        if (k < 2 ? !(t->from[k] < t->to[k]) : !(t->from[k] <= t->to[k]))
            return tl_fail(error, TL_BAD_INPUT, "terrain.to", "from is the lowest corner",
                           "the terrain has no extent along %c: from %g m to %g m", "xyz"[k],
                           t -> from[k], t -> to[k]);
    return TL_OK;
}

tl_status tl_terrain_mesh(const tl_terrain_def *given, double spacing, tl_mesh *out,
                          tl_error *error) {
    tl_terrain_def t = *given;
    tl_heights heights = {0};
    TL_TRY(check(&t, error));
    if (t.hill == 0)
        t.hill = fmax(t.to[0] - t.from[0], t.to[1] - t.from[1]) / 4;
    TL_TRY(t.image ? load_image(t.image, &heights, error)
                   : make_noise(&t, spacing, &heights, error));
    tl_status status = add_vertices(&t, &heights, out, error);
    if (status == TL_OK)
        status = add_faces(&heights, out, error);
    free(heights.values);
    return status;
}
