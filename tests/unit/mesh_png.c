/* PNG images as heights. */
#include "base/file.h"
#include "base/text.h"
#include "mesh/terrain.h"
#include "output/png.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static void put_chunk(tl_text *out, const char *type, const void *bytes, size_t size) {
    const unsigned long sum = crc32_z(crc32_z(0, (const Bytef *)type, 4), bytes, size);
    for (int k = 24; k >= 0; k -= 8)
        tl_text_add(out, &(char){(char)(size >> k)}, 1);
    tl_text_add(out, type, 4);
    tl_text_add(out, bytes, size);
    for (int k = 24; k >= 0; k -= 8)
        tl_text_add(out, &(char){(char)(sum >> k)}, 1);
}

/* A PNG of these filtered rows, in chunks of `piece` bytes. */
static tl_text make_png(uint8_t width, uint8_t height, uint8_t depth, uint8_t colour,
                        const void *rows, size_t size, size_t piece) {
    tl_text out = {0};
    Bytef packed[4096];
    uLongf packed_size = sizeof packed;
    const uint8_t head[13] = {[3] = width, [7] = height, depth, colour};
    static const uint8_t palette[] = {0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255, 0};
    cr_assert_eq(compress(packed, &packed_size, rows, size), Z_OK);
    tl_text_add(&out, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(&out, "IHDR", head, sizeof head);
    put_chunk(&out, "tEXt", "Title\0hills", 11);
    if (colour == 3)
        put_chunk(&out, "PLTE", palette, sizeof palette);
    for (size_t at = 0; at < packed_size; at += piece)
        put_chunk(&out, "IDAT", packed + at, packed_size - at < piece ? packed_size - at : piece);
    put_chunk(&out, "IEND", "", 0);
    return out;
}

static tl_heights read_png(tl_text *png) {
    tl_heights heights = {0};
    tl_error error = {0};
    cr_assert_eq(tl_read_png(png->bytes, png->length, "image.png", &heights, &error), TL_OK, "%s",
                 error.what);
    free(png->bytes);
    return heights;
}

/* Every kind of pixel: the same four heights, from the upper left on. */
Test(png, all_formats_are_heights) {
    static const struct {
        uint8_t depth, colour;
        double height[4];
        size_t size;
        uint8_t rows[20];
    } formats[] = {
        {1, 0, {0, 1, 1, 0}, 4, {0, 0x40, 0, 0x80}},
        {2, 0, {1 / 3.0, 1, 2 / 3.0, 0}, 4, {0, 0x70, 0, 0x80}},
        {4, 0, {0.2, 1, 0.4, 0}, 4, {0, 0x3F, 0, 0x60}},
        {8, 0, {0.2, 1, 0.4, 0}, 6, {0, 51, 255, 0, 102, 0}},
        {16, 0, {258 / 65535.0, 1, 1 / 65535.0, 0}, 10, {0, 1, 2, 255, 255, 0, 0, 1, 0, 0}},
        {8, 4, {0.2, 1, 0.4, 0}, 10, {0, 51, 9, 255, 9, 0, 102, 9, 0, 9}},
        {16,
         4,
         {0.2, 1, 0.4, 0},
         18,
         {0, 51, 51, 9, 9, 255, 255, 9, 9, 0, 102, 102, 9, 9, 0, 0, 9, 9}},
        {8,
         2,
         {0.2126, 1, 0.7152, 0.0722},
         14,
         {0, 255, 0, 0, 255, 255, 255, 0, 0, 255, 0, 0, 0, 255}},
        {8,
         6,
         {0.2126, 1, 0.7152, 0},
         18,
         {0, 255, 0, 0, 9, 255, 255, 255, 9, 0, 0, 255, 0, 9, 0, 0, 0, 9}},
        {2, 3, {0.2126, 1, 0.7152, 0}, 4, {0, 0x90, 0, 0xC0}},
        {8, 3, {0.2126, 1, 0.7152, 0}, 6, {0, 2, 1, 0, 3, 0}},
    };
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        tl_text png = make_png(2, 2, formats[f].depth, formats[f].colour, formats[f].rows,
                               formats[f].size, f % 2 ? 5 : 4096);
        const tl_heights heights = read_png(&png);
        cr_assert_eq(heights.columns, 2);
        cr_assert_eq(heights.rows, 2);
        for (size_t k = 0; k < 4; k++)
            cr_expect_float_eq(heights.values[k ^ 2], formats[f].height[k], 1e-7,
                               "colour %d, %d bits, pixel %zu: %g", formats[f].colour,
                               formats[f].depth, k, (double)heights.values[k ^ 2]);
        free(heights.values);
    }
}

/* Rows that say the same with every filter: 10 20 30 40, then the same and 5 more, and so on. */
Test(png, all_filters_are_undone) {
    static const uint8_t rows[5][5] = {{1, 10, 10, 10, 10},
                                       {2, 5, 5, 5, 5},
                                       {3, 13, 8, 8, 7}, /* half of left and above, rounded down */
                                       {4, 5, 5, 5, 5},  /* above is nearest, but for the first */
                                       {0, 30, 40, 50, 60}};
    tl_text png = make_png(4, 5, 8, 0, rows, sizeof rows, 4096);
    const tl_heights heights = read_png(&png);
    static const int wanted[5][4] = {
        {10, 20, 30, 40}, {15, 25, 35, 45}, {20, 30, 40, 49}, {25, 35, 45, 54}, {30, 40, 50, 60}};
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 4; x++)
            cr_expect_float_eq(255 * heights.values[4 * (4 - y) + x], wanted[y][x], 1e-4,
                               "row %d, column %d", y, x);
    free(heights.values);
}

/* Written by code that knows nothing of the reader, with filters of its own choice. */
Test(png, pictures_of_the_house_are_read_back) {
    enum { WIDTH = 40, HEIGHT = 130 };
    uint8_t rgb[HEIGHT][WIDTH][3];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            memset(rgb[y][x], y + x + (x % 7 == 3 ? y % 50 : 0), 3);
    char path[] = P_tmpdir "/tallow-image-XXXXXX";
    close(mkstemp(path));
    cr_assert_eq(
        tl_png_write(path, &rgb[0][0][0], WIDTH, HEIGHT, &(tl_parallel){.threads = 1}, NULL),
        TL_OK);
    tl_text png = {0};
    cr_assert_eq(tl_file_read(path, 1 << 20, &png.bytes, &png.length, NULL), TL_OK);
    unlink(path);
    const tl_heights heights = read_png(&png);
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            cr_assert_float_eq(255 * heights.values[(HEIGHT - 1 - y) * WIDTH + x], rgb[y][x][0],
                               1e-4);
    free(heights.values);
}

static void refuses_png(tl_text png, const char *what) {
    tl_heights heights = {0};
    tl_error error = {0};
    cr_assert_eq(tl_read_png(png.bytes, png.length, "image.png", &heights, &error), TL_BAD_INPUT,
                 "%s", what);
    cr_assert_str_eq(error.where, "terrain.image");
    cr_assert(strstr(error.what, what), "%s: %s", what, error.what);
    cr_assert_null(heights.values);
    free(png.bytes);
}

Test(png, what_is_wrong_is_said) {
    static const uint8_t rows[] = {0, 1, 2, 7, 3, 4}, good[] = {0, 1, 2, 0, 3, 4};
    refuses_png(make_png(2, 2, 8, 0, rows, 6, 4096), "row 1 has a filter 7");
    refuses_png(make_png(2, 3, 8, 0, good, 6, 4096), "2 of 3 rows");
    refuses_png(make_png(1, 2, 8, 0, good, 6, 4096), "1 × 2 pixels");
    refuses_png(make_png(2, 2, 3, 0, good, 6, 4096), "no format 0 with 3 bits");
    refuses_png(make_png(2, 2, 4, 2, good, 6, 4096), "no format 2 with 4 bits");
    tl_text cut = make_png(2, 2, 8, 0, good, 6, 4096);
    cut.length -= 20;
    refuses_png(cut, "ends in the middle");
    tl_text hurt = make_png(2, 2, 8, 0, good, 6, 4096);
    hurt.bytes[hurt.length - 20] ^= 4;
    refuses_png(hurt, "sums do not agree");
    tl_text bare = make_png(2, 2, 8, 0, good, 6, 4096);
    bare.length = 0;
    tl_text_add(&bare, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(&bare, "IHDR", (uint8_t[13]){[3] = 2, [7] = 2, 8, 3}, 13);
    tl_text woven = {0};
    tl_text_add(&woven, bare.bytes, bare.length - 25);
    put_chunk(&woven, "IHDR", (uint8_t[13]){[3] = 2, [7] = 2, 8, 0, 0, 0, 1}, 13);
    refuses_png(woven, "is interlaced");
    put_chunk(&bare, "IDAT", good, 6);
    refuses_png(bare, "has no palette");
}
