/* See live.h. */
#include "live.h"

#include "gallery.h"

tl_status live_serve(const live_options *options, live_server_options *server_options,
                     void (*ready)(void *context, const char *address, const live_player *player),
                     void *context, live_record *record, tl_error *error) {
    live_hub hub;
    live_server *server = NULL;
    live_player *player = NULL;
    tl_text gallery = {0};
    *record = (live_record){0};
    live_hub_begin(&hub);
    live_write_gallery(&gallery);
    hub.gallery = gallery.bytes;
    tl_status status = gallery.failed ? tl_fail_memory(error, 1, 1) : TL_OK;
    if (status == TL_OK)
        status = *server_options->token ? TL_OK : live_make_token(server_options->token, error);
    if (status == TL_OK)
        status = live_server_start(server_options, &hub, &server, error);
    if (status == TL_OK)
        status = live_player_start(options, &hub, &player, error);
    if (status == TL_OK) {
        ready(context, live_server_address(server), player);
        live_server_run(server);
    }
    if (player)
        live_player_stop(player, record);
    hub.wake = NULL;
    live_server_destroy(server);
    live_hub_free(&hub);
    return status;
}
