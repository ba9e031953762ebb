/* Between node trees and structs, by the parameter tables. Every error of a tree is reported, not
 * only the first; a value that could not be read keeps its default. */
#ifndef TL_SCENE_SCHEMA_H
#define TL_SCENE_SCHEMA_H

#include "base/param.h"
#include "base/text.h"
#include "scene/report.h"

/* Elements of a list: checks compare them with each other, and more would take long. */
enum { TL_SCHEMA_MAX_LIST = 4096 };

/* Fills the struct `out` from `node` (NULL: from defaults alone). Lists and texts are made in
 * `arena`. False when memory ran out. */
bool tl_schema_bind(tl_arena *arena, tl_report *report, const tl_param_table *table,
                    const tl_yaml_node *node, void *out);

/* Fills a struct of numbers, switches and choices with the defaults of its table, for worlds that
 * are made without a scene. False when memory ran out. */
bool tl_schema_defaults(const tl_param_table *table, void *out);

/* Writes the struct as YAML with all its parameters, `indent` spaces deep. */
void tl_schema_write(const tl_param_table *table, const void *from, int indent, tl_text *out);

/* Carries out one override "path.to.key=value" on a tree and returns the changed tree; what it
 * refuses is reported. Elements of lists go by index or by their `name`. NULL: out of memory. */
const tl_yaml_node *tl_override_apply(tl_arena *arena, tl_report *report, const tl_yaml_node *root,
                                      const char *override);

/* The deepest node on a dotted path that exists: where a message about it belongs. */
const tl_yaml_node *tl_yaml_place(const tl_yaml_node *root, const char *path, ...) TL_PRINTF(2, 3);

typedef enum tl_describe_format {
    TL_DESCRIBE_TEXT, /* for a terminal of 100 columns */
    TL_DESCRIBE_MARKDOWN,
    TL_DESCRIBE_JSON,
    TL_DESCRIBE_ROFF, /* a section of a man page a table */
} tl_describe_format;

/* Describes the parameters of a table, or of all with NULL. */
tl_status tl_schema_describe(const char *table, tl_describe_format format, tl_text *out,
                             tl_error *error);

/* A text as JSON, with its quotes. */
void tl_schema_quote(tl_text *out, const char *text);

/* A JSON Schema (draft 7) of scenes, for editors. */
tl_status tl_schema_json(tl_text *out, tl_error *error);

/* The tables there are, ended by NULL: scene first. */
extern const tl_param_table *const tl_schema_tables[];

#endif
