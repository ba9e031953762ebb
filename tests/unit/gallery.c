/* Every scene of the gallery, at its own resolution: slow where sanitizers watch, so it is a suite
 * of its own. */
#include "scene/data.h"
#include "scene/fill.h"
#include "scene/pace.h"
#include "scene_texts.h"

/* 4 to 12 s, and no frame is shown twice. */
static void expect_smooth_film(const char *name, const tl_scene *scene) {
    const tl_pace pace = tl_pace_of_scene(scene, 1);
    const double length = pace.slow * scene->duration;
    if (!scene->output.film)
        return;
    cr_expect(length > 3.99 && length < 12.01, "%s: a film of %g s", name, length);
    cr_expect(scene->frame_rate / pace.slow > 24.99, "%s: %g frames a second of film", name,
              scene->frame_rate / pace.slow);
}

Test(gallery, every_scene_loads_without_findings_and_writes_back_to_itself) {
    char **names;
    size_t count;
    cr_assert_eq(tl_data_list("scenes", &names, &count, NULL), TL_OK);
    cr_assert_geq(count, 5);
    for (size_t i = 0; i < count; i++) {
        tl_scene *scene;
        tl_error error = {0};
        tl_diagnostics found = {0};
        const tl_scene_options options = {.diagnostics = &found};
        cr_assert_eq(tl_scene_load_file(names[i], &options, &scene, &error), TL_OK, "%s: %s",
                     error.where, error.what);
        cr_assert_eq(found.count, 0, "%s: %s", names[i], found.count ? found.items[0].what : "");
        round_trip(scene);
        tl_seed *seeds;
        size_t seed_count;
        cr_assert_eq(
            tl_scene_seed(scene, &(tl_parallel){.threads = 1}, &seeds, &seed_count, &error), TL_OK,
            "%s", error.what);
        /* The figures of [Ton91] have 69 and 192 particles; emitters may begin with none. */
        const bool few = scene->dynamics == TL_DYNAMICS_COHESIVE;
        cr_assert(scene->emitters.count > 0 || seed_count > (few ? 60 : 1000), "%s", names[i]);
        free(seeds);
        expect_smooth_film(names[i], scene);
        tl_scene_destroy(scene);
    }
    tl_data_free_list(names);
}
