/* Where writers of this room put their bytes: a tl_file that remembers the first failure and its
 * reason, hashes what passes, and prints numbers with a point whatever the locale. */
#ifndef TL_OUTPUT_SINK_H
#define TL_OUTPUT_SINK_H

#include "base/file.h"

#include <locale.h>

enum { TL_SINK_CHUNK = 65536 };

/* Between begin and commit the calling thread has the numbers of the C locale. */
typedef struct tl_sink {
    tl_file file;
    int failure; /* errno of the first write that failed, or 0 */
    uint64_t hash;
    locale_t locale, previous;
    size_t used;
    unsigned char chunk[TL_SINK_CHUNK];
} tl_sink;

tl_status tl_sink_begin(tl_sink *sink, const char *path, tl_error *error);

/* Failures are kept for tl_sink_commit. */
void tl_sink_put(tl_sink *sink, const void *bytes, size_t size);

/* Hash of all bytes so far. */
uint64_t tl_sink_hash(const tl_sink *sink);

/* Gives the file its name. After a failure nothing is left on the disk. Ends the sink. */
tl_status tl_sink_commit(tl_sink *sink, tl_error *error);

/* Ends the sink and leaves nothing. */
void tl_sink_discard(tl_sink *sink);

/* What tl_sink_hash gives for a file of these bytes. */
uint64_t tl_sink_hash_of(const void *bytes, size_t size);

#endif
