/* Fields with one of every type and shape, whose values follow from the index: what the tests of
 * files write, and what read_vtk.py and read_hdf5.py expect. */
#ifndef TL_TESTS_SAMPLE_FIELDS_H
#define TL_TESTS_SAMPLE_FIELDS_H

#include "particles/fields.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLE_BOTH = TL_FIELD_SAVED | TL_FIELD_SHOWN };

static const tl_field_desc sample_descs[] = {
    {"id", TL_U64, 1, "", "Name for ever", SAMPLE_BOTH},
    {"position", TL_F64, 3, "m", "Place", SAMPLE_BOTH},
    {"velocity", TL_F32, 3, "m/s", "Velocity & more <than> \"that\"", SAMPLE_BOTH},
    {"stress", TL_F32, 6, "Pa", "Deviatoric stress", SAMPLE_BOTH},
    {"temperature", TL_F64, 1, "°C", "Temperature", SAMPLE_BOTH},
    {"material", TL_U32, 1, "", "Index of the material", SAMPLE_BOTH},
    {"phase", TL_U8, 1, "", "0 solid, 1 liquid", SAMPLE_BOTH},
    {"hidden", TL_F64, 1, "J", "Saved and not shown", TL_FIELD_SAVED},
    {"derived", TL_F32, 1, "", "Shown and not saved", TL_FIELD_SHOWN},
};
enum { SAMPLE_FIELDS = sizeof sample_descs / sizeof *sample_descs };

/* Element e of field f: exact in every type that it is stored as. */
static inline double sample_value(size_t f, size_t e) {
    switch (f) {
    case 0: return 1000000007.0 + (double)e;
    case 1: return (double)e * 0.25 - 3;
    case 2: return (double)e * -0.5;
    case 3: return (double)e * 2 + 1;
    case 4: return 20 + (double)e / 3; /* a float cannot hold it */
    case 5: return (double)(e % 7) + 4e9;
    case 6: return (double)(e % 256);
    default: return (double)(f * e);
    }
}

static inline void sample_set(void *data, tl_type type, size_t e, double value) {
    switch (type) {
    case TL_F32: ((float *)data)[e] = (float)value; break;
    case TL_F64: ((double *)data)[e] = value; break;
    case TL_U8: ((uint8_t *)data)[e] = (uint8_t)value; break;
    case TL_U32: ((uint32_t *)data)[e] = (uint32_t)value; break;
    case TL_U64: ((uint64_t *)data)[e] = (uint64_t)value; break;
    }
}

static inline tl_fields sample_fields(size_t count) {
    tl_fields fields = {0};
    for (size_t f = 0; f < SAMPLE_FIELDS; f++)
        if (tl_fields_declare(&fields, &sample_descs[f]) != (int)f)
            abort();
    if (tl_fields_resize(&fields, count, NULL) != TL_OK)
        abort();
    for (size_t f = 0; f < SAMPLE_FIELDS; f++)
        for (size_t e = 0; e < count * (size_t)sample_descs[f].components; e++)
            sample_set(fields.field[f].data, sample_descs[f].type, e, sample_value(f, e));
    return fields;
}

#endif
