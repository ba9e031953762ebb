/* See table.h. */
#include "plot/table.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 4096 };

tl_status tl_table_add(tl_table *table, const char *name, const char *unit, tl_column **out,
                       tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(table->columns, table->column_count, table->column_count + 1, error));
    tl_column *column = &table->columns[table->column_count];
    column->name = tl_arena_text(&table->arena, name, strlen(name));
    column->unit = tl_arena_text(&table->arena, unit, strlen(unit));
    column->values = tl_allocate(table->rows > 0 ? table->rows : 1, sizeof *column->values);
    if (!column->name || !column->unit || !column->values) {
        free(column->values);
        return tl_fail_memory(error, table->rows, sizeof *column->values);
    }
    table->column_count++;
    if (out)
        *out = column;
    return TL_OK;
}

size_t tl_table_find(const tl_table *table, const char *name) {
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

void tl_table_free(tl_table *table) {
    for (size_t i = 0; i < table->column_count; i++)
        free(table->columns[i].values);
    tl_array_free(table->columns);
    tl_arena_free(&table->arena);
    *table = (tl_table){0};
}

/* "name [unit]" or "name" into two texts; the field is changed. */
static void split_field(char *field, const char **name, const char **unit) {
    const size_t length = strlen(field);
    char *bracket = strstr(field, " [");
    *name = field;
    *unit = "";
    if (bracket && field[length - 1] == ']') {
        field[length - 1] = 0;
        *bracket = 0;
        *unit = bracket + 2;
    }
}

static tl_status read_header(tl_table *table, const char *path, char *line, tl_error *error) {
    for (char *field = line, *next; field; field = next) {
        next = strchr(field, ',');
        if (next)
            *next++ = 0;
        const char *name, *unit;
        split_field(field, &name, &unit);
        if (!*name || table->column_count == MOST_COLUMNS)
            return tl_fail(error, TL_BAD_INPUT, path, NULL,
                           "the first line does not name the columns");
        TL_TRY(tl_table_add(table, name, unit, NULL, error));
    }
    return TL_OK;
}

/* Reads one row, which ends at a newline. */
static bool read_row(tl_table *table, size_t row, const char *text, const char *newline) {
    for (size_t c = 0; c < table->column_count; c++) {
        char *end;
        table->columns[c].values[row] = strtod(text, &end);
        const char expected = c + 1 < table->column_count ? ',' : '\n';
        const char *stop = *end == '\r' && end[1] == '\n' ? end + 1 : end;
        if (end == text || *stop != expected || stop > newline)
            return false;
        text = stop + 1;
    }
    return true;
}

static tl_status read_text(tl_table *table, const char *path, char *text, tl_error *error) {
    char *newline = strchr(text, '\n');
    if (!newline)
        return TL_OK;
    const char *first = newline + 1;
    for (const char *at = first; (at = strchr(at, '\n')); at++)
        table->rows++;
    newline[newline > text && newline[-1] == '\r' ? -1 : 0] = 0;
    TL_TRY(read_header(table, path, text, error));
    const char *line = first;
    for (size_t row = 0; row < table->rows; row++) {
        const char *end = strchr(line, '\n');
        if (!read_row(table, row, line, end))
            return tl_fail(error, TL_BAD_INPUT, path, NULL,
                           "line %zu does not have a number for each of the %zu columns", row + 2,
                           table->column_count);
        line = end + 1;
    }
    return TL_OK;
}

tl_status tl_table_read(const char *path, tl_table *out, tl_error *error) {
    char *text;
    size_t size;
    *out = (tl_table){0};
    TL_TRY(tl_file_read(path, (size_t)1 << 32, &text, &size, error));
    const tl_status status = read_text(out, path, text, error);
    free(text);
    return status;
}
