/* Any bytes are a scene or are refused with an error; a scene that loads writes a text that loads
 * back to the same text. What follows a NUL byte is an override. */
#include "tallow/tallow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition)
        abort();
}

static void check_findings(tl_status status, const tl_diagnostics *found, const tl_error *error) {
    require(status == TL_OK || status == TL_BAD_INPUT);
    require((status == TL_OK) == (found->error_count == 0));
    require(status == TL_OK || (error->status == status && error->what[0]));
    for (size_t i = 0; i < found->count; i++)
        require(found->items[i].what[0] != 0);
}

static void check_round_trip(tl_scene *scene) {
    char *first = NULL, *second = NULL;
    tl_scene *again = NULL;
    require(tl_scene_write(scene, &first, NULL) == TL_OK);
    require(tl_scene_load_memory(first, strlen(first), "again", NULL, &again, NULL) == TL_OK);
    require(tl_scene_write(again, &second, NULL) == TL_OK);
    require(strcmp(first, second) == 0);
    free(first);
    free(second);
    tl_scene_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
    const size_t length = nul ? (size_t)(nul - data) : size;
    char *override = nul ? strndup((const char *)nul + 1, size - length - 1) : NULL;
    const char *const overrides[] = {override};
    tl_diagnostics found = {0};
    const tl_scene_options options = {
        .overrides = overrides, .override_count = nul != NULL, .diagnostics = &found};
    tl_scene *scene = NULL;
    tl_error error = {0};
    const tl_status status =
        tl_scene_load_memory((const char *)data, length, "fuzz", &options, &scene, &error);
    check_findings(status, &found, &error);
    if (status == TL_OK)
        check_round_trip(scene);
    tl_scene_destroy(scene);
    tl_diagnostics_clear(&found);
    free(override);
    return 0;
}
