/* What the command prints: complaints, findings in scenes, numbers for people, progress. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "base/error.h"
#include "run/run.h"

#include <stdio.h>

/* Escape sequences, or empty strings where colour is not wanted: not a terminal, or NO_COLOR. */
typedef struct cli_style {
    const char *bold, *dim, *red, *yellow, *green, *cyan, *reset;
} cli_style;

cli_style cli_style_of(FILE *stream);

/* "tallow: ..." on standard error. */
void cli_complain(const char *format, ...) TL_PRINTF(1, 2);

/* What, where and how to mend it. */
void cli_complain_error(const tl_error *error);

/* The exit code that a status asks for. */
int cli_exit_code(tl_status status);

/* Every finding with its line of the file and a caret under the place; errors and warnings are
 * counted at the end unless there are none. */
void cli_print_findings(FILE *stream, const tl_diagnostics *findings);

/* Text for people: "12.3k", "1:02:03", "4.5 MB". Written to `out` of at least 32 bytes, which is
 * returned. */
enum { CLI_SHORT = 32 };
char *cli_count(double number, char *out);
char *cli_clock(double seconds, char *out);
char *cli_bytes(double bytes, char *out);

/* A JSON string with its quotes. */
void cli_print_json(FILE *stream, const char *text);

typedef enum cli_progress_mode {
    CLI_PROGRESS_NONE,
    CLI_PROGRESS_BAR,   /* one line of a terminal, redrawn at most ten times a second */
    CLI_PROGRESS_LINES, /* one line a frame */
    CLI_PROGRESS_JSON,  /* one object a frame */
} cli_progress_mode;

typedef struct cli_progress {
    cli_progress_mode mode;
    double drawn;    /* tl_now() of the last redraw */
    bool is_visible; /* the bar is on the screen */
} cli_progress;

cli_progress cli_progress_begin(bool quiet, bool json);
void cli_progress_show(cli_progress *progress, const tl_run_progress *now);
/* Takes the bar off the screen, so that something else can be printed. */
void cli_progress_hide(cli_progress *progress);

#endif
