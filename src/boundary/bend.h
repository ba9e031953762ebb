/* How flow goes on below a convex surface. Beside a no-slip wall viscous flow without much of a
 * pressure gradient has u'' + 2H u' = 0 across it, H the mean curvature: u is as y (1 - H y), and
 * below, along the same normal, as depth (1 + H depth), the other way. At a place beside, it
 * follows the surface, which turns it: of that a pair along d sees d·u (1 + H (y + depth)), exactly
 * so on a ball. To first order in H, of the velocity along the surface relative to the wall,
 *
 *   s = 1 + depth / y · (1 + 2 H (y + depth)).
 *
 * What is beyond 1 + depth / y must not act on velocities across the surface, or pressure would
 * push with more than its area. H is found from the depths of the samples around, which a plane at
 * the same distance would have deeper by H ℓ², ℓ along the surface, in the mean of all directions.
 * Edges have no more of it than balls of two spacings, and concave walls none. */
#ifndef TL_BOUNDARY_BEND_H
#define TL_BOUNDARY_BEND_H

#include "math/vec3.h"

/* Sums over the samples that a particle feels, of weight w: of 2 (height above the plane's), of ℓ²,
 * and of their products. */
typedef struct tl_bend {
    double weight, rise, square, both, fourth;
} tl_bend;

/* Adds a sample at `depth` in direction d, for a particle at the distance y from a surface whose
 * normal there is n. */
static inline void tl_bend_add(tl_bend *b, const float d[3], double depth, double y, tl_vec3 n,
                               double support) {
    const tl_vec3 to = {(double)d[0], (double)d[1], (double)d[2]};
    const double along = tl_vec3_dot(to, n), r2 = tl_vec3_dot(to, to);
    const double w = fmax(1 - r2 / (support * support), 0);
    const double rise = -2 * (depth + y + along), square = r2 - along * along;
    b->weight += w;
    b->rise += w * rise;
    b->square += w * square;
    b->both += w * rise * square;
    b->fourth += w * square * square;
}

/* H, 1/m: the mean of rises over that of ℓ². The lower layers of a thin board are nearer to its
 * other side, and so rise as well, but no more far off than below: where rises hardly grow with ℓ²,
 * by less than half of what that mean says, it counts less. */
static inline double tl_bend_curvature(const tl_bend *b, double spacing) {
    const double spread = b->weight * b->fourth - b->square * b->square;
    const double slope = b->weight * b->both - b->rise * b->square;
    if (!(b->rise > 0) || !(b->square > 0) || !(spread > 0))
        return 0;
    const double mean = b->rise / b->square, part = 2 * slope / (spread * mean);
    return fmin(mean * fmin(fmax(part, 0), 1), 0.5 / spacing);
}

/* A smaller curvature to try where H makes walls give energy (tl_link_dissipates): half of it, and
 * none when that is little. */
static inline double tl_bend_less(double H, double spacing) {
    return H * spacing > 0.05 ? 0.5 * H : 0;
}

/* What s is larger than that of a plane. */
static inline double tl_bend_more(double H, double depth, double y) {
    return depth / y * 2 * H * (y + depth);
}

#endif
