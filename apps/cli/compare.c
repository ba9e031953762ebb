/* `tallow compare`: how two runs differ, column by column, at the times that both have. */
#include "base/file.h"
#include "base/memory.h"
#include "command.h"
#include "plot/table.h"
#include "run/folder.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times that differ by less than this part are the same: rounding of the last step. */
static const double same_time = 1e-9;

typedef struct difference {
    const char *name, *unit;
    double largest;  /* of |a - b|, relative to the largest value of the column in both */
    double worst_at; /* s */
    double first_at; /* s: when it first was above the tolerance; NAN: never */
} difference;

typedef struct comparison {
    const char *folders[2];
    tl_table tables[2];
    double tolerance;
    bool quiet;
    size_t above, columns; /* of all tables so far */
} comparison;

static double time_of(const tl_table *table, size_t row) {
    return table->columns[tl_table_find(table, "time")].values[row];
}

/* Pairs of rows at the same times; both tables go forward in time. */
static size_t pair_rows(const tl_table tables[2], size_t (*out)[2]) {
    size_t count = 0;
    for (size_t a = 0, b = 0; a < tables[0].rows && b < tables[1].rows;) {
        const double s = time_of(&tables[0], a), t = time_of(&tables[1], b);
        if (fabs(s - t) <= same_time * fmax(fabs(s), fabs(t))) {
            out[count][0] = a++;
            out[count++][1] = b++;
        } else if (s < t) {
            a++;
        } else {
            b++;
        }
    }
    return count;
}

static difference find_difference(const comparison *c, size_t own, size_t other,
                                  const size_t (*pairs)[2], size_t count) {
    const tl_column *a = &c->tables[0].columns[own], *b = &c->tables[1].columns[other];
    difference d = {
        .name = a->name, .unit = a->unit, .worst_at = (double)NAN, .first_at = (double)NAN};
    double scale = 0;
    for (size_t k = 0; k < count; k++) {
        const double x = a->values[pairs[k][0]], y = b->values[pairs[k][1]];
        scale = isfinite(x) ? fmax(scale, fabs(x)) : scale;
        scale = isfinite(y) ? fmax(scale, fabs(y)) : scale;
    }
    for (size_t k = 0; k < count; k++) {
        const double x = a->values[pairs[k][0]], y = b->values[pairs[k][1]];
        const bool both_missing = isnan(x) && isnan(y);
        const double gap = x == y || both_missing ? 0 : isnan(x - y) ? HUGE_VAL : fabs(x - y);
        const double part = gap == 0 ? 0 : gap / scale, at = time_of(&c->tables[0], pairs[k][0]);
        if (part > c->tolerance && isnan(d.first_at))
            d.first_at = at;
        if (part > d.largest) {
            d.largest = part;
            d.worst_at = at;
        }
    }
    return d;
}

static int largest_first(const void *a, const void *b) {
    const difference *x = a, *y = b;
    return (x->largest < y->largest) - (x->largest > y->largest);
}

/* What depends on the machine, and the places of rows. */
static bool is_compared(const char *name) {
    return strcmp(name, "wall_time") != 0 && strcmp(name, "frame") != 0 &&
           strcmp(name, "time") != 0;
}

static void print_missing(const comparison *c, int own, const char *file) {
    for (size_t i = 0; i < c->tables[own].column_count; i++) {
        const char *name = c->tables[own].columns[i].name;
        if (tl_table_find(&c->tables[1 - own], name) == SIZE_MAX && !c->quiet)
            printf("only %s has %s in its %s\n", c->folders[own], name, file);
    }
}

static void print_differences(const comparison *c, const difference *all, size_t count,
                              const char *file, size_t rows) {
    size_t equal = 0;
    const cli_style style = cli_style_of(stdout);
    printf("%s%s%s: %zu common time%s\n", style.bold, file, style.reset, rows,
           rows == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        equal += all[i].largest == 0;
        if (all[i].largest == 0)
            continue;
        printf("  %-28s %9.3g at %.6g s", all[i].name, all[i].largest, all[i].worst_at);
        if (c->tolerance > 0 && !isnan(all[i].first_at))
            printf(", above %g from %.6g s", c->tolerance, all[i].first_at);
        printf("\n");
    }
    printf("  %zu of %zu columns are the same\n", equal, count);
}

/* Differences in rows of the tables that are read. */
static tl_status compare_tables(comparison *c, const char *file, tl_error *error) {
    const size_t most = c->tables[0].column_count;
    const size_t rows =
        c->tables[0].rows < c->tables[1].rows ? c->tables[0].rows : c->tables[1].rows;
    difference *all = tl_allocate(most + 1, sizeof *all);
    size_t(*pairs)[2] = tl_allocate(rows + 1, sizeof *pairs);
    tl_status status = all && pairs ? TL_OK : tl_fail_memory(error, most + rows, sizeof *all);
    size_t count = 0, common = 0;
    if (status == TL_OK)
        common = pair_rows(c->tables, pairs);
    if (status == TL_OK && common == 0)
        status = tl_fail(error, TL_BAD_INPUT, file, "give both runs the same frame_rate",
                         "the runs have no time in common");
    for (size_t i = 0; status == TL_OK && i < most; i++) {
        const char *name = c->tables[0].columns[i].name;
        const size_t other = tl_table_find(&c->tables[1], name);
        if (other == SIZE_MAX || !is_compared(name))
            continue;
        all[count] = find_difference(c, i, other, pairs, common);
        c->above += all[count++].largest > c->tolerance;
    }
    if (status == TL_OK) {
        c->columns += count;
        qsort(all, count, sizeof *all, largest_first);
        for (int own = 0; own < 2; own++)
            print_missing(c, own, file);
        if (!c->quiet)
            print_differences(c, all, count, file, common);
    }
    free(all);
    free(pairs);
    return status;
}

static tl_status compare_file(comparison *c, const char *file, tl_error *error) {
    tl_status status = TL_OK;
    for (int own = 0; own < 2 && status == TL_OK; own++) {
        char path[TL_RUN_PATH];
        status =
            tl_table_read(tl_run_path(c->folders[own], path, "%s", file), &c->tables[own], error);
        if (status == TL_OK && tl_table_find(&c->tables[own], "time") == SIZE_MAX)
            status = tl_fail(error, TL_BAD_INPUT, path, NULL, "the table has no column time");
    }
    if (status == TL_OK)
        status = compare_tables(c, file, error);
    for (int own = 0; own < 2; own++)
        tl_table_free(&c->tables[own]);
    return status;
}

static bool both_have(const comparison *c, const char *file) {
    char path[TL_RUN_PATH];
    return tl_file_exists(tl_run_path(c->folders[0], path, "%s", file)) &&
           tl_file_exists(tl_run_path(c->folders[1], path, "%s", file));
}

static bool read_tolerance(const cli_arguments *arguments, double *out) {
    const char *text = cli_value(arguments, "tolerance");
    char *end = NULL;
    *out = text ? strtod(text, &end) : 0;
    if (!text || (end != text && !*end && *out >= 0))
        return true;
    cli_complain("--tolerance %s: expected a number that is not negative, such as 1e-6", text);
    return false;
}

int cli_compare(const cli_arguments *arguments) {
    comparison c = {.folders = {arguments->words[0], arguments->words[1]},
                    .quiet = cli_has(arguments, "quiet")};
    tl_error error = {0};
    if (!read_tolerance(arguments, &c.tolerance))
        return CLI_BAD_INPUT;
    for (int own = 0; own < 2; own++) {
        char path[TL_RUN_PATH];
        if (tl_file_exists(tl_run_path(c.folders[own], path, "ledger.csv")))
            continue;
        cli_complain("%s: %s; name the folder of a run, such as out/dam-break", c.folders[own],
                     tl_file_exists(c.folders[own]) ? "no ledger.csv in this folder"
                                                    : "no such folder");
        return CLI_BAD_INPUT;
    }
    tl_status status = compare_file(&c, "ledger.csv", &error);
    if (status == TL_OK && both_have(&c, "measures.csv"))
        status = compare_file(&c, "measures.csv", &error);
    if (status != TL_OK) {
        cli_complain_error(&error);
        return cli_exit_code(status);
    }
    if (!cli_has(arguments, "tolerance"))
        return CLI_DONE;
    if (!c.quiet)
        printf("%zu of %zu columns differ by more than %g\n", c.above, c.columns, c.tolerance);
    return c.above > 0 ? CLI_FAILED : CLI_DONE;
}
