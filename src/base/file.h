/* Files that appear whole or not at all, and reading with a limit. */
#ifndef TL_BASE_FILE_H
#define TL_BASE_FILE_H

#include "base/error.h"

#include <stdio.h>

/* A file being written under a temporary name beside its final one. */
typedef struct tl_file {
    FILE *stream;
    char path[1024], temporary[1040];
} tl_file;

/* Opens a temporary file for writing; nothing is at `path` until tl_file_commit. */
tl_status tl_file_begin(tl_file *file, const char *path, tl_error *error);

/* Flushes to the disk, renames into place and closes. Any earlier write error is reported here, and
 * the temporary file removed: a full disk never leaves half a file. */
tl_status tl_file_commit(tl_file *file, tl_error *error);

/* Throws away what was written. Safe after a failed begin or a commit. */
void tl_file_discard(tl_file *file);

/* Makes what was written to `temporary` durable and gives it its final name; for writers that bring
 * their own stream (HDF5, ffmpeg). Removes `temporary` on failure. */
tl_status tl_file_publish(const char *temporary, const char *path, tl_error *error);

/* The whole file, zero-terminated, into memory that is freed with free(). A file larger than
 * `limit` bytes is refused before it is read. */
tl_status tl_file_read(const char *path, size_t limit, char **out, size_t *size, tl_error *error);

/* Makes a folder and its parents; one that exists is fine. */
tl_status tl_folder_make(const char *path, tl_error *error);

bool tl_file_exists(const char *path);

#endif
