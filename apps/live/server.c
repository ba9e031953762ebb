/* See server.h. One thread; libwebsockets calls back when a socket may be written to, so a viewer
 * that does not read is not written to: a frame at most waits for it. */
#include "server.h"

#include "base/memory.h"
#include "page.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    CHUNK = 16384, /* bytes of a file at a time */
    IN_FLIGHT = 2, /* frames that a viewer was sent and has not drawn */
    BURST = 400,   /* messages that a viewer may send in a second */
    MOST_SOCKETS = 128
};

_Static_assert((int)LIVE_ROOM_BEFORE >= LWS_PRE, "packets have room for the heads of sockets");

struct live_server {
    live_server_options options;
    live_hub *hub;
    struct lws_context *context;
    int port;
    char address[256], own_host[2][96];
    int viewers;
    lws_sorted_usec_list_t timer;
};

/* A file on its way. */
typedef struct request {
    const live_file *file;
    size_t sent;
} request;

typedef struct viewer {
    uint32_t hello, note, frame; /* the last ones that were sent */
    uint32_t scene;              /* that they are of */
    size_t mesh;                 /* the next one to be sent */
    uint32_t sent, seen;         /* frames: how many, and how many of them were drawn */
    time_t second;
    int messages; /* in that second */
    bool counted;
    bool knows_gallery;
    bool holds, pours; /* something in his hand */
} viewer;

static live_server *server_of(struct lws *wsi) { return lws_context_user(lws_get_context(wsi)); }

/* ---- Who may ------------------------------------------------------------------------------- */

/* Takes as long for every wrong word. */
static bool same_token(const char *given, size_t length, const char *token) {
    unsigned char differs = length != strlen(token);
    for (size_t k = 0; token[k]; k++)
        differs |= (unsigned char)(token[k] ^ (k < length ? given[k] : 0));
    return !differs;
}

/* What follows "/TOKEN/" in a path; NULL: another token, or none. */
static const char *after_token(const live_server *s, const char *path) {
    if (*path != '/')
        return NULL;
    const char *slash = strchr(path + 1, '/');
    if (!slash || !same_token(path + 1, (size_t)(slash - path - 1), s->options.token))
        return NULL;
    return slash + 1;
}

/* A page elsewhere that has the name of its host point here is not let in. */
static bool host_is_own(const live_server *s, struct lws *wsi) {
    char host[96];
    if (lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0)
        return false;
    return strcmp(host, s->own_host[0]) == 0 || strcmp(host, s->own_host[1]) == 0;
}

static bool origin_is_own(struct lws *wsi) {
    char origin[128], host[96], expected[128];
    if (lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) <= 0 ||
        lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0)
        return false;
    snprintf(expected, sizeof expected, "http://%s", host);
    return strcmp(origin, expected) == 0;
}

/* ---- Files --------------------------------------------------------------------------------- */

static const live_file *find_file(const char *name) {
    const char *wanted = *name ? name : "index.html";
    for (size_t k = 0; k < live_page_count; k++)
        if (strcmp(live_page[k].name, wanted) == 0)
            return &live_page[k];
    return NULL;
}

static bool add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at,
                       unsigned char *end) {
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), at,
                                       end) == 0;
}

/* Nothing from elsewhere, nothing in frames, nothing kept. */
static bool add_headers(struct lws *wsi, unsigned char **at, unsigned char *end) {
    static const char *const headers[][2] = {
        {"content-security-policy:",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
         "media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'"},
        {"x-content-type-options:", "nosniff"},
        {"referrer-policy:", "no-referrer"},
        {"cross-origin-opener-policy:", "same-origin"},
        {"cross-origin-resource-policy:", "same-origin"},
        {"x-frame-options:", "DENY"},
        {"cache-control:", "no-store"},
    };
    bool good = true;
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
        good = good && add_header(wsi, headers[k][0], headers[k][1], at, end);
    return good;
}

/* Ends the connection, too. */
static int refuse(struct lws *wsi, unsigned code) {
    unsigned char buffer[LWS_PRE + 1024], *at = buffer + LWS_PRE, *end = buffer + sizeof buffer;
    if (lws_add_http_common_headers(wsi, code, "text/plain", 0, &at, end) == 0 &&
        add_headers(wsi, &at, end) &&
        lws_finalize_write_http_header(wsi, buffer + LWS_PRE, &at, end) != 0)
        lwsl_info("a refusal was not heard\n");
    return -1;
}

static int begin_file(struct lws *wsi, request *r, const char *path) {
    unsigned char buffer[LWS_PRE + 2048], *at = buffer + LWS_PRE, *end = buffer + sizeof buffer;
    const live_server *s = server_of(wsi);
    const char *name = after_token(s, path);
    if (!host_is_own(s, wsi) || !name)
        return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    *r = (request){.file = find_file(name)};
    if (!r->file)
        return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, r->file->type, r->file->size, &at, end) ||
        !add_headers(wsi, &at, end) ||
        lws_finalize_write_http_header(wsi, buffer + LWS_PRE, &at, end))
        return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int continue_file(struct lws *wsi, request *r) {
    unsigned char buffer[LWS_PRE + CHUNK];
    if (!r->file)
        return -1;
    const size_t left = r->file->size - r->sent, size = left < CHUNK ? left : CHUNK;
    memcpy(buffer + LWS_PRE, r->file->bytes + r->sent, size);
    r->sent += size;
    if (lws_write(wsi, buffer + LWS_PRE, size,
                  r->sent == r->file->size ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)size)
        return -1;
    if (r->sent < r->file->size) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    r->file = NULL;
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t size) {
    (void)size;
    switch (reason) {
    case LWS_CALLBACK_HTTP: return begin_file(wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return continue_file(wsi, user);
    case LWS_CALLBACK_HTTP_BODY:
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return -1; /* a socket of no protocol */
    default: return 0;
    }
}

/* ---- Sockets ------------------------------------------------------------------------------- */

static int admit(struct lws *wsi) {
    live_server *s = server_of(wsi);
    char path[256];
    if (lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) <= 0)
        return -1;
    const char *name = after_token(s, path);
    const bool fine = name && strcmp(name, "socket") == 0 && host_is_own(s, wsi) &&
                      origin_is_own(wsi) && s->viewers < LIVE_VIEWERS;
    return fine ? 0 : -1;
}

/* Text that the other thread may replace any moment is copied under the lock. */
static int send_text(struct lws *wsi, const char *text) {
    const size_t size = strlen(text);
    unsigned char *bytes = malloc(LWS_PRE + size + 1);
    if (!bytes)
        return -1;
    memcpy(bytes + LWS_PRE, text, size + 1);
    const int written = lws_write(wsi, bytes + LWS_PRE, size, LWS_WRITE_TEXT);
    free(bytes);
    return written < (int)size ? -1 : 0;
}

/* The next text that is due: the gallery and the greeting, then notes that it has not had. NULL:
 * none. */
static char *next_text(live_hub *hub, viewer *v) {
    char *text = NULL;
    pthread_mutex_lock(&hub->lock);
    if (v->scene != hub->scene_number) {
        v->scene = hub->scene_number;
        v->mesh = 0;
    }
    if (!v->knows_gallery) {
        text = strdup(hub->gallery);
        v->knows_gallery = true;
    } else if (hub->hello && v->hello != hub->hello_number) {
        text = strdup(hub->hello);
        v->hello = hub->hello_number;
    } else if (v->note != hub->note_number) {
        if (hub->note_number - v->note > LIVE_NOTES)
            v->note = hub->note_number - LIVE_NOTES;
        text = strdup(hub->notes[v->note++ % LIVE_NOTES]);
    }
    pthread_mutex_unlock(&hub->lock);
    return text;
}

static int send_packet(struct lws *wsi, const live_packet *packet) {
    return lws_write(wsi, packet->bytes, packet->size, LWS_WRITE_BINARY) < (int)packet->size ? -1
                                                                                             : 0;
}

/* Sends the next mesh of the scene that it was greeted with. False: there is none to send. */
static bool send_mesh(struct lws *wsi, viewer *v, int *result) {
    live_hub *hub = server_of(wsi)->hub;
    pthread_mutex_lock(&hub->lock);
    const bool due = hub->hello && v->scene == hub->scene_number && v->mesh < hub->mesh_count;
    if (due)
        *result = send_packet(wsi, &hub->meshes[v->mesh++]);
    pthread_mutex_unlock(&hub->lock);
    return due;
}

/* One message a call; asks to be called again while there is more. */
static int send_next(struct lws *wsi, viewer *v) {
    live_hub *hub = server_of(wsi)->hub;
    int result = 0;
    char *text = next_text(hub, v);
    if (text) {
        result = send_text(wsi, text);
        free(text);
    } else if (send_mesh(wsi, v, &result)) {
        ; /* and there may be more */
    } else if (v->sent - v->seen >= IN_FLIGHT) {
        return 0; /* until it has drawn one */
    } else {
        live_packet *frame = live_hub_frame(hub, v->frame);
        if (!frame)
            return 0;
        v->frame = frame->sequence;
        v->sent++;
        result = send_packet(wsi, frame);
        live_hub_give_back(hub, frame);
    }
    lws_callback_on_writable(wsi);
    return result;
}

static int close_with(struct lws *wsi, enum lws_close_status why) {
    lws_close_reason(wsi, why, NULL, 0);
    return -1;
}

/* What somebody holds who goes away is let go. */
static void note_hands(viewer *v, const char *words) {
    if (strncmp(words, "grip ", 5) == 0 || strcmp(words, "release") == 0)
        v->holds = *words == 'g';
    if (strncmp(words, "pour ", 5) == 0 || strcmp(words, "shut") == 0)
        v->pours = *words == 'p';
}

static int receive(struct lws *wsi, viewer *v, const char *bytes, size_t size) {
    live_message message;
    const time_t now = time(NULL);
    v->messages = v->second == now ? v->messages + 1 : 1;
    v->second = now;
    if (lws_frame_is_binary(wsi) || !lws_is_first_fragment(wsi) || !lws_is_final_fragment(wsi) ||
        lws_remaining_packet_payload(wsi) > 0 || size > LIVE_MOST_MESSAGE)
        return close_with(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    if (v->messages > BURST || !live_read(bytes, size, &message))
        return close_with(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    if (message.verb == LIVE_SEEN) {
        v->seen = v->sent - v->seen > 0 ? v->seen + 1 : v->seen;
        lws_callback_on_writable(wsi);
        return 0;
    }
    note_hands(v, message.words);
    if (!live_hub_tell(server_of(wsi)->hub, &message))
        lwsl_info("a message too many\n");
    return 0;
}

static void leave(live_server *s, viewer *v) {
    static const live_message release = {.verb = LIVE_TELL, .words = "release"},
                              shut = {.verb = LIVE_TELL, .words = "shut"};
    if (v->holds)
        live_hub_tell(s->hub, &release);
    if (v->pours)
        live_hub_tell(s->hub, &shut);
    s->viewers--;
    live_hub_count(s->hub, -1);
    v->counted = false;
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t size) {
    viewer *v = user;
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return admit(wsi);
    case LWS_CALLBACK_ESTABLISHED:
        *v = (viewer){.counted = true, .note = server_of(wsi)->hub->note_number};
        server_of(wsi)->viewers++;
        live_hub_count(server_of(wsi)->hub, 1);
        lws_callback_on_writable(wsi);
        return 0;
    case LWS_CALLBACK_CLOSED:
        if (v && v->counted)
            leave(server_of(wsi), v);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE: return send_next(wsi, v);
    case LWS_CALLBACK_RECEIVE: return receive(wsi, v, in, size);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        lws_callback_on_writable_all_protocol(lws_get_context(wsi), lws_get_protocol(wsi));
        return 0;
    default: return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = on_http, .per_session_data_size = sizeof(request)},
    {.name = "tallow-live",
     .callback = on_socket,
     .per_session_data_size = sizeof(viewer),
     .rx_buffer_size = 1024},
    {.name = NULL}};

/* ---- The server ---------------------------------------------------------------------------- */

tl_status live_make_token(char out[LIVE_TOKEN], tl_error *error) {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return tl_fail_errno(error, "token", "make");
    for (size_t k = 0; k < sizeof bytes; k++)
        snprintf(out + 2 * k, 3, "%02x", bytes[k]);
    return TL_OK;
}

/* Signals may come to another thread: looks at *stop now and then. */
static void look_again(lws_sorted_usec_list_t *timer) {
    live_server *s = lws_container_of(timer, live_server, timer);
    lws_sul_schedule(s->context, 0, &s->timer, look_again, 200 * LWS_US_PER_MS);
}

static void wake_server(void *context) {
    const live_server *s = context;
    lws_cancel_service(s->context);
}

static tl_status listen_at(live_server *s, tl_error *error) {
    const struct lws_context_creation_info info = {
        .port = s->options.port,
        .iface = s->options.host,
        .protocols = protocols,
        .gid = -1,
        .uid = -1,
        .user = s,
        .fd_limit_per_thread = MOST_SOCKETS,
        .timeout_secs = 10,
        .keepalive_timeout = 5,
        .server_string = "tallow",
        .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                   LWS_SERVER_OPTION_EXPLICIT_VHOSTS};
    s->context = lws_create_context(&info);
    struct lws_vhost *host = s->context ? lws_create_vhost(s->context, &info) : NULL;
    if (!host)
        return tl_fail(error, TL_IO_FAILED, s->options.host,
                       "take another --port, or none to have one chosen",
                       "cannot listen at port %d", s->options.port);
    s->port = lws_get_vhost_listen_port(host);
    return TL_OK;
}

tl_status live_server_start(const live_server_options *options, live_hub *hub, live_server **out,
                            tl_error *error) {
    struct in_addr place;
    if (inet_pton(AF_INET, options->host, &place) != 1)
        return tl_fail(error, TL_BAD_INPUT, "--host", "give an address such as 127.0.0.1",
                       "\"%.60s\" is no address of IPv4", options->host);
    live_server *s = tl_allocate(1, sizeof *s);
    if (!s)
        return tl_fail_memory(error, 1, sizeof *s);
    s->options = *options;
    s->hub = hub;
    lws_set_log_level(0, NULL);
    const tl_status status = listen_at(s, error);
    if (status != TL_OK) {
        live_server_destroy(s);
        return status;
    }
    const bool everywhere = strcmp(options->host, "0.0.0.0") == 0;
    snprintf(s->own_host[0], sizeof s->own_host[0], "%s:%d", options->host, s->port);
    snprintf(s->own_host[1], sizeof s->own_host[1], "localhost:%d", s->port);
    snprintf(s->address, sizeof s->address, "http://%s:%d/%s/",
             everywhere ? "127.0.0.1" : options->host, s->port, s->options.token);
    if (everywhere)
        snprintf(s->own_host[0], sizeof s->own_host[0], "127.0.0.1:%d", s->port);
    hub->context = s;
    hub->wake = wake_server;
    *out = s;
    return TL_OK;
}

const char *live_server_address(const live_server *s) { return s->address; }

void live_server_run(live_server *s) {
    look_again(&s->timer);
    while (!*s->options.stop && lws_service(s->context, 0) >= 0)
        ;
}

void live_server_destroy(live_server *s) {
    if (!s)
        return;
    if (s->context)
        lws_context_destroy(s->context);
    free(s);
}
