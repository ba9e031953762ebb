/* The light of hot matter: Planck's law as an eye sees it. */
#ifndef TL_RENDER_BLACKBODY_H
#define TL_RENDER_BLACKBODY_H

/* The luminance that is white in a picture: a sheet of paper in a bright room. */
#define TL_WHITE_LUMINANCE 1000.0 /* cd/m² */

/* Linear sRGB of a black body at a temperature in °C, unbounded above; black below 400 °C, where
 * an eye sees nothing. Colours that a screen cannot show are moved to its edge. */
void tl_blackbody(double celsius, float rgb[3]);

#endif
