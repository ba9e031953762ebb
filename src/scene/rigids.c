/* See rigids.h. Balls, boxes and cylinders get a mesh like that of forms. */
#include "scene/rigids.h"

#include "mesh/overlap.h"
#include "scene/forms.h"
#include "scene/schema.h"

#include <string.h>

static tl_form_def form_of(const tl_body_def *b) {
    if (b->has_sphere)
        return tl_form_of_ball(&b->sphere);
    if (b->has_cylinder)
        return tl_form_of_cylinder(&b->cylinder);
    tl_form_def form = {.scale = 1, .has_rounded_box = true};
    memcpy(form.rounded_box.from, b->box.from, sizeof b->box.from);
    memcpy(form.rounded_box.to, b->box.to, sizeof b->box.to);
    return form;
}

/* Surfaces are inscribed in what is round, by this part of the thickness (3 volume / area, the
 * radius of a ball): then volume and inertia are right to some 1e-4. A mesh deviates from its form
 * by a fiftieth of a spacing. */
static const double roundest = 50 * 1e-4;

/* Triangles of all such surfaces of a scene, which take half a minute then. */
enum { MOST_TRIANGLES = 20000000 };

/* Volume and moments of what the mesh of a body stands for. Adds the triangles that it takes. */
static tl_status find_moments(const tl_body_def *b, double spacing, tl_mesh_moments *out,
                              size_t *triangles, tl_error *error) {
    const tl_form_def form = tl_form_given(&b->form) ? b->form : form_of(b);
    if (form.has_mesh || b->overlaps)
        return tl_mesh_find_union(&b->mesh, out, error);
    *out = tl_mesh_find_moments(&b->mesh);
    const double fine = roundest * 3 * out->volume / tl_mesh_area(&b->mesh);
    if (form.has_terrain || !(fine < spacing))
        return TL_OK;
    tl_mesh mesh;
    if (*triangles > MOST_TRIANGLES)
        return tl_fail(error, TL_BAD_INPUT, NULL, "use fewer of them, or boxes",
                       "the surfaces of rigid bodies have more than %d triangles", MOST_TRIANGLES);
    TL_TRY(tl_form_make(&form, fine, &mesh, error));
    *triangles += mesh.triangle_count;
    const tl_vec3 centroid = out->centroid; /* where the body has been put */
    *out = tl_mesh_find_moments(&mesh);
    out->centroid = centroid;
    tl_mesh_free(&mesh);
    return TL_OK;
}

static bool make_surface(tl_scene *scene, tl_body_def *b, const tl_yaml_node *at,
                         tl_report *report) {
    tl_error error = {0};
    if (b->has_limbs || b->has_gable) {
        tl_report_error(report, tl_yaml_place(at, "rigid"),
                        "use a box, a sphere, a cylinder, a mesh or another form",
                        "body \"%.60s\" has no surface that could be rigid", b->name);
        return false;
    }
    if (tl_form_given(&b->form))
        return true;
    const tl_form_def form = form_of(b);
    if (tl_form_make(&form, scene->spacing, &b->mesh, &error) == TL_OK &&
        tl_scene_check_triangles(scene, &form, &error) == TL_OK &&
        tl_solid_make(&b->mesh, &b->solid, &error) == TL_OK)
        return true;
    tl_report_error(report, at, error.fix, "%s", error.what);
    return false;
}

void tl_scene_make_rigids(tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    tl_body_def *bodies = scene->bodies.items;
    size_t triangles = 0;
    scene->rigids = tl_arena_allocate(&scene->arena, scene->bodies.count, sizeof *scene->rigids);
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const tl_yaml_node *at = tl_yaml_place(root, "bodies.%zu", i);
        tl_body_def *b = &bodies[i];
        if (!b->rigid || report->list->error_count > 0 || !scene->rigids)
            continue;
        if (scene->dynamics == TL_DYNAMICS_COHESIVE || scene->has_periodic) {
            tl_report_error(report, tl_yaml_place(at, "rigid"), "leave out rigid, or that",
                            "body \"%.60s\" cannot be rigid %s", b->name,
                            scene->has_periodic ? "in a periodic world"
                                                : "among thermal particles");
            continue;
        }
        tl_mesh_moments moments;
        tl_error error = {0};
        if (!make_surface(scene, b, at, report))
            continue;
        if (find_moments(b, scene->spacing, &moments, &triangles, &error) != TL_OK) {
            tl_report_error(report, at, error.fix, "%s", error.what);
            continue;
        }
        const tl_form_def form = tl_form_given(&b->form) ? b->form : form_of(b);
        tl_rigid_def *rigid = &scene->rigids[scene->rigid_count++];
        *rigid = (tl_rigid_def){.body = (uint32_t)i,
                                .mesh = &b->mesh,
                                .solid = b->solid,
                                .moments = moments,
                                .friction = b->friction,
                                .bounce = b->bounce};
        rigid->ring_count = tl_form_rings(&form, &moments, rigid->rings);
    }
}
