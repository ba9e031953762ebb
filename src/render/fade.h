/* Light that fades on its way through matter. */
#ifndef TL_RENDER_FADE_H
#define TL_RENDER_FADE_H

enum { TL_FADE_WAYS = 16 };

/* out[c] = the mean over all ways of exp(-way / length[c]), for ways that are not negative. */
void tl_fade(const float ways[TL_FADE_WAYS], const float length[3], float out[3]);

#endif
