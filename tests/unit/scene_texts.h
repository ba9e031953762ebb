/* Scenes given as texts, and what must be found in those that are refused. */
#ifndef TL_TESTS_SCENE_TEXTS_H
#define TL_TESTS_SCENE_TEXTS_H

#include "base/text.h"
#include "scene/scene.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char minimal[] = "spacing: 1 cm\n"
                              "bodies:\n"
                              "  - {name: pool, material: water, box: {from: [0, 0, 0], "
                              "to: [0.1, 0.1, 0.1]}}\n";

static inline tl_scene *load(const char *text, const char *override) {
    tl_scene *scene = NULL;
    tl_error error = {0};
    const tl_scene_options options = {.overrides = &override, .override_count = override != NULL};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", &options, &scene, &error), TL_OK,
                 "%s: %s (%s)", error.where, error.what, error.fix);
    return scene;
}

/* The findings of a scene that must be refused. */
static inline tl_diagnostics refuse_bytes(const char *text, size_t size, const char *override,
                                          tl_error *error) {
    tl_diagnostics found = {0};
    tl_scene *scene = NULL;
    const tl_scene_options options = {
        .overrides = &override, .override_count = override != NULL, .diagnostics = &found};
    cr_assert_eq(tl_scene_load_memory(text, size, "test", &options, &scene, error), TL_BAD_INPUT,
                 "accepted: %s [%s]", text, override ? override : "");
    cr_assert_null(scene);
    cr_assert_gt(found.error_count, 0);
    return found;
}

/* Asserts that one finding stands at file:line:column with these words in it. */
static inline void finds(const tl_diagnostics *found, const char *file, int line, int column,
                         const char *what, const char *hint) {
    tl_text all = {0};
    for (size_t i = 0; i < found->count; i++) {
        const tl_diagnostic *d = &found->items[i];
        if (strcmp(d->file, file) == 0 && d->line == line && d->column == column &&
            strstr(d->what, what) && strstr(d->hint, hint)) {
            free(all.bytes);
            return;
        }
        tl_text_print(&all, "\n%s:%d:%d: %s (%s)", d->file, d->line, d->column, d->what, d->hint);
    }
    cr_assert_fail("no finding %s:%d:%d \"%s\" (%s) among:%s", file, line, column, what, hint,
                   all.bytes);
}

static inline void refuses(const char *text, const char *override, const char *file, int line,
                           int column, const char *what, const char *hint) {
    tl_error error = {0};
    tl_diagnostics found = refuse_bytes(text, strlen(text), override, &error);
    finds(&found, file, line, column, what, hint);
    tl_diagnostics_clear(&found);
}

static inline const tl_body_def *body_at(const tl_scene *scene, size_t i) {
    cr_assert_lt(i, scene->bodies.count);
    return (const tl_body_def *)scene->bodies.items + i;
}

#endif
