/* See shown.h. */
#include "shown.h"

#include "base/file.h"
#include "run/folder.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

static tl_status open_world(live_shown *s, const tl_world_options *options, tl_error *error) {
    TL_TRY(tl_scene_load_file(s->name, &s->options, &s->scene, error));
    s->steering = tl_steering_begin(s->name, &s->options);
    return tl_world_create(s->scene, options, &s->world, error);
}

static tl_status open_run(live_shown *s, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_run_path(s->name, path, "run.yaml");
    TL_TRY(tl_scene_load_file(path, NULL, &s->scene, error));
    return live_reel_open(&s->reel, s->name, error);
}

static bool is_run(const char *name) {
    char path[TL_RUN_PATH];
    return tl_file_exists(tl_run_path(name, path, "run.yaml"));
}

tl_status live_shown_open(live_shown *s, const char *name, const tl_scene_options *options,
                          const tl_world_options *world_options, tl_error *error) {
    *s = (live_shown){.name = strdup(name), .options = *options};
    if (!s->name)
        return tl_fail_memory(error, strlen(name), 1);
    return is_run(name) ? open_run(s, error) : open_world(s, world_options, error);
}

void live_shown_free(live_shown *s) {
    tl_world_destroy(s->world);
    tl_steering_free(&s->steering);
    live_reel_free(&s->reel);
    tl_scene_destroy(s->scene);
    free(s->name);
    *s = (live_shown){0};
}

void live_shown_view(const live_shown *s, tl_frame *out) {
    if (s->world)
        tl_view_world(s->world, out);
    else
        *out = s->reel.frame;
}

double live_shown_time(const live_shown *s) {
    return s->world ? tl_world_time(s->world) : s->reel.frame.time;
}

bool live_shown_is_held(const live_shown *s) {
    tl_field_view caught;
    if (!s->world || !tl_world_field(s->world, "caught", &caught))
        return false;
    for (size_t i = 0; i < caught.count; i++)
        if (((const uint8_t *)caught.data)[i])
            return true;
    return false;
}
