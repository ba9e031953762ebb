/* See param_live.h. */
#include "materials/param_live.h"

#include "base/schedule.h"
#include "materials/law.h"

#include <string.h>

static size_t section_size(const tl_param *p, const void *at) {
    return p->variants ? p->variants->tables[*(const int *)at]->size : p->table->size;
}

size_t tl_param_size(const tl_param *p, const void *at) {
    switch (p->type) {
    case TL_PARAM_NUMBER: return sizeof(double);
    case TL_PARAM_INTEGER: return sizeof(int64_t);
    case TL_PARAM_SWITCH: return sizeof(bool);
    case TL_PARAM_CHOICE: return sizeof(int);
    case TL_PARAM_TEXT: return sizeof(char *);
    case TL_PARAM_VECTOR: return sizeof(double[3]);
    case TL_PARAM_COLOUR: return sizeof(float[3]);
    case TL_PARAM_SECTION: return section_size(p, at);
    case TL_PARAM_LIST:
    case TL_PARAM_MAP:
    case TL_PARAM_POINTS: return sizeof(tl_param_list);
    case TL_PARAM_LAW: return sizeof(tl_law);
    case TL_PARAM_POINT: return sizeof(double[2]);
    case TL_PARAM_SCHEDULE: return sizeof(tl_schedule);
    }
    return 0;
}

void tl_param_take_live(const tl_param_table *table, void *to, const void *from) {
    for (size_t k = 0; k < table->count; k++) {
        const tl_param *p = &table->params[k];
        const char *source = (const char *)from + p->offset;
        char *target = (char *)to + p->offset;
        if (!(p->flags & TL_PARAM_LIVE)) {
            if (p->type == TL_PARAM_SECTION && p->table)
                tl_param_take_live(p->table, target, source);
            continue;
        }
        memcpy(target, source, tl_param_size(p, source));
        if (p->present)
            memcpy((char *)to + p->present, (const char *)from + p->present, sizeof(bool));
    }
}
