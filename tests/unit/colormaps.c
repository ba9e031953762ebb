/* Colour maps: the published colours, ever lighter ones, and names. */
#include "render/colormap.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static double luminance(const tl_colormap *map, double t) {
    float rgb[3];
    tl_colormap_at(map, t, rgb);
    double linear[3];
    for (int k = 0; k < 3; k++)
        linear[k] = pow((double)rgb[k], 2.2);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

Test(colormap, viridis_and_inferno_only_get_brighter) {
    const char *const names[] = {"viridis", "inferno"};
    for (int m = 0; m < 2; m++) {
        const tl_colormap *map = tl_colormap_by_name(names[m]);
        for (int i = 0; i < 1000; i++)
            cr_assert_gt(luminance(map, (i + 1) / 1000.0), luminance(map, i / 1000.0), "%s at %d",
                         names[m], i);
    }
}

Test(colormap, ends_are_the_published_colours_and_strays_are_held) {
    const tl_colormap *map = tl_colormap_by_name("viridis");
    const double first[3] = {0x44, 0x01, 0x54}, last[3] = {0xFD, 0xE7, 0x25};
    float low[3], high[3], none[3];
    tl_colormap_at(map, -HUGE_VAL, low);
    tl_colormap_at(map, 7, high);
    tl_colormap_at(map, (double)NAN, none);
    for (int k = 0; k < 3; k++) {
        cr_expect_float_eq(255 * (double)low[k], first[k], 0.01);
        cr_expect_float_eq(255 * (double)high[k], last[k], 0.01);
        cr_expect_float_eq((double)none[k], 0.5, 1e-6);
    }
}

/* Entries of the tables of 256 colours in lib/matplotlib/_cm_listed.py of matplotlib. */
Test(colormap, plasma_and_cividis_have_their_published_colours) {
    static const struct entry {
        const char *name;
        int number;
        double rgb[3];
    } entries[] = {
        {"plasma", 0, {0.050383, 0.029803, 0.527975}},
        {"plasma", 51, {0.417642, 0.000564, 0.658390}},
        {"plasma", 128, {0.798216, 0.280197, 0.469538}},
        {"plasma", 191, {0.971835, 0.580382, 0.254931}},
        {"plasma", 255, {0.940015, 0.975158, 0.131326}},
        {"cividis", 0, {0.000000, 0.135112, 0.304751}},
        {"cividis", 64, {0.263738, 0.307831, 0.422789}},
        {"cividis", 128, {0.488697, 0.485318, 0.471008}},
        {"cividis", 191, {0.732422, 0.677364, 0.425717}},
        {"cividis", 255, {0.995737, 0.909344, 0.217772}},
    };
    for (size_t e = 0; e < sizeof entries / sizeof entries[0]; e++) {
        float rgb[3];
        tl_colormap_at(tl_colormap_by_name(entries[e].name), entries[e].number / 255.0, rgb);
        for (int k = 0; k < 3; k++)
            cr_expect_float_eq((double)rgb[k], entries[e].rgb[k], 1.0 / 255,
                               "%s %d, channel %d: %g", entries[e].name, entries[e].number, k,
                               (double)rgb[k]);
    }
}

Test(colormap, every_name_is_found_and_no_other) {
    for (const char *const *name = tl_colormap_names; *name; name++)
        cr_expect_not_null(tl_colormap_by_name(*name));
    cr_expect_null(tl_colormap_by_name("jet"));
}

static double lightness(const float rgb[3]) {
    const double weights[3] = {0.2126, 0.7152, 0.0722};
    double y = 0;
    for (int k = 0; k < 3; k++) {
        const double s = (double)rgb[k];
        y += weights[k] * (s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4));
    }
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y; /* CIE L* */
}

Test(colormap, maps_but_turbo_grow_evenly_lighter) {
    for (const char *const *name = tl_colormap_names; *name; name++) {
        if (strcmp(*name, "turbo") == 0)
            continue;
        const tl_colormap *map = tl_colormap_by_name(*name);
        float rgb[3];
        double ends[2], before = -1;
        for (int end = 0; end < 2; end++) {
            tl_colormap_at(map, end, rgb);
            ends[end] = lightness(rgb);
        }
        cr_expect(ends[1] - ends[0] > 70, "%s spans %g", *name, ends[1] - ends[0]);
        for (int i = 0; i <= 200; i++) {
            tl_colormap_at(map, i / 200.0, rgb);
            const double now = lightness(rgb), even = ends[0] + (ends[1] - ends[0]) * i / 200;
            cr_expect(now > before, "%s at %g", *name, i / 200.0);
            cr_expect(fabs(now - even) < 7, "%s at %g: %g, not %g", *name, i / 200.0, now, even);
            before = now;
        }
    }
}
