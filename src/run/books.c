/* See books.h. */
#include "run/books.h"

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static double *column(tl_ledger *ledger, size_t i) {
    return (double *)(void *)((char *)ledger + tl_ledger_columns[i].offset);
}

static void print_header(tl_text *text) {
    tl_text_print(text, "frame");
    for (size_t i = 0; i < tl_ledger_column_count; i++) {
        const tl_ledger_column *c = &tl_ledger_columns[i];
        tl_text_print(text, *c->unit ? ",%s [%s]" : ",%s", c->name, c->unit);
    }
    tl_text_print(text, ",wall_time [s]\n");
}

static void print_row(tl_text *text, const tl_books_row *row) {
    tl_ledger ledger = row->ledger;
    tl_text_print(text, "%" PRId64, row->frame);
    for (size_t i = 0; i < tl_ledger_column_count; i++) {
        tl_text_print(text, ",");
        tl_text_number(text, *column(&ledger, i));
    }
    tl_text_print(text, ",%.3f\n", row->wall_time);
}

tl_status tl_books_append(const char *path, const tl_text *text, tl_error *error) {
    if (text->failed)
        return tl_fail_memory(error, 1, text->length);
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    struct stat facts;
    if (file < 0)
        return tl_fail_errno(error, path, "write");
    tl_status status = TL_OK;
    if (fstat(file, &facts) != 0) {
        status = tl_fail_errno(error, path, "write");
    } else {
        errno = ENOSPC; /* what a short write means */
        const ssize_t written = write(file, text->bytes, text->length);
        if (written != (ssize_t)text->length || fsync(file) != 0) {
            status = tl_fail_errno(error, path, "write");
            (void)!ftruncate(file, facts.st_size);
        }
    }
    close(file);
    return status;
}

tl_status tl_books_remove(const char *path, tl_error *error) {
    return unlink(path) != 0 && errno != ENOENT ? tl_fail_errno(error, path, "remove") : TL_OK;
}

tl_status tl_books_add(const char *path, const tl_books_row *row, tl_error *error) {
    tl_text text = {0};
    if (!tl_file_exists(path))
        print_header(&text);
    print_row(&text, row);
    const tl_status status = tl_books_append(path, &text, error);
    free(text.bytes);
    return status;
}

/* Reads one row; NULL unless it ends in a newline and has every column. */
static const char *parse_row(const char *text, tl_books_row *row) {
    char *end;
    row->frame = strtoll(text, &end, 10);
    if (end == text)
        return NULL;
    for (size_t i = 0; i <= tl_ledger_column_count; i++) {
        if (*end != ',')
            return NULL;
        text = end + 1;
        const double value = strtod(text, &end);
        if (end == text)
            return NULL;
        *(i < tl_ledger_column_count ? column(&row->ledger, i) : &row->wall_time) = value;
    }
    return *end == '\n' ? end + 1 : NULL;
}

static tl_status parse(const char *path, const char *text, tl_books_row **rows, size_t *count,
                       tl_error *error) {
    tl_text header = {0};
    print_header(&header);
    const bool matches = !header.failed && strncmp(text, header.bytes, header.length) == 0;
    const size_t length = header.length;
    free(header.bytes);
    if (!matches)
        return strchr(text, '\n') ? tl_fail(error, TL_BAD_INPUT, path, NULL,
                                            "the columns are not those of version %s", tl_version())
                                  : TL_OK; /* killed while the header was written */
    tl_books_row row;
    for (const char *next = text + length; (next = parse_row(next, &row));) {
        TL_TRY(TL_ARRAY_RESERVE(*rows, *count, *count + 1, error));
        (*rows)[(*count)++] = row;
    }
    return TL_OK;
}

tl_status tl_books_read(const char *path, tl_books_row **rows, size_t *count, tl_error *error) {
    char *text;
    size_t size;
    *rows = NULL;
    *count = 0;
    if (!tl_file_exists(path))
        return TL_OK;
    TL_TRY(tl_file_read(path, (size_t)1 << 32, &text, &size, error));
    const tl_status status = parse(path, text, rows, count, error);
    free(text);
    return status;
}

tl_status tl_books_rewind(const char *path, int64_t frame, double *wall_time, tl_error *error) {
    tl_books_row *rows;
    size_t count, kept = 0;
    tl_text text = {0};
    *wall_time = 0;
    tl_status status = tl_books_read(path, &rows, &count, error);
    print_header(&text);
    for (; status == TL_OK && kept < count && rows[kept].frame <= frame; kept++) {
        print_row(&text, &rows[kept]);
        *wall_time = rows[kept].wall_time;
    }
    tl_array_free(rows);
    if (status == TL_OK && text.failed)
        status = tl_fail_memory(error, 1, text.length);
    if (status == TL_OK && kept == 0) {
        status = tl_books_remove(path, error);
    } else if (status == TL_OK) {
        tl_file file;
        status = tl_file_begin(&file, path, error);
        if (status == TL_OK) {
            fwrite(text.bytes, 1, text.length, file.stream);
            status = tl_file_commit(&file, error);
        }
    }
    free(text.bytes);
    return status;
}
