/* What is shown: a world that is simulated as one watches, or a run that was recorded. */
#ifndef LIVE_SHOWN_H
#define LIVE_SHOWN_H

#include "reel.h"

#include "run/steering.h"
#include "scene/scene.h"
#include "world/world.h"

typedef struct live_shown {
    char *name; /* of the scene, or the folder of a run */
    tl_scene_options options;
    tl_scene *scene;
    tl_world *world; /* NULL: a recorded run */
    tl_steering steering;
    live_reel reel; /* of a recorded run */
} live_shown;

/* Whatever comes of it, it can be freed. It stays where it is until then. */
tl_status live_shown_open(live_shown *shown, const char *name, const tl_scene_options *options,
                          const tl_world_options *world_options, tl_error *error);
void live_shown_free(live_shown *shown);

/* As it stands. */
void live_shown_view(const live_shown *shown, tl_frame *out);
double live_shown_time(const live_shown *shown); /* s */
bool live_shown_is_held(const live_shown *shown);

#endif
