/* Errors inside the library: fill a tl_error and return its status in one statement. */
#ifndef TL_BASE_ERROR_H
#define TL_BASE_ERROR_H

#include "tallow/tallow.h"

#define TL_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Fills *error (NULL is fine) and returns `status`. `where` and `fix` may be NULL. */
tl_status tl_fail(tl_error *error, tl_status status, const char *where, const char *fix,
                  const char *what, ...) TL_PRINTF(5, 6);

/* An I/O failure on `path`, with the reason that errno has. */
tl_status tl_fail_errno(tl_error *error, const char *path, const char *doing);

/* TL_NO_MEMORY for an array of `count` elements of `size` bytes. */
tl_status tl_fail_memory(tl_error *error, size_t count, size_t size);

/* Returns the status of `call` from the enclosing function unless it is TL_OK. */
#define TL_TRY(call)                                                                               \
    do {                                                                                           \
        const tl_status status_ = (call);                                                          \
        if (status_ != TL_OK)                                                                      \
            return status_;                                                                        \
    } while (0)

#endif
