/* Outlines drawn out into solids, and the letters of a font. */
#include "mesh/extrude.h"
#include "mesh/form.h"
#include "mesh/inspect.h"
#include "mesh/repair.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

static void add_square(tl_outline *o, double x, double y, double side, bool clockwise) {
    for (int k = 0; k < 4; k++) {
        const int corner = clockwise ? 3 - k : k;
        const bool right = corner == 1 || corner == 2, up = corner >= 2;
        cr_assert_eq(tl_outline_add(o, x + right * side, y + up * side, NULL), TL_OK);
    }
    cr_assert_eq(tl_outline_close(o, NULL), TL_OK);
}

static void extrudes(tl_outline *o, double area, double around, double depth) {
    tl_mesh m = {0};
    tl_error error = {0};
    tl_mesh_repairs repairs;
    cr_assert_eq(tl_mesh_extrude(&m, o, -depth / 2, depth / 2, &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_mesh_repair(&m, &repairs, &error), TL_OK);
    cr_assert(m.closed);
    cr_assert_eq(repairs.turned, 0, "%zu look inwards", repairs.turned);
    cr_assert_float_eq(tl_mesh_find_moments(&m).volume, area * depth, 1e-9);
    cr_assert_float_eq(tl_mesh_area(&m), 2 * area + around * depth, 1e-9);
    tl_mesh_free(&m);
    tl_outline_free(o);
}

Test(extrude, an_outline_with_holes_and_islands_keeps_its_area) {
    tl_outline o = {0};
    add_square(&o, 0, 0, 8, false);
    extrudes(&o, 64, 32, 0.5);
    add_square(&o, 0, 0, 8, false);
    add_square(&o, 1, 2, 4, true);
    add_square(&o, 2, 3, 1, false);
    extrudes(&o, 64 - 16 + 1, 32 + 16 + 4, 0.5);
}

Test(extrude, contours_may_cross_and_touch) {
    tl_outline o = {0};
    add_square(&o, 0, 0, 4, false);
    add_square(&o, 2, 1, 4, false);
    extrudes(&o, 16 + 16 - 2 * 3, 16 + 16 - 2 * (2 + 3), 2);
    add_square(&o, 0, 0, 2, false);
    add_square(&o, 2, 0, 2, false); /* side by side */
    extrudes(&o, 8, 12, 2);
    add_square(&o, 0, 0, 2, false); /* a slanted square through it */
    static const double slanted[4][2] = {{1, -1}, {3, 1}, {1, 3}, {-1, 1}};
    for (int k = 0; k < 4; k++)
        tl_outline_add(&o, slanted[k][0], slanted[k][1], NULL);
    tl_outline_close(&o, NULL);
    extrudes(&o, 8, 8 * sqrt(2), 1);
}

static const char font[] = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf";

/* Only where the font is, and what reads it. */
static bool can_write(void) {
#ifdef TL_HAS_FREETYPE
    return access(font, R_OK) == 0;
#else
    return false;
#endif
}

static tl_status write_text(const char *text, double spacing, tl_mesh *out, tl_error *error) {
    char letters[128], path[128];
    snprintf(letters, sizeof letters, "%s", text);
    snprintf(path, sizeof path, "%s", font);
    const tl_form_def form = {
        .scale = 1,
        .has_text = true,
        .text = {.text = letters, .font = path, .height = 0.05, .depth = 0.02}};
    return tl_form_make(&form, spacing, out, error);
}

Test(letters, every_letter_is_closed_and_looks_outwards) {
    if (!can_write())
        return;
    for (char c = '!'; c <= '~'; c++) {
        const char text[2] = {c, 0};
        tl_mesh m = {0};
        tl_error error = {0};
        tl_mesh_findings found;
        cr_assert_eq(write_text(text, 0.001, &m, &error), TL_OK, "%c: %s", c, error.what);
        cr_assert(m.closed, "%c", c);
        cr_assert_eq(tl_mesh_inspect(&m, &found, &error), TL_OK);
        cr_assert_eq(found.crossings, 0, "%c: %zu", c, found.crossings);
        cr_assert_gt(tl_mesh_find_moments(&m).volume, 1e-7, "%c", c);
        tl_mesh_free(&m);
    }
}

Test(letters, capitals_have_the_height_and_words_run_along_x) {
    if (!can_write())
        return;
    tl_mesh one = {0}, word = {0};
    tl_error error = {0};
    tl_vec3 low, high, far;
    cr_assert_eq(write_text("H", 0.001, &one, &error), TL_OK, "%s", error.what);
    tl_mesh_bounds(&one, &low, &high);
    cr_assert_float_eq(low.z, 0, 1e-9);
    cr_assert_float_eq(high.z, 0.05, 1e-9);
    cr_assert_float_eq(high.y - low.y, 0.02, 1e-9);
    cr_assert_eq(write_text("H \xC3\x84H", 0.001, &word, &error), TL_OK, "%s", error.what);
    tl_mesh_bounds(&word, &low, &far);
    cr_assert_gt(far.x, 2.5 * high.x);
    cr_assert_gt(far.z, 0.055, "the dots of the umlaut stand above");
    tl_mesh_free(&one);
    tl_mesh_free(&word);
}

/* Curves are cut finer for finer spacings, and the area of a round letter settles. */
Test(letters, curves_follow_the_spacing) {
    if (!can_write())
        return;
    double volume[3];
    size_t triangles[3];
    for (int k = 0; k < 3; k++) {
        tl_mesh m = {0};
        tl_error error = {0};
        cr_assert_eq(write_text("O", 0.02 * pow(0.1, k), &m, &error), TL_OK);
        volume[k] = tl_mesh_find_moments(&m).volume;
        triangles[k] = m.triangle_count;
        tl_mesh_free(&m);
    }
    cr_assert_lt(triangles[0], triangles[1]);
    cr_assert_lt(triangles[1], triangles[2]);
    cr_assert_lt(fabs(volume[1] - volume[2]), fabs(volume[0] - volume[2]));
    cr_assert_float_eq(volume[1] / volume[2], 1, 2e-3);
}

Test(letters, what_cannot_be_written_is_said) {
    if (!can_write())
        return;
    static const struct {
        const char *text, *what;
    } wrong[] = {{"  ", "nothing to see"},
                 {"a\xFF", "bytes that are no letters"},
                 {"a\xC3", "bytes that are no letters"},
                 {"\xE6\x97\xA5", "no letter U+65E5"}};
    for (int k = 0; k < 4; k++) {
        tl_mesh m = {0};
        tl_error error = {0};
        cr_assert_eq(write_text(wrong[k].text, 0.01, &m, &error), TL_BAD_INPUT);
        cr_assert_str_eq(error.where, "text.text");
        cr_assert(strstr(error.what, wrong[k].what), "%s", error.what);
    }
}
