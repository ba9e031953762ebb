/* What is shown: a world that is simulated as one watches, or a run that was recorded. Either is a
 * thread of its own that fills the hub. */
#ifndef LIVE_PLAYER_H
#define LIVE_PLAYER_H

#include "hub.h"

#include "run/folder.h"

typedef struct live_options {
    const char *name;               /* of the scene, or the folder of a run; NULL: none yet */
    tl_scene_options scene_options; /* of a scene */
    int threads;
    bool paused;        /* at the start */
    const char *record; /* where what was told is written to; NULL: SCENE-live.txt, as for scenes
                         * that are started from the page */
    tl_log log;
} live_options;

/* Where what was told the last scene is; empty: nothing was. */
typedef struct live_record {
    char scene[TL_RUN_PATH], file[TL_RUN_PATH];
} live_record;

typedef struct live_player live_player;

/* Makes the world, or finds the frames, and the first picture. Findings of the scene go to
 * options->scene_options.diagnostics. */
tl_status live_player_start(const live_options *options, live_hub *hub, live_player **out,
                            tl_error *error);

/* Ends the thread and frees all. */
void live_player_stop(live_player *player, live_record *record);

/* Of what is shown; NULL and 0: nothing is. */
const char *live_player_title(const live_player *player);
size_t live_player_count(const live_player *player);

#endif
