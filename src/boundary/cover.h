/* Wall samples that cover a mesh from its solid side and follow its surface: layers at the depths
 * (k + ½) spacing, about one sample a spacing² in each, so that matter beside it has full
 * neighbourhoods whatever the shape. On faces across an axis they are the plain lattice. They stand
 * in the frame of the mesh and are made once.
 *
 * A mesh that is not closed is a sheet: one layer on the surface itself, felt from both sides, as
 * thick as the spacing. */
#ifndef TL_BOUNDARY_COVER_H
#define TL_BOUNDARY_COVER_H

#include "base/array.h"
#include "base/parallel.h"
#include "mesh/solid.h"

typedef struct tl_cover_sample {
    float position[3]; /* m */
    float normal[3];   /* unit, into the matter; zero on a sheet, which has two sides */
    float depth;       /* m below the surface */
    float volume;      /* m³; they sum to that of the shell, or area times spacing of a sheet */
} tl_cover_sample;

typedef struct tl_cover {
    tl_cover_sample *items;
    size_t count;
} tl_cover;

/* Covers the solid as deep as `depth`. The same for any number of threads. TL_BAD_INPUT when the
 * spacing is so small that the cover could not be held. */
tl_status tl_cover_make(const tl_solid *solid, double spacing, double depth,
                        const tl_parallel *parallel, tl_cover *out, tl_error *error);

void tl_cover_free(tl_cover *cover);

#endif
