/* See live.h. */
#include "live.h"

tl_status live_serve(const live_options *options, live_server_options *server_options,
                     void (*ready)(void *context, const char *address, const live_player *player),
                     void *context, bool *recorded, tl_error *error) {
    live_hub hub;
    live_server *server = NULL;
    live_player *player = NULL;
    *recorded = false;
    live_hub_begin(&hub);
    tl_status status =
        *server_options->token ? TL_OK : live_make_token(server_options->token, error);
    if (status == TL_OK)
        status = live_server_start(server_options, &hub, &server, error);
    if (status == TL_OK)
        status = live_player_start(options, &hub, &player, error);
    if (status == TL_OK) {
        ready(context, live_server_address(server), player);
        live_server_run(server);
    }
    if (player)
        *recorded = live_player_stop(player);
    hub.wake = NULL;
    live_server_destroy(server);
    live_hub_free(&hub);
    return status;
}
