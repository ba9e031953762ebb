/* Overrides: --set path.to.key=value, done on the tree before it is bound. See schema.h. */
#include "scene/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 16, MAX_PATH = 512 };

typedef struct override {
    tl_arena *arena;
    tl_report *report;
    char *part[MAX_PARTS];
    size_t part_count;
    const tl_yaml_node *value; /* also the place for messages */
    bool refused;
} override;

/* The index that a word means in a sequence; the count when it means none. */
static size_t find_element(const tl_yaml_node *list, const char *word) {
    char *end;
    const unsigned long long index = strtoull(word, &end, 10);
    if (*word >= '0' && *word <= '9' && *end == 0)
        return index < list->count ? (size_t)index : list->count;
    for (size_t i = 0; i < list->count; i++) {
        const tl_yaml_node *name = tl_yaml_get(list->entries[i].value, "name");
        if (name && name->kind == TL_YAML_SCALAR && strcmp(name->text, word) == 0)
            return i;
    }
    return list->count;
}

static void refuse_element(override *o, const tl_yaml_node *list, const char *word) {
    const char *names[64];
    size_t n = 0;
    for (size_t i = 0; i < list->count && n < 64; i++) {
        const tl_yaml_node *name = tl_yaml_get(list->entries[i].value, "name");
        if (name && name->kind == TL_YAML_SCALAR)
            names[n++] = name->text;
    }
    const char *nearest = tl_nearest_word(word, names, n);
    char hint[160];
    if (nearest)
        snprintf(hint, sizeof hint, "did you mean %.100s?", nearest);
    else
        snprintf(hint, sizeof hint, "the list has %zu elements, counted from 0", list->count);
    o->refused = true;
    tl_report_error(o->report, o->value, hint, "the list has no element \"%.60s\"", word);
}

/* The tree `node` with part k and what follows changed. Nodes on the way are copied, since aliases
 * may share them. NULL: refused, or out of memory. */
static const tl_yaml_node *edit(override *o, const tl_yaml_node *node, size_t k) {
    if (k == o->part_count)
        return o->value;
    const char *word = o->part[k];
    if (node && node->kind == TL_YAML_SEQUENCE) {
        const size_t index = find_element(node, word);
        if (index == node->count) {
            refuse_element(o, node, word);
            return NULL;
        }
        tl_yaml_node *copy = tl_yaml_copy(o->arena, node);
        const tl_yaml_node *value = edit(o, node->entries[index].value, k + 1);
        if (!copy || !value)
            return NULL;
        copy->entries[index].value = value;
        return copy;
    }
    if (node && node->kind == TL_YAML_SCALAR && !tl_yaml_is_null(node)) {
        o->refused = true;
        tl_report_error(o->report, o->value, NULL,
                        "nothing can stand below \"%.60s\": it is a value",
                        k ? o->part[k - 1] : "");
        return NULL;
    }
    const bool fresh = !node || node->kind == TL_YAML_SCALAR;
    tl_yaml_node *copy = fresh ? tl_yaml_mapping(o->arena, o->value) : tl_yaml_copy(o->arena, node);
    tl_yaml_node *key = tl_yaml_scalar(o->arena, o->value, word);
    if (key) {
        key->line = 1;
        key->column = (int)(word - o->part[0]) + 1;
    }
    const tl_yaml_node *value = edit(o, tl_yaml_get(node, word), k + 1);
    if (!copy || !key || !value || !tl_yaml_add(o->arena, copy, key, value))
        return NULL;
    return copy;
}

static bool split_path(override *o, char *path) {
    for (char *at = path;; at++) {
        if (o->part_count == MAX_PARTS || *at == 0 || *at == '.')
            return false;
        o->part[o->part_count++] = at;
        at += strcspn(at, ".");
        if (*at == 0)
            return true;
        *at = 0;
    }
}

/* The value of an override as a node. A colour's # would begin a comment in YAML. */
static tl_status read_value(override *o, const tl_yaml_source *source) {
    const char *value = source->text + source->skip;
    tl_yaml_problem problem;
    const tl_yaml_node place = {.source = source, .line = 1, .column = (int)source->skip + 1};
    if (*value == '#') {
        o->value = tl_yaml_scalar(o->arena, &place, value);
        return o->value ? TL_OK : TL_NO_MEMORY;
    }
    const tl_status status = tl_yaml_parse(o->arena, source, &o->value, &problem);
    if (status == TL_BAD_INPUT)
        tl_report_yaml(o->report, source, &problem);
    if (status == TL_OK && !o->value) { /* "key=": as if there were no value in the file */
        tl_yaml_node *nothing = tl_yaml_scalar(o->arena, &place, "");
        if (!nothing)
            return TL_NO_MEMORY;
        nothing->quoted = false;
        o->value = nothing;
    }
    return status;
}

const tl_yaml_node *tl_override_apply(tl_arena *arena, tl_report *report, const tl_yaml_node *root,
                                      const char *text) {
    override o = {.arena = arena, .report = report};
    tl_yaml_source *source = tl_arena_allocate(arena, 1, sizeof *source);
    char *copy = tl_arena_text(arena, text, strlen(text));
    if (!source || !copy)
        return NULL;
    *source = (tl_yaml_source){"--set", copy, strlen(copy), 0};
    const tl_yaml_node place = {.source = source, .line = 1, .column = 1};
    char path[MAX_PATH];
    const size_t length = strcspn(text, "=");
    snprintf(path, sizeof path, "%.*s", (int)(length < MAX_PATH ? length : MAX_PATH), text);
    if (text[length] != '=' || length >= MAX_PATH || !split_path(&o, path)) {
        tl_report_error(report, &place, "write path.to.key=value, such as flow.cfl=0.2",
                        "this override cannot be read");
        return root;
    }
    source->skip = length + 1;
    const tl_status status = read_value(&o, source);
    if (status != TL_OK)
        return status == TL_BAD_INPUT ? root : NULL;
    const tl_yaml_node *edited = edit(&o, root, 0);
    return o.refused ? root : edited;
}

const tl_yaml_node *tl_yaml_place(const tl_yaml_node *root, const char *path, ...) {
    char words[MAX_PATH];
    va_list arguments;
    va_start(arguments, path);
    vsnprintf(words, sizeof words, path, arguments);
    va_end(arguments);
    const tl_yaml_node *node = root;
    for (char *at = words; node && *at;) {
        char *end = at + strcspn(at, ".");
        const bool last = *end == 0;
        *end = 0;
        const tl_yaml_node *next = NULL;
        if (node->kind == TL_YAML_SEQUENCE) {
            const size_t index = find_element(node, at);
            next = index < node->count ? node->entries[index].value : NULL;
        } else {
            next = tl_yaml_get(node, at);
        }
        if (!next)
            break;
        node = next;
        at = last ? end : end + 1;
    }
    return node;
}
