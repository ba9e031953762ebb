/* Lines have their width and their ink, letters their shape. */
#include "plot/chart.h"
#include "plot/drawing.h"
#include "plot/strokes.h"

#include <criterion/criterion.h>
#include <math.h>

/* ---- Paint --------------------------------------------------------------------------------- */

/* Covered area in pixels. */
static double measure_ink(const tl_drawing *drawing) {
    const size_t bytes = 3 * (size_t)drawing->width * (size_t)drawing->height;
    uint8_t *rgb = malloc(bytes);
    cr_assert_eq(tl_drawing_paint(drawing, rgb, NULL), TL_OK);
    double sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum += 255 - rgb[i];
    free(rgb);
    return sum / (3 * 255);
}

Test(plot, a_line_covers_its_area_at_any_angle) {
    double worst = 0;
    for (int k = 0; k < 32; k++) {
        const double angle = 0.1 + 0.2 * k, width = 1 + 0.1 * k;
        const double ends[] = {100.3, 100.7, 100.3 + 80 * cos(angle), 100.7 + 80 * sin(angle)};
        tl_drawing d = {.width = 200, .height = 200};
        tl_draw_line(&d, ends, 2, (tl_pen){0x000000, width, 0}, NULL);
        const double area = 80 * width + 3.14159265 * width * width / 4;
        worst = fmax(worst, fabs(measure_ink(&d) / area - 1));
        tl_drawing_free(&d);
    }
    cr_log_info("largest error of the area of a line: %.2g", worst);
    cr_assert_lt(worst, 0.03);
}

Test(plot, crossing_itself_does_not_make_a_line_darker_nor_do_dashes_last_longer) {
    const double there[] = {20.5, 50.5, 180.5, 50.5};
    double again[12];
    for (int i = 0; i < 12; i++)
        again[i] = there[i % 4];
    tl_drawing once = {.width = 200, .height = 100}, thrice = once, dashed = once;
    tl_draw_line(&once, there, 2, (tl_pen){0x000000, 1.7, 0}, NULL);
    tl_draw_line(&thrice, again, 6, (tl_pen){0x000000, 1.7, 0}, NULL);
    tl_draw_line(&dashed, there, 2, (tl_pen){0x000000, 1.7, 10}, NULL);
    cr_assert_eq(measure_ink(&once), measure_ink(&thrice));
    /* Eight dashes of ten pixels with round ends. */
    cr_assert_float_eq(measure_ink(&dashed), 8 * (10 * 1.7 + 3.1416 * 1.7 * 1.7 / 4), 4);
    tl_drawing_free(&once);
    tl_drawing_free(&thrice);
    tl_drawing_free(&dashed);
}

Test(plot, lines_far_off_the_page_are_cut_at_its_edge) {
    const double far[] = {-1e9, 50.5, 1e9, 50.5}, away[] = {-1e9, -1e9, -50, 1e12};
    tl_drawing d = {.width = 100, .height = 100};
    tl_draw_line(&d, far, 2, (tl_pen){0x000000, 1, 0}, NULL);
    tl_draw_line(&d, away, 2, (tl_pen){0x000000, 1, 0}, NULL);
    tl_draw_box(&d, -1e9, 90, 2e9, 2e9, 0x000000);
    cr_assert_float_eq(measure_ink(&d), 100 + 1000, 1);
    tl_drawing_free(&d);
}

/* ---- Text ---------------------------------------------------------------------------------- */

typedef struct extent {
    double left, right, bottom, top;
    size_t strokes;
} extent;

static void measure_stroke(void *context, const double *points, size_t count) {
    extent *e = context;
    cr_assert_gt(count, 0);
    e->strokes++;
    for (size_t i = 0; i < count; i++) {
        e->left = fmin(e->left, points[2 * i]);
        e->right = fmax(e->right, points[2 * i]);
        e->bottom = fmin(e->bottom, points[2 * i + 1]);
        e->top = fmax(e->top, points[2 * i + 1]);
    }
}

static extent measure_text(const char *text) {
    extent e = {1e9, -1e9, 1e9, -1e9, 0};
    tl_strokes_write(text, measure_stroke, &e);
    return e;
}

Test(plot, every_letter_is_drawn_within_its_width) {
    char text[2] = {0};
    for (int c = 33; c < 127; c++) {
        text[0] = (char)c;
        const extent e = measure_text(text);
        cr_assert_gt(e.strokes, 0, "%s has no stroke", text);
        cr_assert(e.left >= 0 && e.right <= tl_strokes_width(text) + 1e-9, "%s is too wide", text);
        cr_assert(e.bottom >= -0.25 && e.top <= 0.85, "%s is too high", text);
        if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
            cr_assert(fabs(e.top - TL_STROKES_CAPITAL) < 0.06, "%s is not a capital", text);
        if (c >= '0' && c <= '9')
            cr_assert_eq(tl_strokes_width(text), tl_strokes_width("0"));
    }
    cr_assert_eq(tl_strokes_width("ф"), tl_strokes_width("?"));
    cr_assert_eq(tl_strokes_width(""), 0);
    cr_assert_lt(tl_strokes_width("10⁻³"), tl_strokes_width("10-3"));
    cr_assert_gt(measure_text("⁻³").bottom, 0.25);
    cr_assert_gt(measure_text("°±µ·×Δ−–…²").strokes, 10);
}

Test(plot, no_two_letters_look_the_same) {
    for (int a = 33; a < 127; a++)
        for (int b = a + 1; b < 127; b++) {
            tl_drawing d[2];
            double ink[2];
            uint8_t rgb[2][40 * 40 * 3];
            for (int k = 0; k < 2; k++) {
                d[k] = (tl_drawing){.width = 40, .height = 40};
                tl_draw_text(&d[k], 10, 28, (const char[]){(char)(k ? b : a), 0},
                             (tl_lettering){0, 24, TL_ANCHOR_START, false});
                cr_assert_eq(tl_drawing_paint(&d[k], rgb[k], NULL), TL_OK);
                tl_drawing_free(&d[k]);
                ink[k] = 0;
            }
            for (size_t i = 0; i < sizeof rgb[0]; i++) {
                ink[0] += abs(rgb[0][i] - rgb[1][i]);
                ink[1] += 255 - rgb[0][i];
            }
            cr_assert_gt(ink[0], 0.1 * fmin(ink[1], 20000), "%c looks like %c", a, b);
        }
}

Test(plot, text_that_is_too_wide_is_cut_between_letters) {
    tl_drawing d = {.width = 400, .height = 40};
    tl_draw_text_within(&d, 0, 20, "ééééééééééééééééé", 60,
                        (tl_lettering){0, 12, TL_ANCHOR_START, false});
    cr_assert_eq(d.shape_count, 1);
    const char *text = d.words.bytes + d.shapes[0].text;
    cr_assert_leq(tl_text_width(text, 12), 60);
    cr_assert_gt(tl_text_width(text, 12), 40);
    cr_assert_eq(strlen(text) % 2, 1, "é has two bytes and … three: %s", text);
    cr_assert_str_eq(text + strlen(text) - 3, "…");
    tl_drawing_free(&d);
}
