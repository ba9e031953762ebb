/* See forms.h. */
#include "scene/forms.h"

#include "base/text.h"
#include "mesh/inspect.h"
#include "mesh/overlap.h"
#include "scene/data.h"
#include "scene/schema.h"
#include "scene/shapes.h"

#include <stdlib.h>
#include <string.h>

/* Paths stand in the form, so that run.yaml finds the file wherever it is. */
static bool find_form_file(tl_scene *scene, tl_form_def *form, const tl_yaml_node *node,
                           tl_error *error) {
    const char *kind;
    char **file = tl_form_file(form, &kind), *path = NULL;
    if (!file)
        return true;
    if (tl_data_find_file(kind, *file, node && node->source ? node->source->file : NULL, &path,
                          error) != TL_OK)
        return false;
    char *kept = tl_arena_text(&scene->arena, path, strlen(path));
    free(path);
    if (kept)
        *file = kept;
    else
        tl_fail_memory(error, 1, 1);
    return kept != NULL;
}

/* Triangles of all forms of a scene: those of files, and those that it makes itself. To mend,
 * inspect and sort a million takes about 10 s, and a few words can ask for any number. */
enum { MOST_OF_FILES = 4500000, MOST_MADE = 1500000 };

static bool is_of_file(const tl_form_def *f) {
    return f->has_mesh || (f->has_terrain && f->terrain.image);
}

static size_t count_triangles(const tl_scene *scene, bool of_files) {
    const tl_body_def *bodies = scene->bodies.items;
    const tl_wall_def *walls = scene->walls.items;
    const tl_emitter_def *emitters = scene->emitters.items;
    size_t count = 0;
    for (size_t i = 0; i < scene->bodies.count; i++)
        count += is_of_file(&bodies[i].form) == of_files ? bodies[i].mesh.triangle_count : 0;
    for (size_t i = 0; i < scene->walls.count; i++)
        count += is_of_file(&walls[i].form) == of_files ? walls[i].mesh.triangle_count : 0;
    for (size_t i = 0; i < scene->emitters.count; i++)
        count += is_of_file(&emitters[i].form) == of_files ? emitters[i].mesh.triangle_count : 0;
    return count;
}

tl_status tl_scene_check_triangles(const tl_scene *scene, const tl_form_def *form,
                                   tl_error *error) {
    const bool of_files = is_of_file(form);
    const size_t count = count_triangles(scene, of_files),
                 most = of_files ? MOST_OF_FILES : MOST_MADE;
    if (count <= most)
        return TL_OK;
    return tl_fail(error, TL_BAD_INPUT, tl_form_word(form),
                   of_files ? "use coarser meshes" : "use a larger spacing, or fewer of them",
                   of_files ? "meshes and images of the scene have more than %zu triangles"
                            : "round forms, letters and terrain of the scene have more than %zu "
                              "triangles",
                   most);
}

bool tl_scene_make_form(tl_scene *scene, tl_form_def *form, const tl_yaml_node *node,
                        tl_report *report, tl_mesh *out) {
    tl_error error = {0};
    if (!find_form_file(scene, form, node, &error)) {
        tl_report_error(report, tl_yaml_place(node, "%s", tl_form_word(form)), error.fix, "%s",
                        error.what);
        return false;
    }
    if (tl_form_make(form, scene->spacing, out, &error) == TL_OK &&
        tl_scene_check_triangles(scene, form, &error) == TL_OK) {
        if (out->closed_holes)
            tl_report_warning(report, tl_yaml_place(node, "mesh.close_holes"), NULL,
                              "%zu hole%s of the mesh %s closed", out->closed_holes,
                              out->closed_holes == 1 ? "" : "s",
                              out->closed_holes == 1 ? "was" : "were");
        return true;
    }
    tl_report_error(report, tl_yaml_place(node, "%s", error.where), error.fix, "%s", error.what);
    return false;
}

void tl_scene_check_form(const tl_form_def *form, const tl_yaml_node *node, tl_report *report) {
    static const char *const keys[] = {"scale", "height", "rotate", "foot"};
    for (size_t k = 0; k < 4 && !tl_form_given(form); k++)
        if (tl_yaml_get(node, keys[k]))
            tl_report_warning(report, tl_yaml_get(node, keys[k]), "see `tallow describe body`",
                              "%s does nothing without a form such as mesh or cone", keys[k]);
    if (tl_form_given(form) && form->has_scale && form->has_height)
        tl_report_error(report, tl_yaml_place(node, "height"), "leave out one of them",
                        "both scale and height say how large the %s is", tl_form_word(form));
}

/* An open mesh has no inside to be filled. */
static bool check_mesh(tl_body_def *b, const tl_yaml_node *at, tl_report *report) {
    tl_mesh_findings found;
    tl_error error = {0};
    const char *word = tl_form_word(&b->form);
    if (tl_mesh_inspect(&b->mesh, &found, &error) != TL_OK) {
        tl_report_error(report, at, error.fix, "%s", error.what);
        return false;
    }
    if (found.open_edges) {
        tl_report_error(report, at, "set close_holes of the mesh, or use it as a wall",
                        "the %s of body \"%.60s\" is not closed: %zu hole%s with %zu open edges",
                        word, b->name, found.holes, found.holes == 1 ? "" : "s", found.open_edges);
        return false;
    }
    if (!b->mesh.closed) {
        tl_report_error(report, at, "use it as a wall, or make it anew",
                        "the %s of body \"%.60s\" has no inside: %zu edges of more than two "
                        "triangles, %zu whose triangles disagree",
                        word, b->name, found.crowded_edges, found.twisted_edges);
        return false;
    }
    b->overlaps = found.crossings || found.more_crossings;
    if (b->overlaps)
        tl_report_warning(report, at, "what is inside of several parts is filled once",
                          "%s%zu pairs of triangles of the %s of body \"%.60s\" pass through each "
                          "other",
                          found.more_crossings ? "at least " : "", found.crossings, word, b->name);
    return true;
}

static const tl_wall_def *find_wall(const tl_scene *scene, const char *name) {
    const tl_wall_def *walls = scene->walls.items;
    for (size_t w = 0; w < scene->walls.count; w++)
        if (strcmp(walls[w].name, name) == 0)
            return &walls[w];
    return NULL;
}

static void refuse_wall(const tl_scene *scene, const char *name, const tl_yaml_node *at,
                        tl_report *report) {
    const tl_wall_def *walls = scene->walls.items;
    const char **names = tl_allocate(scene->walls.count, sizeof *names);
    for (size_t w = 0; names && w < scene->walls.count; w++)
        names[w] = walls[w].name;
    const char *nearest = names ? tl_nearest_word(name, names, scene->walls.count) : NULL;
    tl_text hint = {0};
    if (nearest)
        tl_text_print(&hint, "did you mean %.60s?", nearest);
    tl_report_error(report, at, hint.bytes, "there is no wall \"%.60s\" to stand on", name);
    free(hint.bytes);
    free(names);
}

/* Moves a body along the normal of a plane, or of the floor of a tank, until it touches it. */
static void stand_on(const tl_scene *scene, tl_body_def *b, const tl_yaml_node *at,
                     tl_report *report) {
    const tl_wall_def *wall = find_wall(scene, b->on);
    if (!wall) {
        refuse_wall(scene, b->on, at, report);
        return;
    }
    tl_vec3 normal[6], down = tl_vec3_of(scene->gravity);
    double offset[6];
    const int faces = tl_wall_faces(wall, normal, offset);
    if (faces == 0) {
        tl_report_error(report, at, "give the foot of the body instead",
                        "a body stands on a plane or in a tank; wall \"%.60s\" is neither",
                        wall->name);
        return;
    }
    int floor = 0;
    for (int f = 1; f < faces; f++)
        if (tl_vec3_dot(normal[f], down) < tl_vec3_dot(normal[floor], down))
            floor = f;
    const double lift = offset[floor] - tl_body_extent(b, normal[floor]);
    for (size_t i = 0; i < b->mesh.vertex_count; i++)
        b->mesh.vertices[i] = tl_vec3_mad(b->mesh.vertices[i], lift, normal[floor]);
}

/* What several parts cover counts once. */
static tl_status find_volume(tl_body_def *b, tl_error *error) {
    tl_mesh_moments moments = {0};
    if (b->overlaps)
        TL_TRY(tl_mesh_find_union(&b->mesh, &moments, error));
    else
        moments = tl_mesh_find_moments(&b->mesh);
    b->volume = moments.volume;
    return TL_OK;
}

/* A body that is given exactly one form. */
static void make_body(tl_scene *scene, tl_body_def *b, const tl_yaml_node *node,
                      tl_report *report) {
    if (tl_form_count(&b->form) != 1)
        return;
    if (!tl_scene_make_form(scene, &b->form, node, report, &b->mesh))
        return;
    if (!check_mesh(b, tl_yaml_place(node, "%s", tl_form_word(&b->form)), report))
        return;
    if (b->temperature.colour && !b->mesh.colours)
        tl_report_error(report, tl_yaml_place(node, "temperature.colour"),
                        "use a file with colours, such as PLY, or OBJ with \"v x y z r g b\"",
                        "the %s of body \"%.60s\" has no colours", tl_form_word(&b->form), b->name);
    if (b->on)
        stand_on(scene, b, tl_yaml_place(node, "on"), report);
    tl_error error = {0};
    if (find_volume(b, &error) != TL_OK || tl_solid_make(&b->mesh, &b->solid, &error) != TL_OK)
        tl_report_error(report, node, error.fix, "%s", error.what);
}

tl_form_def tl_form_of_ball(const tl_sphere_def *ball) {
    tl_form_def form = {.has_capsule = true, .scale = 1};
    memcpy(form.capsule.from, ball->center, sizeof ball->center);
    memcpy(form.capsule.to, ball->center, sizeof ball->center);
    form.capsule.radius = ball->radius;
    return form;
}

tl_form_def tl_form_of_cylinder(const tl_cylinder_def *cylinder) {
    tl_form_def form = {.has_cone = true, .scale = 1};
    memcpy(form.cone.from, cylinder->from, sizeof cylinder->from);
    memcpy(form.cone.to, cylinder->to, sizeof cylinder->to);
    form.cone.radius = form.cone.end_radius = cylinder->radius;
    return form;
}

/* Triangles of a vessel face its inside. */
static void turn_inside_out(tl_mesh *mesh) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t swapped = mesh->triangles[t][1];
        mesh->triangles[t][1] = mesh->triangles[t][2];
        mesh->triangles[t][2] = swapped;
    }
}

/* Kernels reach two to three spacings into a wall. */
static const double layers_of_vessel = 3;

/* The mesh of a vessel, closed or without a lid, or of an obstacle. False, and reported, when there
 * is none. */
static bool make_wall_mesh(tl_scene *scene, tl_wall_def *w, tl_form_def *form,
                           const tl_yaml_node *node, tl_report *report) {
    tl_error error = {0};
    const double thickness = w->thickness > 0 ? w->thickness : layers_of_vessel * scene->spacing;
    if (w->open != TL_SIDE_NONE) {
        if (tl_form_vessel(form, tl_side_normal(w->open), thickness, scene->spacing, &w->mesh,
                           &error) == TL_OK)
            return true;
        tl_report_error(report, tl_yaml_place(node, "%s", error.where), error.fix,
                        "wall \"%.60s\": %s", w->name, error.what);
        return false;
    }
    if (!tl_scene_make_form(scene, form, node, report, &w->mesh))
        return false;
    if (w->hollow && !w->mesh.closed) {
        tl_report_error(report, tl_yaml_place(node, "hollow"),
                        "set close_holes of the mesh, or leave out hollow",
                        "the %s of wall \"%.60s\" has holes: it has no inside to be hollow",
                        tl_form_word(form), w->name);
        return false;
    }
    if (w->hollow)
        turn_inside_out(&w->mesh);
    return true;
}

/* A wall that is given exactly one form, a ball or a cylinder. */
static void make_wall(tl_scene *scene, tl_wall_def *w, const tl_yaml_node *node,
                      tl_report *report) {
    const tl_cylinder_def *c = &w->cylinder;
    tl_form_def ball = tl_form_of_ball(&w->sphere), cylinder = tl_form_of_cylinder(c),
                *form = w->has_sphere     ? &ball
                        : w->has_cylinder ? &cylinder
                                          : &w->form;
    if (w->has_sphere + w->has_cylinder + tl_form_count(&w->form) != 1)
        return;
    if (w->has_cylinder &&
        !(tl_vec3_length(tl_vec3_sub(tl_vec3_of(c->to), tl_vec3_of(c->from))) > 0)) {
        tl_report_error(report, tl_yaml_place(node, "cylinder.to"), NULL,
                        "the cylinder of wall \"%.60s\" ends where it begins", w->name);
        return;
    }
    tl_error error = {0};
    if (make_wall_mesh(scene, w, form, node, report) &&
        tl_solid_make(&w->mesh, &w->solid, &error) != TL_OK)
        tl_report_error(report, node, error.fix, "%s", error.what);
}

static void make_walls(tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    tl_wall_def *walls = scene->walls.items;
    for (size_t i = 0; i < scene->walls.count && report->list->error_count == 0; i++) {
        const tl_yaml_node *node = tl_yaml_place(root, "walls.%zu", i);
        tl_scene_check_form(&walls[i].form, node, report);
        if (scene->dynamics == TL_DYNAMICS_FLOW)
            make_wall(scene, &walls[i], node, report);
        else if (tl_form_given(&walls[i].form) || walls[i].has_cylinder)
            tl_report_error(report, node, "use a plane, a box or a sphere",
                            "thermal particles know no walls that are meshes");
        else if (walls[i].has_sphere && (walls[i].hollow || walls[i].open != TL_SIDE_NONE))
            tl_report_error(report, node, "use planes or a box",
                            "thermal particles know no vessels but tanks");
    }
}

static void make_mouths(tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    tl_emitter_def *emitters = scene->emitters.items;
    for (size_t i = 0; i < scene->emitters.count && report->list->error_count == 0; i++) {
        const tl_yaml_node *node = tl_yaml_place(root, "emitters.%zu", i);
        tl_scene_check_form(&emitters[i].form, node, report);
        if (emitters[i].form.has_mesh)
            tl_scene_make_form(scene, &emitters[i].form, node, report, &emitters[i].mesh);
    }
}

void tl_scene_make_forms(tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    tl_body_def *bodies = scene->bodies.items;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const tl_yaml_node *node = tl_yaml_place(root, "bodies.%zu", i);
        tl_scene_check_form(&bodies[i].form, node, report);
        if (bodies[i].temperature.colour && !tl_form_given(&bodies[i].form))
            tl_report_error(report, tl_yaml_place(node, "temperature.colour"), NULL,
                            "only a mesh has colours");
        if (bodies[i].on && !tl_form_given(&bodies[i].form))
            tl_report_warning(report, tl_yaml_place(node, "on"), NULL,
                              "on does nothing without a form such as mesh or cone");
    }
    for (size_t i = 0; i < scene->bodies.count && report->list->error_count == 0; i++)
        make_body(scene, &bodies[i], tl_yaml_place(root, "bodies.%zu", i), report);
    make_walls(scene, root, report);
    make_mouths(scene, root, report);
}

void tl_scene_free_forms(tl_scene *scene) {
    tl_body_def *bodies = scene->bodies.items;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        tl_mesh_free(&bodies[i].mesh);
        tl_solid_free(bodies[i].solid);
    }
    tl_emitter_def *emitters = scene->emitters.items;
    for (size_t i = 0; i < scene->emitters.count; i++)
        tl_mesh_free(&emitters[i].mesh);
    tl_wall_def *walls = scene->walls.items;
    for (size_t i = 0; i < scene->walls.count; i++) {
        tl_solid_free(walls[i].solid);
        tl_mesh_free(&walls[i].mesh);
    }
}
