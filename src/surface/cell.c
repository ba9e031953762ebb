/* From loops to triangles; see cell.h. A loop that bounds a disc is a fan of its own vertices when
 * no diagonal of it lies in a face, where the cell beyond could have the same; else it gets a
 * vertex in its middle. A tube between two loops has a ring of vertices half-way. Vertices inside
 * the cell are moved onto the level set. */
#include "surface/cell.h"

#include <math.h>
#include <string.h>

/* ---- Geometry ------------------------------------------------------------------------------ */

typedef struct place {
    float x[3];
} place;

static place edge_place(const float value[8], int e) {
    const int corner = tl_cell_edge_corner(e);
    place p = {{(float)(corner & 1), (float)(corner >> 1 & 1), (float)(corner >> 2)}};
    p.x[e / 4] = tl_cell_cut(value[corner], value[corner + (1 << e / 4)]);
    return p;
}

/* The trilinear function, and its gradient. */
static float interpolate(const float value[8], place p, float gradient[3]) {
    float f = 0;
    gradient[0] = gradient[1] = gradient[2] = 0;
    for (int c = 0; c < 8; c++) {
        float weight[3];
        for (int k = 0; k < 3; k++)
            weight[k] = c >> k & 1 ? p.x[k] : 1 - p.x[k];
        f += value[c] * weight[0] * weight[1] * weight[2];
        for (int k = 0; k < 3; k++)
            gradient[k] +=
                (c >> k & 1 ? value[c] : -value[c]) * weight[(k + 1) % 3] * weight[(k + 2) % 3];
    }
    return f;
}

/* Newton steps of at most a tenth of the cell, and never to its faces. */
static place move_to_level(const float value[8], place p) {
    const float most = 0.1f, rim = 0.02f;
    for (int turn = 0; turn < 4; turn++) {
        float g[3];
        const float f = interpolate(value, p, g), g2 = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
        if (!(g2 > 0))
            break;
        float step = -f / g2;
        const float length = fabsf(step) * sqrtf(g2);
        step *= length > most ? most / length : 1;
        for (int k = 0; k < 3; k++)
            p.x[k] = fminf(fmaxf(p.x[k] + step * g[k], rim), 1 - rim);
    }
    return p;
}

/* ---- Triangles ----------------------------------------------------------------------------- */

static void add_triangle(tl_cell_surface *s, int a, int b, int c) {
    uint8_t *corner = s->triangles[s->triangle_count++];
    corner[0] = (uint8_t)a, corner[1] = (uint8_t)b, corner[2] = (uint8_t)c;
}

static int add_extra(tl_cell_surface *s, const float value[8], place p) {
    p = move_to_level(value, p);
    memcpy(s->extra[s->extra_count], p.x, sizeof p.x);
    return TL_CELL_EDGES + s->extra_count++;
}

static bool share_face(int e, int f) {
    const int p = tl_cell_edge_corner(e), q = tl_cell_edge_corner(f);
    for (int k = 0; k < 3; k++)
        if (k != e / 4 && k != f / 4 && ((p ^ q) >> k & 1) == 0)
            return true;
    return false;
}

/* The vertex from which all diagonals of a loop keep off the faces; -1: there is none. */
static int find_fan(const uint8_t *loop, int n) {
    for (int from = 0; from < n; from++) {
        bool is_good = true;
        for (int k = 2; k < n - 1 && is_good; k++)
            is_good = !share_face(loop[from], loop[(from + k) % n]);
        if (is_good)
            return from;
    }
    return -1;
}

static bool fill_by_fan(const uint8_t *loop, int n, tl_cell_surface *out) {
    const int from = find_fan(loop, n);
    for (int k = 1; from >= 0 && k < n - 1; k++)
        add_triangle(out, loop[from], loop[(from + k) % n], loop[(from + k + 1) % n]);
    return from >= 0;
}

static void fill_disc(const float value[8], const uint8_t *loop, int n, tl_cell_surface *out) {
    if (fill_by_fan(loop, n, out))
        return;
    place middle = {{0}};
    for (int i = 0; i < n; i++) {
        const place p = edge_place(value, loop[i]);
        for (int k = 0; k < 3; k++)
            middle.x[k] += p.x[k] / (float)n;
    }
    const int centre = add_extra(out, value, middle);
    for (int i = 0; i < n; i++)
        add_triangle(out, centre, loop[i], loop[(i + 1) % n]);
}

/* A strip between a loop of n and a ring of m >= n vertices that run alongside: the vertex of the
 * ring at i is beside loop vertex at(i) = (first + i n / m) of the loop. `flip` when the ring's
 * numbers go against the loop's direction in the surface. */
static void add_strip(const int *ring, int m, const int *loop, int n, bool flip,
                      tl_cell_surface *out) {
    for (int i = 0; i < m; i++) {
        const int at = i * n / m, after = (i + 1) * n / m;
        const int a = ring[i], b = ring[(i + 1) % m], p = loop[at], q = loop[after % n];
        if (flip)
            add_triangle(out, a, p, b);
        else
            add_triangle(out, a, b, p);
        if (after == at)
            continue;
        if (flip)
            add_triangle(out, b, p, q);
        else
            add_triangle(out, b, q, p);
    }
}

static float distance2(place a, place b) {
    float sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (a.x[k] - b.x[k]) * (a.x[k] - b.x[k]);
    return sum;
}

/* The longer loop as it runs, the other one backwards and turned so that they lie side by side. */
static void fill_tube(const float value[8], const uint8_t *first, int n, const uint8_t *second,
                      int m, tl_cell_surface *out) {
    if (m > n) {
        fill_tube(value, second, m, first, n, out);
        return;
    }
    int best = 0, far[TL_CELL_EDGES], near[TL_CELL_EDGES], ring[TL_CELL_EDGES];
    float least = INFINITY;
    for (int turn = 0; turn < m; turn++) {
        float sum = 0;
        for (int i = 0; i < n; i++)
            sum += distance2(edge_place(value, first[i]),
                             edge_place(value, second[(turn + m - i * m / n) % m]));
        if (sum < least)
            least = sum, best = turn;
    }
    for (int i = 0; i < m; i++)
        far[i] = second[(best + m - i) % m];
    for (int i = 0; i < n; i++) {
        near[i] = first[i];
        const place a = edge_place(value, first[i]), b = edge_place(value, far[i * m / n]);
        place middle;
        for (int k = 0; k < 3; k++)
            middle.x[k] = 0.5f * (a.x[k] + b.x[k]);
        ring[i] = add_extra(out, value, middle);
    }
    add_strip(ring, n, near, n, true, out);
    add_strip(ring, n, far, m, false, out);
}

static void make(const float value[8], tl_cell_surface *out) {
    tl_cell_loops loops;
    int joined[TL_CELL_LOOPS] = {0};
    out->triangle_count = out->extra_count = 0;
    tl_cell_trace(value, &loops);
    if (loops.count > 1)
        tl_cell_join(value, &loops, joined);
    for (int i = 0; i < loops.count; i++) {
        const int j = joined[i];
        if (j == i)
            fill_disc(value, loops.edges[i], loops.size[i], out);
        else if (j > i)
            fill_tube(value, loops.edges[i], loops.size[i], loops.edges[j], loops.size[j], out);
    }
}

/* Signs alone decide unless a face has alternate corners or two loops could be joined. */
static bool signs_decide(unsigned signs, const tl_cell_loops *loops) {
    static const uint8_t faces[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; f++) {
        unsigned bits = 0;
        for (int k = 0; k < 4; k++)
            bits |= (signs >> faces[f][k] & 1) << k;
        if (bits == 5 || bits == 10)
            return false;
    }
    return loops->count <= 1 &&
           (loops->count == 0 || find_fan(loops->edges[0], loops->size[0]) >= 0);
}

void tl_cell_table_make(tl_cell_table *table) {
    memset(table, 0, sizeof *table);
    for (unsigned signs = 0; signs < 256; signs++) {
        float value[8];
        tl_cell_loops loops;
        for (int c = 0; c < 8; c++)
            value[c] = signs >> c & 1 ? 1 : -1;
        tl_cell_trace(value, &loops);
        table->is_plain[signs] = signs_decide(signs, &loops);
        if (table->is_plain[signs])
            make(value, &table->surface[signs]);
    }
}

const tl_cell_surface *tl_cell_surface_of(const tl_cell_table *table, const float value[8],
                                          tl_cell_surface *scratch) {
    const unsigned signs = tl_cell_signs(value);
    if (table->is_plain[signs])
        return &table->surface[signs];
    make(value, scratch);
    return scratch;
}
