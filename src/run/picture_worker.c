/* See picture_worker.h. The thread has the same priority as the rest: where other programs keep the
 * machine busy, one that is lower would get nothing, and the run would wait for its pictures. */
#include "run/picture_worker.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct tl_picture_worker {
    tl_picture *picture; /* of the thread */
    pthread_t thread;
    pthread_mutex_t mutex; /* of all below */
    pthread_cond_t changed;
    bool has_work, should_end;
    tl_frame frame;
    char path[1024];
    tl_status status; /* of the last picture that failed */
    tl_error error;
};

static void *work(void *context) {
    tl_picture_worker *w = context;
    pthread_mutex_lock(&w->mutex);
    for (;;) {
        while (!w->has_work && !w->should_end)
            pthread_cond_wait(&w->changed, &w->mutex);
        if (!w->has_work)
            break;
        pthread_mutex_unlock(&w->mutex); /* frame and path are ours while there is work */
        tl_error error = {0};
        const tl_status status = tl_picture_draw(w->picture, &w->frame, w->path, &error);
        tl_frame_free(&w->frame);
        pthread_mutex_lock(&w->mutex);
        if (status != TL_OK)
            w->status = status, w->error = error;
        w->has_work = false;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

/* Signals are for the thread that runs the program. */
static int start_thread(tl_picture_worker *w) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int reason = pthread_create(&w->thread, NULL, work, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}

tl_status tl_picture_worker_start(tl_picture *picture, tl_picture_worker **out, tl_error *error) {
    tl_picture_worker *w = tl_allocate(1, sizeof *w);
    *out = NULL;
    if (!w)
        return tl_fail_memory(error, 1, sizeof *w);
    w->picture = picture;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
    const int reason = start_thread(w);
    if (reason == 0) {
        *out = w;
        return TL_OK;
    }
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
    free(w);
    errno = reason;
    return tl_fail_errno(error, "pictures", "start a thread");
}

/* With the mutex held. */
static tl_status settle(tl_picture_worker *w, tl_error *error) {
    while (w->has_work)
        pthread_cond_wait(&w->changed, &w->mutex);
    const tl_status status = w->status;
    if (status != TL_OK && error)
        *error = w->error;
    w->status = TL_OK;
    return status;
}

tl_status tl_picture_worker_give(tl_picture_worker *w, tl_frame *frame, const char *path,
                                 tl_error *error) {
    pthread_mutex_lock(&w->mutex);
    const tl_status status = settle(w, error);
    if (status == TL_OK) {
        w->frame = *frame;
        *frame = (tl_frame){0};
        snprintf(w->path, sizeof w->path, "%s", path);
        w->has_work = true;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->mutex);
    return status;
}

tl_status tl_picture_worker_wait(tl_picture_worker *w, tl_error *error) {
    pthread_mutex_lock(&w->mutex);
    const tl_status status = settle(w, error);
    pthread_mutex_unlock(&w->mutex);
    return status;
}

void tl_picture_worker_stop(tl_picture_worker *w) {
    if (!w)
        return;
    pthread_mutex_lock(&w->mutex);
    w->should_end = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
    free(w);
}
