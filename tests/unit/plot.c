/* Tables are read, their columns find a plot, and plots become files. */
#include "plot/plot.h"
#include "output/xml.h"
#include "plot/groups.h"
#include "scratch_folder.h"
#include "world/ledger.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

TestSuite(plot, .init = scratch_make, .fini = scratch_remove);

/* ---- Tables -------------------------------------------------------------------------------- */

static tl_status read_table(const char *text, tl_table *table, tl_error *error) {
    spill(in_scratch("t.csv"), text, strlen(text));
    return tl_table_read(in_scratch("t.csv"), table, error);
}

Test(plot, a_table_is_read_by_its_header) {
    tl_table t;
    tl_error error;
    cr_assert_eq(
        read_table("frame,time [s],heat [J/(kg K)]\n0,0.5,nan\n1,1e-3,-inf\n2,7", &t, &error),
        TL_OK);
    cr_assert(t.rows == 2 && t.column_count == 3, "a row being written is left out");
    cr_assert_str_eq(t.columns[2].name, "heat");
    cr_assert_str_eq(t.columns[2].unit, "J/(kg K)");
    cr_assert_str_eq(t.columns[0].unit, "");
    cr_assert(t.columns[1].values[1] == 1e-3 && isnan(t.columns[2].values[0]) &&
              t.columns[2].values[1] < 0);
    cr_assert(tl_table_find(&t, "time") == 1 && tl_table_find(&t, "tim") == SIZE_MAX);
    tl_table_free(&t);
    cr_assert_eq(read_table("a,b\r\n1,2\r\n3,4\r\n", &t, &error), TL_OK);
    cr_assert(t.rows == 2 && t.columns[1].values[1] == 4);
    cr_assert_str_eq(t.columns[1].name, "b");
    tl_table_free(&t);
}

Test(plot, tables_cut_short_are_empty_and_bad_ones_are_refused_with_the_line) {
    tl_table t;
    tl_error error;
    const char *empty[] = {"", "time [s],ma", "time [s],mass\n", "time [s],mass\n1"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        cr_assert_eq(read_table(empty[i], &t, &error), TL_OK);
        cr_assert_eq(t.rows, 0);
        tl_table_free(&t);
    }
    const char *bad[] = {"a,b\n1,2\n3\n",     "a,b\n1,2\n3,\n4,5\n", "a,b\n1,2\n3,x\n",
                         "a,b\n1,2\n3,4,5\n", "a,b\n1,2\n\n3,4\n",   "a,b\n1,2\n,4\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(read_table(bad[i], &t, &error), TL_BAD_INPUT, "%s", bad[i]);
        cr_assert(strstr(error.what, "line 3"), "%s", error.what);
        tl_table_free(&t);
    }
    cr_assert_eq(read_table("a,,b\n1,2,3\n", &t, &error), TL_BAD_INPUT);
    tl_table_free(&t);
}

/* ---- Groups -------------------------------------------------------------------------------- */

/* A table with the ledger's columns and some that may come, three rows of numbers. */
static tl_table make_ledger(void) {
    const char *const coming[][2] = {{"rotation_energy", "J"},   {"ember_temperature", "°C"},
                                     {"soot_temperature", "°C"}, {"solid_fraction", ""},
                                     {"heat_to_air", "W"},       {"wall_time", "s"}};
    tl_table t = {.rows = 3};
    for (size_t i = 0; i < tl_ledger_column_count + 6; i++) {
        tl_column *column;
        const bool is_old = i < tl_ledger_column_count;
        const size_t k = is_old ? 0 : i - tl_ledger_column_count;
        cr_assert_eq(tl_table_add(&t, is_old ? tl_ledger_columns[i].name : coming[k][0],
                                  is_old ? tl_ledger_columns[i].unit : coming[k][1], &column, NULL),
                     TL_OK);
        for (size_t row = 0; row < 3; row++)
            column->values[row] = 1 + (double)(row * row) + (double)i;
    }
    cr_assert_eq(tl_plot_derive(&t, NULL), TL_OK);
    return t;
}

static const tl_plot_group *find_group(const tl_plot_group *groups, size_t count, const tl_table *t,
                                       const char *column) {
    for (size_t g = 0; g < count; g++)
        for (size_t k = 0; k < groups[g].count; k++)
            if (strcmp(t->columns[groups[g].columns[k]].name, column) == 0)
                return &groups[g];
    return NULL;
}

Test(plot, every_column_has_its_plot_also_those_that_are_not_known) {
    tl_table t = make_ledger();
    tl_plot_group *groups;
    size_t count;
    cr_assert_eq(tl_plot_find_groups(&t, &groups, &count, NULL), TL_OK);
    const char *const instead[][2] = {{"time", NULL},
                                      {"steps", "steps_per_frame"},
                                      {"rejected", "rejected_per_frame"},
                                      {"iterations", "iterations_per_step"},
                                      {"heat_iterations", "heat_iterations_per_step"},
                                      {"potential_energy", "potential_energy_change"},
                                      {"thermal_energy", "thermal_energy_change"},
                                      {"bond_energy", "bond_energy_change"}};
    for (size_t c = 0; c < t.column_count; c++) {
        const char *name = t.columns[c].name;
        for (size_t i = 0; i < sizeof instead / sizeof instead[0]; i++)
            if (strcmp(t.columns[c].name, instead[i][0]) == 0)
                name = instead[i][1];
        cr_assert(!name || find_group(groups, count, &t, name), "%s is not drawn", name);
    }
    const tl_plot_group *energy = find_group(groups, count, &t, "thermal_energy_change");
    cr_assert(energy == find_group(groups, count, &t, "kinetic_energy"));
    cr_assert_str_eq(find_group(groups, count, &t, "temperature_max")->name, "temperature");
    cr_assert_eq(find_group(groups, count, &t, "solid_fraction")->count, 1);
    for (size_t g = 0; g < count; g++) {
        for (size_t k = 1; k < groups[g].count; k++)
            cr_assert_str_eq(t.columns[groups[g].columns[0]].unit,
                             t.columns[groups[g].columns[k]].unit, "%s mixes units",
                             groups[g].name);
        for (size_t h = 0; h < g; h++)
            cr_assert_str_neq(groups[g].name, groups[h].name);
    }
    free(groups);
    tl_table_free(&t);
}

Test(plot, totals_become_what_happened_in_each_frame) {
    tl_table t;
    tl_error error;
    cr_assert_eq(read_table("steps,iterations,potential_energy [J]\n0,0,7\n10,50,5\n10,50,4\n"
                            "14,150,8\n",
                            &t, &error),
                 TL_OK);
    cr_assert_eq(tl_plot_derive(&t, &error), TL_OK);
    const double expected[3][4] = {{5, 5, 0, 25}, {10, 10, 0, 4}, {0, -2, -3, 1}};
    const char *names[] = {"iterations_per_step", "steps_per_frame", "potential_energy_change"};
    for (int k = 0; k < 3; k++) {
        const size_t column = tl_table_find(&t, names[k]);
        cr_assert_neq(column, SIZE_MAX);
        for (int i = 0; i < 4; i++)
            cr_assert_eq(t.columns[column].values[i], expected[k][i], "%s, row %d", names[k], i);
    }
    tl_table_free(&t);
}

Test(plot, files_of_plots_are_known_by_name_and_others_are_not) {
    cr_assert(tl_plot_makes("overview.svg") && tl_plot_makes("energy.png") &&
              tl_plot_makes("density-error.svg") && tl_plot_makes("mass+dt.svg") &&
              tl_plot_makes("potential_energy_change+steps_per_frame+wall_time.png"));
    cr_assert(!tl_plot_makes("mine.png") && !tl_plot_makes("overview.txt") &&
              !tl_plot_makes("overview") && !tl_plot_makes(".svg") &&
              !tl_plot_makes("mass+mine.svg") && !tl_plot_makes("mass+.svg") && !tl_plot_makes(""));
}

/* ---- Charts -------------------------------------------------------------------------------- */

Test(plot, labels_at_the_end_of_lines_do_not_touch) {
    double x[2] = {0, 1}, y[10][2];
    char names[10][16];
    tl_chart chart = {.title = "T",
                      .note = "",
                      .x_name = "x",
                      .x_unit = "",
                      .y_name = "",
                      .y_unit = "J",
                      .x = x,
                      .rows = 2,
                      .series_count = 10};
    for (size_t k = 0; k < 10; k++) {
        y[k][0] = (double)k;
        y[k][1] = k < 6 ? 0 : k < 9 ? 10 : 4;
        snprintf(names[k], sizeof names[k], "line %zu", k);
        chart.series[k] = (tl_series){names[k], y[k]};
    }
    tl_drawing page = {.width = 800, .height = 500};
    cr_assert_eq(tl_chart_draw(&chart, &page, 0, 0, 800, 500, NULL), TL_OK);
    double at[10];
    size_t found = 0;
    for (size_t i = 0; i < page.shape_count; i++) {
        const tl_shape *s = &page.shapes[i];
        if (s->kind != TL_SHAPE_TEXT || strncmp(page.words.bytes + s->text, "line ", 5) != 0)
            continue;
        const double *p = page.points + 2 * s->first;
        cr_assert_leq(p[0] + tl_text_width(page.words.bytes + s->text, s->lettering.size), 800);
        for (size_t k = 0; k < found; k++)
            cr_assert_geq(fabs(at[k] - p[1]), 1.2 * s->lettering.size);
        at[found++] = p[1];
    }
    cr_assert_eq(found, 10, "all have a label");
    tl_drawing_free(&page);
}

/* ---- Files --------------------------------------------------------------------------------- */

/* Reads tags with their nesting; counts those of a name. */
static size_t check_svg(const char *path, const char *name) {
    size_t size, depth = 0, found = 0;
    char *text = slurp(path, &size);
    tl_slice open[16];
    tl_xml xml = {text, text + size};
    tl_xml_tag tag;
    while (tl_xml_next(&xml, &tag)) {
        if (tag.closing) {
            cr_assert(depth > 0 && open[depth - 1].length == tag.name.length &&
                      memcmp(open[depth - 1].text, tag.name.text, tag.name.length) == 0);
            depth--;
        } else {
            found += tl_slice_is(tag.name, name);
            cr_assert_lt(depth, 16);
            if (!tag.empty)
                open[depth++] = tag.name;
        }
        for (const char *p = tl_xml_text(&xml).text; p < xml.at; p++)
            cr_assert(*p != '>' && *p != '"' && (unsigned char)*p != 127);
    }
    cr_assert_eq(depth, 0, "tags are left open");
    cr_assert_eq(xml.at, xml.end, "it ends in: %.40s", xml.at);
    free(text);
    return found;
}

static void write_ledger(const char *path, size_t rows) {
    FILE *file = fopen(path, "w");
    fprintf(file, "frame,time [s],steps,kinetic_energy [J],viscous_heat [J],mass [kg],odd\n");
    for (size_t i = 0; i < rows; i++)
        fprintf(file, "%zu,%g,%zu,%.9g,%.9g,12,%s\n", i, 0.1 * (double)i, 10 * i,
                1e-3 * cos(0.3 * (double)i), 1e-4 * (double)i, i % 5 ? "1e-5" : "nan");
    fclose(file);
}

static void count_file(void *context, const char *path) {
    (void)path;
    ++*(size_t *)context;
}

Test(plot, a_ledger_of_any_length_becomes_svg_and_png) {
    const size_t lengths[] = {1, 2, 3, 41, 30000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t files = 0;
        tl_error error;
        write_ledger(in_scratch("ledger.csv"), lengths[i]);
        const tl_plot_options options = {.title = "<Wax & \"honey\">",
                                         .wrote = count_file,
                                         .context = &files,
                                         .width = 640,
                                         .height = 400,
                                         .threads = 1};
        cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), scratch, &options, &error), TL_OK,
                     "%zu rows: %s", lengths[i], error.what);
        const size_t groups = lengths[i] > 1 ? 4 : 3; /* a single row has no steps a frame */
        cr_assert_eq(files, 2 * (groups + 1), "%zu files of %zu rows", files, lengths[i]);
        cr_assert_gt(check_svg(in_scratch("energy.svg"), "polyline"), 2);
        cr_assert_gt(check_svg(in_scratch("overview.svg"), "text"), 20);
        size_t size;
        unsigned char *png = (unsigned char *)slurp(in_scratch("energy.png"), &size);
        cr_assert(png[18] == 640 / 256 && png[19] == 640 % 256 && png[23] == 400 % 256);
        free(png);
        scratch_files(true);
    }
}

Test(plot, a_plot_has_the_same_bytes_for_any_number_of_threads_and_any_locale) {
    char *first[2] = {NULL};
    size_t first_size[2] = {0};
    write_ledger(in_scratch("ledger.csv"), 500);
    for (int threads = 1; threads <= 3; threads++) {
        if (threads == 3)
            setlocale(LC_ALL, "de_DE.UTF-8"); /* where there is none, one more of the same */
        const tl_plot_options options = {.threads = threads, .only_overview = true};
        cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), scratch, &options, NULL), TL_OK);
        for (int k = 0; k < 2; k++) {
            size_t size;
            char *bytes = slurp(in_scratch(k ? "overview.png" : "overview.svg"), &size);
            if (!first[k]) {
                first[k] = bytes;
                first_size[k] = size;
                continue;
            }
            cr_assert(size == first_size[k] && memcmp(bytes, first[k], size) == 0);
            free(bytes);
        }
    }
    free(first[0]);
    free(first[1]);
}

Test(plot, a_full_disk_leaves_the_plots_that_were) {
    tl_error error;
    size_t size;
    const tl_plot_options options = {.only_overview = true, .threads = 1};
    write_ledger(in_scratch("ledger.csv"), 500);
    cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), scratch, &options, NULL), TL_OK);
    char *before = slurp(in_scratch("overview.svg"), &size);
    limit_disk(8000);
    cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), scratch, &options, &error), TL_IO_FAILED);
    limit_disk(RLIM_INFINITY);
    cr_assert(strstr(error.where, "overview.svg"), "%s: %s", error.where, error.what);
    cr_assert_eq(scratch_files(false), 3, "nothing half-written");
    size_t size_after;
    char *after = slurp(in_scratch("overview.svg"), &size_after);
    cr_assert(size == size_after && memcmp(before, after, size) == 0);
    free(before);
    free(after);
}

Test(plot, what_cannot_be_plotted_is_told) {
    tl_error error;
    const char *const wrong[] = {"kinetic_enrgy"};
    const tl_plot_options cases[] = {
        {.columns = wrong, .column_count = 1}, {.over = "tme"}, {.width = 10, .height = 10}};
    write_ledger(in_scratch("ledger.csv"), 5);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(
            tl_plot_ledger(in_scratch("ledger.csv"), in_scratch("none"), &cases[i], &error),
            TL_BAD_INPUT);
        if (i < 2)
            cr_assert(strstr(error.fix, i ? "time" : "kinetic_energy"), "%s", error.fix);
    }
    const tl_plot_options plain = {0};
    write_ledger(in_scratch("ledger.csv"), 0);
    cr_assert_eq(tl_plot_ledger(in_scratch("ledger.csv"), in_scratch("none"), &plain, &error),
                 TL_BAD_INPUT);
    cr_assert(strstr(error.what, "no row"), "%s", error.what);
    cr_assert_neq(tl_plot_ledger(in_scratch("missing"), in_scratch("none"), &plain, &error), TL_OK);
    cr_assert_not(tl_file_exists(in_scratch("none")), "a plot that is none leaves no folder");
}
