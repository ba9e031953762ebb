/* The parameter tables as a JSON Schema (draft 7), for editors: what they complete, check while one
 * types and show beside the pointer. It accepts every scene that the reader accepts; the reader
 * knows more, such as how parts fit together. Numbers with a unit are texts by their pattern. */
#include "materials/law.h"
#include "materials/material.h"
#include "scene/colours.h"
#include "scene/schema.h"
#include "scene/units.h"

#include <stdlib.h>
#include <string.h>

static void print_words(tl_text *out, const char *const *words) {
    tl_text_print(out, "[");
    for (size_t i = 0; words[i]; i++) {
        tl_text_print(out, i ? ", " : "");
        tl_schema_quote(out, words[i]);
    }
    tl_text_print(out, "]");
}

/* ---- Numbers -----------------------------------------------------------------------------------
 */

#define PREFIX  "[nµμumckMG]?"
#define PRODUCT "[A-Za-zµμ°%/(1][A-Za-zµμ°/()·⋅.*^0-9⁰¹²³⁴⁵⁶⁻ -]*"

/* Units of one dimension by name; of products any that can be made of symbols. */
static const char *units_of(tl_unit unit) {
    switch (unit) {
    case TL_UNIT_NONE: return "%";
    case TL_UNIT_LENGTH: return PREFIX "m|in";
    case TL_UNIT_TIME: return PREFIX "s|min|h";
    case TL_UNIT_MASS: return PREFIX "g";
    case TL_UNIT_TEMPERATURE: return "°C|degC|C|" PREFIX "K";
    case TL_UNIT_ANGLE: return PREFIX "rad|deg|°|rev";
    case TL_UNIT_MEMORY: return PREFIX "B|[KMG]iB";
    default: return PRODUCT;
    }
}

static void print_bound(tl_text *out, const char *name, double value) {
    tl_text_print(out, ", \"%s\": ", name);
    tl_unit_print(out, value, TL_UNIT_NONE);
}

static void print_range(tl_text *out, const tl_param *p) {
    if (p->min == 0 && p->max == 0)
        return;
    print_bound(out, p->flags & TL_PARAM_MIN_EXCLUSIVE ? "exclusiveMinimum" : "minimum", p->min);
    print_bound(out, "maximum", p->max);
}

/* Keys of a number, without the braces. One in a law has the unit of whose law it is. */
static void print_number(tl_text *out, const tl_param *p) {
    tl_text_print(out, "\"type\": [\"number\", \"string\"], \"pattern\": ");
    tl_text pattern = {0};
    tl_text_print(&pattern, "^[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?\\s*(%s)?$",
                  p->flags & TL_PARAM_OF_LAW ? PRODUCT : units_of(p->unit));
    tl_schema_quote(out, pattern.bytes ? pattern.bytes : "");
    out->failed = out->failed || pattern.failed;
    free(pattern.bytes);
    print_range(out, p);
}

static void print_array(tl_text *out, const tl_param *p, int count) {
    tl_text_print(out, "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": {",
                  count, count);
    print_number(out, p);
    tl_text_print(out, "}");
}

/* A pair: a temperature or a time, and a value. */
static void print_pair(tl_text *out, const tl_param *p, tl_unit first) {
    const tl_param at = {.unit = first};
    tl_text_print(out, "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": [{");
    print_number(out, &at);
    tl_text_print(out, "}, {");
    print_number(out, p);
    tl_text_print(out, "}]");
}

/* ---- Parameters --------------------------------------------------------------------------------
 */

static void print_type(tl_text *out, const tl_param *p);

/* Of several kinds, the one that the word under a key names; a material takes what is missing from
 * the library. */
static void print_variants(tl_text *out, const tl_param_variants *v) {
    tl_text_print(out, "{\"type\": \"object\", \"properties\": {\"%s\": {\"enum\": ", v->key);
    print_words(out, v->words);
    tl_text_print(out, "}}, \"allOf\": [");
    for (size_t k = 0; v->words[k]; k++) {
        tl_text_print(out,
                      "%s{\"if\": {\"required\": [\"%s\"], \"properties\": {\"%s\": {\"const\": ",
                      k ? ", " : "", v->key, v->key);
        tl_schema_quote(out, v->words[k]);
        tl_text_print(out, "}}}, \"then\": ");
        tl_text_print(out, "{\"$ref\": \"#/definitions/%s\"}}", v->tables[k]->name);
    }
    tl_text_print(out, "]}");
}

static void print_section(tl_text *out, const tl_param *p) {
    tl_text_print(out, "\"anyOf\": [{\"type\": \"null\"}, ");
    for (size_t k = 0; p->plain && k < p->table->count; k++)
        if (strcmp(p->table->params[k].name, p->plain) == 0) {
            tl_text_print(out, "{");
            print_type(out, &p->table->params[k]);
            tl_text_print(out, "}, ");
        }
    if (p->variants)
        print_variants(out, p->variants);
    else
        tl_text_print(out, "{\"$ref\": \"#/definitions/%s\"}", p->table->name);
    tl_text_print(out, "]");
}

static void print_colour(tl_text *out) {
    static const tl_param part = {.min = 0, .max = 1};
    tl_text_print(out, "\"anyOf\": [{\"enum\": ");
    print_words(out, tl_colour_names);
    tl_text_print(out, "}, {\"type\": \"string\", \"pattern\": \"^#[0-9a-fA-F]+$\"}, {");
    print_array(out, &part, 3);
    tl_text_print(out, "}]");
}

static void print_type(tl_text *out, const tl_param *p) {
    switch (p->type) {
    case TL_PARAM_NUMBER: print_number(out, p); break;
    case TL_PARAM_INTEGER:
        tl_text_print(out, "\"type\": \"integer\"");
        print_range(out, p);
        break;
    case TL_PARAM_SWITCH: tl_text_print(out, "\"type\": \"boolean\""); break;
    case TL_PARAM_CHOICE:
        tl_text_print(out, "\"enum\": ");
        print_words(out, p->choices);
        break;
    case TL_PARAM_TEXT:
        tl_text_print(out, "\"type\": [\"string\", \"number\", \"boolean\"]");
        break;
    case TL_PARAM_VECTOR: print_array(out, p, 3); break;
    case TL_PARAM_COLOUR: print_colour(out); break;
    case TL_PARAM_SECTION: print_section(out, p); break;
    case TL_PARAM_LIST:
        tl_text_print(
            out, "\"type\": [\"array\", \"null\"], \"items\": {\"$ref\": \"#/definitions/%s\"}",
            p->table->name);
        break;
    case TL_PARAM_MAP:
        tl_text_print(out,
                      "\"type\": [\"object\", \"null\"], \"additionalProperties\": {\"anyOf\": "
                      "[{\"type\": \"null\"}, {\"$ref\": \"#/definitions/%s\"}]}",
                      p->table->name);
        break;
    case TL_PARAM_LAW:
        tl_text_print(out, "\"anyOf\": [{");
        print_number(out, p);
        tl_text_print(out, "}, {\"$ref\": \"#/definitions/law\"}]");
        break;
    case TL_PARAM_POINT: print_pair(out, p, TL_UNIT_TEMPERATURE); break;
    case TL_PARAM_POINTS:
        tl_text_print(out, "\"type\": \"array\", \"minItems\": 2, \"items\": {");
        print_pair(out, p, TL_UNIT_TEMPERATURE);
        tl_text_print(out, "}");
        break;
    case TL_PARAM_SCHEDULE:
        tl_text_print(out, "\"anyOf\": [{");
        print_number(out, p);
        tl_text_print(out, "}, {\"type\": \"array\", \"minItems\": 1, \"items\": {");
        print_pair(out, p, TL_UNIT_TIME);
        tl_text_print(out, "}}]");
        break;
    }
}

/* What is a value of JSON as it stands, stands so. */
static void print_default(tl_text *out, const tl_param *p) {
    const char *value = p->default_value;
    if (!value)
        return;
    const bool bare =
        p->type == TL_PARAM_SWITCH || strspn(value, "[]0123456789.,- ") == strlen(value);
    tl_text_print(out, ", \"default\": ");
    if (bare)
        tl_text_print(out, "%s", value);
    else
        tl_schema_quote(out, value);
}

static void print_param(tl_text *out, const tl_param *p) {
    const char *unit = tl_unit_symbol(p->unit);
    tl_text words = {0};
    tl_text_print(&words, *unit ? "%s [%s]" : "%s%s", p->doc, unit);
    tl_schema_quote(out, p->name);
    tl_text_print(out, ": {\"description\": ");
    tl_schema_quote(out, words.bytes ? words.bytes : "");
    print_default(out, p);
    tl_text_print(out, ", ");
    print_type(out, p);
    tl_text_print(out, "}");
    out->failed = out->failed || words.failed;
    free(words.bytes);
}

/* whole  required keys must be there */
static void print_table(tl_text *out, const tl_param_table *table, bool whole) {
    tl_text_print(out, "{\"type\": \"object\", \"description\": ");
    tl_schema_quote(out, table->doc);
    tl_text_print(out, ", \"additionalProperties\": false, \"properties\": {");
    for (size_t i = 0; i < table->count; i++) {
        tl_text_print(out, i ? ",\n    " : "\n    ");
        print_param(out, &table->params[i]);
    }
    tl_text_print(out, "}");
    size_t required = 0;
    for (size_t i = 0; whole && i < table->count; i++)
        if (table->params[i].flags & TL_PARAM_REQUIRED) {
            tl_text_print(out, required++ ? ", " : ", \"required\": [");
            tl_schema_quote(out, table->params[i].name);
        }
    tl_text_print(out, required ? "]}" : "}");
}

/* Materials, and what they are made of, may be completed from the library. */
static bool is_completed(const tl_param_table *table) {
    for (size_t k = 0; tl_rheology_variants.words[k]; k++)
        if (tl_rheology_variants.tables[k] == table)
            return true;
    return table == &tl_material_table || table == &tl_elastic_table || table == &tl_cohesion_table;
}

tl_status tl_schema_json(tl_text *out, tl_error *error) {
    tl_text_print(out, "{\n\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                       "\"title\": \"A scene of Tallow\",\n"
                       "\"$ref\": \"#/definitions/scene\",\n\"definitions\": {\n  \"law\": ");
    print_variants(out, &tl_law_variants);
    for (size_t i = 0; tl_schema_tables[i]; i++) {
        tl_text_print(out, ",\n  \"%s\": ", tl_schema_tables[i]->name);
        print_table(out, tl_schema_tables[i], !is_completed(tl_schema_tables[i]));
    }
    tl_text_print(out, "\n}\n}\n");
    return out->failed ? tl_fail_memory(error, out->length, 1) : TL_OK;
}
