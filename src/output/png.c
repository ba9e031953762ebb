/* Writes PNG with zlib. The picture is cut into strips of rows, each filtered and deflated on its
 * own by any thread; a full flush at the end of each lets the pieces join into one zlib stream, as
 * pigz does. The filter of a row is the cheapest of none, sub and up by the sum of absolute
 * differences, which is the heuristic of the PNG specification (section 12.8). */
#include "output/png.h"

#include "base/memory.h"
#include "output/sink.h"

#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum { STRIP = 64, LEVEL = 1, PIXEL = 3 };

typedef struct strip {
    unsigned char *bytes;
    size_t size;
    uint32_t adler;
    bool failed;
} strip;

typedef struct picture {
    const uint8_t *rgb;
    size_t width, height, row_bytes;
    strip *strips;
    size_t strip_count;
} picture;

static uint32_t cost(const uint8_t *row, size_t n) {
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += row[i] < 128 ? row[i] : 256u - row[i];
    return sum;
}

static void subtract(uint8_t *out, const uint8_t *row, const uint8_t *other, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(row[i] - other[i]);
}

/* Writes the filter byte and the filtered row y. Strips do not see one another. */
static void filter_row(const picture *p, size_t y, bool first, uint8_t *trial, uint8_t *out) {
    const uint8_t *row = p->rgb + y * p->row_bytes;
    const size_t n = p->row_bytes;
    uint32_t best = cost(row, n);
    out[0] = 0;
    memcpy(out + 1, row, n);
    memcpy(trial, row, PIXEL);
    subtract(trial + PIXEL, row + PIXEL, row, n - PIXEL);
    uint32_t value = cost(trial, n);
    if (value < best) {
        best = value;
        out[0] = 1;
        memcpy(out + 1, trial, n);
    }
    if (first)
        return;
    subtract(trial, row, row - n, n);
    value = cost(trial, n);
    if (value < best) {
        out[0] = 2;
        memcpy(out + 1, trial, n);
    }
}

/* Raw deflate of filtered rows; the last strip ends the stream. */
static bool deflate_strip(const uint8_t *rows, size_t size, bool last, strip *out) {
    z_stream stream = {0};
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, -15, 9, Z_FILTERED) != Z_OK)
        return false;
    const size_t bound = deflateBound(&stream, size) + 16; /* room for the flush */
    out->bytes = malloc(bound);
    if (out->bytes) {
        stream.next_in = rows;
        stream.avail_in = (uInt)size;
        stream.next_out = out->bytes;
        stream.avail_out = (uInt)bound;
        const int result = deflate(&stream, last ? Z_FINISH : Z_FULL_FLUSH);
        out->size = bound - stream.avail_out;
        out->failed = result != (last ? Z_STREAM_END : Z_OK) || stream.avail_in != 0;
    }
    deflateEnd(&stream);
    return out->bytes && !out->failed;
}

static void pack_strip(const picture *p, size_t s) {
    strip *out = &p->strips[s];
    const size_t begin = s * STRIP, end = begin + STRIP < p->height ? begin + STRIP : p->height;
    const size_t size = (end - begin) * (1 + p->row_bytes);
    uint8_t *rows = malloc(size + p->row_bytes);
    out->failed = true;
    if (!rows)
        return;
    uint8_t *trial = rows + size;
    for (size_t y = begin; y < end; y++)
        filter_row(p, y, y == begin, trial, rows + (y - begin) * (1 + p->row_bytes));
    out->adler = (uint32_t)adler32_z(1, rows, size);
    out->failed = !deflate_strip(rows, size, s + 1 == p->strip_count, out);
    free(rows);
}

static void pack_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t s = begin; s < end; s++)
        pack_strip(context, s);
}

static void big_endian(uint8_t out[4], uint32_t value) {
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_chunk(tl_sink *sink, const char *type, const uint8_t *bytes, size_t size) {
    uint8_t word[4];
    big_endian(word, (uint32_t)size);
    tl_sink_put(sink, word, 4);
    tl_sink_put(sink, type, 4);
    tl_sink_put(sink, bytes, size);
    const uLong crc = crc32_z(crc32_z(0, (const Bytef *)type, 4), bytes, size);
    big_endian(word, (uint32_t)crc);
    tl_sink_put(sink, word, 4);
}

static void put_picture(tl_sink *sink, const picture *p) {
    uint8_t head[13] = {[8] = 8 /* bits */, [9] = 2 /* RGB */};
    big_endian(head, (uint32_t)p->width);
    big_endian(head + 4, (uint32_t)p->height);
    tl_sink_put(sink, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(sink, "IHDR", head, sizeof head);
    put_chunk(sink, "sRGB", (const uint8_t[]){0}, 1);
    put_chunk(sink, "IDAT", (const uint8_t[]){0x78, 0x01}, 2);
    uLong adler = 1;
    for (size_t s = 0; s < p->strip_count; s++) {
        const size_t begin = s * STRIP, left = p->height - begin;
        const size_t size = (left < STRIP ? left : STRIP) * (1 + p->row_bytes);
        put_chunk(sink, "IDAT", p->strips[s].bytes, p->strips[s].size);
        adler = adler32_combine(adler, p->strips[s].adler, (z_off_t)size);
    }
    uint8_t tail[4];
    big_endian(tail, (uint32_t)adler);
    put_chunk(sink, "IDAT", tail, sizeof tail);
    put_chunk(sink, "IEND", tail, 0);
}

static tl_status write_picture(const char *path, const picture *p, tl_error *error) {
    for (size_t s = 0; s < p->strip_count; s++)
        if (p->strips[s].failed)
            return tl_fail_memory(error, p->height, p->row_bytes);
    tl_sink sink;
    TL_TRY(tl_sink_begin(&sink, path, error));
    put_picture(&sink, p);
    return tl_sink_commit(&sink, error);
}

tl_status tl_png_write(const char *path, const uint8_t *rgb, size_t width, size_t height,
                       const tl_parallel *parallel, tl_error *error) {
    enum { LARGEST = 1 << 20 };
    if (width < 1 || height < 1 || width > LARGEST || height > LARGEST)
        return tl_fail(error, TL_BAD_INPUT, path, NULL,
                       "a picture of %zu x %zu pixels: 1 to %d each way are possible", width,
                       height, LARGEST);
    picture p = {rgb, width, height, width * PIXEL, NULL, tl_block_count(height, STRIP)};
    p.strips = tl_allocate(p.strip_count, sizeof *p.strips);
    if (!p.strips)
        return tl_fail_memory(error, p.strip_count, sizeof *p.strips);
    tl_parallel_for(parallel, p.strip_count, 1, pack_range, &p);
    const tl_status status = write_picture(path, &p, error);
    for (size_t s = 0; s < p.strip_count; s++)
        free(p.strips[s].bytes);
    free(p.strips);
    return status;
}
