/* What tells scenes apart for snapshots: every parameter that is neither idle nor live, and meshes.
 */
#include "base/schedule.h"
#include "materials/law.h"
#include "materials/param_hash.h"
#include "scene/scene.h"
#include "scene/schema.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* What is hashed while a part of it changes. */
typedef struct whole {
    const tl_param_table *table;
    void *from;
    size_t tried;
} whole;

static uint64_t hash_of(const whole *w) { return tl_param_hash(0, w->table, w->from); }

static void change_all(whole *w, const tl_param_table *table, char *from);

/* Changes a value that is no struct; a second call takes it back. */
static void flip(const tl_param *p, void *at) {
    static char other[] = "other";
    static double points[2] = {1, 2};
    if (p->type == TL_PARAM_TEXT) {
        *(char **)at = *(char **)at == other ? NULL : other;
    } else if (p->type == TL_PARAM_POINTS) {
        tl_param_list *list = at;
        *list = list->count ? (tl_param_list){0} : (tl_param_list){points, 1};
    } else if (p->type == TL_PARAM_LAW) {
        double *value = &((tl_law *)at)->value;
        *value = -1 - *value;
    } else {
        unsigned char *byte = at; /* the first of a number, a switch, a choice or a schedule */
        *byte ^= 1;
    }
}

static void change_list(whole *w, const tl_param *p, void *at) {
    tl_param_list *list = at;
    const uint64_t without = hash_of(w);
    char *item = calloc(1, p->table->size);
    *list = (tl_param_list){item, 1};
    cr_expect_neq(hash_of(w), without, "%s: one more", p->name);
    change_all(w, p->table, item);
    *list = (tl_param_list){0};
    free(item);
}

static void change_section(whole *w, const tl_param *p, char *at) {
    if (!p->variants) {
        change_all(w, p->table, at);
        return;
    }
    for (int k = 0; p->variants->words[k]; k++) {
        const uint64_t before = hash_of(w);
        const int kind = *(int *)at;
        *(int *)at = k;
        cr_expect(k == kind || hash_of(w) != before, "%s: %s", p->name, p->variants->words[k]);
        change_all(w, p->variants->tables[k], at);
    }
    *(int *)at = 0;
}

static void change_one(whole *w, const tl_param *p, char *from) {
    char *at = from + p->offset;
    bool *there = p->present ? (bool *)(from + p->present) : NULL;
    const uint64_t before = hash_of(w);
    w->tried++;
    if (there && (p->flags & TL_PARAM_OPTIONAL)) {
        *there = !*there;
        cr_expect_neq(hash_of(w), before, "%s.%s: present", w->table->name, p->name);
        *there = true;
    }
    if (p->type == TL_PARAM_SECTION) {
        change_section(w, p, at);
    } else if (p->type == TL_PARAM_LIST || p->type == TL_PARAM_MAP) {
        change_list(w, p, at);
    } else {
        const uint64_t present = hash_of(w);
        flip(p, at);
        cr_expect_neq(hash_of(w), present, "%s.%s", w->table->name, p->name);
        flip(p, at);
    }
}

static void change_all(whole *w, const tl_param_table *table, char *from) {
    for (size_t k = 0; k < table->count; k++) {
        const tl_param *p = &table->params[k];
        if (p->flags & (TL_PARAM_IDLE | TL_PARAM_LIVE))
            continue;
        change_one(w, p, from);
    }
}

Test(fingerprint, every_key_of_a_scene_that_matters_changes_it) {
    whole w = {&tl_scene_table, calloc(1, tl_scene_table.size), 0};
    change_all(&w, w.table, w.from);
    cr_log_info("%zu parameters", w.tried);
    cr_expect_gt(w.tried, 200);
    free(w.from);
}

Test(fingerprint, what_is_idle_does_not_change_it) {
    static char name[] = "glass";
    tl_wall_def plain = {0}, seen = {.name = name, .hidden = true, .colour = {1, 0, 0}};
    seen.opacity = 0.2;
    cr_expect_eq(tl_param_hash(0, &tl_wall_table, &plain), tl_param_hash(0, &tl_wall_table, &seen));
}

/* ---- Worlds ------------------------------------------------------------------------------------
 */

static const char ball[] = "spacing: 1 cm\n"
                           "materials: {stone: {density: 2500, viscosity: 10}}\n"
                           "bodies:\n"
                           "  - {material: stone, box: {from: [0, 0, 0], to: [0.1, 0.1, 0.05]}}\n"
                           "  - {material: stone, rigid: true, friction: 0.5,\n"
                           "     sphere: {center: [0.05, 0.05, 0.15], radius: 0.04}}\n"
                           "walls: [{plane: z, at: 0}]\n";

static void make_ball(const char *setting, tl_scene **scene, tl_world **world) {
    tl_error error = {0};
    const tl_scene_options options = {.overrides = setting ? &setting : NULL,
                                      .override_count = setting ? 1 : 0};
    cr_assert_eq(tl_scene_load_memory(ball, sizeof ball - 1, "ball", &options, scene, &error),
                 TL_OK, "%s: %s", error.where, error.what);
    cr_assert_eq(tl_world_create(*scene, NULL, world, &error), TL_OK, "%s", error.what);
}

static uint64_t fingerprint_with(const char *setting) {
    tl_scene *scene = NULL;
    tl_world *world = NULL;
    make_ball(setting, &scene, &world);
    const uint64_t found = tl_world_fingerprint(world);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    return found;
}

Test(fingerprint, of_a_world_is_that_of_its_scene) {
    static const char *const matter[] = {"gravity=[0,0,-9.82]",
                                         "seed=2",
                                         "bodies.1.friction=0.4",
                                         "bodies.1.bounce=0.1",
                                         "bodies.0.velocity=[0,0,0.1]",
                                         "walls.0.contact=free-slip",
                                         "flow.support=2.2"};
    static const char *const idle[] = {"title=A ball", "frame_rate=50", "bodies.0.name=slab",
                                       "output.width=320", "camera.turn=1", "flow.scheme=explicit",
                                       /* may change when a run goes on */
                                       "flow.tolerance=0.01", "materials.stone.viscosity=20"};
    const uint64_t own = fingerprint_with(NULL);
    for (size_t k = 0; k < sizeof matter / sizeof *matter; k++)
        cr_expect_neq(fingerprint_with(matter[k]), own, "%s", matter[k]);
    for (size_t k = 0; k < sizeof idle / sizeof *idle; k++)
        cr_expect_eq(fingerprint_with(idle[k]), own, "%s", idle[k]);
}

Test(fingerprint, a_vertex_of_a_rigid_body_changes_it) {
    tl_scene *scene = NULL;
    tl_world *world = NULL;
    make_ball(NULL, &scene, &world);
    const uint64_t before = tl_world_fingerprint(world);
    world->def.rigids[0].mesh->vertices[0].z += 1e-9;
    cr_expect_neq(tl_world_fingerprint(world), before);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
}
