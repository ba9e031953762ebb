/* See error.h. */
#include "base/error.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *tl_status_name(tl_status status) {
    switch (status) {
    case TL_OK: return "ok";
    case TL_BAD_INPUT: return "bad input";
    case TL_NO_MEMORY: return "no memory";
    case TL_IO_FAILED: return "file error";
    case TL_DIVERGED: return "diverged";
    case TL_INTERRUPTED: return "interrupted";
    case TL_DOUBTED: return "doubted";
    }
    return "unknown";
}

tl_status tl_fail(tl_error *error, tl_status status, const char *where, const char *fix,
                  const char *what, ...) {
    if (!error)
        return status;
    error->status = status;
    snprintf(error->where, sizeof error->where, "%s", where ? where : "");
    tl_copy_words(error->fix, sizeof error->fix, fix ? fix : "");
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(error->what, sizeof error->what, what, arguments);
    va_end(arguments);
    return status;
}

tl_status tl_fail_errno(tl_error *error, const char *path, const char *doing) {
    const int reason = errno;
    const char *fix = reason == ENOSPC   ? "free some disk space, then resume the run"
                      : reason == EACCES ? "check the permissions, or choose another folder with -o"
                      : reason == ENOENT ? "check the path"
                                         : "";
    return tl_fail(error, TL_IO_FAILED, path, fix, "cannot %s: %s", doing, strerror(reason));
}

tl_status tl_fail_memory(tl_error *error, size_t count, size_t size) {
    return tl_fail(error, TL_NO_MEMORY, NULL, "use a larger spacing, or a machine with more memory",
                   "no memory for %zu elements of %zu bytes", count, size);
}
