/* Where the level set of a trilinear cell meets the cell's faces. On a face it is a hyperbola; its
 * branches join the cuts of the face's edges. With inside and outside at alternate corners, the
 * value at the saddle, (v0 v2 - v1 v3) / (v0 + v2 - v1 - v3), tells which pairs of cuts are joined
 * (the asymptotic decider of Nielson & Hamann 1991). Products of floats are exact in double, so
 * both cells of a face decide alike. */
#include "surface/cell.h"

/* The corners of each face, counter-clockwise seen from outside. */
static const uint8_t face_corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static int edge_between(int p, int q) {
    const int axis = (p ^ q) >> 1, base = p & q; /* 1, 2, 4 are axes 0, 1, 2 */
    return 4 * axis + (base >> (axis + 1) % 3 & 1) + 2 * (base >> (axis + 2) % 3 & 1);
}

/* Walking around a face, the edges where one leaves the inside and where one enters it alternate.
 * A branch goes from an enter to a leave. The face beyond that edge is walked the other way, where
 * the leave is an enter: branches follow one another. */
static void trace_face(const float value[8], const uint8_t corner[4], int next[TL_CELL_EDGES]) {
    bool inside[4];
    int count = 0;
    for (int k = 0; k < 4; k++)
        count += inside[k] = value[corner[k]] >= 0;
    if (count == 0 || count == 4)
        return;
    int edge[4], leave = -1, enter = -1, leaves = 0;
    for (int k = 0; k < 4; k++) {
        edge[k] = edge_between(corner[k], corner[(k + 1) % 4]);
        if (inside[k] && !inside[(k + 1) % 4])
            leave = k, leaves++;
        else if (!inside[k] && inside[(k + 1) % 4])
            enter = k;
    }
    if (leaves == 1) {
        next[edge[enter]] = edge[leave];
        return;
    }
    const double v[4] = {(double)value[corner[0]], (double)value[corner[1]],
                         (double)value[corner[2]], (double)value[corner[3]]};
    const double in = inside[0] ? v[0] * v[2] : v[1] * v[3];
    const double out = inside[0] ? v[1] * v[3] : v[0] * v[2];
    const int turn = in >= out ? 1 : 3; /* around the corners outside, or those inside */
    for (int k = inside[0] ? 0 : 1; k < 4; k += 2)
        next[edge[(k + turn) % 4]] = edge[k];
}

void tl_cell_trace(const float value[8], tl_cell_loops *out) {
    int next[TL_CELL_EDGES];
    bool is_seen[TL_CELL_EDGES] = {false};
    for (int e = 0; e < TL_CELL_EDGES; e++)
        next[e] = -1;
    for (int f = 0; f < 6; f++)
        trace_face(value, face_corners[f], next);
    *out = (tl_cell_loops){0};
    for (int start = 0; start < TL_CELL_EDGES; start++) {
        if (next[start] < 0 || is_seen[start])
            continue;
        const int loop = out->count++;
        int n = 0;
        for (int e = start; !is_seen[e]; e = next[e]) {
            is_seen[e] = true;
            out->edges[loop][n++] = (uint8_t)e;
            out->loop_of[e] = (uint8_t)loop;
        }
        out->size[loop] = n;
    }
}
