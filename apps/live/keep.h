/* Files of what is shown, in a folder beside the record: a frame, as runs have them, or the state.
 */
#ifndef LIVE_KEEP_H
#define LIVE_KEEP_H

#include "shown.h"

#include "run/folder.h"

/* Writes candle-live/frame-00000120.vtp, or state-00000120.h5, named by the step, for the record
 * candle-live.txt; `path` gets its name. A recorded run has no state: TL_BAD_INPUT. */
tl_status live_keep_frame(const live_shown *shown, const char *record, char path[TL_RUN_PATH],
                          tl_error *error);
tl_status live_keep_state(const live_shown *shown, const char *record, char path[TL_RUN_PATH],
                          tl_error *error);

#endif
