/* See strokes.h. A glyph is its width and its strokes, with "|" in between. A point is a letter,
 * x = a, b, c, ..., and a digit, y = 0 ... 9, a ... k: the baseline is at 4, small letters reach
 * to e, capitals to i. A capital letter marks a point off the curve: the control point of a
 * parabola between its neighbours. */
#include "plot/strokes.h"

#include <ctype.h>
#include <string.h>

enum { BASELINE = 4, GAP = 3, CURVE = 8, LONGEST = 128 };

static const double UNIT = TL_STROKES_CAPITAL / 14;
static const double RAISED_SIZE = 0.66, RAISED_BY = 6.5; /* of raised digits; the latter in units */

typedef struct glyph {
    char width; /* a letter, as x */
    const char *strokes;
} glyph;

static const glyph ascii[] = {
    /* space ! " # $ % & ' ( ) * + , - . / */
    {'c', ""},
    {'c', "bi b9|b4 b5"},
    {'f', "bi be|ei ee"},
    {'k', "c4 ei|g4 ii|ad kd|a9 k9"},
    {'j', "jf Ii fi Ai ae Ab fb Jb j8 J4 e4 B4 a7|fk f2"},
    {'k', "ag Ai ci Ei eg Ee ce Ae ag|g6 G8 i8 K8 k6 K4 i4 G4 g6|ji b4"},
    {'k', "k4 bf Bi ei Hi hf Hd db Aa a7 A4 e4 J4 ka"},
    {'c', "bi be"},
    {'d', "dk Ag aa A4 d0"},
    {'d', "ak Dg da D4 a0"},
    {'g', "di da|ag gc|gg ac"},
    {'i', "ed e5|a9 i9"},
    {'c', "b5 b4 a2"},
    {'f', "a9 f9"},
    {'c', "b4 b5"},
    {'g', "a2 gk"},
    /* 0 ... 9 */
    {'i', "ab Ai ei Ii ib I4 e4 A4 ab"},
    {'i', "bf fi f4"},
    {'i', "ae Ai ei Ii ie Ib a4 i4"},
    {'i', "ag Bi ei Hi hf Hb eb|cb eb Ib i8 I4 e4 B4 a6"},
    {'i', "g4 gi a8 i8"},
    {'i', "hi bi ac Cd ed Id i8 I4 e4 B4 a6"},
    {'i', "gi Ag a9 A4 e4 I4 i8 Ic ec Ac a8"},
    {'i', "ai ii d4"},
    {'i', "eb Bb bf Bi ei Hi hf Hb eb|eb Ab a8 A4 e4 I4 i8 Ib eb"},
    {'i', "c4 I6 id Ii ei Ai ae Aa ea Ia ie"},
    /* : ; < = > ? @ */
    {'c', "b4 b5|bc bd"},
    {'c', "b5 b4 a2|bc bd"},
    {'j', "jd a9 j5"},
    {'j', "ab jb|a7 j7"},
    {'j', "ad j9 a5"},
    {'h', "ae Ai di Hi he Hb d8|d4 d5"},
    {'m', "jc j7|jb Jd gd Dd da D7 g7 J7 ja|j7 M6 ma Mi gi Ai a9 A2 g2 j3"},
    /* A ... Z */
    {'m', "a4 gi m4|c9 k9"},
    {'k', "a4 ai fi Ji jf Jb fb|ab gb Kb k8 K4 g4 a4"},
    {'l', "lf Ji gi Ai ab A4 g4 J4 l7"},
    {'l', "a4 ai ei Li lb L4 e4 a4"},
    {'j', "ji ai a4 j4|ab ib"},
    {'j', "ji ai a4|ab ib"},
    {'m', "lf Ji gi Ai ab A4 g4 M4 ma ha"},
    {'l', "a4 ai|l4 li|ab lb"},
    {'c', "b4 bi"},
    {'h', "hi h8 H4 d4 A4 a7"},
    {'k', "a4 ai|ki a9|dc k4"},
    {'i', "ai a4 i4"},
    {'m', "a4 ai g8 mi m4"},
    {'l', "a4 ai l4 li"},
    {'m', "ab Ai gi Mi mb M4 g4 A4 ab"},
    {'j', "a4 ai fi Ji je Ja fa aa"},
    {'m', "ab Ai gi Mi mb M4 g4 A4 ab|h8 m3"},
    {'k', "a4 ai fi Ji je Ja fa aa|fa k4"},
    {'j', "jf Ii fi Ai ae Ab fb Jb j8 J4 e4 B4 a7"},
    {'k', "ai ki|fi f4"},
    {'k', "ai a9 A4 f4 K4 k9 ki"},
    {'k', "ai f4 ki"},
    {'q', "ai e4 ih m4 qi"},
    {'k', "ai k4|ki a4"},
    {'k', "ai fb ki|fb f4"},
    {'j', "ai ji a4 j4"},
    /* [ \ ] ^ _ ` */
    {'d', "dk ak a0 d0"},
    {'g', "ak g2"},
    {'d', "ak dk d0 a0"},
    {'i', "ad ei id"},
    {'j', "a2 j2"},
    {'c', "ai cf"},
    /* a ... z */
    {'i', "bc Ce ee Ie ia i4|ia ea Aa a7 A4 d4 G4 i7"},
    {'i', "ai a4|a9 Ae ee Ie i9 I4 e4 A4 a9"},
    {'h', "hc Ge ee Ae a9 A4 e4 G4 h6"},
    {'i', "ii i4|i9 Ie ee Ae a9 A4 e4 I4 i9"},
    {'i', "a9 i9 Ie ee Ae a9 A4 e4 G4 h6"},
    {'f', "fi ei Ci cf c4|ae fe"},
    {'i', "ie i3 I0 e0 C0 a1|i9 Ie ee Ae a9 A4 e4 I4 i9"},
    {'i', "ai a4|aa Ae ee Ie ia i4"},
    {'c', "be b4|bh bi"},
    {'c', "ce c2 C0 b0 a0|ch ci"},
    {'h', "ai a4|he a8|db h4"},
    {'d', "bi b6 B4 d4"},
    {'o', "ae a4|aa Ae ee He ha h4|ha He le Oe oa o4"},
    {'i', "ae a4|aa Ae ee Ie ia i4"},
    {'i', "a9 Ae ee Ie i9 I4 e4 A4 a9"},
    {'i', "ae a0|a9 Ae ee Ie i9 I4 e4 A4 a9"},
    {'i', "ie i0|i9 Ie ee Ae a9 A4 e4 I4 i9"},
    {'f', "ae a4|aa Ae ee fe"},
    {'h', "gc Fe de Ae ac A9 d9 H9 h6 H4 d4 B4 a6"},
    {'f', "ci c7 C4 e4 f4|ae fe"},
    {'i', "ae a8 A4 e4 I4 i8|ie i4"},
    {'i', "ae e4 ie"},
    {'m', "ae d4 ge j4 me"},
    {'h', "ae h4|he a4"},
    {'i', "ae e4|ie d1 C0 a0"},
    {'h', "ae he a4 h4"},
    /* { | } ~ */
    {'e', "ek Ck ch Ca aa Ca c3 C0 e0"},
    {'c', "bk b0"},
    {'e', "ak Ck ch Ca ea Ca c3 C0 a0"},
    {'k', "a8 Cd f9 I5 ka"},
};

static const struct {
    const char *sign;
    glyph glyph;
} extra[] = {
    {"°", {'e', "ag Ai ci Ei eg Ee ce Ae ag"}},
    {"±", {'i', "eg e8|ac ic|a4 i4"}},
    {"µ", {'i', "ae a0|a8 A4 e4 I4 i8|ie i4"}},
    {"·", {'c', "b9 ba"}},
    {"×", {'i', "ad i5|id a5"}},
    {"Δ", {'m', "a4 gi m4 a4"}},
    {"−", {'i', "a9 i9"}},
    {"–", {'i', "a9 i9"}},
    {"…", {'k', "b4 b5|f4 f5|j4 j5"}},
};

static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁻"};

static int value_of(char c) { return c <= '9' ? c - '0' : tolower((unsigned char)c) - 'a' + 10; }

static double x_of(char c) { return tolower((unsigned char)c) - 'a'; }

static bool take(const char **text, const char *sign) {
    const size_t length = strlen(sign);
    if (strncmp(*text, sign, length) != 0)
        return false;
    *text += length;
    return true;
}

/* The glyph at *text, which is moved past it; NULL at the end. */
static const glyph *next_glyph(const char **text, bool *is_raised) {
    const unsigned char c = (unsigned char)**text;
    *is_raised = false;
    if (c == 0)
        return NULL;
    if (c < 128) {
        ++*text;
        return &ascii[(c >= 32 && c < 127 ? c : '?') - 32];
    }
    for (size_t i = 0; i < sizeof extra / sizeof *extra; i++)
        if (take(text, extra[i].sign))
            return &extra[i].glyph;
    for (size_t i = 0; i < sizeof raised / sizeof *raised; i++)
        if (take(text, raised[i])) {
            *is_raised = true;
            return &ascii[(i < 10 ? '0' + (int)i : '-') - 32];
        }
    /* One question mark for the whole of an unknown UTF-8 sequence. */
    do
        ++*text;
    while ((**text & 0xC0) == 0x80);
    return &ascii['?' - 32];
}

/* Where a glyph stands: its units to those of the caller. */
typedef struct place {
    double x, y, scale;
} place;

static void add_point(const place *at, double x, double y, double *points, size_t *count) {
    if (*count < LONGEST) {
        points[2 * *count] = UNIT * (at->x + at->scale * x);
        points[2 * *count + 1] = UNIT * (at->y + at->scale * (y - BASELINE));
        ++*count;
    }
}

static void add_curve(const place *at, const double a[2], const double control[2],
                      const double b[2], double *points, size_t *count) {
    for (int k = 1; k <= CURVE; k++) {
        const double t = (double)k / CURVE, s = 1 - t;
        add_point(at, s * s * a[0] + 2 * s * t * control[0] + t * t * b[0],
                  s * s * a[1] + 2 * s * t * control[1] + t * t * b[1], points, count);
    }
}

static void draw_glyph(const glyph *g, const place *at, tl_stroke_fn *draw, void *context) {
    double points[2 * LONGEST], pen[2] = {0}, control[2] = {0};
    size_t count = 0;
    bool has_control = false;
    for (const char *s = g->strokes; *s; s++) {
        if (*s == '|') {
            draw(context, points, count);
            count = 0;
        }
        if (!isalpha((unsigned char)*s))
            continue;
        const double to[2] = {x_of(s[0]), value_of(s[1])};
        const bool is_control = isupper((unsigned char)*s);
        if (is_control)
            memcpy(control, to, sizeof control);
        else if (has_control)
            add_curve(at, pen, control, to, points, &count);
        else
            add_point(at, to[0], to[1], points, &count);
        if (!is_control)
            memcpy(pen, to, sizeof pen);
        has_control = is_control;
        s++;
    }
    if (count > 0)
        draw(context, points, count);
}

static double write_text(const char *text, tl_stroke_fn *draw, void *context) {
    place at = {.scale = 1};
    bool is_raised;
    double end = 0;
    for (const glyph *g; (g = next_glyph(&text, &is_raised));) {
        at.scale = is_raised ? RAISED_SIZE : 1;
        at.y = is_raised ? RAISED_BY : 0;
        if (draw)
            draw_glyph(g, &at, draw, context);
        end = at.x + at.scale * x_of(g->width);
        at.x = end + at.scale * GAP;
    }
    return end * UNIT;
}

void tl_strokes_write(const char *text, tl_stroke_fn *draw, void *context) {
    write_text(text, draw, context);
}

double tl_strokes_width(const char *text) { return write_text(text, NULL, NULL); }
