/* Colours of walls, balls, boxes and meshes, in linear light. */
#ifndef TL_RENDER_TINT_H
#define TL_RENDER_TINT_H

#include "render/view.h"
#include "render/wide3.h"

enum { TL_TINT_STEPS = 1024 };

typedef struct tl_tints {
    const tl_view *view;
    tl_float3 focus; /* what is looked at, in camera space */
    tl_float3 colour, top, bottom;
    float to_linear[TL_TINT_STEPS + 1];
} tl_tints;

void tl_tints_make(const tl_view *view, tl_tints *out);

/* The background behind a row of pixels. */
tl_float3 tl_tint_behind(const tl_tints *tints, int y);

/* The colour of a ball, box or triangle where the ray (x, y, 1) meets it. */
tl_float3 tl_tint_of(const tl_tints *tints, uint32_t shows, float x, float y);

/* Planes where rays (x, y, 1) meet them, and how far each has faded into the background: by 1 where
 * nothing of it is left. */
tl_wide3 tl_tint_plane(const tl_tints *tints, const tl_view_plane *plane, tl_wide x, tl_wide y,
                       tl_wide depth, tl_wide *fade);

#endif
