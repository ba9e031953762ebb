/* See file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

tl_status tl_file_begin(tl_file *file, const char *path, tl_error *error) {
    *file = (tl_file){0};
    if ((size_t)snprintf(file->path, sizeof file->path, "%s", path) >= sizeof file->path)
        return tl_fail(error, TL_IO_FAILED, NULL, "use a shorter folder name", "path too long");
    snprintf(file->temporary, sizeof file->temporary, "%s.part", path);
    file->stream = fopen(file->temporary, "wb");
    if (!file->stream)
        return tl_fail_errno(error, path, "write");
    return TL_OK;
}

tl_status tl_file_publish(const char *temporary, const char *path, tl_error *error) {
    const int descriptor = open(temporary, O_RDONLY);
    bool good = descriptor >= 0 && fsync(descriptor) == 0;
    const int reason = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (good && rename(temporary, path) == 0)
        return TL_OK;
    if (!good)
        errno = reason;
    tl_fail_errno(error, path, "write");
    unlink(temporary);
    return TL_IO_FAILED;
}

/* True when all that was written so far has reached the system; else errno is the reason. A stream
 * does not remember why a write failed: one more byte, of a file that is lost anyway, meets the
 * same reason again. */
static bool flush_all(FILE *stream) {
    if (!ferror(stream))
        return fflush(stream) == 0;
    errno = EIO;
    if (fputc(0, stream) != EOF)
        fflush(stream);
    return false;
}

tl_status tl_file_commit(tl_file *file, tl_error *error) {
    bool good = flush_all(file->stream);
    int reason = errno;
    if (fclose(file->stream) != 0 && good) {
        good = false;
        reason = errno;
    }
    file->stream = NULL;
    if (good)
        return tl_file_publish(file->temporary, file->path, error);
    errno = reason;
    tl_fail_errno(error, file->path, "write");
    unlink(file->temporary);
    return TL_IO_FAILED;
}

void tl_file_discard(tl_file *file) {
    if (!file->stream)
        return;
    fclose(file->stream);
    file->stream = NULL;
    unlink(file->temporary);
}

tl_status tl_file_read(const char *path, size_t limit, char **out, size_t *size, tl_error *error) {
    struct stat facts;
    FILE *stream = fopen(path, "rb");
    if (!stream || fstat(fileno(stream), &facts) != 0) {
        const tl_status status = tl_fail_errno(error, path, "read");
        if (stream)
            fclose(stream);
        return status;
    }
    if (S_ISDIR(facts.st_mode) || (facts.st_size > 0 && (size_t)facts.st_size > limit)) {
        fclose(stream);
        return S_ISDIR(facts.st_mode)
                   ? tl_fail(error, TL_BAD_INPUT, path, "name a file", "this is a folder")
                   : tl_fail(error, TL_BAD_INPUT, path, NULL,
                             "%lld bytes are too many: at most %zu", (long long)facts.st_size,
                             limit);
    }
    /* Pipes tell no size: read in pieces until the end or the limit. */
    char *bytes = NULL;
    size_t length = 0, capacity = 0;
    tl_status status = TL_OK;
    for (;;) {
        if (capacity - length < 4096) {
            capacity = capacity ? 2 * capacity : (size_t)facts.st_size + 8192;
            char *grown = realloc(bytes, capacity);
            if (!grown) {
                fclose(stream);
                free(bytes);
                return tl_fail_memory(error, capacity, 1);
            }
            bytes = grown;
        }
        const size_t got = fread(bytes + length, 1, capacity - length - 1, stream);
        length += got;
        if (length > limit) {
            status = tl_fail(error, TL_BAD_INPUT, path, NULL, "more than %zu bytes", limit);
            break;
        }
        if (got == 0) {
            if (ferror(stream))
                status = tl_fail_errno(error, path, "read");
            break;
        }
    }
    fclose(stream);
    if (status != TL_OK) {
        free(bytes);
        return status;
    }
    bytes[length] = 0;
    *out = bytes;
    *size = length;
    return TL_OK;
}

tl_status tl_folder_make(const char *path, tl_error *error) {
    char part[1024];
    if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part)
        return tl_fail(error, TL_IO_FAILED, NULL, "use a shorter folder name", "path too long");
    /* Past a leading slash; an empty path ends at once and has mkdir say what is wrong with it. */
    for (char *slash = part + (part[0] != 0);; slash++) {
        const char kept = *slash;
        if (kept != '/' && kept != 0)
            continue;
        *slash = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return tl_fail_errno(error, part, "make the folder");
        *slash = kept;
        if (kept == 0)
            break;
    }
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        errno = ENOTDIR;
        return tl_fail_errno(error, path, "make the folder");
    }
    return TL_OK;
}

bool tl_file_exists(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0;
}
