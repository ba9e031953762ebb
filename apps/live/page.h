/* The files of the page, in memory: made from web/ when the command is built (embed.c). */
#ifndef LIVE_PAGE_H
#define LIVE_PAGE_H

#include <stddef.h>

typedef struct live_file {
    const char *name, *type;
    const unsigned char *bytes;
    size_t size;
} live_file;

extern const live_file live_page[];
extern const size_t live_page_count;

#endif
