/* Images as heights. See terrain.h. */
#include "mesh/terrain.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_PIXELS = 4096 }; /* along each side */

typedef struct scanner {
    const unsigned char *at, *end;
} scanner;

/* The next number of the head or of a plain image; -1 at the end and at what is none. */
static long next_number(scanner *s) {
    while (s->at < s->end && (isspace(*s->at) || *s->at == '#')) {
        if (*s->at == '#')
            while (s->at < s->end && *s->at != '\n')
                s->at++;
        else
            s->at++;
    }
    long number = -1;
    for (; s->at < s->end && isdigit(*s->at) && number < 1000000; s->at++)
        number = (number < 0 ? 0 : number) * 10 + (*s->at - '0');
    return number;
}

static long next_sample(scanner *s, bool plain, bool wide) {
    if (plain)
        return next_number(s);
    if (s->end - s->at < 1 + wide)
        return -1;
    const long value = wide ? s->at[0] * 256 + s->at[1] : s->at[0];
    s->at += 1 + wide;
    return value;
}

tl_status tl_read_pgm(const char *bytes, size_t size, const char *name, tl_heights *out,
                      tl_error *error) {
    scanner s = {(const unsigned char *)bytes, (const unsigned char *)bytes + size};
    if (size < 8 || bytes[0] != 'P' || (bytes[1] != '2' && bytes[1] != '5'))
        return tl_fail(error, TL_BAD_INPUT, "terrain.image",
                       "save it as PNG, such as with: convert image.jpg image.png",
                       "%.200s is neither a PNG nor a PGM image", name);
    const bool plain = bytes[1] == '2';
    s.at += 2;
    const long columns = next_number(&s), rows = next_number(&s), most = next_number(&s);
    if (columns < 2 || rows < 2 || columns > MOST_PIXELS || rows > MOST_PIXELS || most < 1 ||
        most > 65535)
        return tl_fail(error, TL_BAD_INPUT, "terrain.image", "scale it to that",
                       "%.200s has %ld × %ld pixels up to %ld; 2 to %d on each side will do", name,
                       columns, rows, most, MOST_PIXELS);
    s.at += !plain && s.at < s.end;
    const size_t width = (size_t)columns, height = (size_t)rows;
    float *values = tl_allocate(width * height, sizeof *values);
    if (!values)
        return tl_fail_memory(error, width * height, sizeof *values);
    for (size_t i = 0; i < width * height; i++) {
        const long sample = next_sample(&s, plain, most > 255);
        if (sample < 0) {
            free(values);
            return tl_fail(error, TL_BAD_INPUT, "terrain.image", NULL,
                           "%.200s ends after %zu of %zu pixels", name, i, width * height);
        }
        /* The first row of an image is its upper edge. */
        const size_t row = height - 1 - i / width;
        values[row * width + i % width] = (float)fmin((double)sample / (double)most, 1);
    }
    *out = (tl_heights){values, width, height};
    return TL_OK;
}
