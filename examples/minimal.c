/* The smallest program that simulates something: loads a scene, steps it for a tenth of a second
 * and tells where the matter has got to. Only the public header is needed. */
#include <stdio.h>
#include <tallow/tallow.h>

static int complain(const tl_error *error) {
    fprintf(stderr, "%s: %s\n%s\n", error->where, error->what, error->fix);
    return 1;
}

int main(int count, char **words) {
    tl_scene *scene;
    tl_world *world;
    tl_error error;
    if (tl_scene_load_file(count > 1 ? words[1] : "dam-break", NULL, &scene, &error))
        return complain(&error);
    if (tl_world_create(scene, NULL, &world, &error))
        return complain(&error);
    if (tl_world_advance(world, 0.1, &error))
        return complain(&error);

    tl_field_view position;
    if (!tl_world_field(world, "position", &position))
        return 1;
    double farthest = 0;
    for (size_t i = 0; i < position.count; i++) {
        const double x = ((const double *)position.data)[i * (size_t)position.components];
        farthest = x > farthest ? x : farthest;
    }
    printf("%zu particles, t = %g s, the front is at x = %.3f m\n", position.count,
           tl_world_time(world), farthest);
    tl_world_destroy(world);
    tl_scene_destroy(scene);
    return 0;
}
