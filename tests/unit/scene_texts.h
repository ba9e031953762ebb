/* Scenes given as texts, and what must be found in those that are refused. */
#ifndef TL_TESTS_SCENE_TEXTS_H
#define TL_TESTS_SCENE_TEXTS_H

#include "base/text.h"
#include "materials/param_hash.h"
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

/* Writes, loads and writes again: the texts must be equal, and so every value. */
static inline void round_trip(tl_scene *scene) {
    char *first, *second;
    cr_assert_eq(tl_scene_write(scene, &first, NULL), TL_OK);
    tl_scene *again = load(first, NULL);
    cr_assert_eq(tl_scene_write(again, &second, NULL), TL_OK);
    cr_assert_str_eq(first, second);
    cr_assert_eq(tl_param_hash(0, &tl_scene_table, scene),
                 tl_param_hash(0, &tl_scene_table, again));
    cr_assert_eq(memcmp(&scene->flow, &again->flow, sizeof scene->flow), 0);
    cr_assert_eq(scene->spacing, again->spacing);
    cr_assert_eq(memcmp(&scene->camera, &again->camera, offsetof(tl_camera_def, path)), 0);
    const tl_param_list *path = &scene->camera.path;
    cr_assert_eq(path->count, again->camera.path.count);
    if (path->count)
        cr_assert_eq(
            memcmp(path->items, again->camera.path.items, path->count * sizeof(tl_camera_key_def)),
            0);
    cr_assert_eq(scene->bodies.count, again->bodies.count);
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const size_t skip = offsetof(tl_body_def, box);
        cr_assert_eq(memcmp((const char *)body_at(scene, i) + skip,
                            (const char *)body_at(again, i) + skip, sizeof(tl_body_def) - skip),
                     0);
        const tl_mesh *mesh = &body_at(scene, i)->mesh;
        cr_assert_eq(mesh->vertex_count, body_at(again, i)->mesh.vertex_count);
        if (mesh->vertex_count)
            cr_assert_eq(memcmp(mesh->vertices, body_at(again, i)->mesh.vertices,
                                mesh->vertex_count * sizeof *mesh->vertices),
                         0);
        const tl_param_list *limbs = &body_at(scene, i)->limbs;
        cr_assert_eq(limbs->count, body_at(again, i)->limbs.count);
        if (limbs->count)
            cr_assert_eq(memcmp(limbs->items, body_at(again, i)->limbs.items,
                                limbs->count * sizeof(tl_limb_def)),
                         0);
    }
    cr_assert_str_eq(scene->title, again->title);
    free(first);
    free(second);
    tl_scene_destroy(again);
}

#endif
