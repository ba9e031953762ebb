/* The skin of matter as the camera sees it, pixel by pixel: how near it is, smoothed, where it
 * covers what is behind it, which way it faces and how it is painted.
 *
 * Nearness, 1 / depth, is what is smoothed: on screen it is linear over a plane, so that planes
 * stay planes, and its slopes are the normal. */
#ifndef TL_RENDER_SKIN_H
#define TL_RENDER_SKIN_H

#include "render/blot.h"
#include "render/tile.h"

/* Colour in linear light, and °C. */
typedef struct tl_paint {
    tl_float3 colour;
    float temperature;
} tl_paint;

typedef struct tl_skin {
    const tl_preview_scene *scene;
    const tl_preview_skin *matter;
    tl_ellipsoid *shapes;
    tl_lens lens;
    tl_blots blots;
    tl_tile_grid grid;
    tl_preview_scene cast; /* the surface alone, */
    tl_view *form;         /* and how the camera sees it; NULL: the blots are drawn */
    float spacing;
    float *near;        /* [pixel]: 1 / m; 0: no matter */
    uint8_t *cover;     /* [pixel]: how many of its 4 samples show matter, */
    uint8_t *front;     /* and how many of them would show the foremost sheet of it */
    tl_float3 *normals; /* [pixel]: camera space */
    tl_paint *paints;   /* [particle] */
    tl_paint *painted;  /* [pixel]; NULL: all as the first particle */
    uint8_t *kinds;     /* [pixel]: number of the matter */
    float *behind;      /* [pixel]: m, depth of what is not matter */
    float *thickness;   /* [pixel]: m of clear matter; NULL: there is none */
} tl_skin;

/* Finds shapes and blots of scene->skin. */
tl_status tl_skin_make(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                       const tl_preview_scene *scene, tl_skin *out, tl_error *error);

/* Draws the matter of a tile whose other things are drawn already, and are in its depths. */
void tl_skin_draw(const tl_view *view, size_t number, const tl_tile *tile);

/* Smooths the nearness: see soften.c. */
tl_status tl_skin_soften(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                         tl_error *error);

/* Finds normals from the smoothed nearness. `scratch` has room for all pixels. */
void tl_skin_turn(const tl_parallel *parallel, const tl_view *view, tl_float3 *scratch);

/* Where the ray of pixel p, (x, y, 1), meets the skin that is there. */
static inline tl_surface tl_skin_at(const tl_skin *skin, size_t pixel, float x, float y) {
    const float depth = 1 / skin->near[pixel];
    return (tl_surface){depth, {x * depth, y * depth, depth}, skin->normals[pixel]};
}

static inline tl_paint tl_skin_paint(const tl_skin *skin, size_t pixel) {
    return skin->painted ? skin->painted[pixel] : skin->paints[0];
}

static inline tl_preview_matter tl_skin_matter(const tl_skin *skin, size_t pixel) {
    return skin->matter->matter_count ? skin->matter->matters[skin->kinds[pixel]]
                                      : tl_preview_plain_matter();
}

/* Whether a particle is of clear matter. */
static inline bool tl_skin_is_clear(const tl_skin *skin, size_t particle) {
    const tl_preview_skin *m = skin->matter;
    return m->matter_count > 0 && m->matters[m->kinds ? m->kinds[particle] : 0].clarity > 0.5f;
}

/* Whether nothing is to be seen of what is behind the skin. */
static inline bool tl_skin_hides(const tl_skin *skin, size_t pixel) {
    return skin->cover[pixel] == 4 && !(tl_skin_matter(skin, pixel).clarity > 0);
}

/* Joins the depth of the skin with that of all else, for the passes that see both. */
void tl_skin_join(tl_view *view);

#endif
