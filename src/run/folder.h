/* The folder of a run: what is in it, who holds it, and what a resumed run throws away.
 *
 *     run.yaml  ledger.csv  frames.pvd  result.json  log.txt  steering.txt  poster.png
 *     film.mp4 (or .webm, .gif)
 *     frames/NNNNN.vtp  pictures/NNNNN.png  plots/overview.svg (and other plots, and .png)
 *     surface/NNNNN.ply
 *     snapshots/NNNNN.h5  snapshots/NNNNN-step-S.h5  (after step S, between frames N and N+1)
 *
 * Only files of these names are ever removed. The lock is on log.txt and belongs to the process: a
 * killed run leaves none behind. */
#ifndef TL_RUN_FOLDER_H
#define TL_RUN_FOLDER_H

#include "base/error.h"

enum { TL_RUN_PATH = 1024 };

/* What lines of run.yaml begin with that tell how the flow is solved, and why. */
#define TL_RUN_REASON "#   "

typedef struct tl_run_folder {
    char path[TL_RUN_PATH - 128];
    int log;      /* descriptor of log.txt, locked; -1 when not held */
    double began; /* tl_now() when it was opened, for the times in log.txt */
} tl_run_folder;

/* A snapshot by its name. */
typedef struct tl_run_snapshot {
    int64_t frame; /* the last frame written before it */
    uint64_t step; /* of a snapshot between frames; 0 for one at a frame */
} tl_run_snapshot;

/* TL_BAD_INPUT when there is something in the folder; none at all is fine. */
tl_status tl_run_folder_check(const char *path, tl_error *error);

/* Takes a folder for a new run, making it if need be. One that has anything in it is refused unless
 * `force`, which removes what an earlier run made and leaves the rest alone. */
tl_status tl_run_folder_take(tl_run_folder *folder, const char *path, bool force, tl_error *error);

/* Takes the folder of an earlier run and removes half-written files. */
tl_status tl_run_folder_reopen(tl_run_folder *folder, const char *path, tl_error *error);

/* Removes frames, pictures, results and snapshots that lie after `snapshot`. */
tl_status tl_run_folder_rewind(const tl_run_folder *folder, const tl_run_snapshot *snapshot,
                               tl_error *error);

/* Removes the pictures of the run at `path`, and their folder if nothing else is in it. */
tl_status tl_run_folder_drop_pictures(const char *path, tl_error *error);

/* Gives the folder back. Safe on one that was never taken, when zeroed with log = -1. */
void tl_run_folder_release(tl_run_folder *folder);

/* True when some process holds the folder at `path`. */
bool tl_run_folder_is_locked(const char *path);

/* Writes the path of something in the folder at `path` to out[TL_RUN_PATH] and returns `out`. */
char *tl_run_path(const char *path, char *out, const char *format, ...) TL_PRINTF(3, 4);

/* Path of a snapshot, relative to the folder's. */
char *tl_run_snapshot_path(const char *path, const tl_run_snapshot *snapshot, char *out);

/* The snapshots in the folder, oldest first, an array. */
tl_status tl_run_snapshots(const char *path, tl_run_snapshot **out, size_t *count, tl_error *error);

/* Removes all but the newest `keep` snapshots; 0 keeps all. */
tl_status tl_run_prune_snapshots(const char *path, size_t keep, tl_error *error);

/* A tl_log_fn that adds a line to log.txt; `context` is the tl_run_folder. */
void tl_run_folder_log(void *context, tl_log_level level, const char *message);

#endif
