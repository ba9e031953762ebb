/* See player.h. A world advances from frame to frame of its scene, as in a run: what is told
 * between two steps is recorded, and a run that is told the same ends with the same bits. */
#include "player.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/timer.h"
#include "output/vtp.h"
#include "run/folder.h"
#include "run/run.h"
#include "world/world.h"

#include <dirent.h>
#include <inttypes.h>
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
    tl_scene *scene;

    tl_world *world; /* NULL: a recorded run */
    tl_steering steering;
    size_t recorded; /* lines of the record that are in the file */
    double recorded_at;
    char mark[TL_RUN_PATH]; /* a snapshot to go back to; empty: none */
    size_t mark_told;

    tl_frame frame;   /* of a recorded run: the one that is shown */
    int64_t *numbers; /* [frame_count] of its frames, in order */
    size_t frame_count, shown;

    char colour[64]; /* the name of the field that colours */
    uint32_t sequence;
    bool playing;
    double speed;            /* s a second at most; 0: as fast as it can */
    double anchor, anchored; /* simulated time, and when it was that */
    double published;        /* when */
    double pace, paced_time, paced_at;
};

/* ---- Showing ------------------------------------------------------------------------------- */

static void view(const live_player *p, tl_frame *out) {
    if (p->world)
        tl_view_world(p->world, out);
    else
        *out = p->frame;
}

static size_t colour_of(const live_player *p, const tl_frame *frame) {
    for (size_t k = 0; k < frame->array_count; k++)
        if (strcmp(frame->array[k].name, p->colour) == 0)
            return k;
    return 0;
}

static bool hand_holds(const live_player *p) {
    tl_field_view caught;
    if (!p->world || !tl_world_field(p->world, "caught", &caught))
        return false;
    for (size_t i = 0; i < caught.count; i++)
        if (((const uint8_t *)caught.data)[i])
            return true;
    return false;
}

static double now_of(const live_player *p) {
    return p->world ? tl_world_time(p->world) : p->frame.time;
}

/* Seconds simulated in a second, over the last second or so. */
static void measure_pace(live_player *p) {
    const double now = tl_now(), passed = now - p->paced_at;
    if (passed < 0.5)
        return;
    p->pace = p->playing ? fmax((now_of(p) - p->paced_time) / passed, 0) : 0;
    p->paced_at = now;
    p->paced_time = now_of(p);
}

static void publish(live_player *p) {
    double books[MOST_BOOKS];
    tl_frame frame;
    live_packet *packet = live_hub_blank(p->hub);
    if (!packet)
        return;
    measure_pace(p);
    view(p, &frame);
    const live_picture picture = {.scene = p->scene,
                                  .world = p->world,
                                  .frame = &frame,
                                  .colour = colour_of(p, &frame),
                                  .sequence = ++p->sequence,
                                  .playing = p->playing,
                                  .holds = hand_holds(p),
                                  .hash = p->world && !p->playing ? tl_world_hash(p->world) : 0,
                                  .speed = p->playing ? p->pace : 0,
                                  .books = books,
                                  .book_count =
                                      p->world ? tl_world_books(p->world, books, MOST_BOOKS) : 0};
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
    view(p, &frame);
    const live_picture picture = {.scene = p->steering.adopted ? p->steering.adopted : p->scene,
                                  .world = p->world,
                                  .frame = &frame,
                                  .colour = colour_of(p, &frame)};
    live_write_hello(&picture, p->options.name, &text);
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
    p->hub->meshes = tl_allocate(p->scene->walls.count, sizeof *p->hub->meshes);
    if (!p->hub->meshes)
        return tl_fail_memory(error, p->scene->walls.count, sizeof *p->hub->meshes);
    for (size_t k = 0; k < p->scene->walls.count; k++) {
        live_packet *packet = &p->hub->meshes[p->hub->mesh_count];
        TL_TRY(live_write_mesh(p->scene, k, packet, error));
        p->hub->mesh_count += packet->size > 0;
    }
    return TL_OK;
}

/* ---- A world ------------------------------------------------------------------------------- */

static void set_anchor(live_player *p) {
    p->anchor = now_of(p);
    p->anchored = tl_now();
}

static void write_record(live_player *p) {
    tl_error error;
    if (!p->options.record || p->recorded == p->steering.count)
        return;
    p->recorded_at = tl_now();
    if (tl_steering_write(&p->steering, p->options.record, &error) == TL_OK)
        p->recorded = p->steering.count;
    else
        complain(p, &error);
}

static void tell(live_player *p, const char *words) {
    tl_error error;
    if (tl_steering_tell(&p->steering, p->world, words, &error) != TL_OK)
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
    const tl_status status = snapshot ? tl_world_load(p->scene, &options, snapshot, &world, &error)
                                      : tl_world_create(p->scene, &options, &world, &error);
    if (status != TL_OK) {
        complain(p, &error);
        return;
    }
    tl_world_destroy(p->world);
    p->world = world;
    p->steering.count = told;
    p->recorded = SIZE_MAX; /* what the file has is not what was told */
    if (tl_steering_return(&p->steering, p->world, told, &error) != TL_OK)
        complain(p, &error);
    if (hand_holds(p)) /* as it was when the state was kept, and not now */
        tell(p, "release");
    if (tl_world_pouring(p->world) != TL_POURING_NOTHING)
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
    p->mark_told = p->steering.count;
    if (tl_world_save(p->world, p->mark, &error) == TL_OK) {
        live_hub_note(p->hub, "info", "this state is kept: back returns to it");
    } else {
        complain(p, &error);
        *p->mark = 0;
    }
}

/* Says so when the tap has just found the world full. */
static void tell_full(live_player *p, tl_pouring before) {
    if (tl_world_pouring(p->world) != TL_POURING_FULL || before == TL_POURING_FULL)
        return;
    char words[120];
    snprintf(words, sizeof words, "there are %zu particles: no more are poured",
             tl_world_count(p->world));
    live_hub_note(p->hub, "error", words);
}

static void step_once(live_player *p) {
    tl_error error;
    const tl_pouring pouring = tl_world_pouring(p->world);
    const double rate = p->scene->frame_rate;
    const double frame = floor(tl_world_time(p->world) * rate * (1 + 1e-12) + 1e-9) + 1;
    tl_world_set_stop(p->world, frame / rate);
    if (tl_world_step(p->world, NULL, &error) == TL_OK) {
        tell_full(p, pouring);
        return;
    }
    p->playing = false;
    complain(p, &error);
}

/* Whether the last step has come to a frame of the scene. */
static bool at_frame(const live_player *p) {
    const double place = tl_world_time(p->world) * p->scene->frame_rate;
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

static tl_status show_recorded(live_player *p, size_t index, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_frame frame;
    tl_run_path(p->options.name, path, "frames/%05" PRId64 ".vtp", p->numbers[index]);
    TL_TRY(tl_vtp_read(path, &frame, error));
    tl_frame_free(&p->frame);
    p->frame = frame;
    p->shown = index;
    return TL_OK;
}

static void show_next(live_player *p) {
    tl_error error;
    if (p->shown + 1 >= p->frame_count)
        p->playing = false;
    else if (show_recorded(p, p->shown + 1, &error) != TL_OK)
        complain(p, &error), p->playing = false;
}

static void act_on_record(live_player *p, const live_message *m) {
    tl_error error;
    if (m->verb == LIVE_STEP || m->verb == LIVE_FRAME)
        show_next(p);
    else if (m->verb == LIVE_RESET && show_recorded(p, 0, &error) != TL_OK)
        complain(p, &error);
    else if (m->verb == LIVE_TELL)
        live_hub_note(p->hub, "error", "this is a recorded run: nothing can be changed in it");
    set_anchor(p);
}

static int compare_numbers(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static tl_status find_frames(live_player *p, tl_error *error) {
    char path[TL_RUN_PATH];
    DIR *folder = opendir(tl_run_path(p->options.name, path, "frames"));
    if (!folder)
        return tl_fail(error, TL_BAD_INPUT, path, "give the folder of a run that has frames",
                       "no frames to be shown");
    tl_status status = TL_OK;
    for (const struct dirent *entry; status == TL_OK && (entry = readdir(folder));) {
        char *end;
        const long long number = strtoll(entry->d_name, &end, 10);
        if (end == entry->d_name || strcmp(end, ".vtp") != 0)
            continue;
        status = TL_ARRAY_RESERVE(p->numbers, p->frame_count, p->frame_count + 1, error);
        if (status == TL_OK)
            p->numbers[p->frame_count++] = number;
    }
    closedir(folder);
    TL_TRY(status);
    if (p->frame_count == 0)
        return tl_fail(error, TL_BAD_INPUT, path, NULL, "there is no frame in it");
    qsort(p->numbers, p->frame_count, sizeof *p->numbers, compare_numbers);
    return show_recorded(p, 0, error);
}

/* ---- The thread ---------------------------------------------------------------------------- */

static void choose_colour(live_player *p, uint32_t index) {
    tl_frame frame;
    view(p, &frame);
    if (index < frame.array_count)
        snprintf(p->colour, sizeof p->colour, "%s", frame.array[index].name);
}

static void act(live_player *p, const live_message *m) {
    switch (m->verb) {
    case LIVE_PLAY:
        if (!p->world && p->shown + 1 >= p->frame_count)
            (void)show_recorded(p, 0, NULL);
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
        if (p->world)
            act_on_world(p, m);
        else
            act_on_record(p, m);
    }
}

/* s: until the next step is due, by the speed that is wanted; at most zero when it is. A world that
 * cannot keep up does not hurry later. */
static double time_left(live_player *p) {
    if (!(p->speed > 0))
        return 0;
    const double next = p->world ? now_of(p) : (double)(p->shown + 1) / p->scene->frame_rate;
    const double left = (next - p->anchor) / p->speed - (tl_now() - p->anchored);
    if (left < -0.25)
        set_anchor(p);
    return left;
}

static void advance(live_player *p) {
    if (p->world)
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
        const double wait = p->playing ? fmin(time_left(p), 0.25) : 0.5;
        bool any = false;
        while (live_hub_take(p->hub, any ? 0 : wait, &message)) {
            act(p, &message);
            any = true;
        }
        if (any && (!p->playing || tl_now() - p->published >= between_frames))
            publish(p);
        if (!any && p->playing && !live_hub_stopped(p->hub) && time_left(p) <= 0)
            advance(p);
        else if (any && p->playing && time_left(p) <= 0)
            advance(p);
        if (tl_now() - p->recorded_at > between_records)
            write_record(p);
    }
    return NULL;
}

/* ---- The beginning and the end ------------------------------------------------------------- */

static tl_status begin_world(live_player *p, tl_error *error) {
    const live_options *o = &p->options;
    const tl_world_options options = {.threads = o->threads, .log = o->log, .steered = true};
    TL_TRY(tl_scene_load_file(o->name, &o->scene_options, &p->scene, error));
    p->steering = tl_steering_begin(o->name, &o->scene_options);
    return tl_world_create(p->scene, &options, &p->world, error);
}

static tl_status begin_record(live_player *p, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_run_path(p->options.name, path, "run.yaml");
    TL_TRY(tl_scene_load_file(path, NULL, &p->scene, error));
    return find_frames(p, error);
}

static bool is_run(const char *name) {
    char path[TL_RUN_PATH];
    return tl_file_exists(tl_run_path(name, path, "run.yaml"));
}

static void free_player(live_player *p) {
    if (*p->mark)
        unlink(p->mark);
    tl_world_destroy(p->world);
    tl_steering_free(&p->steering);
    tl_frame_free(&p->frame);
    tl_array_free(p->numbers);
    tl_scene_destroy(p->scene);
    free(p);
}

static tl_status begin(live_player *p, tl_error *error) {
    TL_TRY(is_run(p->options.name) ? begin_record(p, error) : begin_world(p, error));
    snprintf(p->colour, sizeof p->colour, "%s",
             p->scene->output.colour_by ? p->scene->output.colour_by
             : p->scene->has_heat       ? "temperature"
                                        : "velocity");
    p->playing = !p->options.paused;
    p->speed = 1;
    TL_TRY(send_meshes(p, error));
    greet(p);
    publish(p);
    return TL_OK;
}

tl_status live_player_start(const live_options *options, live_hub *hub, live_player **out,
                            tl_error *error) {
    live_player *p = tl_allocate(1, sizeof *p);
    if (!p)
        return tl_fail_memory(error, 1, sizeof *p);
    p->options = *options;
    p->hub = hub;
    tl_status status = begin(p, error);
    /* Signals are for the thread that talks. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (status == TL_OK && pthread_create(&p->thread, NULL, play, p) != 0)
        status = tl_fail(error, TL_NO_MEMORY, NULL, NULL, "no thread for the simulation");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status != TL_OK) {
        free_player(p);
        return status;
    }
    *out = p;
    return TL_OK;
}

bool live_player_stop(live_player *p) {
    live_hub_stop(p->hub);
    pthread_join(p->thread, NULL);
    write_record(p);
    const bool told = p->options.record && p->steering.count > 0;
    free_player(p);
    return told;
}

const char *live_player_title(const live_player *p) {
    return p->scene->title ? p->scene->title : p->options.name;
}

size_t live_player_count(const live_player *p) {
    return p->world ? tl_world_count(p->world) : p->frame.count;
}
