/* `tallow info`: a run at a glance, from the files of its folder. */
#include "base/file.h"
#include "command.h"
#include "plot/table.h"
#include "run/books.h"
#include "run/folder.h"
#include "scene/scene.h"
#include "terminal.h"

#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct facts {
    const char *folder, *state;
    tl_scene *scene;
    tl_run_result result;
    tl_books_row *rows;
    size_t row_count, snapshot_count;
    int64_t resume_frame; /* -1: from the beginning */
    double bytes;
    size_t warning_count, error_count;
    tl_table measures; /* without columns when nothing is measured */
} facts;

/* nftw has no context; the folder of one run is measured at a time. */
static double measured_bytes;

static int add_size(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)path, (void)place;
    if (type == FTW_F)
        measured_bytes += (double)status->st_size;
    return 0;
}

static double measure_folder(const char *folder) {
    measured_bytes = 0;
    nftw(folder, add_size, 16, FTW_PHYS);
    return measured_bytes;
}

/* Lines of log.txt of a level. */
static void count_messages(facts *f) {
    char path[TL_RUN_PATH], line[2048];
    FILE *log = fopen(tl_run_path(f->folder, path, "log.txt"), "r");
    if (!log)
        return;
    while (fgets(line, sizeof line, log)) {
        char word[16];
        if (sscanf(line, "%*f %15s", word) != 1)
            continue;
        f->warning_count += strcmp(word, "warning") == 0;
        f->error_count += strcmp(word, "error") == 0;
    }
    fclose(log);
}

static const char *name_state(const facts *f) {
    if (tl_run_folder_is_locked(f->folder))
        return "running";
    return f->result.state == TL_RUN_UNKNOWN ? "killed" : tl_run_state_name(f->result.state);
}

static tl_status gather(facts *f, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_run_snapshot *snapshots;
    if (!tl_file_exists(tl_run_path(f->folder, path, "run.yaml")))
        return tl_fail(error, TL_BAD_INPUT, f->folder,
                       "name the folder of a run, such as out/dam-break",
                       tl_file_exists(f->folder) ? "no run.yaml in this folder" : "no such folder");
    TL_TRY(tl_scene_load_file(path, NULL, &f->scene, error));
    TL_TRY(tl_run_result_read(tl_run_path(f->folder, path, "result.json"), &f->result, error));
    TL_TRY(
        tl_books_read(tl_run_path(f->folder, path, "ledger.csv"), &f->rows, &f->row_count, error));
    TL_TRY(tl_run_snapshots(f->folder, &snapshots, &f->snapshot_count, error));
    f->resume_frame = f->snapshot_count > 0 ? snapshots[f->snapshot_count - 1].frame : -1;
    tl_array_free(snapshots);
    if (tl_file_exists(tl_run_path(f->folder, path, "measures.csv")))
        TL_TRY(tl_table_read(path, &f->measures, error));
    f->bytes = measure_folder(f->folder);
    f->state = name_state(f);
    count_messages(f);
    return TL_OK;
}

static double column(const tl_books_row *row, size_t i) {
    double value;
    memcpy(&value, (const char *)&row->ledger + tl_ledger_columns[i].offset, sizeof value);
    return value;
}

/* The last frame, or one of zeros when there is none yet. */
static tl_books_row last_row(const facts *f) {
    return f->row_count > 0 ? f->rows[f->row_count - 1] : (tl_books_row){0};
}

/* ---- For people ---------------------------------------------------------------------------- */

static void print_state(const facts *f, const cli_style *style) {
    const tl_books_row last = last_row(f);
    const bool is_finished = strcmp(f->state, "finished") == 0;
    printf("%s%s%s: %s\n", style->bold, f->folder, style->reset,
           f->scene->title ? f->scene->title : "untitled");
    printf("  state      %s%s%s", is_finished ? style->green : style->yellow, f->state,
           style->reset);
    if (f->row_count > 0)
        printf(", frame %" PRId64 ", t = %g of %g s", last.frame, last.ledger.time,
               f->scene->duration);
    printf("\n");
    if (*f->result.message)
        printf("  because    %s\n", f->result.message);
    if (!is_finished && strcmp(f->state, "running") != 0) {
        printf("  to go on   tallow resume %s", f->folder);
        if (f->resume_frame >= 0)
            printf("   (from frame %" PRId64 ")\n", f->resume_frame);
        else
            printf("   (from the beginning)\n");
    }
}

static void print_size(const facts *f) {
    char particles[CLI_SHORT], bytes[CLI_SHORT], clock[CLI_SHORT], speed[CLI_SHORT];
    const tl_books_row last = last_row(f);
    printf("  size       %s on disk, %zu snapshot%s", cli_bytes(f->bytes, bytes), f->snapshot_count,
           f->snapshot_count == 1 ? "" : "s");
    if (f->row_count > 0)
        printf(", %s particles", cli_count(last.ledger.particles, particles));
    printf("\n");
    if (f->row_count > 0 && last.wall_time > 0) {
        const double updates = last.ledger.steps * last.ledger.particles / last.wall_time;
        printf("  speed      %.0f steps (%.0f rejected) in %s, %s updates/s all in\n",
               last.ledger.steps, last.ledger.rejected, cli_clock(last.wall_time, clock),
               cli_count(updates, speed));
    }
    if (f->warning_count + f->error_count > 0)
        printf("  log        %zu warning%s, %zu error%s: see log.txt\n", f->warning_count,
               f->warning_count == 1 ? "" : "s", f->error_count, f->error_count == 1 ? "" : "s");
    if (f->result.hash)
        printf("  hash       %016" PRIx64 "\n", f->result.hash);
}

/* How well the books balance: the unexplained energy against the largest energy there was. */
static double energy_scale(const facts *f) {
    double scale = 0;
    for (size_t i = 0; i < f->row_count; i++) {
        const tl_ledger *l = &f->rows[i].ledger;
        scale = fmax(scale, fabs(l->kinetic_energy));
        scale = fmax(scale, fabs(l->potential_energy - f->rows[0].ledger.potential_energy));
        scale = fmax(scale, fabs(l->elastic_energy));
        scale = fmax(scale, fabs(l->emitted_energy));
    }
    return scale;
}

/* The lines at the head of run.yaml that tell how the flow is solved. */
static void print_reasons(const facts *f) {
    char path[TL_RUN_PATH], line[256];
    FILE *file = fopen(tl_run_path(f->folder, path, "run.yaml"), "r");
    while (file && fgets(line, sizeof line, file) && *line == '#') {
        const size_t margin = strlen(TL_RUN_REASON);
        char *colon = strchr(line, ':');
        if (strncmp(line, TL_RUN_REASON, margin) != 0 || !colon)
            continue;
        *colon = 0;
        printf("  %-10s%s", line + margin, colon + 1);
    }
    if (file)
        fclose(file);
}

static void print_warnings(const facts *f, const cli_style *style) {
    for (size_t i = 0; i < f->result.warning_count; i++) {
        const tl_warning *w = &f->result.warnings[i];
        printf("  %s%-10s%s %s; first at %.4g s, found %" PRIu64 " time%s\n", style->yellow,
               w->code, style->reset, w->message, w->first_time, w->count,
               w->count == 1 ? "" : "s");
    }
}

/* Columns of models that the scene does not have are zero in all rows. */
static bool says_something(const facts *f, size_t i) {
    bool some = false;
    for (size_t r = 0; r < f->row_count && !some; r++)
        some = column(&f->rows[r], i) != 0;
    return some;
}

static void print_ledger(const facts *f, const cli_style *style) {
    if (f->row_count == 0)
        return;
    const tl_books_row *first = &f->rows[0], *last = &f->rows[f->row_count - 1];
    printf("\n  %s%-17s %14s %14s%s\n", style->dim, "ledger", "first frame", "last frame",
           style->reset);
    for (size_t i = 0; i < tl_ledger_column_count; i++)
        if (says_something(f, i))
            printf("  %-17s %14.6g %14.6g  %s\n", tl_ledger_columns[i].name, column(first, i),
                   column(last, i), tl_ledger_columns[i].unit);
    const double scale = energy_scale(f), all = first->ledger.mass + last->ledger.emitted_mass;
    const double left =
        last->ledger.boiled_mass + last->ledger.drained_mass + last->ledger.soaked_mass;
    printf("\n  mass drifted by %.2g of itself",
           all > 0 ? fabs(last->ledger.mass + left - all) / all : 0);
    if (scale > 0)
        printf("; unexplained energy is %.2g of the largest exchanged",
               fabs(last->ledger.energy_error) / scale);
    printf("\n");
}

static void print_measures(const facts *f, const cli_style *style) {
    const tl_table *t = &f->measures;
    if (t->rows == 0)
        return;
    printf("\n  %s%-28s %14s %14s%s\n", style->dim, "measures", "first row", "last row",
           style->reset);
    for (size_t i = 0; i < t->column_count; i++)
        if (strchr(t->columns[i].name, '.'))
            printf("  %-28s %14.6g %14.6g  %s\n", t->columns[i].name, t->columns[i].values[0],
                   t->columns[i].values[t->rows - 1], t->columns[i].unit);
}

/* ---- For programs -------------------------------------------------------------------------- */

static void print_row_object(const char *name, const tl_books_row *row) {
    printf(",\n  \"%s\": {\"frame\": %" PRId64, name, row->frame);
    for (size_t i = 0; i < tl_ledger_column_count; i++)
        printf(", \"%s\": %.17g", tl_ledger_columns[i].name, column(row, i));
    printf(", \"wall_time\": %.3f}", row->wall_time);
}

static void print_warning_objects(const facts *f) {
    printf(",\n  \"doubts\": [");
    for (size_t i = 0; i < f->result.warning_count; i++) {
        const tl_warning *w = &f->result.warnings[i];
        printf("%s{\"code\": \"%s\", \"first_time\": %.9g, \"worst\": %.6g, \"limit\": %.6g, "
               "\"count\": %" PRIu64 ", \"message\": ",
               i ? ", " : "", w->code, w->first_time, w->worst, w->limit, w->count);
        cli_print_json(stdout, w->message);
        printf("}");
    }
    printf("]");
}

/* JSON has no word for what is no number. */
static void print_measure_object(const facts *f) {
    const tl_table *t = &f->measures;
    printf(",\n  \"measures\": {");
    for (size_t i = 0, n = 0; i < t->column_count; i++) {
        if (!strchr(t->columns[i].name, '.'))
            continue;
        fputs(n++ ? ", " : "", stdout);
        cli_print_json(stdout, t->columns[i].name);
        const double last = t->columns[i].values[t->rows - 1];
        if (isfinite(last))
            printf(": %.17g", last);
        else
            printf(": null");
    }
    printf("}");
}

static void print_object(const facts *f) {
    printf("{\n  \"folder\": ");
    cli_print_json(stdout, f->folder);
    printf(",\n  \"title\": ");
    cli_print_json(stdout, f->scene->title ? f->scene->title : "");
    printf(",\n  \"state\": \"%s\",\n  \"message\": ", f->state);
    cli_print_json(stdout, f->result.message);
    printf(",\n  \"duration\": %.17g,\n  \"bytes\": %.0f,\n  \"snapshots\": %zu,\n"
           "  \"resume_frame\": %" PRId64 ",\n  \"warnings\": %zu,\n  \"errors\": %zu,\n"
           "  \"hash\": \"%016" PRIx64 "\"",
           f->scene->duration, f->bytes, f->snapshot_count, f->resume_frame, f->warning_count,
           f->error_count, f->result.hash);
    print_warning_objects(f);
    if (f->row_count > 0) {
        print_row_object("first", &f->rows[0]);
        print_row_object("last", &f->rows[f->row_count - 1]);
    }
    if (f->measures.rows > 0)
        print_measure_object(f);
    printf("\n}\n");
}

int cli_info(const cli_arguments *arguments) {
    facts f = {.folder = arguments->words[0]};
    tl_error error = {0};
    const tl_status status = gather(&f, &error);
    if (status != TL_OK) {
        cli_complain_error(&error);
    } else if (cli_has(arguments, "json")) {
        print_object(&f);
    } else {
        const cli_style style = cli_style_of(stdout);
        print_state(&f, &style);
        print_size(&f);
        print_reasons(&f);
        print_warnings(&f, &style);
        print_ledger(&f, &style);
        print_measures(&f, &style);
    }
    tl_table_free(&f.measures);
    tl_scene_destroy(f.scene);
    tl_array_free(f.rows);
    return status == TL_OK ? CLI_DONE : CLI_BAD_INPUT;
}
