/* See yaml.h. The tree is built from libyaml's events; recursion is bounded by the depth. */
#include "scene/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_ANCHORS = 1000, MAX_MERGED = 256 };

typedef struct anchor {
    struct anchor *next;
    const char *name;
    const tl_yaml_node *node;
} anchor;

typedef struct parse {
    yaml_parser_t parser;
    yaml_event_t event;
    tl_arena *arena;
    const tl_yaml_source *source;
    tl_yaml_problem *problem;
    anchor *anchors; /* newest first: a name may be used again */
    int anchor_count;
    size_t node_count;
} parse;

static int column_of(const parse *p, yaml_mark_t mark) {
    return (int)(mark.column + (mark.line == 0 ? p->source->skip : 0)) + 1;
}

/* What is missing at the end stands behind the last line that there is. */
static void clamp_to_text(parse *p) {
    const char *text = p->source->text;
    size_t size = p->source->size;
    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    int lines = 1, column = 1;
    for (size_t i = 0; i < size; i++) {
        column += ((unsigned char)text[i] & 0xC0) != 0x80;
        if (text[i] == '\n') {
            lines++;
            column = 1;
        }
    }
    if (p->problem->line <= lines)
        return;
    p->problem->line = lines;
    p->problem->column = column;
}

static tl_status refuse(parse *p, yaml_mark_t mark, const char *hint, const char *what, ...)
    TL_PRINTF(4, 5);
static tl_status refuse(parse *p, yaml_mark_t mark, const char *hint, const char *what, ...) {
    p->problem->line = (int)mark.line + 1;
    p->problem->column = column_of(p, mark);
    clamp_to_text(p);
    p->problem->hint = hint;
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(p->problem->what, sizeof p->problem->what, what, arguments);
    va_end(arguments);
    return TL_BAD_INPUT;
}

/* Length of the well-formed UTF-8 character at `s` that YAML allows in a text, or 0. */
static size_t character_length(const unsigned char *s, size_t size) {
    if (s[0] < 0x80)
        return (s[0] >= 0x20 && s[0] < 0x7F) || s[0] == '\t' || s[0] == '\n' || s[0] == '\r';
    const size_t n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (s[0] < 0xC2 || s[0] > 0xF4 || n > size)
        return 0;
    uint32_t c = s[0] & (0xFFu >> (n + 1));
    for (size_t k = 1; k < n; k++) {
        if ((s[k] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (s[k] & 0x3F);
    }
    const bool allowed = c == 0x85 || (c >= 0xA0 && c < 0xD800) || (c >= 0xE000 && c < 0xFFFE) ||
                         (c >= 0x10000 && c < 0x110000);
    return allowed && c >= least[n] ? n : 0;
}

/* Refuses what is no text before libyaml sees it, which knows no line for such bytes. */
static tl_status check_bytes(parse *p) {
    const unsigned char *s = (const unsigned char *)p->source->text;
    const size_t size = p->source->size;
    yaml_mark_t mark = {0};
    if (size > TL_YAML_MAX_BYTES)
        return refuse(p, mark, "split the scene, or leave data out of it",
                      "%zu bytes are too many: at most %d", size, TL_YAML_MAX_BYTES);
    for (size_t i = p->source->skip; i < size;) {
        const size_t n = character_length(s + i, size - i);
        if (n == 0)
            return refuse(p, mark, "save the file as UTF-8 text",
                          s[i] < 0x80 ? "byte 0x%02X does not belong into a text"
                                      : "byte 0x%02X is not UTF-8",
                          s[i]);
        mark.column++;
        if (s[i] == '\n') {
            mark.line++;
            mark.column = 0;
        }
        i += n;
    }
    return TL_OK;
}

static tl_status refuse_syntax(parse *p) {
    const yaml_parser_t *parser = &p->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return TL_NO_MEMORY;
    const char *what = parser->problem ? parser->problem : "not YAML";
    const char *hint = NULL;
    if (strstr(what, "cannot start any token"))
        hint = "indent with spaces, not tabs; quote texts that begin with @ ` or %";
    else if (strstr(what, "mapping values are not allowed"))
        hint = "check the indentation; quote texts that contain \": \"";
    else if (strstr(what, "could not find expected ':'"))
        hint = "write \"key: value\" with a colon and a space";
    else if (strstr(what, "did not find expected key"))
        hint = "keys of one section stand in one column";
    return refuse(p, parser->problem_mark, hint, "%s", what);
}

static tl_status next_event(parse *p) {
    yaml_event_delete(&p->event);
    if (!yaml_parser_parse(&p->parser, &p->event))
        return refuse_syntax(p);
    return TL_OK;
}

static tl_status count_nodes(parse *p, yaml_mark_t mark, size_t more) {
    p->node_count += more;
    if (p->node_count > TL_YAML_MAX_NODES)
        return refuse(p, mark, NULL, "more than %d values, counting what aliases repeat",
                      TL_YAML_MAX_NODES);
    return TL_OK;
}

static tl_status make_node(parse *p, tl_yaml_kind kind, tl_yaml_node **out) {
    const yaml_mark_t mark = p->event.start_mark;
    TL_TRY(count_nodes(p, mark, 1));
    tl_yaml_node *node = tl_arena_allocate(p->arena, 1, sizeof *node);
    if (!node)
        return TL_NO_MEMORY;
    node->kind = kind;
    node->source = p->source;
    node->line = (int)mark.line + 1;
    node->column = column_of(p, mark);
    node->weight = 1;
    *out = node;
    return TL_OK;
}

/* A node gets its anchor when it is complete, so that none can contain itself. */
static tl_status drop_anchor(parse *p, const char *name, const tl_yaml_node *node) {
    if (!name)
        return TL_OK;
    if (++p->anchor_count > MAX_ANCHORS)
        return refuse(p, p->event.start_mark, NULL, "more than %d anchors", MAX_ANCHORS);
    anchor *a = tl_arena_allocate(p->arena, 1, sizeof *a);
    if (!a)
        return TL_NO_MEMORY;
    *a = (anchor){.next = p->anchors, .name = name, .node = node};
    p->anchors = a;
    return TL_OK;
}

static tl_status follow_alias(parse *p, int depth, const tl_yaml_node **out) {
    const char *name = (const char *)p->event.data.alias.anchor;
    const yaml_mark_t mark = p->event.start_mark;
    const anchor *a = p->anchors;
    while (a && strcmp(a->name, name) != 0)
        a = a->next;
    if (!a)
        return refuse(p, mark, "write &name before the value to repeat, then *name",
                      "nothing above is called &%.60s", name);
    if (depth + a->node->height > TL_YAML_MAX_DEPTH)
        return refuse(p, mark, NULL, "nested deeper than %d levels", TL_YAML_MAX_DEPTH);
    TL_TRY(count_nodes(p, mark, a->node->weight));
    *out = a->node;
    return TL_OK;
}

static tl_status read_node(parse *p, int depth, const tl_yaml_node **out);

static int compare_keys(const void *a, const void *b) {
    const tl_yaml_node *x = *(const tl_yaml_node *const *)a, *y = *(const tl_yaml_node *const *)b;
    const int order = strcmp(x->text, y->text);
    if (order != 0)
        return order;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

static yaml_mark_t mark_of(const parse *p, const tl_yaml_node *node) {
    const size_t shift = node->line == 1 ? p->source->skip : 0;
    return (yaml_mark_t){.line = (size_t)node->line - 1,
                         .column = (size_t)node->column - 1 - shift};
}

static tl_status check_keys(parse *p, const tl_yaml_node *mapping) {
    if (mapping->count < 2)
        return TL_OK;
    const tl_yaml_node **keys = tl_allocate(mapping->count, sizeof *keys);
    if (!keys)
        return TL_NO_MEMORY;
    for (size_t i = 0; i < mapping->count; i++)
        keys[i] = mapping->entries[i].key;
    qsort(keys, mapping->count, sizeof *keys, compare_keys);
    tl_status status = TL_OK;
    for (size_t i = 1; i < mapping->count && status == TL_OK; i++)
        if (strcmp(keys[i]->text, keys[i - 1]->text) == 0) {
            status = refuse(p, mark_of(p, keys[i]), "remove one of them",
                            "the key \"%.60s\" is given twice, first on line %d", keys[i]->text,
                            keys[i - 1]->line);
        }
    free(keys);
    return status;
}

static tl_status read_key(parse *p, const tl_yaml_node **out) {
    if (p->event.type != YAML_SCALAR_EVENT)
        return refuse(p, p->event.start_mark, NULL, "a key must be a word");
    if (p->event.data.scalar.length > TL_YAML_MAX_KEY)
        return refuse(p, p->event.start_mark, NULL, "a key longer than %d bytes", TL_YAML_MAX_KEY);
    return read_node(p, 0, out);
}

static bool append(tl_arena *arena, tl_yaml_node *to, tl_yaml_entry entry) {
    if (to->count == to->capacity) {
        const size_t capacity = 2 * to->capacity + 4;
        tl_yaml_entry *grown = tl_arena_allocate(arena, capacity, sizeof *grown);
        if (!grown)
            return false;
        if (to->count)
            memcpy(grown, to->entries, to->count * sizeof *grown);
        to->entries = grown;
        to->capacity = capacity;
    }
    to->entries[to->count++] = entry;
    return true;
}

/* Adds the entries of `from` whose keys `to` does not have. What is added was counted with its
 * alias; the keys are few, since each is looked for among all. */
static tl_status merge_mapping(parse *p, const tl_yaml_node *at, const tl_yaml_node *from,
                               tl_yaml_node *to) {
    if (from->kind != TL_YAML_MAPPING)
        return refuse(p, mark_of(p, at), "write <<: *name, or <<: [*name, *other]",
                      "<< wants a mapping to take keys from, or a list of them");
    for (size_t i = 0; i < from->count; i++) {
        const tl_yaml_entry entry = from->entries[i];
        if (tl_yaml_get(to, entry.key->text))
            continue;
        if (to->count >= MAX_MERGED)
            return refuse(p, mark_of(p, at), NULL, "more than %d keys merged", MAX_MERGED);
        if (!append(p->arena, to, entry))
            return TL_NO_MEMORY;
    }
    return TL_OK;
}

/* The merge key of YAML 1.1: what a mapping says itself counts, then the first that it takes keys
 * from. */
static tl_status merge_keys(parse *p, tl_yaml_node *node) {
    size_t at = 0;
    while (at < node->count &&
           (node->entries[at].key->quoted || strcmp(node->entries[at].key->text, "<<") != 0))
        at++;
    if (at == node->count)
        return TL_OK;
    const tl_yaml_entry given = node->entries[at];
    memmove(node->entries + at, node->entries + at + 1,
            (--node->count - at) * sizeof *node->entries);
    if (given.value->kind != TL_YAML_SEQUENCE)
        return merge_mapping(p, given.key, given.value, node);
    for (size_t i = 0; i < given.value->count; i++)
        TL_TRY(merge_mapping(p, given.key, given.value->entries[i].value, node));
    return TL_OK;
}

/* The children of a sequence or mapping, up to its end event. */
static tl_status read_children(parse *p, int depth, tl_yaml_node *node) {
    if (depth >= TL_YAML_MAX_DEPTH)
        return refuse(p, p->event.start_mark, NULL, "nested deeper than %d levels",
                      TL_YAML_MAX_DEPTH);
    for (;;) {
        const tl_yaml_node *key = NULL, *value = NULL;
        TL_TRY(next_event(p));
        if (p->event.type == YAML_SEQUENCE_END_EVENT || p->event.type == YAML_MAPPING_END_EVENT)
            break;
        if (node->kind == TL_YAML_MAPPING) {
            TL_TRY(read_key(p, &key));
            TL_TRY(next_event(p));
        }
        const bool nothing = p->event.type == YAML_SCALAR_EVENT &&
                             p->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
                             p->event.data.scalar.length == 0;
        TL_TRY(read_node(p, depth + 1, &value));
        if (nothing && key) { /* libyaml puts it where the next thing begins, lines below */
            tl_yaml_node *fresh = (tl_yaml_node *)value;
            fresh->line = key->line;
            fresh->column = key->column;
        }
        if (!append(p->arena, node, (tl_yaml_entry){key, value}))
            return TL_NO_MEMORY;
        node->weight += value->weight + (key != NULL);
        if (node->height < value->height + 1)
            node->height = value->height + 1;
    }
    if (node->kind != TL_YAML_MAPPING)
        return TL_OK;
    TL_TRY(check_keys(p, node));
    return merge_keys(p, node);
}

static tl_status read_scalar(parse *p, tl_yaml_node *node) {
    const char *text = (const char *)p->event.data.scalar.value;
    const size_t length = p->event.data.scalar.length;
    if (strlen(text) != length)
        return refuse(p, p->event.start_mark, NULL, "a text with a NUL character in it");
    node->quoted = p->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = tl_arena_text(p->arena, text, length);
    return node->text ? TL_OK : TL_NO_MEMORY;
}

/* The node that the current event begins. */
static tl_status read_node(parse *p, int depth, const tl_yaml_node **out) {
    const yaml_event_t *e = &p->event;
    if (e->type == YAML_ALIAS_EVENT)
        return follow_alias(p, depth, out);
    const bool sequence = e->type == YAML_SEQUENCE_START_EVENT;
    const bool scalar = e->type == YAML_SCALAR_EVENT;
    const yaml_char_t *name = scalar     ? e->data.scalar.anchor
                              : sequence ? e->data.sequence_start.anchor
                                         : e->data.mapping_start.anchor;
    const yaml_char_t *tag = scalar     ? e->data.scalar.tag
                             : sequence ? e->data.sequence_start.tag
                                        : e->data.mapping_start.tag;
    if (tag)
        return refuse(p, e->start_mark, "quote a text that begins with !", "tags have no use here");
    const char *kept = NULL;
    if (name && !(kept = tl_arena_text(p->arena, (const char *)name, strlen((const char *)name))))
        return TL_NO_MEMORY;
    tl_yaml_node *node;
    TL_TRY(make_node(p,
                     scalar     ? TL_YAML_SCALAR
                     : sequence ? TL_YAML_SEQUENCE
                                : TL_YAML_MAPPING,
                     &node));
    TL_TRY(scalar ? read_scalar(p, node) : read_children(p, depth, node));
    *out = node;
    return drop_anchor(p, kept, node);
}

static tl_status read_document(parse *p, const tl_yaml_node **out) {
    TL_TRY(check_bytes(p));
    TL_TRY(next_event(p)); /* the start of the stream */
    TL_TRY(next_event(p));
    if (p->event.type == YAML_STREAM_END_EVENT)
        return TL_OK;
    TL_TRY(next_event(p));
    TL_TRY(read_node(p, 0, out));
    TL_TRY(next_event(p)); /* the end of the document */
    TL_TRY(next_event(p));
    if (p->event.type != YAML_STREAM_END_EVENT)
        return refuse(p, p->event.start_mark, "remove the line ---", "a second document begins");
    return TL_OK;
}

tl_status tl_yaml_parse(tl_arena *arena, const tl_yaml_source *source, const tl_yaml_node **out,
                        tl_yaml_problem *problem) {
    *out = NULL;
    *problem = (tl_yaml_problem){0};
    parse p = {.arena = arena, .source = source, .problem = problem};
    if (!yaml_parser_initialize(&p.parser))
        return TL_NO_MEMORY;
    yaml_parser_set_encoding(&p.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&p.parser, (const unsigned char *)source->text + source->skip,
                                 source->size - source->skip);
    const tl_status status = read_document(&p, out);
    yaml_event_delete(&p.event);
    yaml_parser_delete(&p.parser);
    return status;
}

const tl_yaml_node *tl_yaml_get(const tl_yaml_node *mapping, const char *key) {
    if (!mapping || mapping->kind != TL_YAML_MAPPING)
        return NULL;
    for (size_t i = 0; i < mapping->count; i++)
        if (strcmp(mapping->entries[i].key->text, key) == 0)
            return mapping->entries[i].value;
    return NULL;
}

bool tl_yaml_is_null(const tl_yaml_node *node) {
    return !node || (node->kind == TL_YAML_SCALAR && !node->quoted &&
                     (node->text[0] == 0 || strcmp(node->text, "~") == 0 ||
                      strcmp(node->text, "null") == 0));
}

static tl_yaml_node *make_at(tl_arena *arena, const tl_yaml_node *near, tl_yaml_kind kind) {
    tl_yaml_node *node = tl_arena_allocate(arena, 1, sizeof *node);
    if (!node)
        return NULL;
    if (near) {
        node->source = near->source;
        node->line = near->line;
        node->column = near->column;
    }
    node->kind = kind;
    node->weight = 1;
    return node;
}

tl_yaml_node *tl_yaml_scalar(tl_arena *arena, const tl_yaml_node *near, const char *text) {
    tl_yaml_node *node = make_at(arena, near, TL_YAML_SCALAR);
    if (!node || !(node->text = tl_arena_text(arena, text, strlen(text))))
        return NULL;
    node->quoted = true;
    return node;
}

tl_yaml_node *tl_yaml_mapping(tl_arena *arena, const tl_yaml_node *near) {
    return make_at(arena, near, TL_YAML_MAPPING);
}

tl_yaml_node *tl_yaml_copy(tl_arena *arena, const tl_yaml_node *node) {
    tl_yaml_node *copy = tl_arena_allocate(arena, 1, sizeof *copy);
    tl_yaml_entry *entries = tl_arena_allocate(arena, node->count + 1, sizeof *entries);
    if (!copy || !entries)
        return NULL;
    *copy = *node;
    if (node->count)
        memcpy(entries, node->entries, node->count * sizeof *entries);
    copy->entries = entries;
    copy->capacity = node->count + 1;
    return copy;
}

bool tl_yaml_add(tl_arena *arena, tl_yaml_node *to, const tl_yaml_node *key,
                 const tl_yaml_node *value) {
    for (size_t i = 0; key && i < to->count; i++)
        if (strcmp(to->entries[i].key->text, key->text) == 0) {
            to->entries[i].value = value;
            return true;
        }
    return append(arena, to, (tl_yaml_entry){key, value});
}
