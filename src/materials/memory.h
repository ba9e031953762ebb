/* What particles remember: fields that laws declare for their own use. The field table resizes,
 * reorders, saves and shows them as it does all others; new particles remember zeros. Laws that
 * declare the same field share it: a particle is of one material. */
#ifndef TL_MATERIALS_MEMORY_H
#define TL_MATERIALS_MEMORY_H

#include "materials/elastic.h"
#include "particles/fields.h"

/* Zero-initialise. */
struct tl_memory {
    const tl_fields *fields;
    int (*handle)[TL_MEMORIES];       /* [materials], or NULL: nobody remembers anything */
    int elastic[TL_ELASTIC_MEMORIES]; /* of elastic matter, if there is any */
};

/* Declares the fields of the laws of `count` materials. */
tl_status tl_memory_declare(tl_memory *memory, tl_fields *fields, const tl_material *materials,
                            size_t count, tl_error *error);

void tl_memory_free(tl_memory *memory);

#endif
