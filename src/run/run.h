/* A run: a scene simulated from frame to frame into a folder (folder.h). Frame 0 is the initial
 * state; frame k is at k / frame_rate, the last one at the scene's duration.
 *
 * A snapshot is the last thing written for a frame, so that everything up to it is complete. A run
 * that was stopped, killed or ran out of disk goes on from the newest snapshot that can be read,
 * and ends with the same bits as one that was never stopped. */
#ifndef TL_RUN_RUN_H
#define TL_RUN_RUN_H

#include "output/frame.h"
#include "run/result.h"

/* How far a run is. */
typedef struct tl_run_progress {
    int64_t frame, frame_count; /* the last frame written, and the last of the run */
    bool wrote_frame;           /* this report comes with a new frame */
    double time, duration;      /* s, simulated */
    double dt;                  /* s, of the last step */
    size_t particles;
    uint64_t steps, rejected;  /* since the beginning */
    double updates_per_second; /* particles moved by a step, of the time spent in steps */
    double elapsed, remaining; /* s of wall time in this session; the latter is a guess, and
                                  negative when there is nothing to guess from */
} tl_run_progress;

/* Zero-initialise for the defaults. */
typedef struct tl_run_options {
    const char *folder;           /* required */
    int threads;                  /* 0: all that the machine has */
    bool force;                   /* replace an earlier run in the folder */
    int64_t last_frame;           /* stop at this frame, to be resumed later; 0: as the scene says,
                                     or at the end if a run that goes on has come so far */
    bool strict;                  /* stop when the world warns of its results: TL_DOUBTED */
    const char *const *overrides; /* of run.yaml, when resuming: "duration=3 s" */
    size_t override_count;
    tl_diagnostics *diagnostics; /* of run.yaml, when resuming; may be NULL */
    const char *replay;     /* a record of what was told (steering.h), to be told again; or NULL */
    const char *scene_path; /* of the scene, for that */
    tl_scene_options scene_options; /* it was loaded with */
    tl_log log;                     /* also receives what goes to log.txt */
    void (*progress)(void *context, const tl_run_progress *progress); /* each step; may be NULL */
    bool (*should_stop)(void *context); /* asked before each step; may be NULL */
    void *context;                      /* of both */
} tl_run_options;

/* Runs a scene into a new folder. A scene that cannot be built leaves the folder as it was, and
 * `result` all zero. Whatever happens later, `result` tells how far the run got and the folder can
 * be resumed: TL_INTERRUPTED when should_stop said so, TL_IO_FAILED when the disk is full,
 * TL_DIVERGED when the physics blew up, TL_DOUBTED when the world warned of something new and the
 * run is strict. */
tl_status tl_run_start(const tl_scene *scene, const tl_run_options *options, tl_run_result *result,
                       tl_error *error);

/* Goes on with the run in options->folder. A run that is finished, or that has no snapshot that can
 * be read, stays as it is. */
tl_status tl_run_resume(const tl_run_options *options, tl_run_result *result, tl_error *error);

/* A view of a world as its frames have it: the fields, and how flames on wicks burn. Good until the
 * world changes. */
void tl_view_world(const tl_world *world, tl_frame *out);

#endif
