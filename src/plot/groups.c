/* See groups.h. */
#include "plot/groups.h"

#include "world/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A group takes the columns it names, or all of its unit. */
static const struct rule {
    const char *name, *title, *unit;
    const char *columns[3];
} rules[] = {
    {"energy", "Energy", "J", {NULL}},
    {"energy-error", "Energy that the books do not explain", NULL, {"energy_error", "heat_error"}},
    {"speed", "Fastest particle", "m/s", {NULL}},
    {"density-error", "Largest compression, relative", NULL, {"density_error"}},
    {"temperature", "Temperature", "°C", {NULL}},
    {"liquid-fraction", "Molten part of the mass", NULL, {"liquid_fraction"}},
    {"momentum", "Momentum", "kg m/s", {NULL}},
    {"impulse", "Impulse of walls, emitters and drains so far", "N s", {NULL}},
    {"step", "Length of a step", NULL, {"dt"}},
    {"steps", "Steps of a frame", NULL, {"steps_per_frame", "rejected_per_frame"}},
    {"iterations",
     "Iterations of a step",
     NULL,
     {"iterations_per_step", "heat_iterations_per_step"}},
    {"mass", "Mass", "kg", {NULL}},
    {"particles", "Particles", NULL, {"particles"}},
    {"wall-time", "Time of computing so far", NULL, {"wall_time"}},
};
enum { RULES = sizeof rules / sizeof *rules };

/* Drawn over, or as what follows from them. */
static const char *const known[] = {"frame",    "time",       "steps",
                                    "rejected", "iterations", "heat_iterations"};

/* Energies whose zero is arbitrary: it is their change that balances the others. */
static const char *const arbitrary[] = {"potential_energy", "thermal_energy", "bond_energy"};
static const char *const SUFFIX = "_change";

/* ---- What follows from the columns --------------------------------------------------------- */

static tl_status derive_change(tl_table *table, const char *name, tl_error *error) {
    const size_t from = tl_table_find(table, name);
    if (from == SIZE_MAX || table->rows == 0)
        return TL_OK;
    char full[TL_PLOT_NAME];
    tl_column *column;
    snprintf(full, sizeof full, "%s%s", name, SUFFIX);
    TL_TRY(tl_table_add(table, full, table->columns[from].unit, &column, error));
    const double *values = table->columns[from].values;
    for (size_t i = 0; i < table->rows; i++)
        column->values[i] = values[i] - values[0];
    return TL_OK;
}

/* What a column grows by from row to row, divided by the growth of another when there is one. */
static tl_status derive_rate(tl_table *table, const char *of, const char *by, const char *name,
                             tl_error *error) {
    const size_t a = tl_table_find(table, of), b = by ? tl_table_find(table, by) : a;
    if (a == SIZE_MAX || b == SIZE_MAX || table->rows < 2)
        return TL_OK;
    tl_column *column;
    TL_TRY(tl_table_add(table, name, "", &column, error));
    const double *x = table->columns[a].values, *y = table->columns[b].values;
    for (size_t i = 1; i < table->rows; i++) {
        const double growth = by ? y[i] - y[i - 1] : 1;
        column->values[i] = growth == 0 ? 0 : (x[i] - x[i - 1]) / growth;
    }
    column->values[0] = column->values[1];
    return TL_OK;
}

tl_status tl_plot_derive(tl_table *table, tl_error *error) {
    for (size_t i = 0; i < sizeof arbitrary / sizeof *arbitrary; i++)
        TL_TRY(derive_change(table, arbitrary[i], error));
    TL_TRY(derive_rate(table, "iterations", "steps", "iterations_per_step", error));
    TL_TRY(derive_rate(table, "heat_iterations", "steps", "heat_iterations_per_step", error));
    TL_TRY(derive_rate(table, "steps", NULL, "steps_per_frame", error));
    return derive_rate(table, "rejected", NULL, "rejected_per_frame", error);
}

/* ---- Groups -------------------------------------------------------------------------------- */

bool tl_plot_is_zero(const tl_table *table, size_t column) {
    for (size_t i = 0; i < table->rows; i++)
        if (table->columns[column].values[i] != 0)
            return false;
    return true;
}

static bool ends_in(const char *name, const char *suffix) {
    const size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static void add_column(tl_plot_group *group, size_t column) {
    if (group->count < TL_CHART_SERIES)
        group->columns[group->count++] = column;
}

/* Letters of a measure's name in that of its column, "ball.height"; 0 for columns of ledgers. */
static size_t measure_length(const char *name) {
    const char *dot = strchr(name, '.');
    return dot ? (size_t)(dot - name) : 0;
}

static bool same_measure(const char *a, const char *b) {
    const size_t length = measure_length(a);
    return length == measure_length(b) && strncmp(a, b, length) == 0;
}

/* All columns of a unit, with the change of a column in its place. */
static void add_unit(const tl_table *table, const char *unit, tl_plot_group *group) {
    for (size_t i = 0; i < table->column_count; i++) {
        char change[TL_PLOT_NAME];
        const char *name = table->columns[i].name;
        if (strcmp(table->columns[i].unit, unit) != 0 || ends_in(name, SUFFIX) ||
            measure_length(name))
            continue;
        snprintf(change, sizeof change, "%s%s", name, SUFFIX);
        const size_t other = tl_table_find(table, change);
        add_column(group, other == SIZE_MAX ? i : other);
    }
}

static tl_plot_group apply_rule(const tl_table *table, const struct rule *rule) {
    tl_plot_group group = {.title = rule->title};
    snprintf(group.name, sizeof group.name, "%s", rule->name);
    if (rule->unit)
        add_unit(table, rule->unit, &group);
    for (size_t k = 0; k < 3 && rule->columns[k]; k++) {
        const size_t column = tl_table_find(table, rule->columns[k]);
        if (column != SIZE_MAX)
            add_column(&group, column);
    }
    return group;
}

static bool has_rule(const tl_column *column) {
    if (measure_length(column->name))
        return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(column->name, known[i]) == 0)
            return true;
    for (size_t r = 0; r < RULES; r++) {
        if (rules[r].unit && strcmp(rules[r].unit, column->unit) == 0)
            return true;
        for (size_t k = 0; k < 3 && rules[r].columns[k]; k++)
            if (strcmp(rules[r].columns[k], column->name) == 0)
                return true;
    }
    return false;
}

static bool is_zero(const tl_table *table, const tl_plot_group *group) {
    for (size_t k = 0; k < group->count; k++)
        if (!tl_plot_is_zero(table, group->columns[k]))
            return false;
    return true;
}

/* Adds a column to the group of its unit after `first`, or begins one. Columns without a unit
 * seldom have a common scale and stay alone. */
static void join(const tl_table *table, size_t column, tl_plot_group *groups, size_t first,
                 size_t *count, bool alone_without_unit) {
    const char *unit = table->columns[column].unit;
    for (size_t g = first; g < *count && (*unit || !alone_without_unit); g++)
        if (strcmp(table->columns[groups[g].columns[0]].unit, unit) == 0 &&
            groups[g].count < TL_CHART_SERIES &&
            (!alone_without_unit || same_measure(table->columns[groups[g].columns[0]].name,
                                                 table->columns[column].name))) {
            add_column(&groups[g], column);
            return;
        }
    tl_plot_group *group = &groups[(*count)++];
    *group = (tl_plot_group){.columns = {column}, .count = 1};
    snprintf(group->name, sizeof group->name, "%.*s", TL_PLOT_NAME - 1,
             table->columns[column].name);
    for (char *p = group->name; *p; p++)
        *p = *p == '/' ? '-' : *p;
}

tl_status tl_plot_find_groups(const tl_table *table, tl_plot_group **out, size_t *count,
                              tl_error *error) {
    tl_plot_group *groups = tl_allocate(RULES + table->column_count, sizeof *groups);
    *out = groups;
    *count = 0;
    if (!groups)
        return tl_fail_memory(error, table->column_count, sizeof *groups);
    for (size_t r = 0; r < RULES; r++) {
        const tl_plot_group group = apply_rule(table, &rules[r]);
        if (group.count > 0)
            groups[(*count)++] = group;
    }
    const size_t first = *count;
    for (size_t c = 0; c < table->column_count; c++)
        if (!has_rule(&table->columns[c]))
            join(table, c, groups, first, count, true);
    size_t kept = 0;
    for (size_t g = 0; g < *count; g++)
        if (!is_zero(table, &groups[g]))
            groups[kept++] = groups[g];
    *count = kept;
    return TL_OK;
}

tl_status tl_plot_no_column(const tl_table *table, const char *name, const char *where,
                            tl_error *error) {
    const char **names = tl_allocate(table->column_count + 1, sizeof *names);
    char fix[160] = "the first line of the file has the names";
    if (!names)
        return tl_fail_memory(error, table->column_count, sizeof *names);
    for (size_t i = 0; i < table->column_count; i++)
        names[i] = table->columns[i].name;
    const char *nearest = tl_nearest_word(name, names, table->column_count);
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean %.100s?", nearest);
    free(names);
    return tl_fail(error, TL_BAD_INPUT, where, fix, "there is no column %s", name);
}

tl_status tl_plot_choose_groups(const tl_table *table, const char *const *names, size_t name_count,
                                const char *where, tl_plot_group **out, size_t *count,
                                tl_error *error) {
    tl_plot_group *groups = tl_allocate(name_count + 1, sizeof *groups);
    *out = groups;
    *count = 0;
    if (!groups)
        return tl_fail_memory(error, name_count, sizeof *groups);
    for (size_t i = 0; i < name_count; i++) {
        const size_t column = tl_table_find(table, names[i]);
        if (column == SIZE_MAX)
            return tl_plot_no_column(table, names[i], where, error);
        join(table, column, groups, 0, count, false);
    }
    return TL_OK;
}

bool tl_plot_knows(const char *name) {
    char change[TL_PLOT_NAME];
    for (size_t r = 0; r < RULES; r++)
        if (strcmp(rules[r].name, name) == 0)
            return true;
    for (size_t c = 0; c < tl_ledger_column_count; c++)
        if (strcmp(tl_ledger_columns[c].name, name) == 0)
            return true;
    for (size_t i = 0; i < sizeof arbitrary / sizeof *arbitrary; i++) {
        snprintf(change, sizeof change, "%s%s", arbitrary[i], SUFFIX);
        if (strcmp(change, name) == 0)
            return true;
    }
    return has_rule(&(tl_column){.name = name, .unit = ""});
}
