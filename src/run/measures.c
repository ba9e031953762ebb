/* See measures.h. */
#include "run/measures.h"

#include "base/file.h"
#include "run/books.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_header(tl_text *text, const tl_measures *m) {
    tl_text_print(text, "frame,time [s]");
    for (size_t i = 0; i < m->column_count; i++)
        tl_text_print(text, *m->columns[i].unit ? ",%s [%s]" : ",%s", m->columns[i].name,
                      m->columns[i].unit);
    tl_text_print(text, "\n");
}

tl_status tl_measures_add(const char *path, const tl_measures *m, int64_t frame, double time,
                          tl_error *error) {
    tl_text text = {0};
    if (!tl_file_exists(path))
        print_header(&text, m);
    tl_text_print(&text, "%" PRId64 ",", frame);
    tl_text_number(&text, time);
    for (size_t i = 0; i < m->column_count; i++) {
        tl_text_print(&text, ",");
        tl_text_number(&text, m->values[i]);
    }
    tl_text_print(&text, "\n");
    const tl_status status = tl_books_append(path, &text, error);
    free(text.bytes);
    return status;
}

/* Bytes up to the end of the last whole row that is not later. */
static size_t kept_length(const char *text, size_t header, double time) {
    size_t kept = header;
    for (const char *row = text + header, *end; (end = strchr(row, '\n')); row = end + 1) {
        const char *comma = strchr(row, ',');
        if (!comma || comma > end || !(strtod(comma + 1, NULL) <= time))
            break;
        kept = (size_t)(end + 1 - text);
    }
    return kept;
}

static tl_status rewind_text(const char *path, const char *text, const tl_text *header, double time,
                             tl_error *error) {
    tl_file file;
    if (strncmp(text, header->bytes, header->length) != 0 && strchr(text, '\n'))
        return tl_fail(error, TL_BAD_INPUT, path, "move the file away",
                       "the columns are not what the scene measures");
    const bool whole = strncmp(text, header->bytes, header->length) == 0;
    const size_t length = whole ? kept_length(text, header->length, time) : 0;
    if (length <= header->length)
        return tl_books_remove(path, error);
    TL_TRY(tl_file_begin(&file, path, error));
    fwrite(text, 1, length, file.stream);
    return tl_file_commit(&file, error);
}

tl_status tl_measures_rewind(const char *path, const tl_measures *m, double time, tl_error *error) {
    char *text;
    size_t size;
    tl_text header = {0};
    if (!tl_file_exists(path))
        return TL_OK;
    TL_TRY(tl_file_read(path, (size_t)1 << 32, &text, &size, error));
    print_header(&header, m);
    const tl_status status = header.failed ? tl_fail_memory(error, 1, header.length)
                                           : rewind_text(path, text, &header, time, error);
    free(header.bytes);
    free(text);
    return status;
}
