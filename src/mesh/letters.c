/* See letters.h. Outlines are taken in the units of the font, their curves cut into straight
 * pieces, and drawn out letter by letter. */
#include "mesh/letters.h"

#include "mesh/extrude.h"

#ifdef TL_HAS_FREETYPE

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

/* Of a curve; and triangles of a text, which takes some seconds then. */
enum { MOST_PIECES = 32, MOST_TRIANGLES = 500000 };

typedef struct pen {
    tl_outline outline;
    double at[2]; /* where the pen is, font units */
    double shift; /* of the letter along x */
    double scale; /* m a unit */
    double deviation;
    bool open;
    tl_status status;
    tl_error *error;
} pen;

static void draw_to(pen *p, double x, double y) {
    p->at[0] = x, p->at[1] = y;
    if (p->status == TL_OK)
        p->status = tl_outline_add(&p->outline, (x + p->shift) * p->scale, y * p->scale, p->error);
}

static void lift(pen *p) {
    if (p->open && p->status == TL_OK)
        p->status = tl_outline_close(&p->outline, p->error);
    p->open = false;
}

static int move_to(const FT_Vector *to, void *context) {
    pen *p = context;
    lift(p);
    p->open = true;
    draw_to(p, (double)to->x, (double)to->y);
    return p->status != TL_OK;
}

static int line_to(const FT_Vector *to, void *context) {
    pen *p = context;
    draw_to(p, (double)to->x, (double)to->y);
    return p->status != TL_OK;
}

/* A curve leaves its chord by at most an eighth of the second difference of its points, n pieces by
 * the n²-th part of that; a cubic has twice two of them. */
static int count_pieces(const pen *p, double bend) {
    const double pieces = sqrt(bend * p->scale / (8 * p->deviation));
    return (int)fmin(fmax(ceil(pieces), 1), MOST_PIECES);
}

static int conic_to(const FT_Vector *control, const FT_Vector *to, void *context) {
    pen *p = context;
    const double a[2] = {p->at[0], p->at[1]}, b[2] = {(double)control->x, (double)control->y},
                 c[2] = {(double)to->x, (double)to->y};
    const int n = count_pieces(p, 2 * hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]));
    for (int k = 1; k <= n; k++) {
        const double t = (double)k / n, s = 1 - t;
        draw_to(p, s * s * a[0] + 2 * s * t * b[0] + t * t * c[0],
                s * s * a[1] + 2 * s * t * b[1] + t * t * c[1]);
    }
    return p->status != TL_OK;
}

static int cubic_to(const FT_Vector *first, const FT_Vector *second, const FT_Vector *to,
                    void *context) {
    pen *p = context;
    const double a[2] = {p->at[0], p->at[1]}, b[2] = {(double)first->x, (double)first->y},
                 c[2] = {(double)second->x, (double)second->y},
                 d[2] = {(double)to->x, (double)to->y};
    const double bend = fmax(hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]),
                             hypot(b[0] - 2 * c[0] + d[0], b[1] - 2 * c[1] + d[1]));
    const int n = count_pieces(p, 6 * bend);
    for (int k = 1; k <= n; k++) {
        const double t = (double)k / n, s = 1 - t;
        const double w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
        draw_to(p, w[0] * a[0] + w[1] * b[0] + w[2] * c[0] + w[3] * d[0],
                w[0] * a[1] + w[1] * b[1] + w[2] * c[1] + w[3] * d[1]);
    }
    return p->status != TL_OK;
}

/* The next letter of a UTF-8 text; 0 at its end, and for bytes that are none. */
static uint32_t next_letter(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    const int more = at[0] < 0x80 ? 0 : at[0] >= 0xF0 ? 3 : at[0] >= 0xE0 ? 2 : 1;
    uint32_t letter = at[0] & (0x7Fu >> (more ? more + 1 : 0));
    for (int k = 1; k <= more; k++) {
        if ((at[k] & 0xC0) != 0x80)
            return 0;
        letter = letter << 6 | (at[k] & 0x3F);
    }
    *text += letter ? more + 1 : 0;
    return letter;
}

static tl_status add_letter(FT_Face face, uint32_t letter, FT_UInt glyph, pen *p, double depth,
                            tl_mesh *out) {
    static const FT_Outline_Funcs draw = {move_to, line_to, conic_to, cubic_to, 0, 0};
    if (glyph == 0 || FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) != 0)
        return tl_fail(p->error, TL_BAD_INPUT, "text.text", "use another font",
                       "the font has no letter U+%04X", letter);
    p->outline.count = p->outline.contours = 0;
    FT_Outline_Decompose(&face->glyph->outline, &draw, p);
    lift(p);
    TL_TRY(p->status);
    if (p->outline.contours) /* a space has none */
        TL_TRY(tl_mesh_extrude(out, &p->outline, -depth / 2, depth / 2, p->error));
    p->shift += (double)face->glyph->metrics.horiAdvance;
    return TL_OK;
}

/* Height of a capital H in units of the font. */
static double find_height(FT_Face face) {
    const FT_UInt glyph = FT_Get_Char_Index(face, 'H');
    if (glyph && FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) == 0 &&
        face->glyph->metrics.height > 0)
        return (double)face->glyph->metrics.height;
    return 0.7 * face->units_per_EM;
}

static tl_status add_text(FT_Face face, const tl_letters_def *l, pen *p, tl_mesh *out) {
    FT_UInt before = 0;
    const char *at = l->text;
    p->scale = l->height / find_height(face);
    for (uint32_t letter; (letter = next_letter(&at));) {
        const FT_UInt glyph = FT_Get_Char_Index(face, letter);
        FT_Vector kerning = {0, 0};
        if (before && FT_Get_Kerning(face, before, glyph, FT_KERNING_UNSCALED, &kerning) == 0)
            p->shift += (double)kerning.x;
        TL_TRY(add_letter(face, letter, glyph, p, l->depth, out));
        if (out->triangle_count > MOST_TRIANGLES)
            return tl_fail(p->error, TL_BAD_INPUT, "text.text", "make it shorter or smaller",
                           "the text has more than %d triangles", MOST_TRIANGLES);
        before = glyph;
    }
    if (*at)
        return tl_fail(p->error, TL_BAD_INPUT, "text.text", "write it in UTF-8",
                       "the text has bytes that are no letters");
    if (out->triangle_count == 0)
        return tl_fail(p->error, TL_BAD_INPUT, "text.text", NULL, "there is nothing to see in it");
    return TL_OK;
}

tl_status tl_letters_mesh(const tl_letters_def *letters, double deviation, tl_mesh *out,
                          tl_error *error) {
    FT_Library library;
    FT_Face face;
    pen p = {.deviation = deviation, .error = error};
    if (FT_Init_FreeType(&library) != 0)
        return tl_fail_memory(error, 1, sizeof library);
    if (FT_New_Face(library, letters->font, 0, &face) != 0 || !FT_IS_SCALABLE(face)) {
        FT_Done_FreeType(library);
        return tl_fail(error, TL_BAD_INPUT, "text.font", "TrueType and OpenType are fine",
                       "%.200s is not a font with outlines", letters->font);
    }
    const tl_status status = add_text(face, letters, &p, out);
    tl_outline_free(&p.outline);
    FT_Done_Face(face);
    FT_Done_FreeType(library);
    return status;
}

#else

tl_status tl_letters_mesh(const tl_letters_def *letters, double deviation, tl_mesh *out,
                          tl_error *error) {
    (void)letters, (void)deviation, (void)out;
    return tl_fail(error, TL_BAD_INPUT, "text", "build with -Dfonts=enabled",
                   "this build has no letters");
}

#endif
