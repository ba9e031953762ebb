/* PNG images as heights (ISO/IEC 15948), inflated by zlib row by row. Grey is taken as it is,
 * colour by its luminance (ITU-R BT.709), each as the numbers stand in the file: no gamma is
 * applied, and transparency is passed over. See terrain.h. */
#include "mesh/terrain.h"

#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

enum { MOST_PIXELS = 4096, SIGNATURE = 8, PALETTE = 256 }; /* pixels along each side */
enum { GREY = 0, COLOUR = 2, INDEXED = 3, ALPHA = 4 };     /* ALPHA is added to GREY or COLOUR */

typedef struct chunk {
    const unsigned char *bytes;
    size_t size;
    char type[5];
} chunk;

typedef struct png {
    const unsigned char *at, *end;
    const char *name;
    size_t width, height;
    int depth, colour, channels;
    size_t pixel_bytes, row_bytes;
    float palette[PALETTE]; /* luminances */
    z_stream stream;
    chunk data; /* the one that the stream reads */
} png;

#define REFUSE(error, fix, ...) tl_fail(error, TL_BAD_INPUT, "terrain.image", fix, __VA_ARGS__)

bool tl_is_png(const char *bytes, size_t size) {
    return size >= SIGNATURE && memcmp(bytes, "\x89PNG\r\n\x1a\n", SIGNATURE) == 0;
}

static uint32_t big_endian(const unsigned char *b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static tl_status next_chunk(png *p, chunk *out, tl_error *error) {
    const size_t left = (size_t)(p->end - p->at), size = left < 12 ? 0 : big_endian(p->at);
    if (left < 12 || size > left - 12)
        return REFUSE(error, NULL, "%.200s ends in the middle", p->name);
    *out = (chunk){.bytes = p->at + 8, .size = size};
    memcpy(out->type, p->at + 4, 4);
    if (crc32_z(0, p->at + 4, size + 4) != big_endian(out->bytes + size))
        return REFUSE(error, "fetch or save it anew", "%.200s is damaged: its sums do not agree",
                      p->name);
    p->at += 12 + size;
    return TL_OK;
}

static tl_status check_format(const png *p, int interlace, tl_error *error) {
    const int d = p->depth, c = p->colour;
    const bool bytes = d == 8 || d == 16, bits = d == 1 || d == 2 || d == 4;
    const bool known = c == GREY      ? bytes || bits
                       : c == INDEXED ? d == 8 || bits
                                      : bytes && (c == COLOUR || c == ALPHA || c == COLOUR + ALPHA);
    if (!known)
        return REFUSE(error, NULL, "%.200s is no PNG image: there is no format %d with %d bits",
                      p->name, c, d);
    if (interlace)
        return REFUSE(error, "save it without interlacing", "%.200s is interlaced", p->name);
    return TL_OK;
}

static tl_status read_head(png *p, tl_error *error) {
    chunk head;
    TL_TRY(next_chunk(p, &head, error));
    if (strcmp(head.type, "IHDR") != 0 || head.size != 13)
        return REFUSE(error, NULL, "%.200s is no PNG image: it has no head", p->name);
    const unsigned char *b = head.bytes;
    p->width = big_endian(b);
    p->height = big_endian(b + 4);
    p->depth = b[8];
    p->colour = b[9];
    TL_TRY(check_format(p, b[12], error));
    if (p->width < 2 || p->height < 2 || p->width > MOST_PIXELS || p->height > MOST_PIXELS)
        return REFUSE(error, "scale it to that",
                      "%.200s has %zu × %zu pixels; 2 to %d on each side will do", p->name,
                      p->width, p->height, MOST_PIXELS);
    p->channels =
        (p->colour & COLOUR && p->colour != INDEXED ? 3 : 1) + (p->colour & ALPHA ? 1 : 0);
    const size_t bits = (size_t)p->channels * (size_t)p->depth;
    p->pixel_bytes = (bits + 7) / 8;
    p->row_bytes = (p->width * bits + 7) / 8;
    return TL_OK;
}

static float luminance(double red, double green, double blue) {
    return (float)fmin(0.2126 * red + 0.7152 * green + 0.0722 * blue, 1);
}

/* Passes over what stands before the pixels, but for the palette. */
static tl_status find_pixels(png *p, tl_error *error) {
    bool has_palette = false;
    for (;;) {
        TL_TRY(next_chunk(p, &p->data, error));
        const unsigned char *b = p->data.bytes;
        if (strcmp(p->data.type, "IDAT") == 0)
            break;
        if (strcmp(p->data.type, "IEND") == 0)
            return REFUSE(error, NULL, "%.200s has no pixels", p->name);
        if (strcmp(p->data.type, "PLTE") != 0)
            continue;
        has_palette = true;
        for (size_t i = 0; i < PALETTE && 3 * i + 2 < p->data.size; i++)
            p->palette[i] = luminance(b[3 * i] / 255.0, b[3 * i + 1] / 255.0, b[3 * i + 2] / 255.0);
    }
    if (p->colour == INDEXED && !has_palette)
        return REFUSE(error, NULL, "%.200s has no palette", p->name);
    p->stream.next_in = p->data.bytes;
    p->stream.avail_in = (uInt)p->data.size;
    return TL_OK;
}

/* The filter byte and the bytes of the next row. */
static tl_status inflate_row(png *p, size_t row, unsigned char *out, tl_error *error) {
    p->stream.next_out = out;
    p->stream.avail_out = (uInt)(1 + p->row_bytes);
    while (p->stream.avail_out) {
        if (p->stream.avail_in == 0) {
            TL_TRY(next_chunk(p, &p->data, error));
            if (strcmp(p->data.type, "IDAT") != 0)
                return REFUSE(error, NULL, "%.200s ends after %zu of %zu rows", p->name, row,
                              p->height);
            p->stream.next_in = p->data.bytes;
            p->stream.avail_in = (uInt)p->data.size;
            continue;
        }
        const int result = inflate(&p->stream, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR)
            return tl_fail_memory(error, 1, p->row_bytes);
        const bool whole = result == Z_STREAM_END && p->stream.avail_out == 0;
        if (result != Z_OK && !whole)
            return REFUSE(error, "fetch or save it anew",
                          "%.200s is damaged: %zu of %zu rows can be read", p->name, row,
                          p->height);
    }
    return TL_OK;
}

/* Of left, above and above left, the one that is nearest to left + above - above left. */
static unsigned paeth(int a, int b, int c) {
    const int to_a = abs(b - c), to_b = abs(a - c), to_c = abs(a + b - 2 * c);
    return (unsigned)(to_a <= to_b && to_a <= to_c ? a : to_b <= to_c ? b : c);
}

/* Adds what the filter took away; `above` is the row before, or zeros. */
static bool undo_filter(const png *p, int filter, unsigned char *row, const unsigned char *above) {
    for (size_t i = 0; i < p->row_bytes; i++) {
        const unsigned up = above[i], left = i < p->pixel_bytes ? 0 : row[i - p->pixel_bytes],
                       corner = i < p->pixel_bytes ? 0 : above[i - p->pixel_bytes];
        const unsigned guess[5] = {0, left, up, (left + up) / 2,
                                   paeth((int)left, (int)up, (int)corner)};
        if (filter > 4)
            return false;
        row[i] = (unsigned char)(row[i] + guess[filter]);
    }
    return true;
}

/* Number k of a row. */
static unsigned sample(const png *p, const unsigned char *row, size_t k) {
    if (p->depth == 16)
        return row[2 * k] * 256u + row[2 * k + 1];
    const size_t per_byte = 8 / (size_t)p->depth, shift = 8 - (k % per_byte + 1) * (size_t)p->depth;
    return row[k / per_byte] >> shift & ((1u << p->depth) - 1);
}

static float height_at(const png *p, const unsigned char *row, size_t pixel) {
    const size_t k = pixel * (size_t)p->channels;
    if (p->colour == INDEXED)
        return p->palette[sample(p, row, k)];
    const double most = (double)((1u << p->depth) - 1), first = sample(p, row, k) / most;
    return p->channels < 3
               ? (float)first
               : luminance(first, sample(p, row, k + 1) / most, sample(p, row, k + 2) / most);
}

static tl_status read_rows(png *p, unsigned char *row, unsigned char *above, float *values,
                           tl_error *error) {
    for (size_t y = 0; y < p->height; y++) {
        TL_TRY(inflate_row(p, y, row, error));
        if (!undo_filter(p, row[0], row + 1, above + 1))
            return REFUSE(error, NULL, "%.200s is damaged: row %zu has a filter %d", p->name, y,
                          row[0]);
        /* The first row of an image is its upper edge. */
        for (size_t x = 0; x < p->width; x++)
            values[(p->height - 1 - y) * p->width + x] = height_at(p, row + 1, x);
        unsigned char *const done = row;
        row = above;
        above = done;
    }
    return TL_OK;
}

tl_status tl_read_png(const char *bytes, size_t size, const char *name, tl_heights *out,
                      tl_error *error) {
    png p = {.name = name};
    if (!tl_is_png(bytes, size))
        return REFUSE(error, NULL, "%.200s is not a PNG image", name);
    p.at = (const unsigned char *)bytes + SIGNATURE;
    p.end = (const unsigned char *)bytes + size;
    TL_TRY(read_head(&p, error));
    TL_TRY(find_pixels(&p, error));
    float *values = tl_allocate(p.width * p.height, sizeof *values);
    unsigned char *rows = tl_allocate(2, 1 + p.row_bytes);
    tl_status status = values && rows && inflateInit(&p.stream) == Z_OK
                           ? TL_OK
                           : tl_fail_memory(error, p.width * p.height, sizeof *values);
    if (status == TL_OK) {
        status = read_rows(&p, rows, rows + 1 + p.row_bytes, values, error);
        inflateEnd(&p.stream);
    }
    free(rows);
    if (status != TL_OK) {
        free(values);
        return status;
    }
    *out = (tl_heights){values, p.width, p.height};
    return TL_OK;
}
