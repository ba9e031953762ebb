/* See colormap.h. Each map is a smooth curve (Catmull-Rom) through key colours at even steps: those
 * that van der Walt & Smith (viridis, inferno, magma, plasma; 2015), Nuñez, Anderton & Renslow
 * (cividis; 2018) and Mikhailov (turbo; 2019) published for their maps. Against the full 256-entry
 * tables the curves of viridis, inferno and turbo are off by 1.3 to 1.7 of 255 in the mean, and at
 * most by 12 (viridis, blue near its yellow end), 8 (inferno) and 6 (turbo). The keys of plasma and
 * cividis are from lib/matplotlib/_cm_listed.py of matplotlib; half-way between keys and near the
 * ends, plasma is off by up to 5 and cividis by up to 8. Grey has even steps of CIE lightness from
 * 5 to 97. All but turbo grow lighter from end to end; in turbo one tells more values apart, but
 * sees edges where there are none. */
#include "render/colormap.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MAX_KEYS = 12 };

struct tl_colormap {
    const char *name;
    int count;
    uint32_t keys[MAX_KEYS]; /* 0xrrggbb */
};

static const tl_colormap maps[] = {
    {"viridis",
     11,
     {0x440154, 0x482576, 0x414487, 0x35608D, 0x2A788E, 0x21908C, 0x22A884, 0x43BF71, 0x7AD151,
      0xBBDF27, 0xFDE725}},
    {"inferno",
     11,
     {0x000004, 0x160B39, 0x420A68, 0x6A176E, 0x932667, 0xBC3754, 0xDD513A, 0xF37819, 0xFCA50A,
      0xF6D746, 0xFCFFA4}},
    {"magma",
     11,
     {0x000004, 0x150E37, 0x3B0F70, 0x641A80, 0x8C2981, 0xB63679, 0xDE4968, 0xF76F5C, 0xFE9F6D,
      0xFECE91, 0xFCFDBF}},
    {"plasma",
     11,
     {0x0D0887, 0x42039D, 0x6A00A8, 0x900EA3, 0xB12A90, 0xCB4778, 0xE16462, 0xF2834C, 0xFCA636,
      0xFCCE25, 0xF0F921}},
    {"cividis",
     11,
     {0x00224E, 0x0A3470, 0x35456C, 0x4F576C, 0x666970, 0x7C7B78, 0x948E77, 0xAEA271, 0xC8B866,
      0xE4CE52, 0xFEE838}},
    {"grey",
     9,
     {0x111111, 0x292929, 0x424242, 0x5D5D5D, 0x797979, 0x979797, 0xB6B6B6, 0xD6D6D6, 0xF6F6F6}},
    {"turbo",
     12,
     {0x30123B, 0x4454C4, 0x4490FE, 0x1FC8DE, 0x29EFA2, 0x7DFF56, 0xC1F334, 0xF1CA3A, 0xFE922A,
      0xEA4F0D, 0xBE2102, 0x7A0403}},
};

const char *const tl_colormap_names[] = {"viridis", "inferno", "magma", "plasma",
                                         "cividis", "grey",    "turbo", NULL};

const tl_colormap *tl_colormap_by_name(const char *name) {
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        if (strcmp(maps[i].name, name) == 0)
            return &maps[i];
    return NULL;
}

static double channel(const tl_colormap *map, int key, int k) {
    return (double)(map->keys[key] >> (16 - 8 * k) & 255) / 255;
}

void tl_colormap_at(const tl_colormap *map, double t, float rgb[3]) {
    if (t != t) {
        rgb[0] = rgb[1] = rgb[2] = 0.5f;
        return;
    }
    const int last = map->count - 1;
    const double at = (t < 0 ? 0 : t > 1 ? 1 : t) * last;
    const int i = at < last ? (int)at : last - 1;
    const double s = at - i;
    for (int k = 0; k < 3; k++) {
        const double b = channel(map, i, k), c = channel(map, i + 1, k);
        /* Beyond the ends the curve goes on straight. */
        const double a = i > 0 ? channel(map, i - 1, k) : 2 * b - c;
        const double d = i + 2 <= last ? channel(map, i + 2, k) : 2 * c - b;
        const double v =
            b + 0.5 * s * (c - a + s * (2 * a - 5 * b + 4 * c - d + s * (3 * (b - c) + d - a)));
        rgb[k] = (float)(v < 0 ? 0 : v > 1 ? 1 : v);
    }
}
