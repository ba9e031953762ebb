/* See blackbody.h. Planck's spectral radiance times the eye's curves, for which we take the sums of
 * Gaussians of Wyman, Sloan & Shirley (2013, J. Computer Graphics Techniques 2(2), eq. 4), summed
 * over the wavelengths that are seen. */
#include "render/blackbody.h"

#include <math.h>

/* A Gaussian whose width differs on the two sides of its top. */
static double lobe(double x, double top, double left, double right) {
    const double t = (x - top) * (x < top ? left : right);
    return exp(-0.5 * t * t);
}

/* The colour matching functions of 1931 at a wavelength in nm. */
static void match(double nm, double xyz[3]) {
    xyz[0] = 0.362 * lobe(nm, 442.0, 0.0624, 0.0374) + 1.056 * lobe(nm, 599.8, 0.0264, 0.0323) -
             0.065 * lobe(nm, 501.1, 0.0490, 0.0382);
    xyz[1] = 0.821 * lobe(nm, 568.8, 0.0213, 0.0247) + 0.286 * lobe(nm, 530.9, 0.0613, 0.0322);
    xyz[2] = 1.217 * lobe(nm, 437.0, 0.0845, 0.0278) + 0.681 * lobe(nm, 459.0, 0.0385, 0.0725);
}

/* W/(m² sr m) */
static double planck(double metres, double kelvin) {
    const double h = 6.62607015e-34, c = 299792458, k = 1.380649e-23;
    return 2 * h * c * c / pow(metres, 5) / expm1(h * c / (metres * k * kelvin));
}

void tl_blackbody(double celsius, float rgb[3]) {
    static const double to_rgb[3][3] = {
        {3.2406, -1.5372, -0.4986}, {-0.9689, 1.8758, 0.0415}, {0.0557, -0.2040, 1.0570}};
    enum { FIRST = 380, LAST = 780, STEP = 10 };
    const double lumens_per_watt = 683;
    double xyz[3] = {0, 0, 0};
    rgb[0] = rgb[1] = rgb[2] = 0;
    if (!(celsius > 400))
        return;
    for (int nm = FIRST; nm <= LAST; nm += STEP) {
        double seen[3];
        match(nm, seen);
        for (int k = 0; k < 3; k++)
            xyz[k] += seen[k] * planck(1e-9 * nm, celsius + 273.15) * 1e-9 * STEP;
    }
    for (int k = 0; k < 3; k++) {
        const double sum = to_rgb[k][0] * xyz[0] + to_rgb[k][1] * xyz[1] + to_rgb[k][2] * xyz[2];
        rgb[k] = (float)fmax(0, sum * lumens_per_watt / TL_WHITE_LUMINANCE);
    }
}
