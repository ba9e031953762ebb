/* A YAML text as a tree of nodes that know where they stand. Values are untyped: schema.h gives
 * them meaning. Hostile input is bounded: size, depth and node count (aliases as if written out).
 */
#ifndef TL_SCENE_YAML_H
#define TL_SCENE_YAML_H

#include "base/memory.h"

enum {
    TL_YAML_MAX_BYTES = 8 << 20,
    TL_YAML_MAX_DEPTH = 64,
    TL_YAML_MAX_NODES = 200000,
    TL_YAML_MAX_KEY = 128, /* bytes; YAML itself ends at 1024 */
};

/* The text that nodes stand in. */
typedef struct tl_yaml_source {
    const char *file; /* or "--set" */
    const char *text;
    size_t size;
    size_t skip; /* bytes at the start that are not YAML: "path.to.key=" of an override */
} tl_yaml_source;

typedef enum tl_yaml_kind { TL_YAML_SCALAR, TL_YAML_SEQUENCE, TL_YAML_MAPPING } tl_yaml_kind;

typedef struct tl_yaml_node tl_yaml_node;

typedef struct tl_yaml_entry {
    const tl_yaml_node *key; /* NULL in a sequence */
    const tl_yaml_node *value;
} tl_yaml_entry;

/* Immutable once built: aliases share nodes, and edits copy the path they change. */
struct tl_yaml_node {
    tl_yaml_kind kind;
    bool quoted;      /* a scalar in quotes or a block: never null */
    int line, column; /* from 1 */
    const tl_yaml_source *source;
    const char *text;       /* of a scalar, without NUL inside */
    tl_yaml_entry *entries; /* of the others */
    size_t count, capacity;
    size_t weight; /* nodes in this tree, aliases written out */
    int height;    /* levels below */
};

/* Where and why a text is not YAML. */
typedef struct tl_yaml_problem {
    int line, column;
    char what[256];
    const char *hint; /* may be NULL */
} tl_yaml_problem;

/* Reads one document. *out is NULL for an empty one. TL_BAD_INPUT fills *problem; `source` must
 * outlive the nodes. */
tl_status tl_yaml_parse(tl_arena *arena, const tl_yaml_source *source, const tl_yaml_node **out,
                        tl_yaml_problem *problem);

/* The value of a key of a mapping; NULL when there is none. */
const tl_yaml_node *tl_yaml_get(const tl_yaml_node *mapping, const char *key);

/* Whether a node says nothing: no node, an empty plain scalar, ~ or null. */
bool tl_yaml_is_null(const tl_yaml_node *node);

/* Makes a scalar at the place of `near` (which may be NULL). NULL: out of memory. */
tl_yaml_node *tl_yaml_scalar(tl_arena *arena, const tl_yaml_node *near, const char *text);

/* Makes an empty mapping at the place of `near`. NULL: out of memory. */
tl_yaml_node *tl_yaml_mapping(tl_arena *arena, const tl_yaml_node *near);

/* A copy of a node (not of its children) that may be changed. NULL: out of memory. */
tl_yaml_node *tl_yaml_copy(tl_arena *arena, const tl_yaml_node *node);

/* Adds an element, or with a key an entry; one that has the key is replaced. False: no memory. */
bool tl_yaml_add(tl_arena *arena, tl_yaml_node *to, const tl_yaml_node *key,
                 const tl_yaml_node *value);

#endif
