/* See glow.h. Planck's law times the matching functions of the eye, for which the fits of Wyman,
 * Sloan & Shirley (2013), "Simple analytic approximations to the CIE XYZ color matching functions",
 * eq. 4 and table 1, are good to a hundredth. */
#include "render/glow.h"

/* °C of the first and last step; below the first matter is dark. */
#define COLDEST 450.0
#define HOTTEST 2500.0

/* In white sheets in daylight: matter at 1100 °C, of which it is not known how hot it will be, and
 * the hottest of a picture that is exposed for it. From there the first changes with the square
 * root of what it truly does, which is a thousandfold from 700 to 1100 °C; the other as it truly
 * does. */
#define WHITE_HEAT 2.2
#define EXPOSED    1.5

static double lobe(double nm, double middle, double below, double above) {
    const double t = (nm - middle) / (nm < middle ? below : above);
    return exp(-0.5 * t * t);
}

void tl_black_body(double kelvin, double xyz[3]) {
    const double c1 = 1.191042972e-16, c2 = 1.438776877e-2; /* 2 h c² and h c / k */
    xyz[0] = xyz[1] = xyz[2] = 0;
    for (int nm = 360; nm <= 830; nm += 5) {
        const double l = nm, metres = 1e-9 * l;
        const double planck = c1 / pow(metres, 5) / expm1(c2 / (metres * kelvin)) * 5e-9;
        xyz[0] +=
            planck * (1.056 * lobe(l, 599.8, 37.9, 31.0) + 0.362 * lobe(l, 442.0, 16.0, 26.7) -
                      0.065 * lobe(l, 501.1, 20.4, 26.2));
        xyz[1] +=
            planck * (0.821 * lobe(l, 568.8, 46.9, 40.5) + 0.286 * lobe(l, 530.9, 16.3, 31.1));
        xyz[2] +=
            planck * (1.217 * lobe(l, 437.0, 11.8, 36.0) + 0.681 * lobe(l, 459.0, 26.0, 13.8));
    }
}

/* To linear sRGB (IEC 61966-2-1). What is redder than any screen is shown as red as it can. */
static tl_float3 to_screen(const double xyz[3]) {
    const double rgb[3] = {3.2406 * xyz[0] - 1.5372 * xyz[1] - 0.4986 * xyz[2],
                           -0.9689 * xyz[0] + 1.8758 * xyz[1] + 0.0415 * xyz[2],
                           0.0557 * xyz[0] - 0.2040 * xyz[1] + 1.0570 * xyz[2]};
    return (tl_float3){(float)fmax(rgb[0], 0), (float)fmax(rgb[1], 0), (float)fmax(rgb[2], 0)};
}

void tl_glow_make(tl_glow *out, float hottest) {
    const bool exposes = hottest > 0;
    double reference[3], xyz[3];
    tl_black_body((exposes ? (double)hottest : 1100) + 273.15, reference);
    for (int i = 0; i <= TL_GLOW_STEPS; i++) {
        const double celsius = COLDEST + (HOTTEST - COLDEST) * i / TL_GLOW_STEPS;
        tl_black_body(celsius + 273.15, xyz);
        const double ratio = xyz[1] / reference[1];
        const double bright = exposes ? EXPOSED * ratio : WHITE_HEAT * sqrt(ratio);
        const tl_float3 colour = to_screen(xyz);
        const float most = fmaxf(colour.x, fmaxf(colour.y, colour.z));
        const double fade = fmin((celsius - COLDEST) / 150, 1);
        out->light[i] = tl_float3_scale(colour, (float)(bright * fade) / most);
    }
}

tl_float3 tl_glow_at(const tl_glow *glow, float celsius) {
    const float at = (celsius - (float)COLDEST) * (float)(TL_GLOW_STEPS / (HOTTEST - COLDEST));
    if (!(at > 0))
        return (tl_float3){0, 0, 0};
    if (at >= TL_GLOW_STEPS)
        return glow->light[TL_GLOW_STEPS];
    const int i = (int)at;
    return tl_float3_mix(glow->light[i], glow->light[i + 1], at - (float)i);
}
