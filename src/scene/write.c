/* Structs as YAML that reads back to the same bits. See schema.h. */
#include "scene/schema.h"

#include "scene/binder.h"
#include "scene/units.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A word that YAML reads back as itself without quotes. */
static bool is_plain(const char *text) {
    if (strcmp(text, "null") == 0 || !((*text | 32) >= 'a' && (*text | 32) <= 'z'))
        return false;
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] ==
           0;
}

/* The code point at *text, which is valid UTF-8; moves *text behind it. */
static uint32_t next_character(const unsigned char **text) {
    const unsigned char *s = *text;
    const int n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : s[0] >= 0xC0 ? 2 : 1;
    uint32_t c = n == 1 ? s[0] : s[0] & (0xFFu >> (n + 1));
    int k = 1;
    for (; k < n && s[k]; k++)
        c = c << 6 | (s[k] & 0x3F);
    *text += k;
    return c;
}

/* Characters that must not stand in a YAML text as they are. */
static bool needs_escape(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF ||
           c == 0xFFFE || c == 0xFFFF;
}

static void write_text(tl_text *out, const char *text) {
    if (is_plain(text)) {
        tl_text_add(out, text, strlen(text));
        return;
    }
    tl_text_add(out, "\"", 1);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const unsigned char *start = at;
        const uint32_t c = next_character(&at);
        if (c == '"' || c == '\\')
            tl_text_print(out, "\\%c", (int)c);
        else if (needs_escape(c))
            tl_text_print(out, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
        else
            tl_text_add(out, (const char *)start, (size_t)(at - start));
    }
    tl_text_add(out, "\"", 1);
}

static void write_three(tl_text *out, const double value[3]) {
    for (int k = 0; k < 3; k++) {
        tl_text_add(out, k ? ", " : "[", k ? 2 : 1);
        tl_unit_print(out, value[k], TL_UNIT_NONE);
    }
    tl_text_add(out, "]", 1);
}

/* Temperatures and values, with their units in a comment: [40, 1500] # °C, Pa·s. The bracket that
 * opens a list of them stands already; it is closed. */
static void write_points(tl_text *out, const tl_param *p, const double (*points)[2], size_t count) {
    for (size_t i = 0; i < count; i++) {
        tl_text_print(out, i ? ", [" : "[");
        tl_unit_print(out, points[i][0], TL_UNIT_NONE);
        tl_text_add(out, ", ", 2);
        tl_unit_print(out, points[i][1], TL_UNIT_NONE);
        tl_text_add(out, "]", 1);
    }
    const char *unit = tl_unit_symbol(p->unit);
    tl_text_print(out, "%s # °C%s%s", p->type == TL_PARAM_POINTS ? "]" : "", *unit ? ", " : "",
                  unit);
}

/* As #rrggbb where that is exact. */
static void write_colour(tl_text *out, const float value[3]) {
    unsigned byte[3];
    bool exact = true;
    for (int k = 0; k < 3; k++) {
        byte[k] = (unsigned)(value[k] * 255.0f + 0.5f);
        exact = exact && (float)byte[k] / 255.0f == value[k];
    }
    if (exact)
        tl_text_print(out, "\"#%02x%02x%02x\"", byte[0], byte[1], byte[2]);
    else
        write_three(out, (double[3]){(double)value[0], (double)value[1], (double)value[2]});
}

static void write_scalar(tl_text *out, const tl_param *p, const void *value) {
    const char *unit = tl_unit_symbol(p->unit);
    switch (p->type) {
    case TL_PARAM_NUMBER: tl_unit_print(out, *(const double *)value, p->unit); break;
    case TL_PARAM_INTEGER: tl_text_print(out, "%lld", (long long)*(const int64_t *)value); break;
    case TL_PARAM_SWITCH: tl_text_print(out, *(const bool *)value ? "true" : "false"); break;
    case TL_PARAM_CHOICE: tl_text_print(out, "%s", p->choices[*(const int *)value]); break;
    case TL_PARAM_TEXT: write_text(out, *(char *const *)value); break;
    case TL_PARAM_VECTOR:
        write_three(out, value);
        tl_text_print(out, *unit ? " # %s" : "%s", unit);
        break;
    case TL_PARAM_COLOUR: write_colour(out, value); break;
    case TL_PARAM_LAW: tl_unit_print(out, ((const tl_law *)value)->value, p->unit); break;
    case TL_PARAM_POINT: write_points(out, p, value, 1); break;
    case TL_PARAM_POINTS: {
        const tl_param_list *points = value;
        tl_text_add(out, "[", 1);
        write_points(out, p, points->items, points->count);
        break;
    }
    case TL_PARAM_SCHEDULE: tl_write_schedule(out, p, value); break;
    case TL_PARAM_SECTION:
    case TL_PARAM_LIST:
    case TL_PARAM_MAP: break;
    }
    tl_text_add(out, "\n", 1);
}

static void write_list(tl_text *out, const tl_param *p, const tl_param_list *list, int indent) {
    if (list->count == 0) {
        tl_text_print(out, p->type == TL_PARAM_MAP ? " {}\n" : " []\n");
        return;
    }
    tl_text_add(out, "\n", 1);
    for (size_t i = 0; i < list->count; i++) {
        const char *item = (const char *)list->items + i * p->table->size;
        if (p->type == TL_PARAM_MAP) {
            tl_text_print(out, "%*s", indent + 2, "");
            write_text(out, *(char *const *)(const void *)item);
            tl_text_print(out, ":\n");
            tl_schema_write(p->table, item, indent + 4, out);
        } else {
            const size_t start = out->length;
            tl_schema_write(p->table, item, indent + 4, out);
            if (!out->failed) /* the dash stands in the margin of the first key */
                out->bytes[start + (size_t)indent + 2] = '-';
        }
    }
}

static int law_kind(const void *law) { return ((const tl_law *)law)->kind; }

void tl_schema_write(const tl_param_table *table, const void *from, int indent, tl_text *out) {
    for (size_t i = 0; i < table->count; i++) {
        const tl_param *p = &table->params[i];
        const char *value = (const char *)from + p->offset;
        const bool absent_text = p->type == TL_PARAM_TEXT && !*(char *const *)(const void *)value;
        const bool absent =
            (p->flags & TL_PARAM_OPTIONAL) && p->present && !*((const bool *)from + p->present);
        if (absent_text || absent)
            continue;
        tl_text_print(out, "%*s%s:", indent, "", p->name);
        if (p->type == TL_PARAM_LIST || p->type == TL_PARAM_MAP) {
            write_list(out, p, (const tl_param_list *)(const void *)value, indent);
        } else if (p->type == TL_PARAM_SECTION) {
            tl_text_add(out, "\n", 1);
            tl_schema_write(p->variants ? p->variants->tables[*(const int *)(const void *)value]
                                        : p->table,
                            value, indent + 2, out);
        } else if (p->type == TL_PARAM_LAW && law_kind(value) != TL_LAW_CONSTANT) {
            tl_law_table own;
            tl_law_table_make(tl_law_variants.tables[law_kind(value)], p, &own);
            tl_text_add(out, "\n", 1);
            tl_schema_write(&own.table, value, indent + 2, out);
        } else {
            tl_text_add(out, " ", 1);
            write_scalar(out, p, value);
        }
    }
}
