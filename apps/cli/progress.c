/* How far a run is, as a bar on a terminal, as lines, or as JSON. See terminal.h. */
#include "terminal.h"

#include "base/timer.h"

#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

cli_progress cli_progress_begin(bool quiet, bool json) {
    return (cli_progress){.mode = json                    ? CLI_PROGRESS_JSON
                                  : quiet                 ? CLI_PROGRESS_NONE
                                  : isatty(STDOUT_FILENO) ? CLI_PROGRESS_BAR
                                                          : CLI_PROGRESS_LINES};
}

static int terminal_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

enum { FRAME, TIME, LEFT, STEP, PARTICLES, SPEED, FACTS };

/* The facts of a moment in at most `width` columns: what matters least goes first, whole. */
static int print_facts(char *out, size_t size, int width, const tl_run_progress *now) {
    static const int going[] = {SPEED, PARTICLES, STEP, TIME, LEFT};
    char fact[FACTS][96], text[CLI_SHORT];
    snprintf(fact[FRAME], sizeof *fact, "frame %" PRId64 "/%" PRId64, now->frame, now->frame_count);
    snprintf(fact[TIME], sizeof *fact, "  t %.3f/%.3f s", now->time, now->duration);
    snprintf(fact[LEFT], sizeof *fact, "  %s left", cli_clock(now->remaining, text));
    snprintf(fact[STEP], sizeof *fact, "  dt %.3g ms", 1e3 * now->dt);
    snprintf(fact[PARTICLES], sizeof *fact, "  %s particles",
             cli_count((double)now->particles, text));
    snprintf(fact[SPEED], sizeof *fact, "  %s updates/s", cli_count(now->updates_per_second, text));
    size_t length = 0;
    for (int i = 0; i < FACTS; i++)
        length += strlen(fact[i]);
    for (size_t i = 0; i < sizeof going / sizeof *going && length > (size_t)width; i++) {
        length -= strlen(fact[going[i]]);
        fact[going[i]][0] = 0;
    }
    return snprintf(out, size, "%s%s%s%s%s%s", fact[FRAME], fact[TIME], fact[LEFT], fact[STEP],
                    fact[PARTICLES], fact[SPEED]);
}

/* The bar takes what the facts leave of the line, when that is worth it. */
static void draw_bar(const tl_run_progress *now) {
    enum { WIDEST = 40 };
    char facts[512];
    const int width = terminal_width() - 1;
    int length = print_facts(facts, sizeof facts, width, now);
    if (length > width)
        length = width;
    int room = width - length - 2;
    room = room > WIDEST ? WIDEST : room;
    const bool fancy = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    const double part = now->duration > 0 ? fmin(now->time / now->duration, 1) : 1;
    /* One write a line, erasing only what stays behind it: no flicker. */
    char line[1024];
    int at = snprintf(line, sizeof line, "\r%.*s", length, facts);
    if (room >= 8) {
        const int full = (int)lround(part * room);
        at += snprintf(line + at, sizeof line - (size_t)at, "  ");
        for (int i = 0; i < room; i++)
            at += snprintf(line + at, sizeof line - (size_t)at, "%s",
                           i < full ? (fancy ? "━" : "=") : (fancy ? "╌" : "."));
    }
    at += snprintf(line + at, sizeof line - (size_t)at, "\033[K");
    fwrite(line, 1, (size_t)at, stdout);
    fflush(stdout);
}

static void print_object(const tl_run_progress *now) {
    printf("{\"event\": \"frame\", \"frame\": %" PRId64 ", \"frames\": %" PRId64
           ", \"time\": %.9g, \"duration\": %.9g, \"dt\": %.6g, \"particles\": %zu, "
           "\"steps\": %" PRIu64 ", \"rejected\": %" PRIu64
           ", \"updates_per_second\": %.6g, \"elapsed\": %.3f",
           now->frame, now->frame_count, now->time, now->duration, now->dt, now->particles,
           now->steps, now->rejected, now->updates_per_second, now->elapsed);
    if (now->remaining >= 0)
        printf(", \"remaining\": %.3f", now->remaining);
    printf("}\n");
    fflush(stdout);
}

void cli_progress_show(cli_progress *progress, const tl_run_progress *now) {
    char facts[512];
    switch (progress->mode) {
    case CLI_PROGRESS_NONE: return;
    case CLI_PROGRESS_BAR:
        if (tl_now() - progress->drawn < 0.1 && now->frame < now->frame_count)
            return;
        draw_bar(now);
        progress->drawn = tl_now();
        progress->is_visible = true;
        return;
    case CLI_PROGRESS_LINES:
        if (now->wrote_frame) {
            print_facts(facts, sizeof facts, INT_MAX, now);
            puts(facts);
            fflush(stdout);
        }
        return;
    case CLI_PROGRESS_JSON:
        if (now->wrote_frame)
            print_object(now);
        return;
    }
}

void cli_progress_hide(cli_progress *progress) {
    if (progress->is_visible)
        fputs("\r\033[K", stdout), fflush(stdout);
    progress->is_visible = false;
}
