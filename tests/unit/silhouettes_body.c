/* See silhouettes.h. */
#include "silhouettes.h"

#include "base/random.h"
#include "scene/fill.h"
#include "scene_texts.h"
#include "surface/surface.h"

struct filled_body {
    double spacing;
    tl_frame frame;
    double *places;
    tl_surface surface;
    tl_preview_mesh mesh;
};

static void fill(filled_body *b, const char *body, double shake) {
    tl_text text = {0};
    tl_seed *seeds;
    tl_error error = {0};
    tl_text_print(&text, "spacing: %g\nbodies:\n  - {material: water, %s}\n", b->spacing, body);
    tl_scene *scene = load(text.bytes, NULL);
    cr_assert_eq(
        tl_scene_seed(scene, &(tl_parallel){.threads = 1}, &seeds, &b->frame.count, &error), TL_OK,
        "%s", error.what);
    b->places = calloc(b->frame.count, 3 * sizeof *b->places);
    cr_assert(b->places);
    for (size_t i = 0; i < 3 * b->frame.count; i++)
        b->places[i] =
            seeds[i / 3].position[i % 3] + shake * b->spacing * (2 * tl_random_uniform(4, i) - 1);
    b->frame.array_count = 1;
    b->frame.array[0] = (tl_frame_array){"position", "m", "", TL_F64, 3, b->places};
    tl_scene_destroy(scene);
    free(seeds);
    free(text.bytes);
}

filled_body *filled_body_make(const char *body, double spacing, double shake) {
    const tl_surface_options options = {.spacing = spacing,
                                        .cells = TL_SURFACE_SEEN,
                                        .smooth = TL_SURFACE_SMOOTH,
                                        .material = -1,
                                        .threads = 1};
    tl_error error = {0};
    filled_body *b = calloc(1, sizeof *b);
    cr_assert(b);
    b->spacing = spacing;
    fill(b, body, shake);
    cr_assert_eq(tl_surface_make(&b->surface, &b->frame, &options, &error), TL_OK, "%s",
                 error.what);
    const tl_mesh *m = &b->surface.mesh;
    b->mesh = (tl_preview_mesh){.vertices = m->vertices,
                                .triangles = (const uint32_t(*)[3])m->triangles,
                                .vertex_count = m->vertex_count,
                                .triangle_count = m->triangle_count,
                                .pose = tl_pose_none(),
                                .normals = tl_frame_find(&b->surface.vertices, "normal")->data};
    return b;
}

tl_preview_skin filled_body_skin(const filled_body *b) {
    return (tl_preview_skin){.count = b->frame.count, .spacing = b->spacing, .surface = &b->mesh};
}

const double *filled_body_places(const filled_body *b) { return b->places; }

void filled_body_free(filled_body *b) {
    tl_surface_free(&b->surface);
    free(b->places);
    free(b);
}
