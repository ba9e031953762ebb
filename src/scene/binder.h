/* The parts that binding is made of (schema.c, laws.c). Private to this room. */
#ifndef TL_SCENE_BINDER_H
#define TL_SCENE_BINDER_H

#include "base/schedule.h"
#include "materials/law.h"
#include "scene/schema.h"

typedef struct tl_binder {
    tl_arena *arena;
    tl_report *report;
    bool out_of_memory;
} tl_binder;

/* Fills a struct by its table. `parent` is where to point when there is no node. */
void tl_bind_table(tl_binder *binder, const tl_param_table *table, const tl_yaml_node *node,
                   const tl_yaml_node *parent, void *out);

/* The table that the word in a mapping chooses; NULL, and reported, when there is none. `name` is
 * what the mapping is. */
const tl_param_table *tl_bind_variant(tl_binder *binder, const char *name,
                                      const tl_param_variants *variants, const tl_yaml_node *node);

void tl_bind_number(tl_binder *binder, const tl_param *p, const tl_yaml_node *node, double *out);

/* "a list", "nothing", ...: what a node is, for messages. */
const char *tl_bind_kind_name(const tl_yaml_node *node);

/* Temperature laws. laws.c */
void tl_bind_law(tl_binder *binder, const tl_param *p, const tl_yaml_node *node, tl_law *out);
void tl_bind_point(tl_binder *binder, const tl_param *p, const tl_yaml_node *node, double out[2]);
void tl_bind_points(tl_binder *binder, const tl_param *p, const tl_yaml_node *node,
                    tl_param_list *out);

/* Schedules. schedules.c */
void tl_bind_schedule(tl_binder *binder, const tl_param *p, const tl_yaml_node *node,
                      tl_schedule *out);
void tl_write_schedule(tl_text *out, const tl_param *p, const tl_schedule *schedule);

/* The table of a kind of law whose values are those of a parameter. */
typedef struct tl_law_table {
    tl_param params[4];
    tl_param_table table;
} tl_law_table;
void tl_law_table_make(const tl_param_table *kind, const tl_param *owner, tl_law_table *out);

#endif
