/* See tint.h. */
#include "render/tint.h"

#include "render/triangles.h"

/* Where an endless plane goes over into the background, in viewing distances from the focus. */
#define FADE_START 0.6f
#define FADE_END   3.2f

/* Width of the lines of a grid, and how much darker they are. */
#define LINE      0.02f
#define LINE_DARK 0.22f

void tl_tints_make(const tl_view *view, tl_tints *out) {
    out->view = view;
    out->focus = tl_float3_of(tl_view_point(view, view->look_at));
    out->colour = tl_linear(view->scene->colour);
    out->top = tl_linear(view->scene->background_top);
    out->bottom = tl_linear(view->scene->background_bottom);
    for (int i = 0; i <= TL_TINT_STEPS; i++) {
        const float s = (float)i / TL_TINT_STEPS, grey[3] = {s, s, s};
        out->to_linear[i] = tl_linear(grey).x;
    }
}

tl_float3 tl_tint_behind(const tl_tints *tints, int y) {
    const float t = ((float)y + 0.5f) / (float)tints->view->height;
    return tl_float3_mix(tints->top, tints->bottom, t);
}

static tl_float3 sphere_colour(const tl_tints *tints, uint32_t sphere) {
    const float *colours = tints->view->scene->colours;
    if (!colours)
        return tints->colour;
    const float *c = colours + 3 * (size_t)sphere;
    float out[3];
    for (int k = 0; k < 3; k++)
        out[k] = tints->to_linear[(int)(tl_clamp01(c[k]) * TL_TINT_STEPS + 0.5f)];
    return (tl_float3){out[0], out[1], out[2]};
}

tl_float3 tl_tint_of(const tl_tints *tints, uint32_t shows, float x, float y) {
    const tl_view *view = tints->view;
    if (shows >= TL_SHOWS_BOX)
        return view->boxes[shows - TL_SHOWS_BOX].colour;
    if (shows >= view->scene->count)
        return tl_triangle_colour(view, shows - view->scene->count, x, y);
    return sphere_colour(tints, shows);
}

/* The part of [at - wide / 2, at + wide / 2] that lines around whole numbers cover; exact, so that
 * a grid fades to grey in the distance and does not shimmer. */
static tl_wide line_cover(tl_wide at, tl_wide wide) {
    const tl_wide a = at - 0.5f * wide + 0.5f * LINE, b = a + wide, line = tl_splat(LINE);
    const tl_wide whole_a = tl_floor(a), whole_b = tl_floor(b);
    const tl_wide to_a = whole_a * LINE + tl_min(a - whole_a, line);
    const tl_wide to_b = whole_b * LINE + tl_min(b - whole_b, line);
    return tl_wide_part((to_b - to_a) / wide);
}

/* On a plane n·p = h the ray r meets p = r h / n·r; with the ray's x, p grows by
 * (e_x - r n_x / n·r) h / n·r. */
static tl_wide grid_cover(const tl_view *view, const tl_view_plane *plane, tl_wide3 ray,
                          tl_wide depth) {
    const tl_float3 n = plane->normal, axes[2] = {plane->u, plane->v};
    const tl_wide inverse = 1 / tl_wide3_dot(tl_wide3_splat(n), ray);
    const float scale = 1 / plane->grid, at[2] = {plane->at_u, plane->at_v};
    const tl_wide growth = tl_wide_abs(depth) * (view->pixel * scale);
    tl_wide clear = tl_splat(1);
    for (int k = 0; k < 2; k++) {
        const tl_wide along = tl_wide3_dot(tl_wide3_splat(axes[k]), ray), turned = along * inverse;
        const tl_wide here = (along * depth - at[k]) * scale;
        const tl_wide wide = growth * (tl_wide_abs(axes[k].x - turned * n.x) +
                                       tl_wide_abs(axes[k].y - turned * n.y));
        clear *= 1 - line_cover(here, tl_max(wide, tl_splat(1e-4f)));
    }
    return 1 - clear;
}

tl_wide3 tl_tint_plane(const tl_tints *tints, const tl_view_plane *plane, tl_wide x, tl_wide y,
                       tl_wide depth, tl_wide *fade) {
    const tl_wide3 ray = {x, y, tl_splat(1)};
    const tl_wide3 away = tl_wide3_sub(tl_wide3_scale(ray, depth), tl_wide3_splat(tints->focus));
    const tl_wide distance = tl_sqrt(tl_wide3_dot(away, away)) * (1 / tints->view->focus);
    tl_wide3 colour = tl_wide3_splat(plane->colour);
    *fade = tl_splat(0);
    if (plane->endless) /* 1 also where rounding met the horizon itself */
        *fade = tl_select_less(distance, tl_splat(FADE_END),
                               tl_wide_smoothstep(FADE_START, FADE_END, distance), tl_splat(1));
    if (plane->grid > 0)
        colour = tl_wide3_scale(colour, 1 - LINE_DARK * grid_cover(tints->view, plane, ray, depth));
    return colour;
}
