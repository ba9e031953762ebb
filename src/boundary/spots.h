/* What a cover is made of: the points of a fine lattice in the shell of a solid. Each stands for
 * its share of the volume and knows the spot of its layer where a sample could be. */
#ifndef TL_BOUNDARY_SPOTS_H
#define TL_BOUNDARY_SPOTS_H

#include "boundary/cover.h"

enum { TL_FINE = 3 }; /* points a spacing */

typedef enum tl_spot_rank {
    TL_SPOT_LATTICE, /* on a face across an axis, in a column of the lattice of the spacing */
    TL_SPOT_LAYER,   /* on its layer */
    TL_SPOT_COLUMN,  /* in the middle of a part so thin that its layer is not there; in a column */
    TL_SPOT_MIDDLE,  /* the same, in no column */
} tl_spot_rank;

typedef struct tl_spot {
    float position[3], normal[3];
    float depth;
    float share;    /* of the volume, m³ (of the area of a sheet, m²) */
    uint64_t order; /* in which spots are tried: by rank, then at random */
    uint32_t layer;
} tl_spot;

typedef struct tl_spots {
    tl_spot *items;
    size_t count;
} tl_spots;

typedef struct tl_shell {
    const tl_solid *solid;
    double spacing, depth;
    uint32_t layers;
    bool sheet;
} tl_shell;

/* All spots of the shell, in the order of the lattice. */
tl_status tl_spots_make(const tl_shell *shell, const tl_parallel *parallel, tl_spots *out,
                        tl_error *error);

/* Moves x, whose nearest point is `near`, along the gradient of the distance to where it is `depth`
 * below the surface; false if it does not get there. */
bool tl_shell_settle(const tl_shell *shell, double depth, tl_vec3 *x, tl_nearest *near);

#endif
