/* Worlds of thermal particles from scene texts, for tests. */
#ifndef TL_TESTS_VERIFY_THERMAL_BUILD_H
#define TL_TESTS_VERIFY_THERMAL_BUILD_H

#include "scene/scene.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct stuff {
    tl_scene *scene;
    tl_world *world;
} stuff;

/* The head of every scene here: particles of 1 kg, 1.192 m apart, bonds of 200 J. */
#define HEAD "dynamics: thermal-particles\nspacing: 1.06195\n"
#define MATERIAL(more, cohesion)                                                                   \
    "materials: {wax: {density: 0.83502, " more "cohesion: {energy: 200" cohesion "}}}\n"

static inline tl_status stuff_try(const char *text, int threads, stuff *out, tl_error *error) {
    *out = (stuff){0};
    TL_TRY(tl_scene_load_memory(text, strlen(text), "test", NULL, &out->scene, error));
    return tl_world_create(out->scene, &(tl_world_options){.threads = threads}, &out->world, error);
}

static inline stuff stuff_open(const char *text, int threads) {
    stuff s;
    tl_error error = {0};
    cr_assert_eq(stuff_try(text, threads, &s, &error), TL_OK, "%s: %s", error.where, error.what);
    tl_world_make_adverse(s.world);
    return s;
}

static inline void stuff_close(stuff *s) {
    tl_world_destroy(s->world);
    tl_scene_destroy(s->scene);
}

static inline void *stuff_field(stuff *s, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(s->world, name, &view), "%s", name);
    return view.data;
}

static inline void stuff_step(stuff *s, int count) {
    tl_error error = {0};
    for (int i = 0; i < count; i++)
        cr_assert_eq(tl_world_step(s->world, NULL, &error), TL_OK, "%s: %s", error.where,
                     error.what);
}

static inline void stuff_run(stuff *s, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(s->world, time, &error), TL_OK, "%s: %s", error.where,
                 error.what);
}

static inline tl_ledger stuff_books(const stuff *s) {
    tl_ledger ledger;
    tl_world_ledger(s->world, &ledger);
    return ledger;
}

#endif
