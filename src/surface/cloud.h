/* The particles of a frame made ready for sums over neighbourhoods: places in units of the spacing,
 * from the middle of them all, sorted into cells (neighbors/cells.h). Where the frame has the field
 * `size`, the unit is the largest of them. */
#ifndef TL_SURFACE_CLOUD_H
#define TL_SURFACE_CLOUD_H

#include "neighbors/cells.h"
#include "output/frame.h"

/* Zero-initialise. */
typedef struct tl_cloud {
    double middle[3], spacing; /* m */
    size_t count;
    size_t left_out; /* particles too far from all others to be told apart in floats */
    float *xyz;      /* [3 count] in the order of the frame */
    float *size;     /* [count] in the same order, if they differ */
    bool sized;      /* they do: cells.radius2 has their squares, sorted */
    float least;     /* of the sizes; 1 if all are alike */
    uint32_t *index; /* [count] the particle of the frame */
    tl_cells cells;  /* sorted: cells.x, y, z, and cells.id into xyz and index */
} tl_cloud;

/* Takes the particles of a frame whose `material` is `only`, or all when that is negative. `radius`
 * is the width of cells in spacings. TL_BAD_INPUT names the first particle that is not finite. */
tl_status tl_cloud_make(tl_cloud *cloud, const tl_frame *frame, double spacing, float radius,
                        int only, const tl_parallel *parallel, tl_error *error);

void tl_cloud_free(tl_cloud *cloud);

/* The size of a sorted particle, in units of the cloud. */
static inline float tl_cloud_size(const tl_cloud *cloud, size_t sorted) {
    return cloud->sized ? __builtin_sqrtf(cloud->cells.radius2[sorted]) : 1;
}

/* Consecutive sorted particles. */
typedef struct tl_stretch {
    uint32_t begin, end;
} tl_stretch;

/* Boxes of up to eight cells a side. */
enum { TL_CLOUD_BOX = 8, TL_CLOUD_RUNS = TL_CLOUD_BOX * TL_CLOUD_BOX * TL_CLOUD_BOX };

/* All particles in the cells that touch a box, and maybe others; each once, in an order that does
 * not depend on the box. Returns the number of runs. */
size_t tl_cloud_runs(const tl_cloud *cloud, const float low[3], const float high[3],
                     tl_stretch out[TL_CLOUD_RUNS]);

#endif
