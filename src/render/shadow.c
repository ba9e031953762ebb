/* See shadow.h. The map is drawn as the picture is: things are sorted to tiles of the map, and each
 * tile is drawn by one thread. */
#include "render/shadow.h"

#include "base/blocks.h"
#include "render/view.h"

enum { MARGIN = 4, LEAST = 512, MOST = 2048 }; /* texels */

typedef struct extent {
    double x0, y0, x1, y1;
} extent;

/* A triangle on the map, p = (x, y, 1) in texels. */
typedef struct shadow_triangle {
    tl_float3 edge[3]; /* p is within where edge · p >= 0 for all three */
    tl_float3 height;  /* height · p: m towards the light */
    float low, high;   /* m, of its corners */
} shadow_triangle;

typedef struct shadow_job {
    tl_view *view;
    tl_vec3 across, along, light; /* axes of light space, in the world */
    tl_view_sphere *spheres;      /* light space, m, from the point looked at; radius 0: left out */
    extent *extents;              /* one a block of spheres */
    extent bounds;
    double texel; /* m */
    tl_rect *rects;
    tl_bins bins;
    const tl_preview_mesh *mesh;
    size_t first_triangle; /* of that mesh, among those of all */
    shadow_triangle *triangles;
    tl_rect *triangle_rects;
    tl_bins triangle_bins;
} shadow_job;

static const extent nowhere = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

static void widen(extent *e, double x, double y, double r) {
    e->x0 = fmin(e->x0, x - r), e->x1 = fmax(e->x1, x + r);
    e->y0 = fmin(e->y0, y - r), e->y1 = fmax(e->y1, y + r);
}

static tl_vec3 to_light_space(const shadow_job *job, tl_vec3 p) {
    const tl_vec3 d = tl_vec3_sub(p, job->view->look_at);
    return (tl_vec3){tl_vec3_dot(d, job->across), tl_vec3_dot(d, job->along),
                     tl_vec3_dot(d, job->light)};
}

/* One stray particle must not stretch the map until a texel is larger than the scene. */
static bool is_near(const tl_view *view, tl_vec3 p) {
    return fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) < 4 * (double)view->focus;
}

static void turn_spheres(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    shadow_job *job = context;
    const tl_preview_scene *scene = job->view->scene;
    const size_t stride = scene->stride ? scene->stride : 3;
    extent *e = &job->extents[begin / TL_BLOCK];
    *e = nowhere;
    for (size_t i = begin; i < end; i++) {
        const tl_vec3 c = to_light_space(job, tl_vec3_of(scene->positions + i * stride));
        const double r = scene->radii ? (double)scene->radii[i] : scene->radius;
        if (!(r > 0 && r < (double)job->view->focus && is_near(job->view, c)))
            continue;
        job->spheres[i] = (tl_view_sphere){(float)c.x, (float)c.y, (float)c.z, (float)r};
        widen(e, c.x, c.y, r);
    }
}

/* A vertex of a mesh in light space, m. */
static tl_vec3 turn_vertex(const shadow_job *job, const tl_preview_mesh *mesh, size_t i) {
    return to_light_space(job, tl_pose_apply(&mesh->pose, mesh->vertices[i]));
}

static bool casts_shadow(const tl_preview_mesh *mesh) {
    return !mesh->hollow && !(mesh->clarity > 0);
}

static void widen_by_meshes(const shadow_job *job, extent *e) {
    const tl_preview_scene *scene = job->view->scene;
    for (size_t m = 0; m < scene->mesh_count; m++)
        for (size_t i = 0; i < scene->meshes[m].vertex_count && casts_shadow(&scene->meshes[m]);
             i++) {
            const tl_vec3 p = turn_vertex(job, &scene->meshes[m], i);
            if (is_near(job->view, p))
                widen(e, p.x, p.y, 0);
        }
}

static void join_extent(void *total, const void *partial) {
    extent *e = total;
    const extent *o = partial;
    *e = (extent){fmin(e->x0, o->x0), fmin(e->y0, o->y0), fmax(e->x1, o->x1), fmax(e->y1, o->y1)};
}

/* Fits the map to the spheres, the filled boxes and the meshes. False when there is nothing. */
static bool fit(shadow_job *job) {
    tl_view *view = job->view;
    extent e = nowhere;
    tl_join_blocks(&e, job->extents, sizeof e, view->scene->count, join_extent);
    for (size_t i = 0; i < view->box_count; i++)
        for (int corner = 0; corner < 8 && view->boxes[i].filled; corner++) {
            const tl_view_box *box = &view->boxes[i];
            const tl_vec3 p = {(double)(corner & 1 ? box->to : box->from)[0],
                               (double)(corner & 2 ? box->to : box->from)[1],
                               (double)(corner & 4 ? box->to : box->from)[2]};
            const tl_vec3 q = to_light_space(job, tl_vec3_add(p, view->eye));
            if (is_near(view, q))
                widen(&e, q.x, q.y, 0);
        }
    widen_by_meshes(job, &e);
    const double size = fmax(e.x1 - e.x0, e.y1 - e.y0);
    if (!(size > 0))
        return false;
    /* Three texels or so across a radius resolve a sphere; more would only sharpen the edges. */
    const double wanted = 3 * size / fmax(view->typical_radius, 1e-9 * size);
    const int texels = wanted < LEAST ? LEAST : wanted > MOST ? MOST : (int)wanted;
    view->shadows.size = texels / TL_TILE * TL_TILE;
    job->texel = size / (view->shadows.size - 2 * MARGIN);
    job->bounds = e;
    return true;
}

static uint16_t texel_of(const tl_shadow_map *map, double at) {
    return (uint16_t)(at < 0 ? 0 : at > map->size ? map->size : at);
}

/* From metres to texels, and the texels that each sphere may cover. */
static void place_spheres(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    shadow_job *job = context;
    const double scale = 1 / job->texel;
    for (size_t i = begin; i < end; i++) {
        tl_view_sphere *s = &job->spheres[i];
        if (!(s->radius > 0))
            continue;
        const double x = ((double)s->x - job->bounds.x0) * scale + MARGIN;
        const double y = ((double)s->y - job->bounds.y0) * scale + MARGIN;
        const double r = (double)s->radius * scale + 1;
        const tl_shadow_map *map = &job->view->shadows;
        job->rects[i] = (tl_rect){texel_of(map, x - r), texel_of(map, y - r),
                                  texel_of(map, x + r + 1), texel_of(map, y + r + 1)};
        s->x = (float)x, s->y = (float)y;
    }
}

/* The texels that a triangle may cover; none for one with strange corners. */
static tl_rect bound_triangle(const tl_shadow_map *map, const tl_vec3 at[3]) {
    double x0 = at[0].x, y0 = at[0].y, x1 = x0, y1 = y0;
    for (int k = 0; k < 3; k++) {
        if (!(fmax(fabs(at[k].x), fmax(fabs(at[k].y), fabs(at[k].z))) < 1e15))
            return (tl_rect){0};
        x0 = fmin(x0, at[k].x), x1 = fmax(x1, at[k].x);
        y0 = fmin(y0, at[k].y), y1 = fmax(y1, at[k].y);
    }
    const tl_rect r = {texel_of(map, x0 - 1), texel_of(map, y0 - 1), texel_of(map, x1 + 2),
                       texel_of(map, y1 + 2)};
    return r.y0 < r.y1 ? r : (tl_rect){0};
}

/* A triangle with corners in texels and m. Rounded to floats first: see triangles.c. */
static bool set_triangle(const tl_vec3 at[3], shadow_triangle *out) {
    tl_vec3 p[3], edge[3], sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        p[k] = (tl_vec3){(double)(float)at[k].x, (double)(float)at[k].y, 1};
    for (int k = 0; k < 3; k++) {
        edge[k] = tl_vec3_cross(p[(k + 1) % 3], p[(k + 2) % 3]);
        sum = tl_vec3_mad(sum, at[k].z, edge[k]);
    }
    const double area = tl_vec3_dot(edge[0], p[0]);
    if (!(fabs(area) > 0))
        return false;
    for (int k = 0; k < 3; k++)
        out->edge[k] = tl_float3_of(tl_vec3_scale(edge[k], area < 0 ? -1 : 1));
    out->height = tl_float3_of(tl_vec3_scale(sum, 1 / area));
    out->low = (float)fmin(at[0].z, fmin(at[1].z, at[2].z));
    out->high = (float)fmax(at[0].z, fmax(at[1].z, at[2].z));
    return true;
}

static void place_triangles(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const shadow_job *job = context;
    const double scale = 1 / job->texel;
    for (size_t i = begin; i < end; i++) {
        tl_vec3 at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = turn_vertex(job, job->mesh, job->mesh->triangles[i][k]);
            at[k].x = (at[k].x - job->bounds.x0) * scale + MARGIN;
            at[k].y = (at[k].y - job->bounds.y0) * scale + MARGIN;
        }
        if (set_triangle(at, &job->triangles[job->first_triangle + i]))
            job->triangle_rects[job->first_triangle + i] = bound_triangle(&job->view->shadows, at);
    }
}

/* The triangles of all meshes but vessels, sorted to tiles. */
static tl_status add_triangles(const tl_parallel *parallel, tl_arena *arena, shadow_job *job,
                               int tiles, tl_error *error) {
    const tl_preview_scene *scene = job->view->scene;
    size_t count = 0;
    for (size_t i = 0; i < scene->mesh_count; i++)
        count += scene->meshes[i].triangle_count;
    job->triangles = tl_arena_allocate(arena, count, sizeof *job->triangles);
    job->triangle_rects = tl_arena_allocate(arena, count, sizeof *job->triangle_rects);
    if (!job->triangles || !job->triangle_rects)
        return tl_fail_memory(error, count, sizeof *job->triangles);
    for (size_t i = 0; i < scene->mesh_count; i++) {
        job->mesh = &scene->meshes[i];
        if (casts_shadow(job->mesh))
            tl_parallel_for(parallel, job->mesh->triangle_count, TL_BLOCK, place_triangles, job);
        job->first_triangle += job->mesh->triangle_count;
    }
    return tl_bins_build(parallel, arena, job->triangle_rects, count, tiles, tiles,
                         &job->triangle_bins, error);
}

static void draw_triangle(const shadow_job *job, const shadow_triangle *t, tl_rect area) {
    const tl_shadow_map *map = &job->view->shadows;
    for (int y = area.y0; y < area.y1; y++)
        for (int x = area.x0; x < area.x1; x++) {
            const tl_float3 p = {(float)x + 0.5f, (float)y + 0.5f, 1};
            if (!(tl_float3_dot(t->edge[0], p) >= 0 && tl_float3_dot(t->edge[1], p) >= 0 &&
                  tl_float3_dot(t->edge[2], p) >= 0))
                continue;
            const float height = fminf(fmaxf(tl_float3_dot(t->height, p), t->low), t->high);
            float *most = &map->heights[(size_t)y * (size_t)map->size + (size_t)x];
            *most = height > *most ? height : *most;
        }
}

static void draw_sphere(const shadow_job *job, const tl_view_sphere *s, tl_rect area) {
    const tl_shadow_map *map = &job->view->shadows;
    const float texel = (float)job->texel, square = s->radius * s->radius / (texel * texel);
    for (int y = area.y0; y < area.y1; y++) {
        float *restrict heights = map->heights + (size_t)y * (size_t)map->size;
        const float dy = (float)y + 0.5f - s->y, left = square - dy * dy;
        for (int x = area.x0; x < area.x1; x++) {
            const float dx = (float)x + 0.5f - s->x, d = left - dx * dx;
            const float height = d > 0 ? s->z + texel * sqrtf(d) : -INFINITY;
            heights[x] = height > heights[x] ? height : heights[x];
        }
    }
}

/* The height at which a ray from the light, through the texel at (x, y) m, enters a box. */
static float box_height(const shadow_job *job, const tl_view_box *box, double x, double y) {
    const tl_view *view = job->view;
    const tl_vec3 at = tl_vec3_mad(tl_vec3_scale(job->across, x), y, job->along);
    const tl_vec3 origin = tl_vec3_sub(tl_vec3_add(at, view->look_at), view->eye);
    const double o[3] = {origin.x, origin.y, origin.z};
    const double l[3] = {job->light.x, job->light.y, job->light.z};
    double low = -HUGE_VAL, high = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const double a = ((double)box->from[k] - o[k]) / l[k],
                     b = ((double)box->to[k] - o[k]) / l[k];
        const double first = a < b ? a : b, last = a < b ? b : a;
        low = first > low ? first : low;
        high = last < high ? last : high;
    }
    return low < high ? (float)high : -INFINITY;
}

static void draw_box(const shadow_job *job, const tl_view_box *box, int x0, int y0) {
    const tl_shadow_map *map = &job->view->shadows;
    for (int y = y0; y < y0 + TL_TILE; y++)
        for (int x = x0; x < x0 + TL_TILE; x++) {
            const double at_x = (x + 0.5 - MARGIN) * job->texel + job->bounds.x0;
            const double at_y = (y + 0.5 - MARGIN) * job->texel + job->bounds.y0;
            float *height = &map->heights[(size_t)y * (size_t)map->size + (size_t)x];
            const float of_box = box_height(job, box, at_x, at_y);
            *height = of_box > *height ? of_box : *height;
        }
}

/* The part of a rectangle in the tile at (x0, y0). */
static tl_rect clip(tl_rect r, int x0, int y0) {
    return (tl_rect){
        (uint16_t)(r.x0 > x0 ? r.x0 : x0),
        (uint16_t)(r.y0 > y0 ? r.y0 : y0),
        (uint16_t)(r.x1 < x0 + TL_TILE ? r.x1 : x0 + TL_TILE),
        (uint16_t)(r.y1 < y0 + TL_TILE ? r.y1 : y0 + TL_TILE),
    };
}

static void draw_tiles(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const shadow_job *job = context;
    const tl_view *view = job->view;
    for (size_t number = begin; number < end; number++) {
        const int x0 = (int)(number % (size_t)job->bins.tiles_x) * TL_TILE;
        const int y0 = (int)(number / (size_t)job->bins.tiles_x) * TL_TILE;
        const tl_shadow_map *map = &view->shadows;
        for (int y = y0; y < y0 + TL_TILE; y++)
            for (int x = x0; x < x0 + TL_TILE; x++)
                map->heights[(size_t)y * (size_t)map->size + (size_t)x] = -INFINITY;
        for (size_t k = job->bins.start[number]; k < job->bins.start[number + 1]; k++) {
            const uint32_t i = job->bins.items[k];
            draw_sphere(job, &job->spheres[i], clip(job->rects[i], x0, y0));
        }
        const tl_bins *bins = &job->triangle_bins;
        for (size_t k = bins->start[number]; k < bins->start[number + 1]; k++) {
            const uint32_t i = bins->items[k];
            draw_triangle(job, &job->triangles[i], clip(job->triangle_rects[i], x0, y0));
        }
        for (size_t i = 0; i < view->box_count; i++)
            if (view->boxes[i].filled)
                draw_box(job, &view->boxes[i], x0, y0);
    }
}

/* The matrix from camera space to the map. */
static void set_matrix(const shadow_job *job) {
    const tl_view *view = job->view;
    tl_shadow_map *map = &job->view->shadows;
    const tl_vec3 axes[3] = {job->across, job->along, job->light};
    const tl_vec3 eye = to_light_space(job, view->eye);
    const double scale = 1 / job->texel, scales[3] = {scale, scale, 1};
    const double offsets[3] = {(eye.x - job->bounds.x0) * scale + MARGIN,
                               (eye.y - job->bounds.y0) * scale + MARGIN, eye.z};
    for (int k = 0; k < 3; k++) {
        const tl_vec3 row = {tl_vec3_dot(axes[k], view->right), tl_vec3_dot(axes[k], view->up),
                             tl_vec3_dot(axes[k], view->forward)};
        map->row[k] = tl_float3_of(tl_vec3_scale(row, scales[k]));
        map->offset[k] = (float)offsets[k];
    }
    map->bias = (float)(1.5 * job->texel);
    map->softness = (float)(2 * job->texel);
}

tl_status tl_shadow_build(const tl_parallel *parallel, tl_arena *arena, tl_view *view,
                          tl_error *error) {
    const size_t count = view->scene->count, blocks = tl_block_count(count, TL_BLOCK);
    shadow_job job = {.view = view, .light = tl_view_light(view)};
    const tl_vec3 l = job.light, other = fabs(l.z) < 0.9 ? (tl_vec3){0, 0, 1} : (tl_vec3){1, 0, 0};
    job.across = tl_vec3_unit(tl_vec3_cross(other, l));
    job.along = tl_vec3_cross(l, job.across);
    job.spheres = tl_arena_allocate(arena, count, sizeof *job.spheres);
    job.rects = tl_arena_allocate(arena, count, sizeof *job.rects);
    job.extents = tl_arena_allocate(arena, blocks, sizeof *job.extents);
    if (!job.spheres || !job.rects || !job.extents)
        return tl_fail_memory(error, count, sizeof *job.spheres);
    tl_parallel_for(parallel, count, TL_BLOCK, turn_spheres, &job);
    if (!fit(&job))
        return TL_OK;

    const size_t size = (size_t)view->shadows.size;
    const int tiles = view->shadows.size / TL_TILE;
    view->shadows.heights = tl_arena_allocate(arena, size * size, sizeof(float));
    if (!view->shadows.heights)
        return tl_fail_memory(error, size * size, sizeof(float));
    set_matrix(&job);
    tl_parallel_for(parallel, count, TL_BLOCK, place_spheres, &job);
    TL_TRY(tl_bins_build(parallel, arena, job.rects, count, tiles, tiles, &job.bins, error));
    TL_TRY(add_triangles(parallel, arena, &job, tiles, error));
    tl_parallel_for(parallel, (size_t)tiles * (size_t)tiles, 1, draw_tiles, &job);
    return TL_OK;
}

float tl_shadow_light(const tl_shadow_map *map, tl_float3 point) {
    const float x = tl_float3_dot(map->row[0], point) + map->offset[0] - 0.5f;
    const float y = tl_float3_dot(map->row[1], point) + map->offset[1] - 0.5f;
    /* Also refuses the NaN and infinities of points on the horizon. */
    if (!(x >= 1 && y >= 1 && x < (float)(map->size - 3) && y < (float)(map->size - 3)))
        return 1;
    const int left = (int)x, top = (int)y;
    const float fx = x - (float)left, fy = y - (float)top;
    const float height = tl_float3_dot(map->row[2], point) + map->offset[2] + map->bias;
    const float sharpness = 1 / map->softness;
    /* A box of three texels moved by the fraction: 4 × 4 taps whose outer rows share one weight. */
    const float wx[4] = {1 - fx, 1, 1, fx}, wy[4] = {1 - fy, 1, 1, fy};
    float lit = 0;
    for (int j = 0; j < 4; j++) {
        const float *row = map->heights + (size_t)(top + j - 1) * (size_t)map->size + left - 1;
        float sum = 0;
        for (int i = 0; i < 4; i++)
            sum += wx[i] * tl_clamp01(1 - (row[i] - height) * sharpness);
        lit += wy[j] * sum;
    }
    return lit / 9;
}
