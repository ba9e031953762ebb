/* Plots of several runs over each other, for more than one command. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "plot/plot.h"

/* Draws the ledgers of runs over each other, and their measures if all of them have some. */
tl_status cli_plot_runs(char *const *folders, size_t count, const char *target,
                        tl_plot_options *options, tl_error *error);

#endif
