/* See plot.h. */
#include "plot/plot.h"

#include "base/file.h"
#include "plot/groups.h"
#include "plot/overlay.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1280, HEIGHT = 800, LEAST = 160, MOST = 16384, LONGEST_NAME = 200 };

static const char *const OVERVIEW = "overview", *const MEASURES = "measures";
static const double PANEL = 0.45; /* of a sheet, relative to a plot */

_Static_assert((int)TL_PLOT_RUNS <= (int)TL_CHART_SERIES, "a curve a run");

typedef struct plotter {
    const tl_plot_options *options;
    const char *path, *folder;
    tl_table table;
    size_t over; /* column */
    tl_plot_group *groups;
    size_t group_count;
    double width, height;
    const tl_plot_run *runs;
    size_t run_count;
    bool overlay; /* of runs: a group is a column, its columns are runs */
} plotter;

/* ---- Charts -------------------------------------------------------------------------------- */

/* The texts of a chart. Zero-initialise. */
typedef struct words {
    char name[TL_CHART_SERIES][TL_PLOT_NAME], x[TL_PLOT_NAME], title[256], note[512];
} words;

/* A column's name as words. */
static void print_name(const char *column, char *out) {
    snprintf(out, TL_PLOT_NAME, "%s", column);
    for (char *p = out; *p; p++)
        *p = *p == '_' ? ' ' : *p;
}

static void append(char *out, size_t size, const char *separator, const char *text) {
    const size_t length = strlen(out);
    snprintf(out + length, size - length, "%s%s", length > 0 ? separator : "", text);
}

/* A group as a chart. Columns that are zero throughout become a word of the note, unless the user
 * asked for them. */
static tl_chart make_chart(const plotter *p, const tl_plot_group *group, words *w) {
    const bool keeps_zeros = p->options->column_count > 0 || group->count == 1 || p->overlay;
    const tl_column *over = &p->table.columns[p->over];
    tl_chart chart = {.x = over->values,
                      .x_name = w->x,
                      .x_unit = over->unit,
                      .y_unit = p->table.columns[group->columns[0]].unit,
                      .y_name = "",
                      .note = w->note,
                      .title = w->title,
                      .rows = p->table.rows,
                      .log_x = p->options->log_x,
                      .log_y = p->options->log_y};
    char zeros[400] = "";
    print_name(over->name, w->x);
    for (size_t k = 0; k < group->count; k++) {
        const tl_column *column = &p->table.columns[group->columns[k]];
        char *name = w->name[chart.series_count];
        if (p->overlay)
            snprintf(name, TL_PLOT_NAME, "%s", column->name);
        else
            print_name(column->name, name);
        if (!group->title && !p->overlay)
            append(w->title, sizeof w->title, ", ", name);
        if (!keeps_zeros && tl_plot_is_zero(&p->table, group->columns[k]))
            append(zeros, sizeof zeros, ", ", name);
        else
            chart.series[chart.series_count++] = (tl_series){name, column->values};
    }
    if (group->title)
        snprintf(w->title, sizeof w->title, "%s", group->title);
    else if (p->overlay)
        print_name(group->name, w->title);
    if (*zeros)
        snprintf(w->note, sizeof w->note, "zero throughout: %s", zeros);
    if (group->title && chart.series_count == 1)
        chart.y_name = w->name[0];
    if (*w->title >= 'a' && *w->title <= 'z')
        *w->title = (char)(*w->title - 'a' + 'A');
    return chart;
}

static tl_status draw_group(const plotter *p, const tl_plot_group *group, tl_drawing *page,
                            double x, double y, double width, double height, tl_error *error) {
    words w = {0};
    const tl_chart chart = make_chart(p, group, &w);
    return tl_chart_draw(&chart, page, x, y, width, height, error);
}

/* ---- Files --------------------------------------------------------------------------------- */

static tl_status save(const plotter *p, const tl_drawing *page, const char *name, const char *title,
                      tl_error *error) {
    static const char *const suffixes[] = {"svg", "png"};
    const unsigned wanted = p->options->formats ? p->options->formats : TL_PLOT_SVG | TL_PLOT_PNG;
    const tl_parallel parallel = tl_parallel_create(p->options->threads);
    for (unsigned k = 0; k < 2; k++) {
        char path[1024];
        if (!(wanted & 1U << k))
            continue;
        if ((size_t)snprintf(path, sizeof path, "%s/%s.%s", p->folder, name, suffixes[k]) >=
            sizeof path)
            return tl_fail(error, TL_IO_FAILED, NULL, "use a shorter folder name", "path too long");
        TL_TRY(k == 0 ? tl_drawing_write_svg(page, title, path, error)
                      : tl_drawing_write_png(page, &parallel, path, error));
        if (p->options->wrote)
            p->options->wrote(p->options->context, path);
    }
    return TL_OK;
}

static tl_status write_group(const plotter *p, const tl_plot_group *group, tl_error *error) {
    tl_drawing page = {.width = p->width, .height = p->height};
    tl_status status = draw_group(p, group, &page, 0, 0, p->width, p->height, error);
    if (status == TL_OK)
        status = save(p, &page, group->name, group->title ? group->title : group->name, error);
    tl_drawing_free(&page);
    return status;
}

/* The columns that the user chose: one chart a unit, one below the other, axes aligned. */
static tl_status write_chosen(const plotter *p, tl_error *error) {
    tl_drawing page = {.width = p->width, .height = p->height};
    const double height = floor(p->height / (double)p->group_count);
    char name[LONGEST_NAME] = "";
    double left = 0, right = 0;
    for (size_t g = 0; g < p->group_count; g++) {
        double chart_left, chart_right;
        words w = {0};
        const tl_chart chart = make_chart(p, &p->groups[g], &w);
        tl_chart_margins(&chart, p->width, height, &chart_left, &chart_right);
        left = fmax(left, chart_left);
        right = fmax(right, chart_right);
    }
    tl_status status = TL_OK;
    for (size_t g = 0; g < p->group_count && status == TL_OK; g++) {
        words w = {0};
        tl_chart chart = make_chart(p, &p->groups[g], &w);
        chart.least_left = left;
        chart.least_right = right;
        status = tl_chart_draw(&chart, &page, 0, height * (double)g, p->width, height, error);
    }
    for (size_t i = 0; i < p->options->column_count; i++)
        append(name, sizeof name, "+", p->options->columns[i]);
    for (char *c = name; *c; c++)
        *c = *c == '/' ? '-' : *c;
    if (status == TL_OK)
        status = save(p, &page, name, name, error);
    tl_drawing_free(&page);
    return status;
}

static void draw_head(const plotter *p, tl_drawing *page, double size) {
    const double *x = p->table.columns[p->over].values;
    char over[TL_PLOT_NAME], about[256];
    print_name(p->table.columns[p->over].name, over);
    snprintf(about, sizeof about, "%zu row%s, %s %g to %g %s", p->table.rows,
             p->table.rows == 1 ? "" : "s", over, x[0], x[p->table.rows - 1],
             p->table.columns[p->over].unit);
    tl_draw_text_within(page, size, 2.2 * size, p->options->title ? p->options->title : "Ledger",
                        page->width - 2 * size,
                        (tl_lettering){0x222222, 1.6 * size, TL_ANCHOR_START, true});
    tl_draw_text_within(page, size, 4 * size, about, page->width - 2 * size,
                        (tl_lettering){0x666666, size, TL_ANCHOR_START, false});
}

static tl_status write_overview(const plotter *p, tl_error *error) {
    const size_t columns = p->group_count <= 1 ? 1 : p->group_count <= 4 ? 2 : 3;
    const size_t rows = (p->group_count + columns - 1) / columns;
    const double width = ceil(PANEL * p->width), height = ceil(PANEL * p->height);
    const double size = tl_chart_text_size(width, height), head = ceil(5.5 * size);
    tl_drawing page = {.width = width * (double)columns, .height = head + height * (double)rows};
    tl_status status = TL_OK;
    draw_head(p, &page, size);
    for (size_t g = 0; g < p->group_count && status == TL_OK; g++)
        status = draw_group(p, &p->groups[g], &page, width * (double)(g % columns),
                            head + height * (double)(g / columns), width, height, error);
    if (status == TL_OK)
        status = save(p, &page, p->options->overview ? p->options->overview : OVERVIEW,
                      p->options->title ? p->options->title : "Ledger", error);
    tl_drawing_free(&page);
    return status;
}

/* ---- All ----------------------------------------------------------------------------------- */

static tl_status check_size(plotter *p, tl_error *error) {
    p->width = p->options->width ? p->options->width : WIDTH;
    p->height = p->options->height ? p->options->height : HEIGHT;
    if (p->width < LEAST || p->height < LEAST || p->width > MOST || p->height > MOST)
        return tl_fail(error, TL_BAD_INPUT, NULL, NULL,
                       "a plot of %.0f x %.0f pixels: %d to %d each way are possible", p->width,
                       p->height, LEAST, MOST);
    return TL_OK;
}

static tl_status read_ledger(plotter *p, tl_error *error) {
    const char *over = p->options->over ? p->options->over : "time";
    TL_TRY(tl_table_read(p->path, &p->table, error));
    if (p->table.rows == 0)
        return tl_fail(error, TL_BAD_INPUT, p->path, "wait for the first frame",
                       "the ledger has no row yet");
    TL_TRY(tl_plot_derive(&p->table, error));
    p->over = tl_table_find(&p->table, over);
    if (p->over == SIZE_MAX)
        return tl_plot_no_column(&p->table, over, p->path, error);
    if (p->options->column_count > 0)
        return tl_plot_choose_groups(&p->table, p->options->columns, p->options->column_count,
                                     p->path, &p->groups, &p->group_count, error);
    TL_TRY(tl_plot_find_groups(&p->table, &p->groups, &p->group_count, error));
    if (p->group_count == 0)
        return tl_fail(error, TL_BAD_INPUT, p->path, NULL,
                       "nothing to plot: every column is zero throughout");
    return TL_OK;
}

static tl_status lay_over(plotter *p, tl_table *tables, const char **labels, tl_error *error) {
    const tl_plot_options *o = p->options;
    for (size_t r = 0; r < p->run_count; r++) {
        labels[r] = p->runs[r].label;
        TL_TRY(tl_table_read(p->runs[r].path, &tables[r], error));
        if (tables[r].rows == 0)
            return tl_fail(error, TL_BAD_INPUT, p->runs[r].path, "wait for the first frame",
                           "the ledger has no row yet");
        TL_TRY(tl_plot_derive(&tables[r], error));
    }
    TL_TRY(tl_plot_overlay(tables, labels, p->run_count, o->over ? o->over : "time", o->columns,
                           o->column_count, &p->table, &p->groups, &p->group_count, error));
    return p->group_count > 0 ? TL_OK
                              : tl_fail(error, TL_BAD_INPUT, p->runs[0].path, NULL,
                                        "nothing to plot: the runs share no column with values");
}

static tl_status read_runs(plotter *p, tl_error *error) {
    if (p->run_count > TL_PLOT_RUNS)
        return tl_fail(error, TL_BAD_INPUT, NULL, "plot some of them",
                       "%zu runs: at most %d can be laid over each other", p->run_count,
                       TL_PLOT_RUNS);
    tl_table *tables = tl_allocate(p->run_count, sizeof *tables);
    const char **labels = tl_allocate(p->run_count, sizeof *labels);
    tl_status status = tables && labels ? lay_over(p, tables, labels, error)
                                        : tl_fail_memory(error, p->run_count, sizeof *tables);
    for (size_t r = 0; tables && r < p->run_count; r++)
        tl_table_free(&tables[r]);
    free(tables);
    free(labels);
    return status;
}

static tl_status draw_all(plotter *p, tl_error *error) {
    TL_TRY(check_size(p, error));
    TL_TRY(p->overlay ? read_runs(p, error) : read_ledger(p, error));
    TL_TRY(tl_folder_make(p->folder, error));
    if (p->options->column_count > 0)
        return write_chosen(p, error);
    for (size_t g = 0; g < p->group_count && !p->options->only_overview; g++)
        TL_TRY(write_group(p, &p->groups[g], error));
    return write_overview(p, error);
}

/* Numbers are read and printed with a point, whatever the locale of the program. */
static tl_status draw_with_points(plotter *p, tl_error *error) {
    const locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    const locale_t before = c ? uselocale(c) : (locale_t)0;
    const tl_status status = draw_all(p, error);
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    free(p->groups);
    tl_table_free(&p->table);
    return status;
}

tl_status tl_plot_ledger(const char *path, const char *folder, const tl_plot_options *options,
                         tl_error *error) {
    plotter p = {.options = options, .path = path, .folder = folder};
    return draw_with_points(&p, error);
}

tl_status tl_plot_runs(const tl_plot_run *runs, size_t count, const char *folder,
                       const tl_plot_options *options, tl_error *error) {
    plotter p = {
        .options = options, .folder = folder, .runs = runs, .run_count = count, .overlay = true};
    return draw_with_points(&p, error);
}

bool tl_plot_makes(const char *file_name) {
    char stem[LONGEST_NAME];
    const char *dot = strrchr(file_name, '.');
    if (!dot || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".png") != 0) ||
        (size_t)(dot - file_name) >= sizeof stem)
        return false;
    memcpy(stem, file_name, (size_t)(dot - file_name));
    stem[dot - file_name] = 0;
    if (strcmp(stem, OVERVIEW) == 0 || strcmp(stem, MEASURES) == 0)
        return true;
    for (char *part = stem, *next; part; part = next) {
        next = strchr(part, '+');
        if (next)
            *next++ = 0;
        if (!tl_plot_knows(part))
            return false;
    }
    return true;
}
