/* Which loops of a cell belong to one piece of the level set. A slice z = const of the cell is
 * bilinear, and the level set there is an arc for each two neighbouring cuts of the slice's rim. As
 * z goes from 0 to 1 the arcs change only where a corner of the slice changes its sign and where
 * the saddle value of the slice does, which is where A C - B D = 0: a quadratic in z. Between such
 * heights one slice speaks for all: the loops at the two ends of an arc are of one piece. Every
 * piece reaches the faces, because a trilinear function has no extremum inside. */
#include "surface/cell.h"

#include <math.h>

enum { MOST_HEIGHTS = 14 };

/* Columns A, B, C, D around the cell by their lower corners, and the cell's edges below and above
 * the face between a column and the next. */
static const int column[4] = {0, 1, 3, 2};
static const int bottom_edge[4] = {0, 6, 1, 4}, top_edge[4] = {2, 7, 3, 5};

typedef struct sweep {
    double low[4], high[4], rise[4]; /* of columns A, B, C, D: value = low + z rise */
    double height[MOST_HEIGHTS];
    int height_count;
    const tl_cell_loops *loops;
    int piece[TL_CELL_LOOPS];
} sweep;

static void add_height(sweep *s, double z) {
    if (!(z > 0 && z < 1))
        return;
    int i = s->height_count++;
    for (; i > 0 && s->height[i - 1] > z; i--)
        s->height[i] = s->height[i - 1];
    s->height[i] = z;
}

/* Roots of a + b z + c z². */
static void add_roots(sweep *s, double a, double b, double c) {
    const double discriminant = b * b - 4 * a * c;
    if (discriminant < 0)
        return;
    const double q = -0.5 * (b + copysign(sqrt(discriminant), b));
    if (c != 0)
        add_height(s, q / c);
    if (q != 0)
        add_height(s, a / q);
}

static void find_heights(sweep *s) {
    const double *v = s->low, *r = s->rise;
    for (int k = 0; k < 4; k++) {
        const int n = (k + 1) % 4;
        add_height(s, -v[k] / r[k]);
        /* Where the branches of an ambiguous face give way to each other. */
        add_height(s, (v[k] - v[n]) / (r[n] - r[k]));
    }
    add_roots(s, v[0] * v[2] - v[1] * v[3], v[0] * r[2] + r[0] * v[2] - v[1] * r[3] - r[1] * v[3],
              r[0] * r[2] - r[1] * r[3]);
}

/* The loop that crosses side k of the slice at height z. */
static int loop_at(const sweep *s, int k, double z) {
    const int n = (k + 1) % 4;
    const uint8_t *loop_of = s->loops->loop_of;
    const bool in_low = s->low[k] >= 0, in_high = s->high[k] >= 0;
    const bool cut_low = in_low != (s->low[n] >= 0), cut_high = in_high != (s->high[n] >= 0);
    if (cut_low && cut_high && in_low != in_high) { /* two branches, one above the other */
        const double slope = s->low[n] - s->low[k];
        return loop_of[(slope + z * (s->rise[n] - s->rise[k])) * slope > 0 ? bottom_edge[k]
                                                                           : top_edge[k]];
    }
    if (cut_low || cut_high)
        return loop_of[cut_low ? bottom_edge[k] : top_edge[k]];
    return loop_of[8 + column[k]]; /* one branch from column to column */
}

static void unite(sweep *s, int i, int j) {
    const int from = s->piece[i], to = s->piece[j];
    for (int l = 0; l < s->loops->count; l++)
        if (s->piece[l] == from)
            s->piece[l] = to;
}

static void unite_arcs(sweep *s, double z) {
    double v[4];
    bool inside[4];
    int loop[4], cuts = 0;
    for (int k = 0; k < 4; k++) {
        v[k] = s->low[k] + z * s->rise[k];
        inside[k] = v[k] >= 0;
    }
    for (int k = 0; k < 4; k++)
        if (inside[k] != inside[(k + 1) % 4])
            loop[cuts++] = loop_at(s, k, z);
    if (cuts == 2)
        unite(s, loop[0], loop[1]);
    if (cuts < 4)
        return;
    /* Arcs around B and D, or around A and C. */
    const int turn = v[0] * v[2] > v[1] * v[3] ? 1 : 3;
    unite(s, loop[0], loop[turn]);
    unite(s, loop[2], loop[(2 + turn) % 4]);
}

/* A little more everywhere, as long as the sign stays: what touches is joined, as on the faces. */
static double raise(double value, double little) {
    return value < 0 ? fmin(value + little, 0.5 * value) : value + little;
}

void tl_cell_join(const float value[8], const tl_cell_loops *loops, int joined[TL_CELL_LOOPS]) {
    double size = 0;
    for (int c = 0; c < 8; c++)
        size = fmax(size, fabs((double)value[c]));
    sweep s = {.loops = loops};
    for (int k = 0; k < 4; k++) {
        s.low[k] = raise((double)value[column[k]], 1e-12 * size);
        s.high[k] = raise((double)value[column[k] + 4], 1e-12 * size);
        s.rise[k] = s.high[k] - s.low[k];
    }
    for (int l = 0; l < loops->count; l++)
        s.piece[l] = joined[l] = l;
    find_heights(&s);
    double below = 0;
    for (int i = 0; i <= s.height_count; i++) {
        const double above = i < s.height_count ? s.height[i] : 1;
        unite_arcs(&s, 0.5 * (below + above));
        below = above;
    }
    for (int i = 0; i < loops->count; i++)
        for (int j = i + 1; j < loops->count; j++)
            if (s.piece[i] == s.piece[j] && joined[i] == i && joined[j] == j)
                joined[i] = j, joined[j] = i;
}
