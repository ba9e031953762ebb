/* The colour of hot matter: that of a black body, as bright as a photograph would show it. */
#ifndef TL_RENDER_GLOW_H
#define TL_RENDER_GLOW_H

#include "render/float3.h"

/* CIE 1931 XYZ of a black body of that many kelvin, with Y in W/(m² sr) weighted by the eye. */
void tl_black_body(double kelvin, double xyz[3]);

enum { TL_GLOW_STEPS = 512 };

/* Linear light over temperature. */
typedef struct tl_glow {
    tl_float3 light[TL_GLOW_STEPS + 1];
} tl_glow;

/* As a picture shows it that is exposed for the hottest matter, in °C; or, where that is 0 and
 * nobody knows, for 1100 °C and with the contrast that an eye sees. */
void tl_glow_make(tl_glow *out, float hottest);

/* The light of matter at a temperature in °C. */
tl_float3 tl_glow_at(const tl_glow *glow, float celsius);

#endif
