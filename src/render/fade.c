/* See fade.h. */
#include "render/fade.h"

#include "math/elementary.h"

void tl_fade(const float ways[TL_FADE_WAYS], const float length[3], float out[3]) {
    for (int c = 0; c < 3; c++) {
        tl_wide sum = tl_splat(0);
        for (int k = 0; k < TL_FADE_WAYS; k += TL_LANES)
            sum += tl_exp(tl_load(ways + k) * (-1 / length[c]));
        out[c] = tl_sum(sum) / TL_FADE_WAYS;
    }
}
