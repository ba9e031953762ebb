/* Whatever a browser may send to `tallow live`: what is read is what was sent, and is done or
 * refused by a world. */
#include "live/message.h"

#include "run/steering.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char scene_text[] =
    "spacing: 10 cm\n"
    "materials: {m: {density: 1000, viscosity: 1}}\n"
    "bodies: [{material: m, box: {from: [0, 0, 0], to: [0.2, 0.2, 0.2]}}]\n"
    "walls: [{name: lid, plane: -z, at: 1, driven: 1 m/s}]\n";

static tl_world *make_world(void) {
    static tl_scene *scene;
    tl_world *world = NULL;
    const tl_world_options options = {.steered = true, .threads = 1};
    if (!scene && tl_scene_load_memory(scene_text, sizeof scene_text - 1, "fuzz", NULL, &scene,
                                       NULL) != TL_OK)
        abort();
    if (tl_world_create(scene, &options, &world, NULL) != TL_OK)
        abort();
    return world;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static tl_world *world;
    live_message message, before = {.verb = LIVE_TELL, .words = "carry 0 0 0"};
    char *text = malloc(size + 1); /* no more than is there is read */
    if (!text)
        return 0;
    memcpy(text, data, size);
    const bool good = live_read(text, size, &message);
    free(text);
    if (!good)
        return 0;
    assert(size <= LIVE_MOST_MESSAGE && message.verb < LIVE_VERBS && strlen(message.words) == size);
    (void)live_replaces(&message, &before);
    (void)live_replaces(&before, &message);
    if (message.verb != LIVE_TELL)
        return 0;
    if (!world)
        world = make_world();
    tl_error error = {0};
    tl_steering steering = tl_steering_begin("no/such/scene.yaml", NULL);
    const tl_status status = tl_steering_tell(&steering, world, message.words, &error);
    assert((status == TL_OK) == (steering.count == 1));
    assert(status == TL_OK || *error.what);
    tl_steering_free(&steering);
    return 0;
}
