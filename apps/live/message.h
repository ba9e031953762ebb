/* What goes between a world and the page: docs/live-protocol.md. Nothing here knows of sockets or
 * threads. */
#ifndef LIVE_MESSAGE_H
#define LIVE_MESSAGE_H

#include "output/frame.h"
#include "run/steering.h"
#include "scene/scene.h"

#include "base/text.h"

/* ---- From the page ------------------------------------------------------------------------- */

typedef enum live_verb {
    LIVE_PLAY,
    LIVE_PAUSE,
    LIVE_STEP,   /* one step */
    LIVE_FRAME,  /* to the next frame of the scene */
    LIVE_RESET,  /* to the start */
    LIVE_MARK,   /* remembers the state */
    LIVE_BACK,   /* and goes back to it */
    LIVE_EXPORT, /* writes the frame to a file */
    LIVE_SAVE,   /* and the state */
    LIVE_SPEED,  /* number: seconds simulated in a second at most; 0: as fast as it can */
    LIVE_COLOUR, /* index: of the field to send */
    LIVE_SEEN,   /* index: the frame that was drawn */
    LIVE_OPEN,   /* live_name_in: a scene to start */
    LIVE_TELL,   /* words for tl_steering_tell */
    LIVE_VERBS
} live_verb;

enum { LIVE_MOST_MESSAGE = TL_TOLD_WORDS - 1 }; /* bytes */

typedef struct live_message {
    live_verb verb;
    double number;
    uint32_t index;
    char words[TL_TOLD_WORDS]; /* all of it */
} live_message;

/* Reads a message. False when it is none: too long, no text, or words that mean nothing. What
 * LIVE_TELL says is looked at where it is done. */
bool live_read(const char *bytes, size_t size, live_message *out);

/* The name in the words of LIVE_OPEN. */
static inline const char *live_name_in(const live_message *m) { return m->words + sizeof "open"; }

/* Whether the second of two messages makes the first one needless: another place of the same hand,
 * another value of the same key. */
bool live_replaces(const live_message *later, const live_message *earlier);

/* ---- To the page --------------------------------------------------------------------------- */

/* A message to be sent, shared by all who send it. */
typedef struct live_packet {
    unsigned char *memory, *bytes; /* LIVE_ROOM_BEFORE farther on: room for the head of a socket */
    size_t size, room;
    uint32_t sequence;
    int users;
} live_packet;

enum { LIVE_ROOM_BEFORE = 64 };

/* What is shown. */
typedef struct live_picture {
    const tl_scene *scene;
    const tl_world *world; /* NULL: of a recorded run */
    const tl_frame *frame;
    size_t colour; /* the array of the frame that colours it */
    uint32_t sequence;
    bool playing, holds;
    uint64_t hash; /* of the world; 0: not found */
    double speed;  /* seconds simulated in a second */
    const double *books;
    size_t book_count;
    uint32_t number; /* of the scenes that were started so far */
} live_picture;

/* Fills a packet with a frame. */
tl_status live_write_frame(const live_picture *picture, live_packet *out, tl_error *error);

/* The meshes of walls, and after them of rigid bodies; TL_OK and nothing written for a wall that
 * has none to be sent. */
size_t live_mesh_count(const tl_scene *scene);
tl_status live_write_mesh(const tl_scene *scene, size_t number, live_packet *out, tl_error *error);

/* What is known from the start, as JSON. */
void live_write_hello(const live_picture *picture, const char *name, tl_text *out);

/* A sentence for whoever watches. */
void live_write_note(const char *kind, const char *words, tl_text *out);

void live_packet_free(live_packet *packet);

#endif
