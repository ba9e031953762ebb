/* A picture being drawn: the scene as the camera sees it, and the buffers that the passes hand on.
 *
 * Camera space: x right, y up, z along the line of sight, the eye at 0; a ray is (x, y, 1) and its
 * depth is z. Each pixel has 2 × 2 samples, moved onto a rotated grid so that edges near the
 * horizontal and the vertical get four steps and not two. */
#ifndef TL_RENDER_VIEW_H
#define TL_RENDER_VIEW_H

#include "render/bins.h"
#include "render/float3.h"
#include "render/preview.h"
#include "render/shadow.h"

/* What a sample shows: a sphere (its number), a triangle (the count of spheres + its number), a
 * plane, a filled box, or nothing. */
#define TL_SHOWS_NOTHING UINT32_MAX
#define TL_SHOWS_PLANE   0xFFFF0000u /* + number of the plane */
#define TL_SHOWS_BOX     0xFFFE0000u /* + number of the box; the others are below */

typedef struct tl_view_sphere {
    float x, y, z, radius;
} tl_view_sphere;

typedef struct tl_view_plane {
    tl_float3 normal, u, v;
    float offset;         /* normal · point; a wall is seen where this is negative */
    float at_u, at_v;     /* of its point along u and v */
    float half_u, half_v; /* infinite when endless */
    bool endless;
    float grid; /* m; 0: none */
    tl_float3 colour;
} tl_view_plane;

typedef struct tl_view_box {
    float from[3], to[3]; /* world axes, from the eye */
    tl_float3 colour;
    bool filled;
    tl_rect bounds; /* samples it may cover */
} tl_view_box;

typedef struct tl_view_triangle {
    tl_float3 edge[3];  /* a ray meets the triangle where edge · ray >= 0 for all three */
    tl_float3 normal;   /* towards the eye */
    float offset;       /* normal · point */
    float near, far;    /* depths of its corners */
    uint32_t corner[3]; /* numbers of vertices among those of all meshes */
    uint32_t mesh;
} tl_view_triangle;

typedef struct tl_view {
    const tl_preview_scene *scene;
    int width, height, tiles_x, tiles_y;
    tl_vec3 eye, right, up, forward;
    float pixel; /* growth of a ray's x and y from one pixel to the next */
    float focus; /* m from the eye to what it looks at */
    tl_vec3 look_at;
    double typical_radius; /* m, the mean over the spheres; 0 without any */
    tl_float3 axes[3];     /* of the world, in camera space */
    tl_view_sphere *spheres;
    tl_view_plane *planes;
    tl_view_box *boxes;
    size_t plane_count, box_count;
    tl_view_triangle *triangles; /* of all meshes, one after the other */
    tl_float3 *vertex_normals;   /* of all meshes; either way around */
    tl_float3 *vertex_colours;   /* of all meshes; those of meshes that have none are not set */
    tl_float3 *mesh_colours;
    tl_rect *triangle_rects;
    tl_bins triangle_bins;
    tl_shadow_map shadows;
    struct tl_skin *skin; /* NULL: none; then `spheres` are all there is */
    uint32_t *shown;      /* [tile][TL_TILE * TL_TILE]: what each sample shows */
    float *depth;         /* [pixel]: m, of the first sample; infinite where nothing is */
    float *open;          /* [pixel]: 1 where nothing near hides the sky, 0 in a deep corner */
} tl_view;

/* A point that a ray meets. */
typedef struct tl_surface {
    float depth;
    tl_float3 position, normal; /* camera space */
} tl_surface;

/* Sets up camera, planes and boxes. The buffers are left to the passes. */
tl_status tl_view_create(tl_arena *arena, const tl_preview_scene *scene, const tl_camera *camera,
                         int width, int height, tl_view *out, tl_error *error);

/* Where the ray (x, y, 1) meets what a sample shows; a ray just beside a sphere touches its rim. */
tl_surface tl_surface_at(const tl_view *view, uint32_t shows, float x, float y);

/* Depth at which a ray enters the box, and the axis of the face; infinite when it misses. *leave,
 * unless NULL, gets the depth at which it comes out. */
float tl_view_box_enter(const tl_view *view, const tl_view_box *box, float x, float y, int *axis,
                        float *leave);

/* A point in camera space. */
tl_vec3 tl_view_point(const tl_view *view, tl_vec3 point);

/* The samples that the hull of points in camera space may cover; all of them when it reaches
 * through the plane of the eye. */
tl_rect tl_view_bounds(const tl_view *view, const tl_vec3 *points, int count);

/* The ray of a sample; sample (2 px + i, 2 py + j) belongs to pixel (px, py). */
static inline float tl_sample_x(const tl_view *view, int sx, int sy) {
    const float at = 0.5f * (float)sx + (sy & 1 ? 0.375f : 0.125f);
    return (at - 0.5f * (float)view->width) * view->pixel;
}
static inline float tl_sample_y(const tl_view *view, int sx, int sy) {
    const float at = 0.5f * (float)sy + (sx & 1 ? 0.125f : 0.375f);
    return (0.5f * (float)view->height - at) * view->pixel;
}

/* The rays through the middle of a pixel. */
static inline float tl_pixel_x(const tl_view *view, int x) {
    return ((float)x + 0.5f - 0.5f * (float)view->width) * view->pixel;
}
static inline float tl_pixel_y(const tl_view *view, int y) {
    return (0.5f * (float)view->height - (float)y - 0.5f) * view->pixel;
}

/* The content of a sample. */
static inline const uint32_t *tl_view_sample(const tl_view *view, int sx, int sy) {
    const size_t tile = (size_t)(sy / TL_TILE) * (size_t)view->tiles_x + (size_t)(sx / TL_TILE);
    return &view->shown[tile * TL_TILE * TL_TILE + (size_t)(sy % TL_TILE * TL_TILE + sx % TL_TILE)];
}

/* Samples of a pixel that show the same: a ray in the midst of them, and their part of the pixel.
 */
typedef struct tl_pixel_part {
    uint32_t shows;
    float x, y, weight;
} tl_pixel_part;

/* Returns the number of parts: 1 where all samples show the same. */
int tl_pixel_parts(const tl_view *view, int px, int py, tl_pixel_part parts[4]);

/* Unit vector towards the light, in the world. */
tl_vec3 tl_view_light(const tl_view *view);

/* A world vector in camera space. */
tl_vec3 tl_view_turn(const tl_view *view, tl_vec3 v);

/* sRGB to linear, held to 0..1. */
tl_float3 tl_linear(const float rgb[3]);

/* Passes, in this order. */
tl_status tl_raster(const tl_parallel *parallel, tl_arena *arena, tl_view *view, tl_error *error);
tl_status tl_occlude(const tl_parallel *parallel, tl_arena *arena, tl_view *view, tl_error *error);
tl_status tl_shade(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                   unsigned char *rgb, tl_error *error);

#endif
