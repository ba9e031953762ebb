/* The surface of matter: how much area of each particle is open to the air, and which way it faces.
 *
 * A ball stands for each particle. Its distance from the surface follows from how full its
 * neighbourhood is, and the ball is drawn back so far that it touches the surface from inside. The
 * exposed area is then a mean over rays that leave the ball, with the density of the cosine law:
 *   A = 4 π r² · part of the rays that meet no other ball.
 * By Cauchy and Crofton the sum is the area of the surface that the balls have as seen from
 * outside, whatever the order of the particles: sums of kernels (deficit and gradient of the
 * colour) were 15 to 25 % apart between orientations of a lattice, and threefold with jitter.
 * docs/heat-surface.md has the numbers. */
#ifndef TL_RECORDS_EXPOSED_H
#define TL_RECORDS_EXPOSED_H

#include "base/parallel.h"
#include "neighbors/neighbors.h"
#include "particles/size.h"
#include "records/images.h"

enum { TL_SURFACE = 4, TL_BALL = 4 }; /* floats a particle, floats a record */

/* How far lists must reach, in spacings. */
#define TL_EXPOSED_REACH 2.0

typedef struct tl_ray_set tl_ray_set;

typedef struct tl_exposed {
    float *surface;  /* [particles * TL_SURFACE] unit outward normal (or 0), area in m² */
    float *balls;    /* [(total + 1) * TL_BALL] middle and radius, m */
    float *facing;   /* [(total + 1) * TL_BALL] gradient of emptiness in 1/m, fullness */
    double *partial; /* [blocks] */
    tl_ray_set *rays;
    double area; /* m²: the sum */
} tl_exposed;

/* Finds the surface of the records' particles. `list` must hold at least all neighbours within
 * TL_EXPOSED_REACH spacings; wall samples count as neighbours, so that faces at walls are not
 * exposed. `touching`, or NULL, has longer rows, as in heat/conduction.h. Particles are taken to
 * have a volume of spacing³, each of its own; `spacing` is that of wall samples. The same bits for
 * any number of threads. */
tl_status tl_exposed_find(tl_exposed *exposed, const tl_parallel *parallel,
                          const tl_records *records, const tl_neighbor_list *list,
                          const tl_neighbor_list *touching, const tl_sizes *sizes, double spacing,
                          tl_error *error);

static inline double tl_exposed_area(const tl_exposed *exposed, size_t i) {
    return (double)exposed->surface[i * TL_SURFACE + 3];
}

size_t tl_exposed_bytes(const tl_exposed *exposed);
void tl_exposed_free(tl_exposed *exposed);

#endif
