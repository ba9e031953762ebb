/* The live parameters of a scene that are single numbers, found by walking its tables. */
#include "base/schedule.h"
#include "materials/law.h"
#include "scene/scene.h"
#include "scene/units.h"

#include <stdio.h>
#include <string.h>

typedef struct walk {
    tl_knob *out;
    size_t room, count;
} walk;

/* Under a key that is live, all is. */
static void walk_table(walk *w, const tl_param_table *table, const char *from, const char *path,
                       bool live);

static void add(walk *w, const tl_param *p, const char *key, double value) {
    if (w->count < w->room) {
        tl_knob *knob = &w->out[w->count];
        *knob = (tl_knob){.unit = tl_unit_symbol(p->unit),
                          .doc = p->doc,
                          .value = value,
                          .min = p->min,
                          .max = p->max};
        snprintf(knob->key, sizeof knob->key, "%s", key);
    }
    w->count++;
}

/* The name of an element, if it has one that a key may hold; or its index. */
static void walk_list(walk *w, const tl_param *p, const tl_param_list *list, const char *path) {
    const tl_param *first = p->table->count ? &p->table->params[0] : NULL;
    const bool named = p->type == TL_PARAM_LIST && first && strcmp(first->name, "name") == 0;
    for (size_t k = 0; k < list->count; k++) {
        const char *at = (const char *)list->items + k * p->table->size;
        const char *name = NULL;
        char key[160];
        if (p->type == TL_PARAM_MAP)
            memcpy(&name, at, sizeof name);
        else if (named)
            memcpy(&name, at + first->offset, sizeof name);
        if (name && !strpbrk(name, ".= "))
            snprintf(key, sizeof key, "%s.%s", path, name);
        else
            snprintf(key, sizeof key, "%s.%zu", path, k);
        walk_table(w, p->table, at, key, false);
    }
}

static void walk_value(walk *w, const tl_param *p, const char *at, const char *key, bool live) {
    const tl_law *law = (const void *)at;
    const tl_schedule *schedule = (const void *)at;
    if (p->type == TL_PARAM_SECTION)
        walk_table(w, p->variants ? p->variants->tables[*(const int *)(const void *)at] : p->table,
                   at, key, live);
    else if (p->type == TL_PARAM_LIST || p->type == TL_PARAM_MAP)
        walk_list(w, p, (const void *)at, key);
    else if (live && p->type == TL_PARAM_NUMBER)
        add(w, p, key, *(const double *)(const void *)at);
    else if (live && p->type == TL_PARAM_LAW && law->kind == TL_LAW_CONSTANT)
        add(w, p, key, law->value);
    else if (live && p->type == TL_PARAM_SCHEDULE && schedule->points.count == 0)
        add(w, p, key, schedule->value);
}

static void walk_table(walk *w, const tl_param_table *table, const char *from, const char *path,
                       bool live) {
    for (size_t k = 0; k < table->count; k++) {
        const tl_param *p = &table->params[k];
        char key[160];
        if (p->present && !*(const bool *)(from + p->present))
            continue;
        if (snprintf(key, sizeof key, *path ? "%s.%s" : "%s%s", path, p->name) < (int)sizeof key)
            walk_value(w, p, from + p->offset, key, live || (p->flags & TL_PARAM_LIVE));
    }
}

size_t tl_scene_knobs(const tl_scene *scene, tl_knob *out, size_t room) {
    walk w = {.out = out, .room = room};
    walk_table(&w, &tl_scene_table, (const char *)scene, "", false);
    return w.count;
}
