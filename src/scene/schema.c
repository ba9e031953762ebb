/* Binding trees to structs. See schema.h. */
#include "scene/schema.h"

#include "scene/binder.h"
#include "scene/colours.h"
#include "scene/units.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *tl_bind_kind_name(const tl_yaml_node *node) {
    if (tl_yaml_is_null(node))
        return "nothing";
    return node->kind == TL_YAML_SCALAR     ? "a single value"
           : node->kind == TL_YAML_SEQUENCE ? "a list"
                                            : "a mapping";
}

static bool expect_scalar(tl_binder *b, const tl_param *p, const tl_yaml_node *node) {
    if (node->kind == TL_YAML_SCALAR && !tl_yaml_is_null(node))
        return true;
    const char *hint = p->default_value ? "leave the key out for the default" : NULL;
    if (p->type == TL_PARAM_COLOUR && node->kind == TL_YAML_SCALAR)
        hint = "quote it: \"#d9c9a3\"; a bare # begins a comment";
    tl_report_error(b->report, node, hint, "%s wants a value; got %s", p->name,
                    tl_bind_kind_name(node));
    return false;
}

static void check_range(tl_binder *b, const tl_param *p, const tl_yaml_node *node, double value) {
    if (p->min == 0 && p->max == 0)
        return;
    const bool exclusive = p->flags & TL_PARAM_MIN_EXCLUSIVE;
    if (value <= p->max && (exclusive ? value > p->min : value >= p->min))
        return;
    tl_text range = {0};
    tl_text_print(&range, "%s ", exclusive ? "above" : "from");
    tl_unit_print(&range, p->min, p->unit);
    tl_text_print(&range, exclusive ? ", at most " : " to ");
    tl_unit_print(&range, p->max, p->unit);
    tl_report_error(b->report, node, range.bytes, "%s is out of range: %.60s", p->name, node->text);
    free(range.bytes);
}

void tl_bind_number(tl_binder *b, const tl_param *p, const tl_yaml_node *node, double *out) {
    tl_unit_problem problem;
    double value;
    if (!expect_scalar(b, p, node))
        return;
    if (!tl_unit_parse(node->text, p->unit, &value, &problem)) {
        tl_report_error(b->report, node, problem.hint, "%s: %s", p->name, problem.what);
        return;
    }
    check_range(b, p, node, value);
    *out = value;
}

static void bind_integer(tl_binder *b, const tl_param *p, const tl_yaml_node *node, int64_t *out) {
    tl_unit_problem problem;
    int64_t value;
    if (!expect_scalar(b, p, node))
        return;
    if (!tl_integer_parse(node->text, &value, &problem)) {
        tl_report_error(b->report, node, problem.hint, "%s: %s", p->name, problem.what);
        return;
    }
    check_range(b, p, node, (double)value);
    *out = value;
}

static void bind_switch(tl_binder *b, const tl_param *p, const tl_yaml_node *node, bool *out) {
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
    if (!expect_scalar(b, p, node))
        return;
    for (size_t i = 0; i < 6; i++)
        if (strcasecmp(node->text, words[i]) == 0) {
            *out = i % 2;
            return;
        }
    tl_report_error(b->report, node, "write true or false", "%s is a switch; got \"%.60s\"",
                    p->name, node->text);
}

/* "did you mean X?", or all there are when none is near. */
static void suggest(tl_text *hint, const char *word, const char *const *words, size_t count) {
    const char *nearest = tl_nearest_word(word, words, count);
    if (nearest) {
        tl_text_print(hint, "did you mean %s?", nearest);
        return;
    }
    tl_text_print(hint, "one of: ");
    for (size_t i = 0; i < count; i++)
        tl_text_print(hint, "%s%s", i ? ", " : "", words[i]);
}

static void bind_choice(tl_binder *b, const tl_param *p, const tl_yaml_node *node, int *out) {
    if (!expect_scalar(b, p, node))
        return;
    size_t count = 0;
    for (; p->choices[count]; count++)
        if (strcmp(p->choices[count], node->text) == 0) {
            *out = (int)count;
            return;
        }
    tl_text hint = {0};
    suggest(&hint, node->text, p->choices, count);
    tl_report_error(b->report, node, hint.bytes, "%s cannot be \"%.60s\"", p->name, node->text);
    free(hint.bytes);
}

static void bind_text(tl_binder *b, const tl_param *p, const tl_yaml_node *node, char **out) {
    if (!expect_scalar(b, p, node))
        return;
    char *copy = tl_arena_text(b->arena, node->text, strlen(node->text));
    if (!copy)
        b->out_of_memory = true;
    *out = copy;
}

/* Three numbers in a list. */
static bool bind_three(tl_binder *b, const tl_param *p, const tl_yaml_node *node, double out[3]) {
    if (node->kind != TL_YAML_SEQUENCE || node->count != 3) {
        tl_report_error(b->report, node, "write three numbers: [0, 0, 1]",
                        "%s wants a list of three numbers; got %s", p->name,
                        node->kind == TL_YAML_SEQUENCE ? "another count" : tl_bind_kind_name(node));
        return false;
    }
    for (size_t k = 0; k < 3; k++)
        tl_bind_number(b, p, node->entries[k].value, &out[k]);
    return true;
}

static void bind_colour(tl_binder *b, const tl_param *p, const tl_yaml_node *node, float out[3]) {
    if (node->kind == TL_YAML_SEQUENCE) {
        tl_param part = *p;
        part.min = 0;
        part.max = 1;
        double rgb[3] = {0};
        if (bind_three(b, &part, node, rgb))
            for (int k = 0; k < 3; k++)
                out[k] = (float)rgb[k];
        return;
    }
    if (!expect_scalar(b, p, node) || tl_colour_read(node->text, out))
        return;
    size_t count = 0;
    while (tl_colour_names[count])
        count++;
    tl_text hint = {0};
    const char *nearest = tl_nearest_word(node->text, tl_colour_names, count);
    if (nearest)
        tl_text_print(&hint, "did you mean %s? ", nearest);
    tl_text_print(&hint, "write \"#rrggbb\", [r, g, b] from 0 to 1, or one of:");
    for (size_t i = 0; i < count; i++)
        tl_text_print(&hint, "%s %s", i ? "," : "", tl_colour_names[i]);
    tl_report_error(b->report, node, hint.bytes, "%s: \"%.60s\" is not a colour", p->name,
                    node->text);
    free(hint.bytes);
}

/* The elements of a list or map. */
static void bind_list(tl_binder *b, const tl_param *p, const tl_yaml_node *node,
                      tl_param_list *out) {
    const tl_yaml_kind kind = p->type == TL_PARAM_MAP ? TL_YAML_MAPPING : TL_YAML_SEQUENCE;
    if (tl_yaml_is_null(node))
        return;
    if (node->kind != kind) {
        tl_report_error(b->report, node,
                        kind == TL_YAML_MAPPING ? "write \"name: {...}\" for each of them"
                                                : "begin each of them with \"- \"",
                        "%s wants %s; got %s", p->name,
                        kind == TL_YAML_MAPPING ? "a mapping from names" : "a list",
                        tl_bind_kind_name(node));
        return;
    }
    if (node->count > TL_SCHEMA_MAX_LIST) {
        tl_report_error(b->report, node, NULL, "%s has %zu elements: at most %d", p->name,
                        node->count, TL_SCHEMA_MAX_LIST);
        return;
    }
    char *items = tl_arena_allocate(b->arena, node->count, p->table->size);
    if (!items) {
        b->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        char *item = items + i * p->table->size;
        tl_bind_table(b, p->table, node->entries[i].value, node, item);
        const tl_yaml_node *key = node->entries[i].key;
        char **name = (char **)(void *)item;
        if (key && !(*name = tl_arena_text(b->arena, key->text, strlen(key->text))))
            b->out_of_memory = true;
    }
    *out = (tl_param_list){items, node->count};
}

const tl_param_table *tl_bind_variant(tl_binder *b, const char *name,
                                      const tl_param_variants *variants, const tl_yaml_node *node) {
    const tl_yaml_node *given = tl_yaml_get(node, variants->key);
    const tl_yaml_node *at = given ? given : node;
    const bool is_word = at != node && at->kind == TL_YAML_SCALAR && !tl_yaml_is_null(at);
    size_t count = 0;
    for (; variants->words[count]; count++)
        if (is_word && strcmp(variants->words[count], at->text) == 0)
            return variants->tables[count];
    tl_text hint = {0};
    suggest(&hint, is_word ? at->text : "", variants->words, count);
    if (is_word)
        tl_report_error(b->report, at, hint.bytes, "%s cannot be \"%.60s\"", variants->key,
                        at->text);
    else
        tl_report_error(b->report, at, hint.bytes, "%s has no %s, which it needs", name,
                        variants->key);
    free(hint.bytes);
    return NULL;
}

/* A section of one kind or of several; a single value may stand for one of its keys. */
static void bind_section(tl_binder *b, const tl_param *p, const tl_yaml_node *node, void *out) {
    if (p->plain && node->kind != TL_YAML_MAPPING) {
        tl_yaml_node *section = tl_yaml_mapping(b->arena, node);
        const tl_yaml_node *key = tl_yaml_scalar(b->arena, node, p->plain);
        if (!section || !key || !tl_yaml_add(b->arena, section, key, node)) {
            b->out_of_memory = true;
            return;
        }
        node = section;
    }
    const tl_param_table *table = p->table;
    if (p->variants && node->kind == TL_YAML_MAPPING) {
        table = tl_bind_variant(b, p->name, p->variants, node);
    } else if (p->variants) {
        tl_report_error(b->report, node, NULL, "%s wants a mapping; got %s", p->name,
                        tl_bind_kind_name(node));
        return;
    }
    if (table)
        tl_bind_table(b, table, node, node, out);
}

static void bind_value(tl_binder *b, const tl_param *p, const tl_yaml_node *node, void *out) {
    switch (p->type) {
    case TL_PARAM_NUMBER: tl_bind_number(b, p, node, out); break;
    case TL_PARAM_INTEGER: bind_integer(b, p, node, out); break;
    case TL_PARAM_SWITCH: bind_switch(b, p, node, out); break;
    case TL_PARAM_CHOICE: bind_choice(b, p, node, out); break;
    case TL_PARAM_TEXT: bind_text(b, p, node, out); break;
    case TL_PARAM_VECTOR: bind_three(b, p, node, out); break;
    case TL_PARAM_COLOUR: bind_colour(b, p, node, out); break;
    case TL_PARAM_SECTION: bind_section(b, p, node, out); break;
    case TL_PARAM_LIST:
    case TL_PARAM_MAP: bind_list(b, p, node, out); break;
    case TL_PARAM_LAW: tl_bind_law(b, p, node, out); break;
    case TL_PARAM_POINT: tl_bind_point(b, p, node, out); break;
    case TL_PARAM_POINTS: tl_bind_points(b, p, node, out); break;
    case TL_PARAM_SCHEDULE: tl_bind_schedule(b, p, node, out); break;
    }
}

/* A default is read by the code that reads files; only lists are YAML of their own, since a
 * colour's # would begin a comment. */
static void bind_default(tl_binder *b, const tl_param *p, void *out) {
    if (!p->default_value)
        return;
    static const tl_yaml_source nowhere = {.file = "default"};
    const tl_yaml_node place = {.source = &nowhere};
    const tl_yaml_node *node = NULL;
    if (p->default_value[0] == '[') {
        tl_yaml_source *source = tl_arena_allocate(b->arena, 1, sizeof *source);
        tl_yaml_problem problem;
        if (source) {
            *source = (tl_yaml_source){"default", p->default_value, strlen(p->default_value), 0};
            (void)tl_yaml_parse(b->arena, source, &node, &problem);
        }
    } else {
        node = tl_yaml_scalar(b->arena, &place, p->default_value);
    }
    if (!node)
        b->out_of_memory = true;
    else
        bind_value(b, p, node, out);
}

/* A parameter that the file does not give. */
static void bind_absent(tl_binder *b, const tl_param *p, const tl_param_table *table,
                        const tl_yaml_node *at, void *out) {
    if (p->flags & TL_PARAM_REQUIRED) {
        tl_text hint = {0};
        tl_text_print(&hint, "%s: %s", p->name, p->doc);
        tl_report_error(b->report, at, hint.bytes, "%s has no %s, which it needs", table->name,
                        p->name);
        free(hint.bytes);
    } else if (p->type == TL_PARAM_SECTION && !(p->flags & TL_PARAM_OPTIONAL)) {
        tl_bind_table(b, p->table, NULL, at, out);
    } else {
        bind_default(b, p, out);
    }
}

static void refuse_unknown_keys(tl_binder *b, const tl_param_table *table,
                                const tl_yaml_node *node) {
    for (size_t i = 0; i < node->count; i++) {
        const tl_yaml_node *key = node->entries[i].key;
        const char *names[64];
        size_t n = 0;
        for (; n < table->count && n < 64; n++) {
            names[n] = table->params[n].name;
            if (strcmp(names[n], key->text) == 0)
                break;
        }
        if (n < table->count && n < 64)
            continue;
        tl_text hint = {0};
        suggest(&hint, key->text, names, n);
        tl_report_error(b->report, key, hint.bytes, "%s has no parameter \"%.60s\"", table->name,
                        key->text);
        free(hint.bytes);
    }
}

void tl_bind_table(tl_binder *b, const tl_param_table *table, const tl_yaml_node *node,
                   const tl_yaml_node *parent, void *to) {
    char *out = to;
    const bool empty = tl_yaml_is_null(node);
    if (!empty && node->kind != TL_YAML_MAPPING) {
        tl_report_error(b->report, node, "write its parameters as \"key: value\"",
                        "%s wants a mapping; got %s", table->name, tl_bind_kind_name(node));
        return;
    }
    for (size_t i = 0; i < table->count; i++) {
        const tl_param *p = &table->params[i];
        const tl_yaml_node *value = empty ? NULL : tl_yaml_get(node, p->name);
        const bool structure =
            p->type == TL_PARAM_SECTION || p->type == TL_PARAM_LIST || p->type == TL_PARAM_MAP;
        const bool given = value && !(structure && tl_yaml_is_null(value));
        if (p->present)
            *(bool *)(out + p->present) = given;
        if (!given) {
            bind_absent(b, p, table, empty ? parent : node, out + p->offset);
            continue;
        }
        /* A default goes first, so that a value with an error leaves something sensible. */
        if (!structure)
            bind_default(b, p, out + p->offset);
        bind_value(b, p, value, out + p->offset);
    }
    if (!empty)
        refuse_unknown_keys(b, table, node);
}

bool tl_schema_bind(tl_arena *arena, tl_report *report, const tl_param_table *table,
                    const tl_yaml_node *node, void *out) {
    tl_binder b = {.arena = arena, .report = report};
    memset(out, 0, table->size);
    tl_bind_table(&b, table, node, node, out);
    return !b.out_of_memory;
}

bool tl_schema_defaults(const tl_param_table *table, void *out) {
    tl_arena arena = {0};
    tl_report report = {0};
    const bool fine = tl_schema_bind(&arena, &report, table, NULL, out);
    tl_arena_free(&arena);
    return fine;
}
