/* Logging through the caller's callback; the library itself owns no terminal. */
#ifndef TL_BASE_LOG_H
#define TL_BASE_LOG_H

#include "base/error.h"

/* Formats and passes on one message. `log` may be NULL. */
void tl_log_message(const tl_log *log, tl_log_level level, const char *format, ...) TL_PRINTF(3, 4);

#endif
