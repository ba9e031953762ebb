/* Plots of a ledger over time: one a group of columns, and a sheet of all. */
#ifndef TL_PLOT_PLOT_H
#define TL_PLOT_PLOT_H

#include "base/error.h"
#include "base/parallel.h"

enum { TL_PLOT_SVG = 1, TL_PLOT_PNG = 2 };

/* Zero-initialise for the defaults. */
typedef struct tl_plot_options {
    const char *title;          /* of the sheet; NULL: none */
    const char *const *columns; /* one plot of these, instead of all groups and the sheet */
    size_t column_count;
    const char *over;     /* the column along the axis; NULL: time */
    unsigned formats;     /* TL_PLOT_SVG | TL_PLOT_PNG; 0: both */
    bool only_overview;   /* the sheet alone */
    const char *overview; /* its name; NULL: "overview" */
    bool log_x, log_y;
    int width, height;                              /* pixels of a plot; 0: 1280 x 800 */
    int threads;                                    /* 0: all that the machine has */
    void (*wrote)(void *context, const char *path); /* told of each file; may be NULL */
    void *context;
} tl_plot_options;

/* Draws the ledger at `path` into `folder`, which is made if need be. The ledger may be that of a
 * run at work. TL_BAD_INPUT when there is no ledger, no row yet, or no such column. Every file
 * appears whole or not at all. */
tl_status tl_plot_ledger(const char *path, const char *folder, const tl_plot_options *options,
                         tl_error *error);

enum { TL_PLOT_RUNS = 32 }; /* as many as a plot can tell apart */

/* A ledger, or another table over time, among others. */
typedef struct tl_plot_run {
    const char *path, *label;
} tl_plot_run;

/* Draws the ledgers of several runs over each other: a plot a column, a curve a run. */
tl_status tl_plot_runs(const tl_plot_run *runs, size_t count, const char *folder,
                       const tl_plot_options *options, tl_error *error);

/* Whether this is a file that tl_plot_ledger makes of a ledger of this version: "overview.svg",
 * "mass+dt.png". */
bool tl_plot_makes(const char *file_name);

#endif
