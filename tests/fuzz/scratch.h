/* A file of their own for harnesses of readers that take a path, and small edits of good files. */
#ifndef TL_FUZZ_SCRATCH_H
#define TL_FUZZ_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void require(bool condition) {
    if (!condition)
        abort();
}

static char scratch_path[] = P_tmpdir "/tallow-fuzz-XXXXXX";

static inline void remove_scratch(void) { unlink(scratch_path); }

/* Puts the bytes into a file that goes away with the program, and returns its path. */
static inline const char *spill(const void *bytes, size_t size) {
    static int file = -1;
    if (file < 0) {
        file = mkstemp(scratch_path);
        atexit(remove_scratch);
    }
    require(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    return scratch_path;
}

/* The bytes of `good`, changed as `data` says, four bytes an edit: where, and what. A place past
 * the end cuts the file short. Free with free(). */
static inline char *edit(const char *good, size_t *size, const uint8_t *data, size_t edits) {
    char *bytes = malloc(*size + 1);
    require(bytes != NULL);
    memcpy(bytes, good, *size);
    for (; edits >= 4; edits -= 4, data += 4) {
        const size_t at = (size_t)data[0] | (size_t)data[1] << 8;
        if (at < *size)
            bytes[at] = data[3] & 1 ? (char)(bytes[at] + (int8_t)data[2]) : (char)data[2];
        else if (data[3] == 0 && *size > 0)
            *size = at % *size;
    }
    bytes[*size] = 0;
    return bytes;
}

#endif
