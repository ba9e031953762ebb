/* The parts of `tallow render`: what the command line asks for (render_options.c), the runs that
 * are drawn (render_runs.c), panels beside each other in one picture (render_panels.c), and the
 * command itself (render.c). */
#ifndef CLI_RENDER_H
#define CLI_RENDER_H

#include "command.h"
#include "run/folder.h"
#include "run/picture.h"

/* ---- What is asked for --------------------------------------------------------------------- */

typedef struct cli_render_options {
    const char *look, *colour_by, *colour_map; /* NULL: as the scene says */
    double range[2];
    bool has_range;
    int width, height; /* of the whole picture; 0: as the scene says */
    int64_t first, last, every;
    double from[3], look_at[3], field_of_view;
    bool has_from, has_look_at, has_field_of_view;
    int64_t turntable; /* pictures of a turn; 0: none */
    bool side_by_side;
    int columns, rows; /* of a sheet; 0: none */
    int64_t still;     /* a frame; negative: none */
    int format;        /* tl_film_format; negative: no film; */
    bool has_format;   /* false: as the scene says */
    double film_rate;  /* 1/s; 0: as the scene says */
    double slow;       /* 0: as the scene says */
    int64_t samples;   /* of the look traced; 0: a good number */
    double seconds;    /* a picture of it; 0: as long as it needs */
    bool no_denoise, no_caption, no_legend, scale_bar, quiet;
    bool keep_pictures; /* that a film was made of; also if the scene says so */
    const char *output; /* NULL: in the folder of the first run */
    int threads;
} cli_render_options;

/* False after a complaint. */
bool cli_render_parse(const cli_arguments *arguments, cli_render_options *out);

/* ---- Runs ---------------------------------------------------------------------------------- */

typedef struct cli_render_run {
    char folder[TL_RUN_PATH];
    tl_scene *scene;
    int64_t *numbers; /* of the frames to be drawn, in order */
    size_t count;
    tl_picture *picture;
} cli_render_run;

/* Finds the scene and the frames of a run; all frames if `is_companion`, which is drawn at the
 * times of another run. A last frame that is not whole is left out, with a note. Close it either
 * way. */
tl_status cli_render_open(const cli_render_options *options, const char *folder, bool is_companion,
                          cli_render_run *out, tl_error *error);

tl_status cli_render_read(const cli_render_run *run, int64_t number, tl_frame *out,
                          tl_error *error);

/* The simulated time of a frame, s. */
double cli_render_time(const cli_render_run *run, int64_t number);

/* The frame that is nearest to a time. */
int64_t cli_render_nearest(const cli_render_run *run, double time);

/* Makes the pictures of all runs, of that size and with one colour range: the one that is given,
 * that of the first run's scene, or one that holds all frames that are to be drawn. */
tl_status cli_render_prepare(const cli_render_options *options, cli_render_run *runs, size_t count,
                             int width, int height, tl_error *error);

void cli_render_close(cli_render_run *run);

/* "note: ..." on standard error. */
void cli_render_note(const char *format, ...) TL_PRINTF(1, 2);

/* ---- Panels -------------------------------------------------------------------------------- */

typedef struct cli_render_panel {
    cli_render_run *run;
    int64_t number; /* of the frame */
    double angle;   /* rad, that the camera is turned by */
} cli_render_panel;

/* Pictures in rows and columns, with a gap between them. */
typedef struct cli_render_sheet {
    int columns, rows;
    int panel_width, panel_height, width, height; /* pixels */
    unsigned char *panel, *pixels;
} cli_render_sheet;

/* Chooses sizes and makes room. TL_BAD_INPUT when panels would be too small. */
tl_status cli_render_sheet_make(const cli_render_options *options, const tl_scene *scene,
                                int columns, int rows, cli_render_sheet *out, tl_error *error);

/* Draws panels, row by row, into a PNG file; places beyond `count` stay empty. *particles gets the
 * particles that are in it. */
tl_status cli_render_sheet_draw(const cli_render_options *options, cli_render_sheet *sheet,
                                const cli_render_panel *panels, size_t count, const char *path,
                                size_t *particles, tl_error *error);

void cli_render_sheet_free(cli_render_sheet *sheet);

#endif
