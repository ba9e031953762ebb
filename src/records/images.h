/* Images: copies of records across the faces of a periodic box, and the values that they share with
 * the records they copy. Who needs to know which record an image stands for, or wants values at
 * images to be those of their sources, asks here and nowhere else: where an image comes from is the
 * secret of this file. */
#ifndef TL_RECORDS_IMAGES_H
#define TL_RECORDS_IMAGES_H

#include "records/records.h"

/* The images are the records [begin, end), those of particles before those of samples. */
static inline size_t tl_images_begin(const tl_records *r) { return r->particles + r->samples; }
static inline size_t tl_images_end(const tl_records *r) { return tl_records_total(r); }

static inline bool tl_is_image(const tl_records *r, size_t j) {
    return j >= tl_images_begin(r) && j < tl_images_end(r);
}

/* True for particles and their images, false for wall samples and theirs. */
static inline bool tl_records_is_matter(const tl_records *r, size_t j) {
    const size_t images = tl_images_begin(r);
    return j < r->particles || (j >= images && j < images + r->particle_images);
}

/* True for wall samples and their images, but not for the dummy. */
static inline bool tl_records_is_sample(const tl_records *r, size_t j) {
    return j < tl_images_end(r) && !tl_records_is_matter(r, j);
}

/* The record that j is an image of, or j itself. */
static inline size_t tl_source_of(const tl_records *r, size_t j) {
    return tl_is_image(r, j) ? r->image_source[j - tl_images_begin(r)] : j;
}

/* How far image j stands from its source, [3] m. */
static inline const float *tl_image_shift(const tl_records *r, size_t j) {
    return r->image_shift + 3 * (j - tl_images_begin(r));
}

/* Makes the images: copies of every record that lies within `reach` of a face of a periodic box, on
 * the far side. Counts of particles and samples must be set and their places filled in.
 * period  lengths along each axis, 0 where the world does not repeat
 * low     lowest corner, relative to the origin */
tl_status tl_images_make(tl_records *records, const double period[3], const double low[3],
                         double reach, tl_error *error);

/* Forgets them all, until they are made again. */
void tl_images_clear(tl_records *records);

/* Copies the a-records (or b-records, and c-records if any) of the sources to their images. */
void tl_images_update_a(tl_records *records);
void tl_images_update_b(tl_records *records);

/* A part of each item of an array that has one item a record. */
typedef struct tl_shared {
    void *items;
    size_t stride, offset, size; /* bytes: of an item; where the part begins, how long it is */
} tl_shared;

#define TL_SHARED(array) ((tl_shared){(array), sizeof *(array), 0, sizeof *(array)})
#define TL_SHARED_GROUP(array, count)                                                              \
    ((tl_shared){(array), (count) * sizeof *(array), 0, (count) * sizeof *(array)})
#define TL_SHARED_MEMBER(array, type, member)                                                      \
    ((tl_shared){(array), sizeof(type), offsetof(type, member), sizeof(((type *)0)->member)})

/* Gives images of particles the values of the particles; those of samples keep theirs. */
void tl_images_share(const tl_records *records, tl_shared values);

/* The same for images of all records. */
void tl_images_share_all(const tl_records *records, tl_shared values);

/* Moves places that were shared with all images to where these stand. Items of `stride` floats
 * begin with the place. */
void tl_images_move(const tl_records *records, float *places, size_t stride);

#endif
