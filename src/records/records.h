/* Hot records: what pair loops read, in float32, 32 bytes each, so that one 16-byte load brings
 * four fields and a neighbour costs one cache line (docs/architecture.md has the measurements).
 *
 *   a: tl_record                place, mass, velocity, density
 *   b: tl_stress (tensors.h)    β-weighted pressure and viscosity, β (passes.h)
 *   c: tl_tensor (tensors.h)    β-weighted stress, kept unless viscosity is pairwise; the viscosity
 *                               of b is 0 when it is nested
 *
 * Order of the records: particles, wall samples, periodic images of particles, periodic images of
 * samples (images.h), and one dummy far away that pads the neighbour rows. The field table keeps
 * what is exact (double) and what is cold; records are filled from it at the start of each
 * evaluation. */
#ifndef TL_RECORDS_RECORDS_H
#define TL_RECORDS_RECORDS_H

#include "base/array.h"
#include "records/tensors.h"

typedef struct tl_record {
    float x[3]; /* m, relative to the world's origin */
    float mass; /* kg */
    float v[3]; /* m/s */
    float inverse_density;
} tl_record;
enum { TL_RECORD = 8 }; /* floats in it: the stride of places */
_Static_assert(sizeof(tl_record) == TL_RECORD * sizeof(float), "gathered as floats");

static inline float tl_record_volume(const tl_record *a) { return a->mass * a->inverse_density; }

typedef struct tl_records {
    tl_record *a;       /* [total + 1] */
    tl_stress *b;       /* [total + 1] */
    tl_tensor *c;       /* [total + 1], or NULL without tensors */
    tl_tensors tensors; /* what c holds; set before anything is reserved */
    size_t particles, samples, particle_images, sample_images;
    uint32_t *image_source; /* [images] the record an image copies; for images.h alone */
    float *image_shift;     /* [3 * images] and how far away it stands; the same */
} tl_records;

static inline size_t tl_records_images(const tl_records *r) {
    return r->particle_images + r->sample_images;
}

static inline size_t tl_records_total(const tl_records *r) {
    return r->particles + r->samples + tl_records_images(r);
}

/* Room for as many records as the counts say, and the dummy set. */
tl_status tl_records_reserve(tl_records *records, tl_error *error);

size_t tl_records_bytes(const tl_records *records);
void tl_records_free(tl_records *records);

#endif
