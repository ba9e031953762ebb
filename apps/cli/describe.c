/* `tallow describe` and `tallow list`: what a scene can say, and what there is to say it with. */
#include "base/text.h"
#include "command.h"
#include "scene/data.h"
#include "scene/scene.h"
#include "scene/schema.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

int cli_describe(const cli_arguments *arguments) {
    tl_text text = {0};
    tl_error error = {0};
    const tl_describe_format format = cli_has(arguments, "json")       ? TL_DESCRIBE_JSON
                                      : cli_has(arguments, "markdown") ? TL_DESCRIBE_MARKDOWN
                                                                       : TL_DESCRIBE_TEXT;
    const char *table = arguments->word_count > 0 ? arguments->words[0] : NULL;
    if (cli_has(arguments, "schema") && table) {
        cli_complain("--schema is of all tables; leave out %s", table);
        return CLI_BAD_INPUT;
    }
    const tl_status status = cli_has(arguments, "schema")
                                 ? tl_schema_json(&text, &error)
                                 : tl_schema_describe(table, format, &text, &error);
    if (status == TL_OK && text.bytes)
        fwrite(text.bytes, 1, text.length, stdout);
    else
        cli_complain_error(&error);
    free(text.bytes);
    return cli_exit_code(status);
}

/* ---- Lists --------------------------------------------------------------------------------- */

typedef enum list_form { FOR_PEOPLE, NAMES, JSON } list_form;

static void print_item(list_form form, const char *name, const char *doc, bool is_first) {
    switch (form) {
    case FOR_PEOPLE: printf("  %-26s %s\n", name, doc); return;
    case NAMES: puts(name); return;
    case JSON:
        printf("%s\n    {\"name\": ", is_first ? "" : ",");
        cli_print_json(stdout, name);
        printf(", \"doc\": ");
        cli_print_json(stdout, doc);
        printf("}");
        return;
    }
}

/* The title of a scene of the library, or why it has none. */
static void describe_scene(const char *name, bool with_source, tl_text *out) {
    (void)with_source;
    tl_scene *scene;
    tl_error error = {0};
    if (tl_scene_load_file(name, NULL, &scene, &error) != TL_OK) {
        tl_text_print(out, "(%s)", error.what);
        return;
    }
    tl_text_print(out, "%s", tl_scene_title(scene) ? tl_scene_title(scene) : "");
    tl_scene_destroy(scene);
}

/* The numbers of a library material, read by way of a scene that is made of it. */
static void describe_material(const char *name, bool with_source, tl_text *out) {
    tl_text text = {0};
    tl_scene *scene;
    tl_error error = {0};
    tl_text_print(&text,
                  "{spacing: 1, duration: 1, materials: {it: {like: '%s'}}, "
                  "bodies: [{name: b, material: it, box: {from: [0, 0, 0], to: [2, 2, 2]}}]}",
                  name);
    if (text.failed ||
        tl_scene_load_memory(text.bytes, text.length, name, NULL, &scene, &error) != TL_OK) {
        tl_text_print(out, "(%s)", error.what);
    } else {
        const tl_material *material = scene->materials.items;
        tl_text_print(out, "%g kg/m³, ", material->density);
        if (material->has_rheology)
            tl_text_print(out, "%s", tl_rheology_variants.words[material->rheology.model]);
        else
            tl_text_print(out, "%.4g Pa·s%s", tl_viscosity_at(material, 0, 20),
                          material->viscosity.kind == TL_LAW_CONSTANT ? "" : " at 20 °C");
        if (with_source && material->source)
            tl_text_print(out, "; %s", material->source);
        tl_scene_destroy(scene);
    }
    free(text.bytes);
}

static tl_status list_data(const char *kind, list_form form,
                           void (*describe)(const char *, bool, tl_text *), tl_error *error) {
    char **names;
    size_t count;
    TL_TRY(tl_data_list(kind, &names, &count, error));
    for (size_t i = 0; i < count; i++) {
        tl_text doc = {0};
        if (form != NAMES)
            describe(names[i], form == JSON, &doc);
        print_item(form, names[i], doc.bytes ? doc.bytes : "", i == 0);
        free(doc.bytes);
    }
    tl_data_free_list(names);
    return TL_OK;
}

/* The kinds of a section, one line each. */
static void list_variants(const char *section, const tl_param_variants *variants, list_form form,
                          bool *is_first) {
    for (size_t i = 0; variants->words[i]; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s.%s", section, variants->words[i]);
        print_item(form, name, variants->tables[i]->doc, *is_first);
        *is_first = false;
    }
}

/* Models are the words a scene can choose between, directions apart. */
static void list_models(list_form form) {
    bool is_first = true;
    list_variants("rheology", &tl_rheology_variants, form, &is_first);
    list_variants("law", &tl_law_variants, form, &is_first);
    for (const tl_param_table *const *t = tl_schema_tables; *t; t++)
        for (size_t i = 0; i < (*t)->count; i++) {
            const tl_param *param = &(*t)->params[i];
            if (param->type != TL_PARAM_CHOICE || param->choices == tl_side_names ||
                param->choices == tl_axis_names || param->choices == tl_rheology_variants.words ||
                param->choices == tl_law_variants.words)
                continue;
            char name[96], doc[512];
            int length = snprintf(doc, sizeof doc, "%s:", param->doc);
            for (const char *const *c = param->choices; *c && length < (int)sizeof doc; c++)
                length += snprintf(doc + length, sizeof doc - (size_t)length, " %s", *c);
            snprintf(name, sizeof name, "%s.%s", (*t)->name, param->name);
            print_item(form, name, doc, is_first);
            is_first = false;
        }
}

static int list_kind(const char *kind, list_form form, tl_error *error) {
    if (form == FOR_PEOPLE)
        printf("%s:\n", kind);
    if (form == JSON)
        printf("  \"%s\": [", kind);
    tl_status status = TL_OK;
    if (strcmp(kind, "scenes") == 0)
        status = list_data(kind, form, describe_scene, error);
    else if (strcmp(kind, "materials") == 0)
        status = list_data(kind, form, describe_material, error);
    else
        list_models(form);
    if (form == JSON)
        printf("\n  ]");
    return cli_exit_code(status);
}

int cli_list(const cli_arguments *arguments) {
    const char *const *kinds = arguments->command->choices;
    const char *wanted = arguments->word_count > 0 ? arguments->words[0] : NULL;
    const list_form form = cli_has(arguments, "json")    ? JSON
                           : cli_has(arguments, "names") ? NAMES
                                                         : FOR_PEOPLE;
    tl_error error = {0};
    int code = CLI_DONE;
    size_t printed = 0, count = 0;
    while (kinds[count])
        count++;
    if (form == JSON)
        printf("{\n");
    for (size_t i = 0; i < count && code == CLI_DONE; i++) {
        if (wanted && strcmp(wanted, kinds[i]) != 0)
            continue;
        if (printed++ > 0)
            printf(form == JSON ? ",\n" : form == NAMES ? "" : "\n");
        code = list_kind(kinds[i], form, &error);
    }
    if (form == JSON)
        printf("\n}\n");
    if (code != CLI_DONE) {
        cli_complain_error(&error);
    } else if (printed == 0) {
        const char *nearest = tl_nearest_word(wanted, kinds, count);
        cli_complain("cannot list %s; did you mean %s?", wanted, nearest ? nearest : "scenes");
        code = CLI_BAD_INPUT;
    }
    return code;
}
