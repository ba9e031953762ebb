/* What a sweep leaves beside its runs: sweep.csv, plots of all over each other, and a sheet of
 * pictures. See sweep.h. */
#include "sweep.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "frames.h"
#include "output/png.h"
#include "output/vtp.h"
#include "plot.h"
#include "plot/table.h"
#include "run/picture.h"
#include "scene/scene.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sweep.csv ----------------------------------------------------------------------------- */

/* The ledgers and measures of all runs, as far as they have some. */
typedef struct tables {
    tl_table *ledger, *measures; /* [runs] */
} tables;

static void read_table(const cli_sweep_run *run, const char *name, tl_table *out) {
    char path[TL_RUN_PATH + 16];
    snprintf(path, sizeof path, "%s/%s", run->folder, name);
    if (!tl_file_exists(path) || tl_table_read(path, out, NULL) != TL_OK)
        tl_table_free(out);
}

/* A text as a field of CSV. */
static void print_field(tl_text *out, const char *text) {
    if (!strpbrk(text, ",\"\n")) {
        tl_text_print(out, "%s", text);
        return;
    }
    tl_text_print(out, "\"");
    for (; *text; text++)
        tl_text_print(out, *text == '"' ? "\"\"" : "%c", *text);
    tl_text_print(out, "\"");
}

/* The first table that has columns: it names them for all. */
static const tl_table *model_of(const tl_table *all, size_t count) {
    for (size_t r = 0; r < count; r++)
        if (all[r].rows > 0)
            return &all[r];
    return NULL;
}

static void print_columns(tl_text *out, const tl_table *model, bool measures) {
    for (size_t c = 0; model && c < model->column_count; c++) {
        const tl_column *column = &model->columns[c];
        if (measures && !strchr(column->name, '.'))
            continue; /* frame and time are the ledger's */
        tl_text_print(out, *column->unit ? ",%s [%s]" : ",%s", column->name, column->unit);
    }
}

static void print_last(tl_text *out, const tl_table *model, const tl_table *own, bool measures) {
    for (size_t c = 0; model && c < model->column_count; c++) {
        const char *name = model->columns[c].name;
        if (measures && !strchr(name, '.'))
            continue;
        const size_t column = own->rows > 0 ? tl_table_find(own, name) : SIZE_MAX;
        tl_text_print(out, ",");
        if (column != SIZE_MAX)
            tl_text_number(out, own->columns[column].values[own->rows - 1]);
    }
}

static void print_table(const cli_sweep *s, const tables *t, tl_text *out) {
    const tl_table *ledger = model_of(t->ledger, s->run_count);
    const tl_table *measures = model_of(t->measures, s->run_count);
    tl_text_print(out, "run");
    for (size_t k = 0; k < s->key_count; k++)
        tl_text_print(out, ",%s", s->keys[k].key);
    tl_text_print(out, ",state,message");
    print_columns(out, ledger, false);
    print_columns(out, measures, true);
    for (size_t r = 0; r < s->run_count; r++) {
        tl_run_result result;
        const tl_run_state state = cli_sweep_state(&s->runs[r], &result);
        tl_text_print(out, "\n");
        print_field(out, s->runs[r].name);
        for (size_t k = 0; k < s->key_count; k++) {
            tl_text_print(out, ",");
            print_field(out, s->runs[r].values[k]);
        }
        tl_text_print(out, ",%s,", state == TL_RUN_UNKNOWN ? "missing" : tl_run_state_name(state));
        print_field(out, result.message);
        print_last(out, ledger, &t->ledger[r], false);
        print_last(out, measures, &t->measures[r], true);
    }
    tl_text_print(out, "\n");
}

static tl_status write_table(const cli_sweep *s, const tables *t, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_text text = {0};
    tl_file file;
    print_table(s, t, &text);
    tl_status status = text.failed
                           ? tl_fail_memory(error, 1, text.length)
                           : tl_file_begin(&file, tl_run_path(s->folder, path, "sweep.csv"), error);
    if (status == TL_OK) {
        fwrite(text.bytes, 1, text.length, file.stream);
        status = tl_file_commit(&file, error);
    }
    free(text.bytes);
    return status;
}

/* ---- Plots --------------------------------------------------------------------------------- */

/* As many as a plot can tell apart. */
static tl_status draw_plots(const cli_sweep *s, const tables *t, tl_error *error) {
    char *folders[TL_PLOT_RUNS], target[TL_RUN_PATH];
    size_t count = 0;
    for (size_t r = 0; r < s->run_count && count < TL_PLOT_RUNS; r++)
        if (t->ledger[r].rows > 0)
            folders[count++] = s->runs[r].folder;
    tl_plot_options options = {.title = s->scene};
    return count < 2 ? TL_OK
                     : cli_plot_runs(folders, count, tl_run_path(s->folder, target, "plots"),
                                     &options, error);
}

/* ---- The sheet ----------------------------------------------------------------------------- */

enum { GAP = 4, PANEL = 480, MOST_PANELS = 100 };

typedef struct sheet {
    size_t columns, rows;
    int width, height; /* of a panel */
    unsigned char *pixels, *panel;
} sheet;

/* The last frame of a run, with its name. False when there is none that can be drawn. */
static bool paint_run(const cli_sweep_run *run, const sheet *on, tl_error *error) {
    char path[TL_RUN_PATH + 32];
    int64_t *frames = NULL;
    size_t count = 0;
    tl_scene *scene = NULL;
    tl_picture *picture = NULL;
    tl_frame frame = {0};
    snprintf(path, sizeof path, "%s/run.yaml", run->folder);
    tl_status status = tl_scene_load_file(path, NULL, &scene, error);
    if (status == TL_OK)
        status = cli_find_frames(run->folder, 0, INT64_MAX, &frames, &count, error);
    if (status == TL_OK) {
        snprintf(path, sizeof path, "%s/frames/%05lld.vtp", run->folder,
                 (long long)frames[count - 1]);
        status = tl_vtp_read(path, &frame, error);
    }
    if (status == TL_OK) {
        tl_picture_options options = tl_picture_options_of(scene);
        options.width = on->width;
        options.height = on->height;
        options.title = run->name;
        status = tl_picture_create(scene, &options, &picture, error);
    }
    if (status == TL_OK)
        status = tl_picture_paint(picture, &frame, on->panel, error);
    tl_picture_destroy(picture);
    tl_frame_free(&frame);
    tl_array_free(frames);
    tl_scene_destroy(scene);
    return status == TL_OK;
}

static void put(const sheet *s, size_t place) {
    const size_t wide = s->columns * (size_t)(s->width + GAP) - GAP;
    const size_t x = place % s->columns * (size_t)(s->width + GAP);
    const size_t y = place / s->columns * (size_t)(s->height + GAP);
    for (size_t j = 0; j < (size_t)s->height; j++)
        memcpy(s->pixels + 3 * ((y + j) * wide + x), s->panel + 3 * (size_t)s->width * j,
               3 * (size_t)s->width);
}

static tl_status draw_sheet(const cli_sweep *s, const tables *t, tl_error *error) {
    const tl_parallel parallel = tl_parallel_create(0);
    char path[TL_RUN_PATH];
    size_t count = 0, painted = 0;
    for (size_t r = 0; r < s->run_count; r++)
        count += t->ledger[r].rows > 0;
    count = count < MOST_PANELS ? count : MOST_PANELS;
    if (count == 0)
        return TL_OK;
    sheet all = {
        .columns = (size_t)ceil(sqrt((double)count)), .width = PANEL, .height = PANEL * 3 / 4};
    all.rows = (count + all.columns - 1) / all.columns;
    const size_t wide = all.columns * (size_t)(all.width + GAP) - GAP;
    const size_t high = all.rows * (size_t)(all.height + GAP) - GAP;
    all.pixels = tl_allocate(wide * high, 3);
    all.panel = tl_allocate((size_t)all.width * (size_t)all.height, 3);
    tl_status status = all.pixels && all.panel ? TL_OK : tl_fail_memory(error, wide * high, 3);
    if (status == TL_OK)
        memset(all.pixels, 255, 3 * wide * high);
    for (size_t r = 0; status == TL_OK && r < s->run_count && painted < count; r++)
        if (t->ledger[r].rows > 0 && paint_run(&s->runs[r], &all, error))
            put(&all, painted++);
    if (status == TL_OK && painted > 0)
        status = tl_png_write(tl_run_path(s->folder, path, "sheet.png"), all.pixels, wide, high,
                              &parallel, error);
    free(all.pixels);
    free(all.panel);
    return status;
}

/* ---- All ----------------------------------------------------------------------------------- */

int cli_sweep_report(const cli_sweep *s) {
    tables t = {tl_allocate(s->run_count, sizeof *t.ledger),
                tl_allocate(s->run_count, sizeof *t.measures)};
    tl_error error = {0};
    tl_status status =
        t.ledger && t.measures ? TL_OK : tl_fail_memory(&error, s->run_count, sizeof *t.ledger);
    for (size_t r = 0; status == TL_OK && r < s->run_count; r++) {
        read_table(&s->runs[r], "ledger.csv", &t.ledger[r]);
        read_table(&s->runs[r], "measures.csv", &t.measures[r]);
    }
    if (status == TL_OK)
        status = write_table(s, &t, &error);
    if (status == TL_OK)
        status = draw_plots(s, &t, &error);
    if (status == TL_OK)
        status = draw_sheet(s, &t, &error);
    if (status != TL_OK)
        cli_complain_error(&error);
    else if (!s->quiet)
        printf("%s/sweep.csv has a row a run\n", s->folder);
    for (size_t r = 0; t.ledger && t.measures && r < s->run_count; r++) {
        tl_table_free(&t.ledger[r]);
        tl_table_free(&t.measures[r]);
    }
    free(t.ledger);
    free(t.measures);
    return cli_exit_code(status);
}
