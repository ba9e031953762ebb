/* See log.h. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void tl_log_message(const tl_log *log, tl_log_level level, const char *format, ...) {
    if (!log || !log->write || level < log->level)
        return;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log->write(log->context, level, message);
}
