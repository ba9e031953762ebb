/* See veil.h. */
#include "render/veil.h"

#include "render/skin.h"
#include "render/triangles.h"

bool tl_veil_wanted(const tl_view *view) {
    bool any = false;
    for (size_t i = 0; i < view->scene->mesh_count; i++)
        any = any || view->scene->meshes[i].clarity > 0;
    return any;
}

/* Depth of what a sample shows, be it a wall or matter. */
static float depth_behind(const tl_view *view, int sx, int sy, float x, float y) {
    const float depth = tl_surface_at(view, *tl_view_sample(view, sx, sy), x, y).depth;
    if (!view->skin)
        return depth;
    const size_t p = (size_t)(sy / 2) * (size_t)view->width + (size_t)(sx / 2);
    return view->skin->cover[p] ? fminf(depth, 1 / view->skin->near[p]) : depth;
}

/* A wall is crossed by two faces, and is the thicker the more it is seen along itself. */
static float opacity_of(float clarity, float cosine) {
    return 1 - powf(clarity, 0.5f / fmaxf(cosine, 0.2f));
}

static void lay_triangle(const tl_view *view, size_t number, int x0, int y0, tl_float3 to_light,
                         tl_veil *veil) {
    const tl_view_triangle *t = &view->triangles[number];
    const tl_rect r = view->triangle_rects[number];
    const int right = 2 * view->width, low = 2 * view->height;
    for (int sy = r.y0 > y0 ? r.y0 : y0; sy < r.y1 && sy < y0 + TL_TILE && sy < low; sy++)
        for (int sx = r.x0 > x0 ? r.x0 : x0; sx < r.x1 && sx < x0 + TL_TILE && sx < right; sx++) {
            const tl_float3 ray = {tl_sample_x(view, sx, sy), tl_sample_y(view, sx, sy), 1};
            if (!(tl_float3_dot(t->edge[0], ray) >= 0 && tl_float3_dot(t->edge[1], ray) >= 0 &&
                  tl_float3_dot(t->edge[2], ray) >= 0))
                continue;
            const tl_surface s = tl_triangle_surface(view, number, ray.x, ray.y);
            /* It may stand on the floor: what touches counts as in front. */
            if (!(s.depth > 0) || !(0.996f * s.depth < depth_behind(view, sx, sy, ray.x, ray.y)))
                continue;
            const float cosine = fabsf(tl_float3_dot(tl_float3_unit(ray), s.normal));
            const float part = opacity_of(view->scene->meshes[t->mesh].clarity, cosine);
            const float lit = 0.5f + 0.4f * fabsf(tl_float3_dot(s.normal, to_light));
            const tl_float3 light =
                tl_float3_scale(tl_triangle_colour(view, number, ray.x, ray.y), lit);
            const size_t k = (size_t)(sy - y0) * TL_TILE + (size_t)(sx - x0);
            veil->left[k] *= 1 - part;
            veil->light[k] = tl_float3_mix(veil->light[k], light, part);
        }
}

void tl_veil_find(const tl_view *view, size_t tile, tl_veil *veil) {
    const tl_bins *bins = &view->triangle_bins;
    const int x0 = (int)(tile % (size_t)view->tiles_x) * TL_TILE;
    const int y0 = (int)(tile / (size_t)view->tiles_x) * TL_TILE;
    const tl_float3 to_light = tl_float3_of(tl_view_turn(view, tl_view_light(view)));
    veil->any = false;
    for (size_t i = bins->start[tile]; i < bins->start[tile + 1]; i++) {
        const size_t number = bins->items[i];
        if (!(view->scene->meshes[view->triangles[number].mesh].clarity > 0))
            continue;
        for (size_t k = 0; !veil->any && k < TL_TILE * TL_TILE; k++) {
            veil->left[k] = 1;
            veil->light[k] = (tl_float3){0, 0, 0};
        }
        veil->any = true;
        lay_triangle(view, number, x0, y0, to_light, veil);
    }
}

tl_float3 tl_veil_over(const tl_veil *veil, int x, int y, tl_float3 colour) {
    tl_float3 sum = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const size_t at = (size_t)(2 * y + k / 2) * TL_TILE + (size_t)(2 * x + k % 2);
        sum = tl_float3_add(sum, tl_float3_mad(veil->light[at], veil->left[at], colour));
    }
    return tl_float3_scale(sum, 0.25f);
}
