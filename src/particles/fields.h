/* The field table: every per-particle array is declared once, and the framework resizes, reorders,
 * saves and writes it. A model that adds a field touches no other room.
 *
 * Names on the data: `data` of a field is one array of count * components elements, 64-byte
 * aligned. */
#ifndef TL_PARTICLES_FIELDS_H
#define TL_PARTICLES_FIELDS_H

#include "base/array.h"
#include "base/parallel.h"

typedef enum tl_field_flags {
    TL_FIELD_SAVED = 1, /* part of the state: in snapshots and in the hash */
    TL_FIELD_SHOWN = 2, /* written to frames */
    /* How it goes on when particles split and merge (resample/parts.h): */
    TL_FIELD_SHARED = 4, /* parts share it, and the whole has their sum */
    TL_FIELD_PLACE = 8,  /* three components that move with the particle */
} tl_field_flags;

typedef struct tl_field_desc {
    const char *name;
    tl_type type;
    int components;
    const char *unit;
    const char *doc;
    unsigned flags;
} tl_field_desc;

typedef struct tl_field {
    const tl_field_desc *desc;
    void *data; /* an array (base/array.h) */
} tl_field;

enum { TL_MAX_FIELDS = 64 };

/* Zero-initialise. */
typedef struct tl_fields {
    tl_field field[TL_MAX_FIELDS];
    size_t field_count;
    size_t count; /* particles */
} tl_fields;

/* Declares a field (`desc` must outlive the table) and returns its handle, or -1 when out of
 * memory. Declaring a name twice returns the first handle. */
int tl_fields_declare(tl_fields *fields, const tl_field_desc *desc);

/* Handle of the field called `name`, or -1. */
int tl_fields_find(const tl_fields *fields, const char *name);

/* Sets the number of particles. New particles are zero in every field. */
tl_status tl_fields_resize(tl_fields *fields, size_t count, tl_error *error);

/* Particle i becomes what particle order[i] was, in every field. `order` is a permutation.
 * scratch  tl_fields_scratch_bytes(fields) of memory that nobody needs just now */
void tl_fields_reorder(tl_fields *fields, const tl_parallel *parallel, const uint32_t *order,
                       void *scratch);

/* Room for one copy of the widest field. */
size_t tl_fields_scratch_bytes(const tl_fields *fields);

/* Particle i survives where keep[i] is not 0; the survivors close up, in order. */
void tl_fields_compact(tl_fields *fields, const unsigned char *keep);

/* Hash of all saved fields, in the order of the particles. */
uint64_t tl_fields_hash(const tl_fields *fields, uint64_t hash);

size_t tl_fields_bytes(const tl_fields *fields);
void tl_fields_free(tl_fields *fields);

static inline void *tl_field_data(const tl_fields *fields, int handle) {
    return fields->field[handle].data;
}

#endif
