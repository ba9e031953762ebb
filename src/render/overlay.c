/* See overlay.h. Dots of the font are squares of whole pixels, with a thin halo of the opposite
 * lightness so that words stay readable on anything. */
#include "render/overlay.h"

#include "base/text.h"
#include "render/font.h"

#include <stdlib.h>
#include <string.h>

typedef struct canvas {
    unsigned char *rgb;
    int width, height;
    int dot;       /* pixels on a side of a dot of the font */
    float ink[3];  /* of words */
    float halo[3]; /* around them */
} canvas;

static void blend(const canvas *c, int x, int y, const float colour[3], float alpha) {
    if (x < 0 || y < 0 || x >= c->width || y >= c->height)
        return;
    unsigned char *p = c->rgb + 3 * ((size_t)y * (size_t)c->width + (size_t)x);
    for (int k = 0; k < 3; k++)
        p[k] = (unsigned char)((float)p[k] + alpha * (255 * colour[k] - (float)p[k]) + 0.5f);
}

static void fill(const canvas *c, int x, int y, int width, int height, const float colour[3],
                 float alpha) {
    for (int j = y; j < y + height; j++)
        for (int i = x; i < x + width; i++)
            blend(c, i, j, colour, alpha);
}

static int text_width(const canvas *c, const char *text) {
    int glyphs = 0;
    while (tl_font_next(&text) >= 0)
        glyphs++;
    return glyphs ? (glyphs * TL_FONT_ADVANCE - 1) * c->dot : 0;
}

/* A dot next to ink, and not ink itself. */
static bool is_halo(int glyph, int x, int y) {
    if (tl_font_dot(glyph, x, y))
        return false;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (tl_font_dot(glyph, x + i, y + j))
                return true;
    return false;
}

static void write_text(const canvas *c, int x, int y, const char *text) {
    for (int glyph; (glyph = tl_font_next(&text)) >= 0 && x < c->width;
         x += TL_FONT_ADVANCE * c->dot)
        for (int j = -1; j <= TL_FONT_HEIGHT; j++)
            for (int i = -1; i <= TL_FONT_WIDTH; i++)
                if (tl_font_dot(glyph, i, j))
                    fill(c, x + i * c->dot, y + j * c->dot, c->dot, c->dot, c->ink, 0.92f);
                else if (is_halo(glyph, i, j))
                    fill(c, x + i * c->dot, y + j * c->dot, c->dot, c->dot, c->halo, 0.22f);
}

static void write_number(const canvas *c, int x, int y, double value, bool right_aligned) {
    tl_text text = {0};
    tl_text_print(&text, "%.4g", value);
    if (!text.failed)
        write_text(c, right_aligned ? x - text_width(c, text.bytes) : x, y, text.bytes);
    free(text.bytes);
}

static void draw_legend(const canvas *c, const tl_preview_legend *legend, int margin) {
    const int line = (TL_FONT_HEIGHT + 2) * c->dot, thick = 5 * c->dot, edge = (c->dot + 1) / 2;
    int wide = c->width / 4;
    if (legend->label && text_width(c, legend->label) > wide)
        wide = text_width(c, legend->label);
    const int x = c->width - margin - wide, y = c->height - margin - line - thick;
    fill(c, x - edge, y - edge, wide + 2 * edge, thick + 2 * edge, c->ink, 0.8f);
    for (int i = 0; i < wide; i++) {
        float colour[3];
        tl_colormap_at(legend->map, (i + 0.5) / wide, colour);
        fill(c, x + i, y, 1, thick, colour, 1);
    }
    if (legend->label)
        write_text(c, x, y - line, legend->label);
    write_number(c, x, y + thick + 3 * c->dot, legend->min, false);
    write_number(c, x + wide, y + thick + 3 * c->dot, legend->max, true);
}

/* A bar with upright ends, and its length above it. */
static void draw_scale(const canvas *c, const char *label, int wide, int margin) {
    const int x = (c->width - wide) / 2, y = c->height - margin - 3 * c->dot,
              edge = (c->dot + 1) / 2;
    fill(c, x - edge, y - edge, wide + 2 * edge, c->dot + 2 * edge, c->halo, 0.5f);
    fill(c, x, y, wide, c->dot, c->ink, 0.92f);
    for (int end = 0; end < 2; end++)
        fill(c, end ? x + wide - c->dot : x, y - 2 * c->dot, c->dot, 5 * c->dot, c->ink, 0.92f);
    write_text(c, x + (wide - text_width(c, label)) / 2, y - (TL_FONT_HEIGHT + 3) * c->dot, label);
}

void tl_overlay_draw(const tl_preview_scene *scene, int width, int height, unsigned char *rgb) {
    canvas c = {.rgb = rgb, .width = width, .height = height};
    c.dot = height / 360 > 1 ? height / 360 : 1;
    const float *b = scene->background_bottom;
    const bool is_light = 0.3f * b[0] + 0.6f * b[1] + 0.1f * b[2] > 0.45f;
    for (int k = 0; k < 3; k++) {
        c.ink[k] = is_light ? 0.13f : 0.95f;
        c.halo[k] = is_light ? 1 : 0;
    }
    const int margin = 10 * c.dot;
    if (scene->caption)
        write_text(&c, margin, height - margin - TL_FONT_HEIGHT * c.dot, scene->caption);
    if (scene->title)
        write_text(&c, margin, margin, scene->title);
    if (scene->scale_label)
        draw_scale(&c, scene->scale_label, scene->scale_width, margin);
    if (scene->legend && scene->legend->map)
        draw_legend(&c, scene->legend, margin);
}
