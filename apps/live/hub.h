/* Where the thread that simulates and the one that talks to viewers meet. The former leaves the
 * newest frame and never waits for anybody; the latter leaves messages, of which there are never
 * many. */
#ifndef LIVE_HUB_H
#define LIVE_HUB_H

#include "message.h"

#include <pthread.h>

enum { LIVE_QUEUE = 128, LIVE_NOTES = 16 };

typedef struct live_hub {
    pthread_mutex_t lock;
    pthread_cond_t told;         /* a message has come, or the end */
    void (*wake)(void *context); /* tells the other thread that there is something to send */
    void *context;

    live_packet *newest; /* frame; NULL: none yet */
    live_packet *spare;  /* one that nobody uses any more */
    char *gallery;       /* JSON: the scenes to start; constant */
    char *hello;         /* JSON; replaced when parameters change; NULL: no scene yet */
    uint32_t hello_number;
    uint32_t scene_number; /* of the scenes so far */
    live_packet *meshes;   /* [mesh_count] of that scene; used under the lock */
    size_t mesh_count;
    char *notes[LIVE_NOTES]; /* JSON; the newest is note_number - 1 */
    uint32_t note_number;

    live_message queue[LIVE_QUEUE];
    size_t queued;
    int viewers;
    bool stop;
} live_hub;

void live_hub_begin(live_hub *hub);
void live_hub_free(live_hub *hub);

/* ---- By the thread that simulates ---------------------------------------------------------- */

/* A packet to fill, which nobody else sees; NULL: out of memory. */
live_packet *live_hub_blank(live_hub *hub);

/* Makes it the newest frame. */
void live_hub_publish(live_hub *hub, live_packet *frame);

/* Another scene is there from now on: takes the meshes of its walls over, and forgets the frame and
 * the greeting of the one before. */
void live_hub_change(live_hub *hub, live_packet *meshes, size_t count);

/* Replaces what newcomers are told first; takes the text over. */
void live_hub_greet(live_hub *hub, char *hello);

/* Tells all viewers a sentence. */
void live_hub_note(live_hub *hub, const char *kind, const char *words);

/* Takes the oldest message. Waits for one no longer than `seconds`; false: there is none. */
bool live_hub_take(live_hub *hub, double seconds, live_message *out);

bool live_hub_stopped(live_hub *hub);

/* Waits for a viewer, or the end. */
void live_hub_await_viewer(live_hub *hub);

/* ---- By the thread that talks -------------------------------------------------------------- */

/* False when the queue is full: whoever sent this sends too much. */
bool live_hub_tell(live_hub *hub, const live_message *message);

/* The newest frame after `sequence`, which must be given back; NULL: there is none. */
live_packet *live_hub_frame(live_hub *hub, uint32_t sequence);
void live_hub_give_back(live_hub *hub, live_packet *frame);

void live_hub_count(live_hub *hub, int more);
void live_hub_stop(live_hub *hub);

#endif
