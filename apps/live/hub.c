/* See hub.h. */
#include "hub.h"

#include "base/timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void live_hub_begin(live_hub *hub) {
    *hub = (live_hub){0};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&hub->lock, NULL);
    pthread_cond_init(&hub->told, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void drop(live_packet *packet) {
    if (packet)
        live_packet_free(packet);
    free(packet);
}

static void free_meshes(live_hub *hub) {
    for (size_t k = 0; k < hub->mesh_count; k++)
        live_packet_free(&hub->meshes[k]);
    free(hub->meshes);
}

void live_hub_free(live_hub *hub) {
    drop(hub->newest);
    drop(hub->spare);
    free(hub->gallery);
    free(hub->hello);
    free_meshes(hub);
    for (size_t k = 0; k < LIVE_NOTES; k++)
        free(hub->notes[k]);
    pthread_cond_destroy(&hub->told);
    pthread_mutex_destroy(&hub->lock);
}

static void wake(const live_hub *hub) {
    if (hub->wake)
        hub->wake(hub->context);
}

live_packet *live_hub_blank(live_hub *hub) {
    pthread_mutex_lock(&hub->lock);
    live_packet *packet = hub->spare;
    hub->spare = NULL;
    pthread_mutex_unlock(&hub->lock);
    return packet ? packet : calloc(1, sizeof *packet);
}

/* Under the lock: nobody uses the packet any more. */
static void retire(live_hub *hub, live_packet *packet) {
    if (!hub->spare)
        hub->spare = packet;
    else
        drop(packet);
}

void live_hub_publish(live_hub *hub, live_packet *frame) {
    pthread_mutex_lock(&hub->lock);
    live_packet *before = hub->newest;
    frame->users = 0;
    hub->newest = frame;
    if (before && before->users == 0)
        retire(hub, before);
    pthread_mutex_unlock(&hub->lock);
    wake(hub);
}

live_packet *live_hub_frame(live_hub *hub, uint32_t sequence) {
    pthread_mutex_lock(&hub->lock);
    live_packet *frame = hub->newest;
    if (frame && (int32_t)(frame->sequence - sequence) > 0)
        frame->users++;
    else
        frame = NULL;
    pthread_mutex_unlock(&hub->lock);
    return frame;
}

void live_hub_give_back(live_hub *hub, live_packet *frame) {
    pthread_mutex_lock(&hub->lock);
    if (--frame->users == 0 && frame != hub->newest)
        retire(hub, frame);
    pthread_mutex_unlock(&hub->lock);
}

void live_hub_change(live_hub *hub, live_packet *meshes, size_t count) {
    pthread_mutex_lock(&hub->lock);
    live_packet *before = hub->newest;
    hub->newest = NULL;
    if (before && before->users == 0)
        retire(hub, before);
    free(hub->hello);
    hub->hello = NULL;
    free_meshes(hub);
    hub->meshes = meshes;
    hub->mesh_count = count;
    hub->scene_number++;
    pthread_mutex_unlock(&hub->lock);
}

void live_hub_greet(live_hub *hub, char *hello) {
    pthread_mutex_lock(&hub->lock);
    char *before = hub->hello;
    hub->hello = hello;
    hub->hello_number++;
    pthread_mutex_unlock(&hub->lock);
    free(before);
    wake(hub);
}

void live_hub_note(live_hub *hub, const char *kind, const char *words) {
    tl_text text = {0};
    live_write_note(kind, words, &text);
    if (text.failed || !text.bytes) {
        free(text.bytes);
        return;
    }
    pthread_mutex_lock(&hub->lock);
    char **slot = &hub->notes[hub->note_number++ % LIVE_NOTES];
    char *before = *slot;
    *slot = text.bytes;
    pthread_mutex_unlock(&hub->lock);
    free(before);
    wake(hub);
}

static struct timespec moment(double when) {
    const double whole = floor(when);
    return (struct timespec){(time_t)whole, (long)((when - whole) * 1e9)};
}

bool live_hub_take(live_hub *hub, double seconds, live_message *out) {
    const struct timespec until = moment(tl_now() + fmax(seconds, 0));
    pthread_mutex_lock(&hub->lock);
    int late = 0;
    while (hub->queued == 0 && !hub->stop && seconds > 0 && late == 0)
        late = pthread_cond_timedwait(&hub->told, &hub->lock, &until);
    const bool any = hub->queued > 0;
    if (any) {
        *out = hub->queue[0];
        hub->queued--;
        memmove(hub->queue, hub->queue + 1, hub->queued * sizeof *hub->queue);
    }
    pthread_mutex_unlock(&hub->lock);
    return any;
}

/* What a later message makes needless gives way to it, but not past one that says something else:
 * order counts. */
bool live_hub_tell(live_hub *hub, const live_message *message) {
    pthread_mutex_lock(&hub->lock);
    const bool replaces = hub->queued > 0 && live_replaces(message, &hub->queue[hub->queued - 1]);
    const bool fits = replaces || hub->queued < LIVE_QUEUE;
    if (fits)
        hub->queue[replaces ? hub->queued - 1 : hub->queued++] = *message;
    pthread_cond_signal(&hub->told);
    pthread_mutex_unlock(&hub->lock);
    return fits;
}

void live_hub_count(live_hub *hub, int more) {
    pthread_mutex_lock(&hub->lock);
    hub->viewers += more;
    pthread_cond_signal(&hub->told);
    pthread_mutex_unlock(&hub->lock);
}

void live_hub_stop(live_hub *hub) {
    pthread_mutex_lock(&hub->lock);
    hub->stop = true;
    pthread_cond_broadcast(&hub->told);
    pthread_mutex_unlock(&hub->lock);
}

bool live_hub_stopped(live_hub *hub) {
    pthread_mutex_lock(&hub->lock);
    const bool stop = hub->stop;
    pthread_mutex_unlock(&hub->lock);
    return stop;
}

void live_hub_await_viewer(live_hub *hub) {
    pthread_mutex_lock(&hub->lock);
    while (hub->viewers == 0 && !hub->stop)
        pthread_cond_wait(&hub->told, &hub->lock);
    pthread_mutex_unlock(&hub->lock);
}
