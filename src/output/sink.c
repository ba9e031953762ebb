/* See sink.h. */
#include "output/sink.h"

#include "base/hash.h"

#include <errno.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "files are little endian and are written from memory as it is");

tl_status tl_sink_begin(tl_sink *sink, const char *path, tl_error *error) {
    sink->failure = 0;
    sink->hash = 0;
    sink->used = 0;
    sink->locale = sink->previous = (locale_t)0;
    TL_TRY(tl_file_begin(&sink->file, path, error));
    sink->locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!sink->locale) {
        tl_file_discard(&sink->file);
        return tl_fail_memory(error, 1, 1);
    }
    sink->previous = uselocale(sink->locale);
    return TL_OK;
}

static void restore_locale(tl_sink *sink) {
    if (!sink->locale)
        return;
    uselocale(sink->previous);
    freelocale(sink->locale);
    sink->locale = (locale_t)0;
}

/* errno is kept at once: by the time of the commit it would be lost. */
static void empty_chunk(tl_sink *sink) {
    sink->hash = tl_sink_hash(sink);
    errno = EIO;
    if (!sink->failure && fwrite(sink->chunk, 1, sink->used, sink->file.stream) != sink->used)
        sink->failure = errno;
    sink->used = 0;
}

void tl_sink_put(tl_sink *sink, const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    while (size) {
        const size_t room = TL_SINK_CHUNK - sink->used, part = size < room ? size : room;
        memcpy(sink->chunk + sink->used, from, part);
        sink->used += part;
        from += part;
        size -= part;
        if (sink->used == TL_SINK_CHUNK)
            empty_chunk(sink);
    }
}

uint64_t tl_sink_hash(const tl_sink *sink) {
    return sink->used ? tl_hash(sink->hash, sink->chunk, sink->used) : sink->hash;
}

tl_status tl_sink_commit(tl_sink *sink, tl_error *error) {
    empty_chunk(sink);
    restore_locale(sink);
    if (!sink->failure)
        return tl_file_commit(&sink->file, error);
    errno = sink->failure;
    tl_fail_errno(error, sink->file.path, "write");
    tl_file_discard(&sink->file);
    return TL_IO_FAILED;
}

void tl_sink_discard(tl_sink *sink) {
    restore_locale(sink);
    tl_file_discard(&sink->file);
}

uint64_t tl_sink_hash_of(const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    uint64_t hash = 0;
    while (size) {
        const size_t part = size < TL_SINK_CHUNK ? size : TL_SINK_CHUNK;
        hash = tl_hash(hash, from, part);
        from += part;
        size -= part;
    }
    return hash;
}
