/* The frames of a run that is done, one after another. */
#ifndef LIVE_REEL_H
#define LIVE_REEL_H

#include "output/frame.h"

typedef struct live_reel {
    const char *folder; /* of the run */
    tl_frame frame;     /* that is shown */
    int64_t *numbers;   /* [count] of the frames, in order; an array */
    size_t count, shown;
} live_reel;

/* Finds the frames of a run, and shows the first. The folder's name must outlive it. */
tl_status live_reel_open(live_reel *reel, const char *folder, tl_error *error);
tl_status live_reel_show(live_reel *reel, size_t index, tl_error *error);
void live_reel_free(live_reel *reel);

#endif
