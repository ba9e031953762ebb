/* See param_hash.h. */
#include "materials/param_hash.h"

#include "base/hash.h"
#include "base/schedule.h"
#include "materials/law.h"

#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *const *text) {
    return *text ? tl_hash(hash, *text, strlen(*text) + 1) : hash;
}

static uint64_t hash_list(uint64_t hash, const tl_param_table *table, const tl_param_list *list) {
    hash = tl_hash(hash, &list->count, sizeof list->count);
    for (size_t k = 0; k < list->count; k++)
        hash = tl_param_hash(hash, table, (const char *)list->items + k * table->size);
    return hash;
}

static uint64_t hash_points(uint64_t hash, const tl_param_list *list) {
    hash = tl_hash(hash, &list->count, sizeof list->count);
    return tl_hash(hash, list->items, list->count * sizeof(double[2]));
}

static uint64_t hash_section(uint64_t hash, const tl_param *p, const void *at) {
    if (!p->variants)
        return tl_param_hash(hash, p->table, at);
    const int kind = *(const int *)at;
    return tl_param_hash(tl_hash(hash, &kind, sizeof kind), p->variants->tables[kind], at);
}

static uint64_t hash_value(uint64_t hash, const tl_param *p, const void *at) {
    switch (p->type) {
    case TL_PARAM_NUMBER: return tl_hash(hash, at, sizeof(double));
    case TL_PARAM_INTEGER: return tl_hash(hash, at, sizeof(int64_t));
    case TL_PARAM_SWITCH: return tl_hash(hash, at, sizeof(bool));
    case TL_PARAM_CHOICE: return tl_hash(hash, at, sizeof(int));
    case TL_PARAM_TEXT: return hash_text(hash, at);
    case TL_PARAM_VECTOR: return tl_hash(hash, at, sizeof(double[3]));
    case TL_PARAM_COLOUR: return tl_hash(hash, at, sizeof(float[3]));
    case TL_PARAM_SECTION: return hash_section(hash, p, at);
    case TL_PARAM_LIST:
    case TL_PARAM_MAP: return hash_list(hash, p->table, at);
    case TL_PARAM_LAW: return tl_law_hash(hash, at);
    case TL_PARAM_POINT: return tl_hash(hash, at, sizeof(double[2]));
    case TL_PARAM_POINTS: return hash_points(hash, at);
    case TL_PARAM_SCHEDULE: return tl_schedule_hash(hash, at);
    }
    return hash;
}

uint64_t tl_param_hash(uint64_t hash, const tl_param_table *table, const void *from) {
    for (size_t k = 0; k < table->count; k++) {
        const tl_param *p = &table->params[k];
        if (p->flags & (TL_PARAM_IDLE | TL_PARAM_LIVE))
            continue;
        const bool optional = (p->flags & TL_PARAM_OPTIONAL) && p->present;
        const bool there = !optional || *(const bool *)((const char *)from + p->present);
        hash = tl_hash(hash, &there, sizeof there);
        if (there)
            hash = hash_value(hash, p, (const char *)from + p->offset);
    }
    return hash;
}
