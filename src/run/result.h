/* result.json: how a run ended and how far it got. Written when a session of the run ends, removed
 * when the next one begins: a folder without it is at work or was killed. */
#ifndef TL_RUN_RESULT_H
#define TL_RUN_RESULT_H

#include "base/error.h"

typedef enum tl_run_state {
    TL_RUN_UNKNOWN, /* no result.json: killed, or still at work */
    TL_RUN_FINISHED,
    TL_RUN_STOPPED,     /* at the frame that was asked for */
    TL_RUN_INTERRUPTED, /* by a signal */
    TL_RUN_FAILED,
} tl_run_state;

typedef struct tl_run_result {
    tl_run_state state;
    int64_t frame, frame_count;
    double time, duration; /* s, simulated */
    uint64_t steps, rejected;
    uint64_t particles;
    uint64_t hash;             /* tl_world_hash of the last state */
    double wall_time;          /* s, all sessions */
    double updates_per_second; /* of the last session */
    int threads;
    char message[512]; /* why it failed */
    tl_warning warnings[TL_MOST_WARNINGS];
    size_t warning_count;
} tl_run_result;

/* "finished", "stopped", ... */
const char *tl_run_state_name(tl_run_state state);

tl_status tl_run_result_write(const char *path, const tl_run_result *result, tl_error *error);

/* A file that is missing gives the state TL_RUN_UNKNOWN. */
tl_status tl_run_result_read(const char *path, tl_run_result *out, tl_error *error);

#endif
