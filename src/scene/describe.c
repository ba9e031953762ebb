/* The parameter tables as text, markdown, JSON and parts of a man page. See schema.h. */
#include "scene/schema.h"

#include "scene/colours.h"
#include "scene/units.h"

#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {
    [TL_PARAM_NUMBER] = "number",
    [TL_PARAM_INTEGER] = "integer",
    [TL_PARAM_SWITCH] = "switch",
    [TL_PARAM_CHOICE] = "choice",
    [TL_PARAM_TEXT] = "text",
    [TL_PARAM_VECTOR] = "vector",
    [TL_PARAM_COLOUR] = "colour",
    [TL_PARAM_SECTION] = "section",
    [TL_PARAM_LIST] = "list",
    [TL_PARAM_MAP] = "map",
    [TL_PARAM_LAW] = "number",
    [TL_PARAM_POINT] = "point",
    [TL_PARAM_POINTS] = "list of points",
    [TL_PARAM_SCHEDULE] = "number",
};

/* Letters that a terminal shows for a UTF-8 text. */
static size_t width_of(const char *text) {
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void pad(tl_text *out, const char *text, size_t width) {
    const size_t used = width_of(text);
    tl_text_print(out, "%s%*s", text, (int)(used < width ? width - used : 1), "");
}

/* What a value is: its unit, its type, or the table it is made of. */
static void print_kind(tl_text *out, const tl_param *p) {
    const char *unit = tl_unit_symbol(p->unit);
    if (p->variants)
        tl_text_print(out, "one %s", p->variants->key);
    else if (p->table)
        tl_text_print(out, "%s%s",
                      p->type == TL_PARAM_LIST  ? "list of "
                      : p->type == TL_PARAM_MAP ? "map of "
                                                : "",
                      p->table->name);
    else if (p->type == TL_PARAM_LAW)
        tl_text_print(out, "%s, law", *unit ? unit : "number");
    else if (p->type == TL_PARAM_SCHEDULE)
        tl_text_print(out, "%s, over time", *unit ? unit : "number");
    else if (p->type == TL_PARAM_VECTOR)
        tl_text_print(out, *unit ? "vector, %s" : "vector%s", unit);
    else
        tl_text_print(out, "%s", *unit ? unit : type_names[p->type]);
}

static bool has_range(const tl_param *p) {
    return (p->type == TL_PARAM_NUMBER || p->type == TL_PARAM_INTEGER || p->type == TL_PARAM_LAW ||
            p->type == TL_PARAM_SCHEDULE) &&
           (p->min != 0 || p->max != 0);
}

/* The words a value or the kind of a section is chosen from; NULL: it is not chosen. */
static const char *const *words_of(const tl_param *p) {
    if (p->type == TL_PARAM_COLOUR)
        return tl_colour_names;
    return p->variants ? p->variants->words : p->choices;
}

static void print_range(tl_text *out, const tl_param *p) {
    const char *const *words = words_of(p);
    if (words) {
        tl_text_print(out, "%s",
                      p->type == TL_PARAM_COLOUR ? "#rrggbb, [r, g, b] from 0 to 1, " : "");
        for (size_t i = 0; words[i]; i++)
            tl_text_print(out, "%s%s", i ? ", " : "", words[i]);
    } else if (has_range(p)) {
        tl_text_print(out, "%s", p->flags & TL_PARAM_MIN_EXCLUSIVE ? "above " : "");
        tl_unit_print(out, p->min, TL_UNIT_NONE);
        tl_text_print(out, " to ");
        tl_unit_print(out, p->max, TL_UNIT_NONE);
    }
}

static const char *default_of(const tl_param *p) {
    return p->flags & TL_PARAM_REQUIRED ? "required" : p->default_value ? p->default_value : "";
}

/* Breaks `words` between `margin` and column 100; the first line is already at the margin. */
static void wrap(tl_text *out, const char *words, size_t margin) {
    enum { LAST = 100 };
    size_t column = margin;
    while (*words) {
        const size_t length = strcspn(words, " ");
        size_t width = 0;
        for (size_t k = 0; k < length; k++)
            width += ((unsigned char)words[k] & 0xC0) != 0x80;
        if (column > margin && column + 1 + width > LAST) {
            tl_text_print(out, "\n%*s", (int)margin, "");
            column = margin;
        } else if (column > margin) {
            tl_text_print(out, " ");
            column++;
        }
        tl_text_add(out, words, length);
        column += width;
        words += length + (words[length] == ' ');
    }
    tl_text_print(out, "\n");
}

static void describe_text(const tl_param_table *table, tl_text *out) {
    size_t name_width = 0, kind_width = 0, default_width = 0;
    for (size_t i = 0; i < table->count; i++) {
        tl_text kind = {0};
        print_kind(&kind, &table->params[i]);
        const size_t name = width_of(table->params[i].name);
        const size_t value = width_of(default_of(&table->params[i]));
        name_width = name > name_width ? name : name_width;
        kind_width =
            kind.bytes && width_of(kind.bytes) > kind_width ? width_of(kind.bytes) : kind_width;
        default_width = value > default_width ? value : default_width;
        free(kind.bytes);
    }
    tl_text_print(out, "%s: %s\n", table->name, table->doc);
    for (size_t i = 0; i < table->count; i++) {
        const tl_param *p = &table->params[i];
        tl_text kind = {0}, words = {0};
        print_kind(&kind, p);
        tl_text_print(&words, "%s", p->doc);
        if (has_range(p) || words_of(p)) {
            tl_text_print(&words, " (");
            print_range(&words, p);
            tl_text_print(&words, ")");
        }
        if (p->flags & TL_PARAM_LIVE)
            tl_text_print(&words, " (live)");
        tl_text_print(out, "  ");
        pad(out, p->name, name_width + 2);
        pad(out, kind.bytes ? kind.bytes : "", kind_width + 2);
        pad(out, default_of(p), default_width + 2);
        wrap(out, words.bytes ? words.bytes : "", name_width + kind_width + default_width + 8);
        out->failed = out->failed || kind.failed || words.failed;
        free(kind.bytes);
        free(words.bytes);
    }
}

static void describe_markdown(const tl_param_table *table, tl_text *out) {
    tl_text_print(out, "## %s\n\n%s.\n\n", table->name, table->doc);
    tl_text_print(out, "| key | value | default | range | meaning |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < table->count; i++) {
        const tl_param *p = &table->params[i];
        tl_text_print(out, "| `%s` | ", p->name);
        if (p->table)
            tl_text_print(out, "[");
        print_kind(out, p);
        if (p->table)
            tl_text_print(out, "](#%s)", p->table->name);
        const char *value = default_of(p);
        const bool code = *value && !(p->flags & TL_PARAM_REQUIRED);
        tl_text_print(out, code ? " | `%s` | " : " | %s | ", value);
        print_range(out, p);
        tl_text_print(out, " | %s%s |\n", p->doc, p->flags & TL_PARAM_LIVE ? " (live)" : "");
    }
}

void tl_schema_quote(tl_text *out, const char *text) {
    tl_text_print(out, "\"");
    for (; *text; text++)
        tl_text_print(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    tl_text_print(out, "\"");
}

static void print_member(tl_text *out, const char *key, const char *value) {
    tl_text_print(out, ", \"%s\": ", key);
    tl_schema_quote(out, value);
}

static void describe_json(const tl_param_table *table, tl_text *out) {
    tl_text_print(out, "{\"name\": ");
    tl_schema_quote(out, table->name);
    print_member(out, "doc", table->doc);
    tl_text_print(out, ", \"parameters\": [");
    for (size_t i = 0; i < table->count; i++) {
        const tl_param *p = &table->params[i];
        tl_text_print(out, "%s\n  {\"name\": ", i ? "," : "");
        tl_schema_quote(out, p->name);
        print_member(out, "type", type_names[p->type]);
        if (*tl_unit_symbol(p->unit))
            print_member(out, "unit", tl_unit_symbol(p->unit));
        if (p->default_value)
            print_member(out, "default", p->default_value);
        if (p->flags & TL_PARAM_REQUIRED)
            tl_text_print(out, ", \"required\": true");
        if (has_range(p)) {
            tl_text_print(
                out, ", \"%s\": ", p->flags & TL_PARAM_MIN_EXCLUSIVE ? "exclusive_min" : "min");
            tl_unit_print(out, p->min, TL_UNIT_NONE);
            tl_text_print(out, ", \"max\": ");
            tl_unit_print(out, p->max, TL_UNIT_NONE);
        }
        if (p->table)
            print_member(out, "table", p->table->name);
        if (p->flags & TL_PARAM_LIVE)
            tl_text_print(out, ", \"live\": true");
        if (p->type == TL_PARAM_LAW)
            tl_text_print(out, ", \"law\": true");
        if (p->type == TL_PARAM_SCHEDULE)
            tl_text_print(out, ", \"schedule\": true");
        const char *const *words = words_of(p);
        for (size_t c = 0; words && words[c]; c++) {
            tl_text_print(out, c ? ", " : ", \"%s\": [",
                          p->type == TL_PARAM_COLOUR ? "names" : "choices");
            tl_schema_quote(out, words[c]);
        }
        tl_text_print(out, words ? "]" : "");
        print_member(out, "doc", p->doc);
        tl_text_print(out, "}");
    }
    tl_text_print(out, "\n]}");
}

/* One parameter: its name, then in one paragraph what it is, means and may be. */
static void describe_roff_of(const tl_param *p, tl_text *out) {
    tl_text words = {0};
    print_kind(&words, p);
    if (*default_of(p))
        tl_text_print(&words, "; %s%s", p->flags & TL_PARAM_REQUIRED ? "" : "default ",
                      default_of(p));
    tl_text_print(&words, ".\n%s", p->doc);
    if (has_range(p) || words_of(p)) {
        tl_text_print(&words, " (");
        print_range(&words, p);
        tl_text_print(&words, ")");
    }
    tl_text_print(out, ".TP\n.B ");
    tl_text_roff(out, p->name);
    tl_text_print(out, "\n");
    tl_text_roff(out, words.bytes ? words.bytes : "");
    tl_text_print(out, ".\n");
    out->failed = out->failed || words.failed;
    free(words.bytes);
}

static void describe_roff(const tl_param_table *table, tl_text *out) {
    tl_text_print(out, ".SS ");
    tl_text_roff(out, table->name);
    tl_text_print(out, "\n");
    tl_text_roff(out, table->doc);
    tl_text_print(out, ".\n");
    for (size_t i = 0; i < table->count; i++)
        describe_roff_of(&table->params[i], out);
}

static tl_status refuse(const char *name, tl_error *error) {
    const char *names[64];
    size_t n = 0;
    tl_text fix = {0};
    for (; n < 64 && tl_schema_tables[n]; n++) {
        names[n] = tl_schema_tables[n]->name;
        tl_text_print(&fix, "%s%s", n ? ", " : "one of: ", names[n]);
    }
    const char *nearest = tl_nearest_word(name, names, n);
    if (nearest) {
        fix.length = 0;
        tl_text_print(&fix, "did you mean %s?", nearest);
    }
    tl_fail(error, TL_BAD_INPUT, NULL, fix.bytes, "nothing is called \"%.60s\"", name);
    free(fix.bytes);
    return TL_BAD_INPUT;
}

tl_status tl_schema_describe(const char *name, tl_describe_format format, tl_text *out,
                             tl_error *error) {
    bool found = false;
    tl_text_print(out, format == TL_DESCRIBE_JSON ? "[" : "");
    for (size_t i = 0; tl_schema_tables[i]; i++) {
        const tl_param_table *table = tl_schema_tables[i];
        if (name && strcmp(name, table->name) != 0)
            continue;
        if (found && format != TL_DESCRIBE_ROFF)
            tl_text_print(out, format == TL_DESCRIBE_JSON ? ",\n" : "\n");
        found = true;
        switch (format) {
        case TL_DESCRIBE_TEXT: describe_text(table, out); break;
        case TL_DESCRIBE_MARKDOWN: describe_markdown(table, out); break;
        case TL_DESCRIBE_JSON: describe_json(table, out); break;
        case TL_DESCRIBE_ROFF: describe_roff(table, out); break;
        }
    }
    tl_text_print(out, format == TL_DESCRIBE_JSON ? "]\n" : "");
    if (!found)
        return refuse(name, error);
    return out->failed ? tl_fail_memory(error, out->length, 1) : TL_OK;
}

tl_status tl_describe(const char *part, char **out, tl_error *error) {
    tl_text text = {0};
    const tl_status status = tl_schema_describe(part, TL_DESCRIBE_JSON, &text, error);
    *out = status == TL_OK ? text.bytes : NULL;
    if (status != TL_OK)
        free(text.bytes);
    return status;
}
