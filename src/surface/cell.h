/* The level set of one cell of a grid: the triangles that stand for f = 0 where f is the trilinear
 * interpolant of the eight corners, with the topology of that level set.
 *
 * Corner c is at x = c & 1, y = c >> 1 & 1, z = c >> 2. Edge e runs along axis e / 4 and starts at
 * the corner whose other two coordinates, axes (a + 1) % 3 and (a + 2) % 3, are bits 0 and 1 of e.
 * A value of 0 counts as inside: all decisions are those of f plus something infinitely small.
 *
 * What a cell decides about a face follows from the four values of the face alone, and no other
 * edge of a triangle lies in a face. So the triangles of all cells of a grid close up, two at each
 * edge and one fan around each vertex, whatever the values are. */
#ifndef TL_SURFACE_CELL_H
#define TL_SURFACE_CELL_H

#include <stdbool.h>
#include <stdint.h>

enum { TL_CELL_EDGES = 12, TL_CELL_EXTRA = 16, TL_CELL_TRIANGLES = 40, TL_CELL_LOOPS = 4 };

/* Triangles are counter-clockwise seen from outside, where f < 0. Their corners are edges of the
 * cell, or TL_CELL_EDGES + i for the i-th vertex inside of it. */
typedef struct tl_cell_surface {
    int triangle_count, extra_count;
    uint8_t triangles[TL_CELL_TRIANGLES][3];
    float extra[TL_CELL_EXTRA][3]; /* places in the cell, 0..1 */
} tl_cell_surface;

/* The closed polygons in which the level set meets the faces of a cell, as rings of edges. */
typedef struct tl_cell_loops {
    int count;
    int size[TL_CELL_LOOPS];
    uint8_t edges[TL_CELL_LOOPS][TL_CELL_EDGES];
    uint8_t loop_of[TL_CELL_EDGES]; /* the loop through an edge that is cut */
} tl_cell_loops;

/* Cells whose triangles follow from the signs of the corners alone. */
typedef struct tl_cell_table {
    tl_cell_surface surface[256];
    bool is_plain[256];
} tl_cell_table;

void tl_cell_table_make(tl_cell_table *table);

/* Bit c is set where corner c is inside. */
static inline unsigned tl_cell_signs(const float value[8]) {
    unsigned signs = 0;
    for (unsigned c = 0; c < 8; c++)
        signs |= (unsigned)(value[c] >= 0) << c;
    return signs;
}

/* The surface of a cell: an entry of the table, or one made in `scratch`. */
const tl_cell_surface *tl_cell_surface_of(const tl_cell_table *table, const float value[8],
                                          tl_cell_surface *scratch);

/* Corner at the start of an edge; its end is that plus 1 << e / 4. */
static inline int tl_cell_edge_corner(int e) {
    const int a = e / 4;
    return (e & 1) << (a + 1) % 3 | (e >> 1 & 1) << (a + 2) % 3;
}

/* Where along an edge the level set is, from its two values, which differ in sign. Kept off the
 * ends, so that no two vertices meet at a corner. */
static inline float tl_cell_cut(float from, float to) {
    const float least = 0.01f, t = from / (from - to);
    return t > least ? t < 1 - least ? t : 1 - least : least;
}

/* Traces the loops of a cell (loops.c). */
void tl_cell_trace(const float value[8], tl_cell_loops *out);

/* The loops that a tube inside the cell joins to loop i, in joined[i]: i itself when it bounds a
 * disc (interior.c). */
void tl_cell_join(const float value[8], const tl_cell_loops *loops, int joined[TL_CELL_LOOPS]);

#endif
