/* `tallow live` as far as it needs libwebsockets. Without it, apps/cli/live.c says how to get it.
 */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include "player.h"
#include "server.h"

/* Serves until a signal comes. `ready` is called once, when the address can be opened. */
tl_status live_serve(const live_options *options, live_server_options *server,
                     void (*ready)(void *context, const char *address, const live_player *player),
                     void *context, live_record *record, tl_error *error);

#endif
