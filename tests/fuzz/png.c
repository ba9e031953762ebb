/* Any bytes as a PNG image: with the sums of its chunks made right, since nothing would get past
 * them otherwise, and as the head and the rows of an image that is whole. */
#include "mesh/terrain.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIGNATURE = 8, HEAD = 13 };

static void put_number(uint8_t *out, uint64_t value) {
    for (int k = 0; k < 4; k++)
        out[k] = (uint8_t)(value >> (24 - 8 * k));
}

static void mend_sums(uint8_t *bytes, size_t size) {
    for (size_t at = SIGNATURE; at + 12 <= size;) {
        const uint8_t *b = bytes + at;
        const size_t length = (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
        if (length > size - at - 12)
            return;
        put_number(bytes + at + 8 + length, crc32_z(0, b + 4, length + 4));
        at += 12 + length;
    }
}

static void read_image(const uint8_t *bytes, size_t size) {
    tl_heights heights = {0};
    tl_error error = {0};
    const tl_status status = tl_read_png((const char *)bytes, size, "fuzz", &heights, &error);
    if (status == TL_OK ? !heights.values : error.what[0] == 0)
        abort();
    for (size_t i = 0; i < heights.columns * heights.rows; i++)
        if (!(heights.values[i] >= 0 && heights.values[i] <= 1))
            abort();
    free(heights.values);
}

static size_t put_chunk(uint8_t *out, const char *type, size_t size) {
    put_number(out, size);
    memcpy(out + 4, type, 4);
    return 12 + size;
}

/* Sides of at most 255, so that images are not refused for their size alone. */
static void read_rows(const uint8_t *data, size_t size) {
    uLongf packed = compressBound(size);
    uint8_t *bytes = calloc(1, SIGNATURE + 3 * 12 + HEAD + 48 + packed);
    if (!bytes)
        return;
    size_t at = SIGNATURE;
    memcpy(bytes, "\x89PNG\r\n\x1a\n", SIGNATURE);
    memcpy(bytes + at + 8, data, HEAD);
    memset(bytes + at + 8, 0, 3);
    memset(bytes + at + 12, 0, 3);
    at += put_chunk(bytes + at, "IHDR", HEAD);
    at += put_chunk(bytes + at, "PLTE", 48);
    if (compress(bytes + at + 8, &packed, data + HEAD, size - HEAD) == Z_OK) {
        at += put_chunk(bytes + at, "IDAT", packed);
        mend_sums(bytes, at);
        read_image(bytes, at);
    }
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *bytes = malloc(SIGNATURE + size);
    if (!bytes)
        return 0;
    memcpy(bytes, "\x89PNG\r\n\x1a\n", SIGNATURE);
    if (size)
        memcpy(bytes + SIGNATURE, data, size);
    mend_sums(bytes, SIGNATURE + size);
    read_image(bytes, SIGNATURE + size);
    free(bytes);
    if (size > HEAD)
        read_rows(data, size);
    return 0;
}
