/* Any bytes as ledger.csv, for those that go on with a run and for those that plot it: rows that
 * are read survive being wound back. The first byte chooses between the bytes as they are, the
 * bytes behind a good header, and edits of a good file. */
#include "plot/table.h"
#include "run/books.h"

#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 3 };

/* A ledger of three frames, as a run writes it; its header ends at *header. */
static const char *good_ledger(size_t *size, size_t *header) {
    static char text[1 << 16];
    static size_t length;
    char folder[] = P_tmpdir "/tallow-fuzz-XXXXXX", path[64];
    if (length == 0) {
        require(mkdtemp(folder) != NULL);
        snprintf(path, sizeof path, "%s/ledger.csv", folder);
        for (int64_t frame = 0; frame < ROWS; frame++)
            require(tl_books_add(path, &(tl_books_row){.frame = frame}, NULL) == TL_OK);
        FILE *stream = fopen(path, "rb");
        require(stream != NULL);
        length = fread(text, 1, sizeof text - 1, stream);
        fclose(stream);
        unlink(path);
        rmdir(folder);
    }
    *size = length;
    *header = (size_t)(strchr(text, '\n') + 1 - text);
    return text;
}

static void check_rewind(const void *bytes, size_t size, const tl_books_row *rows, size_t count) {
    char folder[] = P_tmpdir "/tallow-fuzz-XXXXXX", path[64];
    double wall_time;
    tl_books_row *again;
    size_t kept;
    require(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/ledger.csv", folder);
    FILE *stream = fopen(path, "wb");
    require(stream && fwrite(bytes, 1, size, stream) == size && fclose(stream) == 0);
    require(tl_books_rewind(path, rows[0].frame, &wall_time, NULL) == TL_OK);
    require(tl_books_read(path, &again, &kept, NULL) == TL_OK);
    require(kept >= 1 && kept <= count && again[0].frame == rows[0].frame);
    tl_array_free(again);
    unlink(path);
    rmdir(folder);
}

static void read_ledger(const void *bytes, size_t size) {
    const char *path = spill(bytes, size);
    tl_books_row *rows;
    size_t count;
    tl_error error = {0};
    const tl_status status = tl_books_read(path, &rows, &count, &error);
    require(status == TL_OK || error.what[0]);
    if (status == TL_OK && count > 0)
        check_rewind(bytes, size, rows, count);
    tl_array_free(rows);
    tl_table table;
    error = (tl_error){0};
    require(tl_table_read(path, &table, &error) == TL_OK || error.what[0]);
    tl_table_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    size_t length, header;
    const char *good = good_ledger(&length, &header);
    if (data[0] % 3 == 0) {
        read_ledger(data + 1, size - 1);
        return 0;
    }
    char *bytes;
    if (data[0] % 3 == 1) {
        bytes = edit(good, &length, data + 1, size - 1);
    } else {
        length = header + size - 1;
        bytes = malloc(length + 1);
        require(bytes != NULL);
        memcpy(bytes, good, header);
        memcpy(bytes + header, data + 1, size - 1);
    }
    read_ledger(bytes, length);
    free(bytes);
    return 0;
}
