/* Wall samples: fixed particles that fill the solid side of a wall as deep as kernels reach, so
 * that matter near it has full neighbourhoods and feels real pressure. They stand on a lattice of
 * the spacing, half a spacing below the surface, and only where matter is near: infinite planes
 * cost nothing elsewhere. They carry no state: all is set anew from the matter around them
 * (extrapolate.h). */
#ifndef TL_BOUNDARY_SAMPLES_H
#define TL_BOUNDARY_SAMPLES_H

#include "boundary/shapes.h"
#include "boundary/vicinity.h"

typedef struct tl_sample {
    float position[3]; /* m, relative to the origin */
    float normal[3];   /* unit, into the matter */
    float depth;       /* m, below the surface */
    float share;       /* its volume / spacing³ */
    uint32_t shape;    /* index */
} tl_sample;

typedef struct tl_samples {
    tl_sample *items;
    size_t count;
    double spacing; /* m: of their lattice */
    /* Marked columns of one shape's lattice, in square tiles that exist only where matter is near:
     * one drop that has run far must not cost the plane between. */
    uint32_t *tile;       /* [tiles of the window] index of the tile's marks + 1; 0: none marked */
    unsigned char *marks; /* [tiles that exist * columns of a tile] */
    size_t tile_count;
    uint32_t *near;       /* points near one shape */
    tl_vicinity vicinity; /* of the matter, for meshes */
} tl_samples;

/* Where samples are wanted, and on which lattice. */
typedef struct tl_sampling {
    double spacing; /* m */
    double reach;   /* m: how far from matter samples are wanted */
    const float
        *reaches;     /* [points] m: the same for each of them, up to `reach`; NULL: all alike */
    double depth;     /* m: how deep below the surface; kernels end there */
    tl_vec3 origin;   /* of the records' coordinates */
    tl_vec3 anchor;   /* a corner of the lattice: samples stand at anchor + (k + ½) spacing */
    double period[3]; /* lengths of a periodic world, 0 elsewhere; the anchor is its low corner */
} tl_sampling;

/* Chooses the samples of all shapes for `count` points at places[stride * i], relative to the
 * origin: every lattice point in a solid that is within reach of a point (and a few more). Where
 * solids overlap, the first shape owns the place. In a periodic world all are in its box. */
tl_status tl_samples_make(tl_samples *samples, const tl_shapes *shapes, const tl_sampling *sampling,
                          const float *places, size_t stride, size_t count, tl_error *error);

/* Velocity of the solid where a sample is. The sample of a wall whose surface moves along itself
 * shows that velocity too. */
static inline tl_vec3 tl_sample_velocity(const tl_shape *shape, const tl_sample *sample,
                                         tl_vec3 origin) {
    if (!shape->moves)
        return shape->belt;
    const float *p = sample->position;
    const tl_vec3 x = {(double)p[0], (double)p[1], (double)p[2]};
    return tl_shape_velocity(shape, tl_vec3_add(x, origin));
}

size_t tl_samples_bytes(const tl_samples *samples);
void tl_samples_free(tl_samples *samples);

#endif
