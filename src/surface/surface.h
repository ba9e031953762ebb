/* The surface of the matter of a frame as a triangle mesh with the frame's fields on its vertices:
 * blobs (blobs.h), their field on a sparse grid (field.h), its level set (extract.h), smoothing
 * (smooth.h), fields (attributes.h). Everything is kept from frame to frame to be used again. */
#ifndef TL_SURFACE_SURFACE_H
#define TL_SURFACE_SURFACE_H

#include "output/frame.h"
#include "surface/field.h"
#include "surface/smooth.h"

typedef struct tl_surface_options {
    double spacing;   /* m: of the particles */
    double cells;     /* width of a cell of the grid in spacings, 0.1 to 1 */
    int smooth;       /* pairs of smoothing steps */
    bool round;       /* blobs are balls: not stretched along the matter around them */
    bool everywhere;  /* evaluate the field in the midst of matter too: slower, and the same */
    const char *also; /* a field to be shown besides those that surfaces always do; may be NULL */
    int material;     /* the surface of one material only; negative: of all together */
    int threads;      /* 0: all that the machine has */
} tl_surface_options;

/* Cells of half a spacing, and smoothing that leaves no trace of particles or grid. */
#define TL_SURFACE_CELLS  0.5
#define TL_SURFACE_SMOOTH 10

/* Cells for a skin that is smoothed again in the picture: as even, at half the time. */
#define TL_SURFACE_SEEN 0.7

typedef struct tl_surface {
    tl_mesh mesh;
    tl_frame vertices; /* position, normal and the fields of the frame that surfaces show */
    size_t left_out;   /* particles farther from the others than a grid can tell */
    size_t pieces;     /* that hang together */
    /* Working memory. */
    tl_cloud cloud;
    tl_blobs blobs;
    tl_blocks blocks;
    tl_mesh_links links;
    void *columns[TL_MAX_FIELDS];
} tl_surface;

/* Finds the surface of a frame; `surface` is zero at first. No particles give an empty mesh. The
 * result does not depend on the number of threads. */
tl_status tl_surface_make(tl_surface *surface, const tl_frame *frame,
                          const tl_surface_options *options, tl_error *error);

/* Bytes held. */
size_t tl_surface_bytes(const tl_surface *surface);

void tl_surface_free(tl_surface *surface);

#endif
