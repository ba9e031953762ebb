/* Pictures drawn beside the simulation: a thread that draws one frame while the run computes the
 * next. One picture is in flight at most, so that memory holds one more frame and no more. */
#ifndef TL_RUN_PICTURE_WORKER_H
#define TL_RUN_PICTURE_WORKER_H

#include "run/picture.h"

typedef struct tl_picture_worker tl_picture_worker;

/* Starts a thread that draws with `picture`, which nobody else may use from now on. */
tl_status tl_picture_worker_start(tl_picture *picture, tl_picture_worker **out, tl_error *error);

/* Waits for the picture in flight, and hands over the next: `frame` is emptied. When an earlier
 * picture failed, its error is returned and `frame` stays. */
tl_status tl_picture_worker_give(tl_picture_worker *worker, tl_frame *frame, const char *path,
                                 tl_error *error);

/* Waits until all pictures are in their files. An error is returned once. */
tl_status tl_picture_worker_wait(tl_picture_worker *worker, tl_error *error);

/* Lets the picture in flight be finished, and ends the thread. NULL is fine. */
void tl_picture_worker_stop(tl_picture_worker *worker);

#endif
