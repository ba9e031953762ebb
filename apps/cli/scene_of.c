/* See scene_of.h. */
#include "scene_of.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options that are short for --set. */
static const struct {
    const char *option, *key;
    const char *value; /* of a switch; NULL: what the option is given */
} short_forms[] = {{"spacing", "spacing", NULL},
                   {"until", "duration", NULL},
                   {"frames", "output.last_frame", NULL},
                   {"no-film", "output.film", "false"},
                   {"keep-pictures", "output.keep_pictures", "true"},
                   {"no-plots", "output.plots", "false"}};

/* The override that an option stands for; NULL when it is none, or out of memory. */
static char *override_of(const struct cli_given *given) {
    if (strcmp(given->option->name, "set") == 0)
        return strdup(given->value);
    tl_text text = {0};
    for (size_t i = 0; i < sizeof short_forms / sizeof *short_forms; i++)
        if (strcmp(given->option->name, short_forms[i].option) == 0)
            tl_text_print(&text, "%s=%s", short_forms[i].key,
                          short_forms[i].value ? short_forms[i].value : given->value);
    return text.bytes;
}

char **cli_overrides(const cli_arguments *arguments, size_t *count) {
    char **overrides = calloc(arguments->given_count + 1, sizeof *overrides);
    *count = 0;
    for (size_t i = 0; overrides && i < arguments->given_count; i++) {
        char *override = override_of(&arguments->given[i]);
        if (override)
            overrides[(*count)++] = override;
    }
    return overrides;
}

void cli_overrides_free(char **overrides) {
    for (char **o = overrides; o && *o; o++)
        free(*o);
    free(overrides);
}

/* By file, then from its top to its bottom. */
static int compare_findings(const void *a, const void *b) {
    const tl_diagnostic *f = a, *g = b;
    const int files = strcmp(f->file, g->file);
    return files ? files : f->line != g->line ? f->line - g->line : f->column - g->column;
}

tl_status cli_load_scene(const cli_arguments *arguments, tl_diagnostics *findings, tl_scene **out,
                         tl_error *error) {
    size_t count;
    *out = NULL;
    char **overrides = cli_overrides(arguments, &count);
    if (!overrides)
        return tl_fail_memory(error, arguments->given_count, sizeof *overrides);
    const tl_scene_options options = {.overrides = (const char *const *)overrides,
                                      .override_count = count,
                                      .diagnostics = findings};
    const tl_status status = tl_scene_load_file(arguments->words[0], &options, out, error);
    cli_overrides_free(overrides);
    if (findings->count > 1)
        qsort(findings->items, findings->count, sizeof *findings->items, compare_findings);
    return status;
}

void cli_default_folder(const char *scene, char *out, size_t size) {
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
    const char *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    snprintf(out, size, "out/%.*s", (int)length, name);
}
