/* Talks to browsers: gives them the page and a socket each, behind a token that only the address
 * tells. Viewers get the newest frame when they have seen those before; what they cannot take is
 * left out, and nobody waits for them. */
#ifndef LIVE_SERVER_H
#define LIVE_SERVER_H

#include "hub.h"

enum { LIVE_TOKEN = 64, LIVE_VIEWERS = 16 };

typedef struct live_server live_server;

typedef struct live_server_options {
    const char *host; /* address to listen at */
    int port;         /* 0: one that is free */
    char token[LIVE_TOKEN];
    volatile int *stop; /* set by a signal */
} live_server_options;

/* Starts to listen. */
tl_status live_server_start(const live_server_options *options, live_hub *hub, live_server **out,
                            tl_error *error);

/* What to give a browser. */
const char *live_server_address(const live_server *server);

/* Serves until *stop is not 0. */
void live_server_run(live_server *server);

void live_server_destroy(live_server *server);

/* A random word for the address. */
tl_status live_make_token(char out[LIVE_TOKEN], tl_error *error);

#endif
