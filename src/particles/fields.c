/* See fields.h. */
#include "particles/fields.h"

#include "base/hash.h"

#include <string.h>

size_t tl_type_size(tl_type type) {
    switch (type) {
    case TL_F32: return 4;
    case TL_F64: return 8;
    case TL_U8: return 1;
    case TL_U32: return 4;
    case TL_U64: return 8;
    }
    return 0;
}

static size_t element_bytes(const tl_field_desc *desc) {
    return tl_type_size(desc->type) * (size_t)desc->components;
}

/* Room for one particle at least: a field has an address even where there is nothing yet. */
static tl_status reserve(tl_field *field, size_t used, size_t count, tl_error *error) {
    return tl_array_reserve(&field->data, used, count ? count : 1, element_bytes(field->desc),
                            error);
}

int tl_fields_find(const tl_fields *fields, const char *name) {
    for (size_t f = 0; f < fields->field_count; f++)
        if (strcmp(fields->field[f].desc->name, name) == 0)
            return (int)f;
    return -1;
}

int tl_fields_declare(tl_fields *fields, const tl_field_desc *desc) {
    const int known = tl_fields_find(fields, desc->name);
    if (known >= 0)
        return known;
    if (fields->field_count == TL_MAX_FIELDS)
        return -1;
    tl_field *field = &fields->field[fields->field_count];
    *field = (tl_field){desc, NULL};
    if (reserve(field, 0, fields->count, NULL) != TL_OK)
        return -1;
    return (int)fields->field_count++;
}

tl_status tl_fields_resize(tl_fields *fields, size_t count, tl_error *error) {
    if (count >= UINT32_MAX / 2)
        return tl_fail(error, TL_BAD_INPUT, NULL, "use a larger spacing",
                       "%zu particles are more than one world can hold", count);
    for (size_t f = 0; f < fields->field_count; f++)
        TL_TRY(reserve(&fields->field[f], fields->count, count, error));
    for (size_t f = 0; f < fields->field_count && count > fields->count; f++) {
        const size_t bytes = element_bytes(fields->field[f].desc);
        memset((char *)fields->field[f].data + fields->count * bytes, 0,
               (count - fields->count) * bytes);
    }
    fields->count = count;
    return TL_OK;
}

size_t tl_fields_scratch_bytes(const tl_fields *fields) {
    size_t widest = 0;
    for (size_t f = 0; f < fields->field_count; f++)
        if (element_bytes(fields->field[f].desc) > widest)
            widest = element_bytes(fields->field[f].desc);
    return fields->count * widest;
}

typedef struct gather_context {
    const char *from;
    char *to;
    const uint32_t *order;
    size_t bytes;
} gather_context;

/* One loop per common size lets the compiler turn memcpy into plain moves. */
static void gather_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const gather_context *c = context;
    switch (c->bytes) {
    case 4:
        for (size_t i = begin; i < end; i++)
            memcpy(c->to + i * 4, c->from + (size_t)c->order[i] * 4, 4);
        break;
    case 8:
        for (size_t i = begin; i < end; i++)
            memcpy(c->to + i * 8, c->from + (size_t)c->order[i] * 8, 8);
        break;
    case 12:
        for (size_t i = begin; i < end; i++)
            memcpy(c->to + i * 12, c->from + (size_t)c->order[i] * 12, 12);
        break;
    case 24:
        for (size_t i = begin; i < end; i++)
            memcpy(c->to + i * 24, c->from + (size_t)c->order[i] * 24, 24);
        break;
    default:
        for (size_t i = begin; i < end; i++)
            memcpy(c->to + i * c->bytes, c->from + (size_t)c->order[i] * c->bytes, c->bytes);
    }
}

static void copy_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const gather_context *c = context;
    memcpy(c->to + begin * c->bytes, c->from + begin * c->bytes, (end - begin) * c->bytes);
}

void tl_fields_reorder(tl_fields *fields, const tl_parallel *parallel, const uint32_t *order,
                       void *scratch) {
    for (size_t f = 0; f < fields->field_count; f++) {
        char *data = fields->field[f].data;
        gather_context c = {data, scratch, order, element_bytes(fields->field[f].desc)};
        tl_parallel_for(parallel, fields->count, 4 * TL_BLOCK, gather_range, &c);
        c.from = scratch;
        c.to = data;
        tl_parallel_for(parallel, fields->count, 4 * TL_BLOCK, copy_range, &c);
    }
}

void tl_fields_compact(tl_fields *fields, const unsigned char *keep) {
    size_t kept = 0;
    for (size_t f = 0; f < fields->field_count; f++) {
        const size_t bytes = element_bytes(fields->field[f].desc);
        char *data = fields->field[f].data;
        kept = 0;
        for (size_t i = 0; i < fields->count; i++)
            if (keep[i])
                memmove(data + kept++ * bytes, data + i * bytes, bytes);
    }
    fields->count = kept;
}

uint64_t tl_fields_hash(const tl_fields *fields, uint64_t hash) {
    for (size_t f = 0; f < fields->field_count; f++)
        if (fields->field[f].desc->flags & TL_FIELD_SAVED)
            hash = tl_hash(hash, fields->field[f].data,
                           fields->count * element_bytes(fields->field[f].desc));
    return hash;
}

size_t tl_fields_bytes(const tl_fields *fields) {
    size_t bytes = 0;
    for (size_t f = 0; f < fields->field_count; f++)
        bytes += tl_array_bytes(fields->field[f].data);
    return bytes;
}

void tl_fields_free(tl_fields *fields) {
    for (size_t f = 0; f < fields->field_count; f++)
        tl_array_free(fields->field[f].data);
    *fields = (tl_fields){0};
}
