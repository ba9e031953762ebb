/* See player.h. A world advances from frame to frame of its scene, as in a run: what is told
 * between two steps is recorded, and a run that is told the same ends with the same bits. */
#include "player.h"

#include "gallery.h"
#include "keep.h"
#include "shown.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/timer.h"
#include "run/folder.h"
#include "run/run.h"
#include "world/world.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* s: viewers get frames no more often, and records are written no more often. */
static const double between_frames = 1.0 / 60, between_records = 5;

enum { MOST_BOOKS = 128 };

struct live_player {
    live_options options;
    live_hub *hub;
    pthread_t thread;

    live_shown now;           /* without a scene: nothing yet */
    char record[TL_RUN_PATH]; /* where what was told goes */
    size_t recorded;          /* lines of it that are in the file */
    double recorded_at;
    char mark[TL_RUN_PATH]; /* a snapshot to go back to; empty: none */
    size_t mark_told;

    char colour[64]; /* the name of the field that colours */
    uint32_t sequence;
    bool playing;
    double speed;            /* s a second at most; 0: as fast as it can */
    double anchor, anchored; /* simulated time, and when it was that */
    double published;        /* when */
    double pace, paced_time, paced_at;
};

/* ---- Showing ------------------------------------------------------------------------------- */

static size_t colour_of(const live_player *p, const tl_frame *frame) {
    for (size_t k = 0; k < frame->array_count; k++)
        if (strcmp(frame->array[k].name, p->colour) == 0)
            return k;
    return 0;
}

/* Seconds simulated in a second, over the last second or so. */
static void measure_pace(live_player *p) {
    const double now = tl_now(), passed = now - p->paced_at;
    if (passed < 0.5)
        return;
    p->pace = p->playing ? fmax((live_shown_time(&p->now) - p->paced_time) / passed, 0) : 0;
    p->paced_at = now;
    p->paced_time = live_shown_time(&p->now);
}

static void publish(live_player *p) {
    double books[MOST_BOOKS];
    tl_frame frame;
    live_packet *packet = live_hub_blank(p->hub);
    if (!packet)
        return;
    measure_pace(p);
    live_shown_view(&p->now, &frame);
    const live_picture picture = {
        .scene = p->now.scene,
        .world = p->now.world,
        .frame = &frame,
        .colour = colour_of(p, &frame),
        .sequence = ++p->sequence,
        .playing = p->playing,
        .holds = live_shown_is_held(&p->now),
        .hash = p->now.world && !p->playing ? tl_world_hash(p->now.world) : 0,
        .speed = p->playing ? p->pace : 0,
        .books = books,
        .book_count = p->now.world ? tl_world_books(p->now.world, books, MOST_BOOKS) : 0};
    if (live_write_frame(&picture, packet, NULL) == TL_OK) {
        live_hub_publish(p->hub, packet);
    } else {
        live_packet_free(packet);
        free(packet);
    }
    p->published = tl_now();
}

static void greet(live_player *p) {
    tl_frame frame;
    tl_text text = {0};
    live_shown_view(&p->now, &frame);
    const live_picture picture = {.scene = p->now.steering.adopted ? p->now.steering.adopted
                                                                   : p->now.scene,
                                  .world = p->now.world,
                                  .frame = &frame,
                                  .colour = colour_of(p, &frame),
                                  .number = p->hub->scene_number};
    live_write_hello(&picture, p->now.name, &text);
    if (text.failed)
        free(text.bytes);
    else
        live_hub_greet(p->hub, text.bytes);
}

static void complain(live_player *p, const tl_error *error) {
    char words[1200];
    snprintf(words, sizeof words, "%s%s%s%s%s", error->where, *error->where ? ": " : "",
             error->what, *error->fix ? "; " : "", error->fix);
    live_hub_note(p->hub, "error", words);
}

static tl_status send_meshes(live_player *p, tl_error *error) {
    const size_t most = live_mesh_count(p->now.scene);
    live_packet *meshes = tl_allocate(most, sizeof *meshes);
    tl_status status = meshes ? TL_OK : tl_fail_memory(error, most, sizeof *meshes);
    size_t count = 0;
    for (size_t k = 0; k < most && status == TL_OK; k++) {
        status = live_write_mesh(p->now.scene, k, &meshes[count], error);
        count += meshes[count].size > 0;
    }
    if (status == TL_OK) {
        live_hub_change(p->hub, meshes, count);
        return TL_OK;
    }
    for (size_t k = 0; meshes && k < most; k++)
        live_packet_free(&meshes[k]);
    free(meshes);
    return status;
}

/* ---- A world ------------------------------------------------------------------------------- */

static void set_anchor(live_player *p) {
    p->anchor = live_shown_time(&p->now);
    p->anchored = tl_now();
}

static void write_record(live_player *p) {
    tl_error error;
    if (!p->now.world || p->recorded == p->now.steering.count)
        return;
    p->recorded_at = tl_now();
    if (tl_steering_write(&p->now.steering, p->record, &error) == TL_OK)
        p->recorded = p->now.steering.count;
    else
        complain(p, &error);
}

static void tell(live_player *p, const char *words) {
    tl_error error;
    if (tl_steering_tell(&p->now.steering, p->now.world, words, &error) != TL_OK)
        complain(p, &error);
    else if (strncmp(words, "set ", 4) == 0 || strncmp(words, "gravity ", 8) == 0)
        greet(p);
}

/* The world that was, or anew from the scene. What was told before it stands. */
static void replace_world(live_player *p, const char *snapshot, size_t told) {
    tl_world *world;
    tl_error error;
    const tl_world_options options = {
        .threads = p->options.threads, .log = p->options.log, .steered = true};
    const tl_status status = snapshot
                                 ? tl_world_load(p->now.scene, &options, snapshot, &world, &error)
                                 : tl_world_create(p->now.scene, &options, &world, &error);
    if (status != TL_OK) {
        complain(p, &error);
        return;
    }
    tl_world_destroy(p->now.world);
    p->now.world = world;
    p->now.steering.count = told;
    p->recorded = SIZE_MAX; /* what the file has is not what was told */
    if (tl_steering_return(&p->now.steering, p->now.world, told, &error) != TL_OK)
        complain(p, &error);
    if (live_shown_is_held(&p->now)) /* as it was when the state was kept, and not now */
        tell(p, "release");
    if (tl_world_pouring(p->now.world) != TL_POURING_NOTHING)
        tell(p, "shut");
    set_anchor(p);
    greet(p);
}

static void make_mark(live_player *p) {
    tl_error error;
    const char *base = getenv("TMPDIR");
    if (!*p->mark)
        snprintf(p->mark, sizeof p->mark, "%s/tallow-live-%ld.h5", base ? base : "/tmp",
                 (long)getpid());
    p->mark_told = p->now.steering.count;
    if (tl_world_save(p->now.world, p->mark, &error) == TL_OK) {
        live_hub_note(p->hub, "info", "this state is kept: back returns to it");
    } else {
        complain(p, &error);
        *p->mark = 0;
    }
}

/* Says so when the tap has just found the world full. */
static void tell_full(live_player *p, tl_pouring before) {
    if (tl_world_pouring(p->now.world) != TL_POURING_FULL || before == TL_POURING_FULL)
        return;
    char words[120];
    snprintf(words, sizeof words, "there are %zu particles: no more are poured",
             tl_world_count(p->now.world));
    live_hub_note(p->hub, "error", words);
}

static void step_once(live_player *p) {
    tl_error error;
    const tl_pouring pouring = tl_world_pouring(p->now.world);
    const double rate = p->now.scene->frame_rate;
    const double frame = floor(tl_world_time(p->now.world) * rate * (1 + 1e-12) + 1e-9) + 1;
    tl_world_set_stop(p->now.world, frame / rate);
    if (tl_world_step(p->now.world, NULL, &error) == TL_OK) {
        tell_full(p, pouring);
        return;
    }
    p->playing = false;
    complain(p, &error);
}

/* Whether the last step has come to a frame of the scene. */
static bool at_frame(const live_player *p) {
    const double place = tl_world_time(p->now.world) * p->now.scene->frame_rate;
    return fabs(place - round(place)) < 1e-6;
}

static void step_to_frame(live_player *p) {
    do
        step_once(p);
    while (!at_frame(p) && !live_hub_stopped(p->hub));
}

static void act_on_world(live_player *p, const live_message *m) {
    switch (m->verb) {
    case LIVE_STEP: step_once(p); break;
    case LIVE_FRAME: step_to_frame(p); break;
    case LIVE_RESET:
        write_record(p);
        replace_world(p, NULL, 0);
        break;
    case LIVE_MARK: make_mark(p); break;
    case LIVE_BACK:
        if (*p->mark)
            replace_world(p, p->mark, p->mark_told);
        else
            live_hub_note(p->hub, "error", "no state was kept to go back to");
        break;
    case LIVE_TELL: tell(p, m->words); break;
    default: break;
    }
}

/* ---- A recorded run ------------------------------------------------------------------------ */

static void show_next(live_player *p) {
    tl_error error;
    if (p->now.reel.shown + 1 >= p->now.reel.count)
        p->playing = false;
    else if (live_reel_show(&p->now.reel, p->now.reel.shown + 1, &error) != TL_OK)
        complain(p, &error), p->playing = false;
}

static void act_on_record(live_player *p, const live_message *m) {
    tl_error error;
    if (m->verb == LIVE_STEP || m->verb == LIVE_FRAME)
        show_next(p);
    else if (m->verb == LIVE_RESET && live_reel_show(&p->now.reel, 0, &error) != TL_OK)
        complain(p, &error);
    else if (m->verb == LIVE_TELL)
        live_hub_note(p->hub, "error", "this is a recorded run: nothing can be changed in it");
    set_anchor(p);
}

/* ---- Which scene --------------------------------------------------------------------------- */

static void end_shown(live_player *p) {
    write_record(p);
    if (*p->mark)
        unlink(p->mark);
    *p->mark = 0;
    live_shown_free(&p->now);
}

/* "candle-live.txt" for "scenes/candle.yaml", in this folder. */
static void name_record(live_player *p) {
    const char *slash = strrchr(p->now.name, '/'), *name = slash ? slash + 1 : p->now.name;
    const size_t length = strlen(name), tail = strlen(".yaml");
    const bool has_tail = length > tail && strcmp(name + length - tail, ".yaml") == 0;
    snprintf(p->record, sizeof p->record, "%.*s-live.txt", (int)(has_tail ? length - tail : length),
             name);
}

/* What was shown stays if the scene cannot be. */
static tl_status show(live_player *p, const char *name, const tl_scene_options *options,
                      tl_error *error) {
    const tl_world_options world = {
        .threads = p->options.threads, .log = p->options.log, .steered = true};
    live_shown next;
    const tl_status status = live_shown_open(&next, name, options, &world, error);
    if (status != TL_OK) {
        live_shown_free(&next);
        return status;
    }
    end_shown(p);
    p->now = next;
    p->recorded = 0;
    name_record(p);
    snprintf(p->colour, sizeof p->colour, "%s",
             next.scene->output.colour_by ? next.scene->output.colour_by
             : next.scene->has_heat       ? "temperature"
                                          : "velocity");
    TL_TRY(send_meshes(p, error));
    greet(p);
    publish(p);
    set_anchor(p);
    return TL_OK;
}

static void open_from_page(live_player *p, const char *name) {
    tl_error error;
    if (!live_gallery_has(name))
        live_hub_note(p->hub, "error", "there is no scene of this name");
    else if (show(p, name, &(tl_scene_options){0}, &error) != TL_OK)
        complain(p, &error);
    else
        p->playing = !p->options.paused;
}

/* ---- The thread ---------------------------------------------------------------------------- */

static void choose_colour(live_player *p, uint32_t index) {
    tl_frame frame;
    live_shown_view(&p->now, &frame);
    if (index < frame.array_count)
        snprintf(p->colour, sizeof p->colour, "%s", frame.array[index].name);
}

/* Files have names of their own, whatever a viewer says. */
static void keep(live_player *p, live_verb what) {
    char path[TL_RUN_PATH], words[TL_RUN_PATH + 40];
    tl_error error;
    const tl_status status = what == LIVE_SAVE ? live_keep_state(&p->now, p->record, path, &error)
                                               : live_keep_frame(&p->now, p->record, path, &error);
    if (status != TL_OK) {
        complain(p, &error);
        return;
    }
    snprintf(words, sizeof words, "%s is in %s", what == LIVE_SAVE ? "the state" : "the frame",
             path);
    live_hub_note(p->hub, "info", words);
}

static void act_on_shown(live_player *p, const live_message *m) {
    switch (m->verb) {
    case LIVE_EXPORT:
    case LIVE_SAVE: keep(p, m->verb); break;
    case LIVE_PLAY:
        if (!p->now.world && p->now.reel.shown + 1 >= p->now.reel.count)
            (void)live_reel_show(&p->now.reel, 0, NULL);
        p->playing = true;
        set_anchor(p);
        break;
    case LIVE_PAUSE: p->playing = false; break;
    case LIVE_SPEED:
        p->speed = m->number;
        set_anchor(p);
        break;
    case LIVE_COLOUR: choose_colour(p, m->index); break;
    default:
        if (p->now.world)
            act_on_world(p, m);
        else
            act_on_record(p, m);
    }
}

static void act(live_player *p, const live_message *m) {
    if (m->verb == LIVE_OPEN)
        open_from_page(p, live_name_in(m));
    else if (p->now.scene)
        act_on_shown(p, m);
}

/* s: until the next step is due, by the speed that is wanted; at most zero when it is. A world that
 * cannot keep up does not hurry later. */
static double time_left(live_player *p) {
    if (!(p->speed > 0))
        return 0;
    const double next = p->now.world ? live_shown_time(&p->now)
                                     : (double)(p->now.reel.shown + 1) / p->now.scene->frame_rate;
    const double left = (next - p->anchor) / p->speed - (tl_now() - p->anchored);
    if (left < -0.25)
        set_anchor(p);
    return left;
}

static void advance(live_player *p) {
    if (p->now.world)
        step_once(p);
    else
        show_next(p);
    if (!p->playing || tl_now() - p->published >= between_frames)
        publish(p);
}

static void *play(void *context) {
    live_player *p = context;
    live_message message;
    live_hub_await_viewer(p->hub);
    set_anchor(p);
    while (!live_hub_stopped(p->hub)) {
        const double wait = p->playing && p->now.scene ? fmin(time_left(p), 0.25) : 0.5;
        bool any = false;
        while (live_hub_take(p->hub, any ? 0 : wait, &message)) {
            act(p, &message);
            any = true;
        }
        if (!p->now.scene)
            continue;
        if (any && (!p->playing || tl_now() - p->published >= between_frames))
            publish(p);
        if (p->playing && !live_hub_stopped(p->hub) && time_left(p) <= 0)
            advance(p);
        if (tl_now() - p->recorded_at > between_records)
            write_record(p);
    }
    return NULL;
}

/* ---- The beginning and the end ------------------------------------------------------------- */

tl_status live_player_start(const live_options *options, live_hub *hub, live_player **out,
                            tl_error *error) {
    live_player *p = tl_allocate(1, sizeof *p);
    if (!p)
        return tl_fail_memory(error, 1, sizeof *p);
    p->options = *options;
    p->hub = hub;
    p->playing = !options->paused;
    p->speed = 1;
    tl_status status =
        options->name ? show(p, options->name, &options->scene_options, error) : TL_OK;
    if (options->record)
        snprintf(p->record, sizeof p->record, "%s", options->record);
    /* Signals are for the thread that talks. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (status == TL_OK && pthread_create(&p->thread, NULL, play, p) != 0)
        status = tl_fail(error, TL_NO_MEMORY, NULL, NULL, "no thread for the simulation");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status != TL_OK) {
        live_shown_free(&p->now);
        free(p);
        return status;
    }
    *out = p;
    return TL_OK;
}

void live_player_stop(live_player *p, live_record *out) {
    live_hub_stop(p->hub);
    pthread_join(p->thread, NULL);
    *out = (live_record){0};
    if (p->now.steering.count > 0) {
        snprintf(out->scene, sizeof out->scene, "%s", p->now.name);
        snprintf(out->file, sizeof out->file, "%s", p->record);
    }
    end_shown(p);
    free(p);
}

const char *live_player_title(const live_player *p) {
    return p->now.scene && p->now.scene->title ? p->now.scene->title : p->now.name;
}

size_t live_player_count(const live_player *p) {
    return p->now.world ? tl_world_count(p->now.world) : p->now.reel.frame.count;
}
