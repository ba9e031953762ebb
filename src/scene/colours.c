/* See colours.h. */
#include "scene/colours.h"

#include <stdlib.h>
#include <string.h>

const char *const tl_colour_names[] = {
    "black", "white", "grey", "gray", "silver", "red",  "orange", "amber", "yellow", "green",
    "teal",  "cyan",  "blue", "navy", "purple", "pink", "brown",  "honey", "cream",  NULL};

/* In the order of the names. */
static const unsigned values[] = {0x000000, 0xffffff, 0x808080, 0x808080, 0xc0c0c0,
                                  0xd62828, 0xf28c28, 0xffbf00, 0xf2d024, 0x2a9d4a,
                                  0x1b998b, 0x29b6d8, 0x2a6fdb, 0x14213d, 0x7b2cbf,
                                  0xf497b6, 0x7a4a24, 0xd98e04, 0xfff1d0};
_Static_assert(sizeof tl_colour_names / sizeof *tl_colour_names ==
                   sizeof values / sizeof *values + 1,
               "every name has a value");

static void set_colour(float out[3], unsigned rgb) {
    for (int k = 0; k < 3; k++)
        out[k] = (float)(rgb >> (16 - 8 * k) & 0xFF) / 255.0f;
}

static bool read_hex(const char *text, float out[3]) {
    if (text[0] != '#')
        return false;
    const size_t digits = strspn(text + 1, "0123456789abcdefABCDEF");
    if (text[1 + digits] != 0 || (digits != 6 && digits != 3))
        return false;
    unsigned rgb = (unsigned)strtoul(text + 1, NULL, 16);
    if (digits == 3)
        rgb = (rgb >> 8 & 15) * 0x110000 + (rgb >> 4 & 15) * 0x1100 + (rgb & 15) * 0x11;
    set_colour(out, rgb);
    return true;
}

bool tl_colour_read(const char *text, float out[3]) {
    if (read_hex(text, out))
        return true;
    for (size_t i = 0; tl_colour_names[i]; i++)
        if (strcmp(tl_colour_names[i], text) == 0) {
            set_colour(out, values[i]);
            return true;
        }
    return false;
}
