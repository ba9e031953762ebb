/* Several tables laid over each other: one group a column, one curve a table. */
#ifndef TL_PLOT_OVERLAY_H
#define TL_PLOT_OVERLAY_H

#include "plot/groups.h"

/* Makes one table of several that share the column `over`: its rows are at all of their places
 * there, and between its own rows a curve goes straight, so it looks as it does alone; outside of
 * them it has no values. A group has the name of a column, and its columns those of the tables
 * (`labels`). Columns that only one table has, and those that are zero throughout, are left out
 * unless named. `groups` is freed with free(). */
tl_status tl_plot_overlay(const tl_table *tables, const char *const *labels, size_t count,
                          const char *over, const char *const *names, size_t name_count,
                          tl_table *out, tl_plot_group **groups, size_t *group_count,
                          tl_error *error);

#endif
