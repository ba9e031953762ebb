/* Which columns of a ledger are drawn together. A few groups have a name; a column that none of
 * them knows joins those of its unit, so that a column added to the ledger has its plot. */
#ifndef TL_PLOT_GROUPS_H
#define TL_PLOT_GROUPS_H

#include "plot/chart.h"
#include "plot/table.h"

enum { TL_PLOT_NAME = 96 };

typedef struct tl_plot_group {
    char name[TL_PLOT_NAME]; /* of its file, without the suffix */
    const char *title;       /* NULL: the columns' names */
    size_t columns[TL_CHART_SERIES];
    size_t count;
} tl_plot_group;

/* Adds what is not in the ledger but follows from it: iterations_per_step, steps_per_frame,
 * rejected_per_frame, and the change of energies whose zero is arbitrary, such as
 * potential_energy_change. Values so far become those of each frame; the first row has those of
 * the frame that it begins. */
tl_status tl_plot_derive(tl_table *table, tl_error *error);

/* The groups of a table in the order of a sheet, without those that are zero throughout. */
tl_status tl_plot_find_groups(const tl_table *table, tl_plot_group **out, size_t *count,
                              tl_error *error);

/* The wanted columns, one group a unit. An unknown name is TL_BAD_INPUT, with the nearest. */
tl_status tl_plot_choose_groups(const tl_table *table, const char *const *names, size_t name_count,
                                const char *where, tl_plot_group **out, size_t *count,
                                tl_error *error);

/* TL_BAD_INPUT that names the nearest column. */
tl_status tl_plot_no_column(const tl_table *table, const char *name, const char *where,
                            tl_error *error);

/* Whether a group, or a column of a ledger of this version, can have that name. */
bool tl_plot_knows(const char *name);

/* True for a column without any value but zero. */
bool tl_plot_is_zero(const tl_table *table, size_t column);

#endif
