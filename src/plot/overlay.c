/* See overlay.h. */
#include "plot/overlay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct overlay {
    const tl_table *tables;
    const char *const *labels;
    size_t count;
    const char *over;
    tl_table *out;
    tl_plot_group *groups;
    size_t group_count;
} overlay;

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All places along the axis, in order, each once. */
static tl_status unite(overlay *o, tl_error *error) {
    size_t most = 0, kept = 0;
    for (size_t t = 0; t < o->count; t++)
        most += o->tables[t].rows;
    double *all = tl_allocate(most + 1, sizeof *all);
    if (!all)
        return tl_fail_memory(error, most, sizeof *all);
    size_t n = 0;
    const char *unit = "";
    for (size_t t = 0; t < o->count; t++) {
        const tl_column *x = &o->tables[t].columns[tl_table_find(&o->tables[t], o->over)];
        unit = x->unit;
        for (size_t r = 0; r < o->tables[t].rows; r++)
            if (isfinite(x->values[r]))
                all[n++] = x->values[r];
    }
    qsort(all, n, sizeof *all, compare_numbers);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || all[i] > all[kept - 1])
            all[kept++] = all[i];
    o->out->rows = kept;
    tl_column *column;
    const tl_status status = tl_table_add(o->out, o->over, unit, &column, error);
    if (status == TL_OK)
        memcpy(column->values, all, kept * sizeof *all);
    free(all);
    return status;
}

/* The value at x of rows whose places grow; `*at` is the row before it, from the last call. */
static double value_at(const double *places, const double *values, size_t rows, double x,
                       size_t *at) {
    if (rows == 0 || x < places[0] || x > places[rows - 1])
        return (double)NAN;
    while (*at + 1 < rows && places[*at + 1] <= x)
        (*at)++;
    if (places[*at] == x || *at + 1 == rows)
        return values[*at];
    const double part = (x - places[*at]) / (places[*at + 1] - places[*at]);
    return values[*at] + part * (values[*at + 1] - values[*at]);
}

static tl_status lay(overlay *o, size_t t, size_t column, tl_error *error) {
    const tl_table *table = &o->tables[t];
    const double *places = table->columns[tl_table_find(table, o->over)].values;
    tl_column *made;
    TL_TRY(tl_table_add(o->out, o->labels[t], table->columns[column].unit, &made, error));
    size_t at = 0;
    for (size_t r = 0; r < o->out->rows; r++)
        made->values[r] = value_at(places, table->columns[column].values, table->rows,
                                   o->out->columns[0].values[r], &at);
    return TL_OK;
}

/* A group of all tables that have the column. */
static tl_status add_group(overlay *o, const char *name, tl_error *error) {
    tl_plot_group *group = &o->groups[o->group_count];
    *group = (tl_plot_group){.count = 0};
    snprintf(group->name, sizeof group->name, "%s", name);
    for (size_t t = 0; t < o->count && group->count < TL_CHART_SERIES; t++) {
        const size_t column = tl_table_find(&o->tables[t], name);
        if (column == SIZE_MAX)
            continue;
        TL_TRY(lay(o, t, column, error));
        group->columns[group->count++] = o->out->column_count - 1;
    }
    o->group_count++;
    return TL_OK;
}

static bool is_shared(const overlay *o, const char *name) {
    size_t tables = 0;
    bool some = false;
    if (strcmp(name, o->over) == 0 || strcmp(name, "frame") == 0)
        return false;
    for (size_t t = 0; t < o->count; t++) {
        const size_t column = tl_table_find(&o->tables[t], name);
        tables += column != SIZE_MAX;
        some = some || (column != SIZE_MAX && !tl_plot_is_zero(&o->tables[t], column));
    }
    return some && tables > 1;
}

/* Rows must go forward along the axis. */
static tl_status check(const overlay *o, tl_error *error) {
    for (size_t t = 0; t < o->count; t++) {
        const size_t over = tl_table_find(&o->tables[t], o->over);
        if (over == SIZE_MAX)
            return tl_plot_no_column(&o->tables[t], o->over, o->labels[t], error);
        const double *x = o->tables[t].columns[over].values;
        for (size_t r = 1; r < o->tables[t].rows; r++)
            if (!(x[r] >= x[r - 1]))
                return tl_fail(error, TL_BAD_INPUT, o->labels[t],
                               "lay runs over each other over "
                               "time",
                               "%s goes back from row to row", o->over);
    }
    return TL_OK;
}

tl_status tl_plot_overlay(const tl_table *tables, const char *const *labels, size_t count,
                          const char *over, const char *const *names, size_t name_count,
                          tl_table *out, tl_plot_group **groups, size_t *group_count,
                          tl_error *error) {
    size_t most = name_count + 1;
    for (size_t t = 0; t < count; t++)
        most += tables[t].column_count;
    overlay o = {tables, labels, count, over, out, tl_allocate(most, sizeof *o.groups), 0};
    *groups = o.groups;
    *group_count = 0;
    if (!o.groups)
        return tl_fail_memory(error, most, sizeof *o.groups);
    TL_TRY(check(&o, error));
    TL_TRY(unite(&o, error));
    for (size_t n = 0; n < name_count; n++) {
        size_t known = 0;
        for (size_t t = 0; t < count; t++)
            known += tl_table_find(&tables[t], names[n]) != SIZE_MAX;
        if (known == 0)
            return tl_plot_no_column(&tables[0], names[n], labels[0], error);
        TL_TRY(add_group(&o, names[n], error));
    }
    for (size_t c = 0; c < tables[0].column_count && name_count == 0; c++)
        if (is_shared(&o, tables[0].columns[c].name))
            TL_TRY(add_group(&o, tables[0].columns[c].name, error));
    *group_count = o.group_count;
    return TL_OK;
}
