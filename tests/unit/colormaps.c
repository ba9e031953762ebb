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
