/* Ellipsoids on a screen: of the camera, or of a light that looks at what it shines on.
 *
 * With g across the line of sight through the middle c of an ellipsoid M, and d that line, a ray
 * meets it where (s d + g)ᵀ M (s d + g) = 1, s = z - c_z. Taking d as the same for all rays that
 * meet it leaves
 *     z = c_z - b·g - sqrt(top - gᵀ Q g),  b = dᵀMg / A,  Q = M / A - b bᵀ,  top = 1 / A,
 * with A = dᵀMd: cheap, and free of large terms that cancel. */
#ifndef TL_RENDER_BLOT_H
#define TL_RENDER_BLOT_H

#include "render/bins.h"
#include "render/ellipsoids.h"

/* Sample (x, y) shows the direction ((x - x0) / scale, (y - y0) / scale, 1) from the eye, in axes
 * right, down, forward; flat: the line along forward through those metres. */
typedef struct tl_lens {
    tl_vec3 eye, right, down, forward;
    double x0, y0, scale;
    int tiles_x, tiles_y; /* of TL_TILE samples */
    bool flat;
} tl_lens;

/* In samples on screen, and m in depth. */
typedef struct tl_blot {
    float x, y, z;
    float bx, by, qxx, qxy, qyy, top;
    float wide, high;  /* half the sides of the rectangle around it */
    uint32_t particle; /* its number */
    bool is_deep;      /* not to be drawn */
} tl_blot;

typedef struct tl_blots {
    tl_blot *items;
    size_t count;
    tl_bins bins;
} tl_blots;

/* Which shapes a lens sees. */
typedef bool tl_blot_choice(const void *context, size_t particle);

/* Projects the chosen shapes and sorts them to tiles. Each counts as `margin` times as
 * wide as it is. */
tl_status tl_blots_make(const tl_parallel *parallel, tl_arena *arena, const tl_lens *lens,
                        const tl_ellipsoid *shapes, size_t count, float margin,
                        tl_blot_choice *choose, const void *context, tl_blots *out,
                        tl_error *error);

/* Where the samples of a tile are, from its corner: column x of row y at (x[y & 1][x],
 * y[y] + shift[x]). */
typedef struct tl_tile_grid {
    float x[2][TL_TILE], y[TL_TILE], shift[TL_TILE];
} tl_tile_grid;

/* Draws the blots of a tile into its depths where they are nearer. */
void tl_blots_draw(const tl_blots *blots, size_t tile, const tl_tile_grid *grid, float *depth);

#endif
