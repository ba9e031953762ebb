/* See glass.h. */
#include "render/glass.h"

/* Adds the edge between two points in camera space, cut off just before the eye. */
static void add_edge(const tl_view *view, tl_glass *glass, tl_vec3 a, tl_vec3 b, tl_float3 colour) {
    const double near = 1e-3 * (double)view->focus;
    if (a.z < near && b.z < near)
        return;
    if (a.z < near)
        a = tl_vec3_mad(a, (near - a.z) / (b.z - a.z), tl_vec3_sub(b, a));
    if (b.z < near)
        b = tl_vec3_mad(b, (near - b.z) / (a.z - b.z), tl_vec3_sub(a, b));
    const double scale = 1 / (double)view->pixel;
    glass->edges[glass->count++] = (tl_edge){
        .x0 = (float)(0.5 * view->width + a.x / a.z * scale),
        .y0 = (float)(0.5 * view->height - a.y / a.z * scale),
        .x1 = (float)(0.5 * view->width + b.x / b.z * scale),
        .y1 = (float)(0.5 * view->height - b.y / b.z * scale),
        .inverse0 = (float)(1 / a.z),
        .inverse1 = (float)(1 / b.z),
        .colour = colour,
    };
}

tl_status tl_glass_build(tl_arena *arena, const tl_view *view, tl_glass *out, tl_error *error) {
    *out = (tl_glass){.width = fmaxf(1.0f, (float)view->height / 560)};
    out->edges = tl_arena_allocate(arena, 12 * view->box_count, sizeof *out->edges);
    if (!out->edges)
        return tl_fail_memory(error, 12 * view->box_count, sizeof *out->edges);
    for (size_t i = 0; i < view->box_count; i++) {
        const tl_view_box *box = &view->boxes[i];
        if (box->filled)
            continue;
        for (int corner = 0; corner < 8; corner++)
            for (int axis = 0; axis < 3; axis++) {
                if (corner >> axis & 1)
                    continue;
                tl_vec3 ends[2];
                for (int e = 0; e < 2; e++) {
                    const int at = corner | e << axis;
                    const tl_vec3 p = {(double)(at & 1 ? box->to : box->from)[0],
                                       (double)(at & 2 ? box->to : box->from)[1],
                                       (double)(at & 4 ? box->to : box->from)[2]};
                    ends[e] = tl_view_turn(view, p);
                }
                add_edge(view, out, ends[0], ends[1], box->colour);
            }
    }
    return TL_OK;
}

size_t tl_glass_near(const tl_glass *glass, int x, int y, int size, uint32_t *list) {
    const float margin = glass->width + 1;
    const float x0 = (float)x - margin, x1 = (float)(x + size) + margin;
    const float y0 = (float)y - margin, y1 = (float)(y + size) + margin;
    size_t count = 0;
    for (size_t i = 0; i < glass->count; i++) {
        const tl_edge *e = &glass->edges[i];
        if (fminf(e->x0, e->x1) < x1 && fmaxf(e->x0, e->x1) > x0 && fminf(e->y0, e->y1) < y1 &&
            fmaxf(e->y0, e->y1) > y0)
            list[count++] = (uint32_t)i;
    }
    return count;
}

/* The part of the pixel in which something at `depth` is not hidden. A tank stands on the floor and
 * against walls: what touches counts as in front. */
static float visible(const tl_layer *layers, int count, float depth) {
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += depth * 0.996f < layers[i].depth ? layers[i].weight : 0;
    return sum;
}

static float edge_alpha(const tl_edge *e, float width, float x, float y, const tl_layer *layers,
                        int layer_count) {
    const float dx = e->x1 - e->x0, dy = e->y1 - e->y0, square = dx * dx + dy * dy;
    const float along = square > 0 ? tl_clamp01(((x - e->x0) * dx + (y - e->y0) * dy) / square) : 0;
    const float ax = x - e->x0 - along * dx, ay = y - e->y0 - along * dy;
    const float cover = tl_clamp01(0.5f * width + 0.5f - sqrtf(ax * ax + ay * ay));
    if (!(cover > 0))
        return 0;
    const float inverse = e->inverse0 + along * (e->inverse1 - e->inverse0);
    return cover * visible(layers, layer_count, 1 / inverse);
}

/* Clear glass seen at a slant reflects more (Schlick's approximation, with a little haze). */
static float face_alpha(float cosine) {
    const float slant = 1 - cosine, square = slant * slant;
    return 0.02f + 0.22f * square * square * slant;
}

static tl_float3 lay_faces(const tl_view *view, const tl_view_box *box, int px, int py,
                           const tl_layer *layers, int layer_count, tl_float3 colour) {
    if (2 * px + 1 < box->bounds.x0 || 2 * px >= box->bounds.x1 || 2 * py + 1 < box->bounds.y0 ||
        2 * py >= box->bounds.y1)
        return colour;
    const float x = ((float)px + 0.5f - 0.5f * (float)view->width) * view->pixel;
    const float y = (0.5f * (float)view->height - (float)py - 0.5f) * view->pixel;
    int axis = 0;
    float leave;
    const float enter = tl_view_box_enter(view, box, x, y, &axis, &leave);
    if (!(leave < INFINITY))
        return colour;
    const tl_float3 ray = tl_float3_unit((tl_float3){x, y, 1}), white = {1, 1, 1};
    const tl_float3 tint = tl_float3_mix(box->colour, white, 0.6f);
    const float alpha = face_alpha(fabsf(tl_float3_dot(ray, view->axes[axis])));
    colour = tl_float3_mix(colour, tint, 0.03f * visible(layers, layer_count, leave));
    if (enter > 0)
        colour = tl_float3_mix(colour, tint, alpha * visible(layers, layer_count, enter));
    return colour;
}

tl_float3 tl_glass_over(const tl_view *view, const tl_glass *glass, const uint32_t *list,
                        size_t count, int x, int y, const tl_layer *layers, int layer_count,
                        tl_float3 colour) {
    for (size_t i = 0; i < view->box_count; i++)
        if (!view->boxes[i].filled)
            colour = lay_faces(view, &view->boxes[i], x, y, layers, layer_count, colour);
    for (size_t i = 0; i < count; i++) {
        const tl_edge *e = &glass->edges[list[i]];
        const float alpha =
            edge_alpha(e, glass->width, (float)x + 0.5f, (float)y + 0.5f, layers, layer_count);
        colour = tl_float3_mix(colour, e->colour, 0.9f * alpha);
    }
    return colour;
}
