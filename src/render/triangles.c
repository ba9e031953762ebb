/* See triangles.h. A ray d meets the triangle (a, b, c) where d·(b × c), d·(c × a) and d·(a × b)
 * have the sign of a·(b × c): these are the shares of the corners in the point, times what is
 * common to them. That holds for triangles that reach behind the eye too, so none is clipped.
 *
 * Two triangles see their common edge as a × b and b × a. Both are rounded once, from products of
 * floats that are exact in doubles: one is the other's negative to the bit, and no sample falls
 * between them. */
#include "render/triangles.h"

typedef struct triangle_job {
    tl_view *view;
    const tl_preview_mesh *mesh;
    size_t first_vertex, first_triangle; /* among those of all meshes */
    tl_float3 *vertices;                 /* camera space */
} triangle_job;

static tl_vec3 widen(tl_float3 a) { return (tl_vec3){(double)a.x, (double)a.y, (double)a.z}; }

static void turn_vertices(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const triangle_job *job = context;
    const tl_preview_mesh *mesh = job->mesh;
    for (size_t i = begin; i < end; i++)
        job->vertices[job->first_vertex + i] =
            tl_float3_of(tl_view_point(job->view, tl_pose_apply(&mesh->pose, mesh->vertices[i])));
}

static void find_corners(const triangle_job *job, size_t i, uint32_t corner[3], tl_vec3 at[3]) {
    for (int k = 0; k < 3; k++) {
        corner[k] = (uint32_t)job->first_vertex + job->mesh->triangles[i][k];
        at[k] = widen(job->vertices[corner[k]]);
    }
}

/* Twice the area, along the normal. */
static tl_vec3 area_vector(const tl_vec3 at[3]) {
    return tl_vec3_cross(tl_vec3_sub(at[1], at[0]), tl_vec3_sub(at[2], at[0]));
}

/* Beyond 1e15 the products of floats overflow; NaN fails every comparison. */
static bool can_be_drawn(const tl_vec3 at[3]) {
    bool small = true;
    for (int k = 0; k < 3; k++)
        small = small && fabs(at[k].x) < 1e15 && fabs(at[k].y) < 1e15 && fabs(at[k].z) < 1e15;
    return small;
}

static void turn_normals(const triangle_job *job) {
    const tl_preview_mesh *mesh = job->mesh;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const float *n = &mesh->normals[3 * i];
        const tl_vec3 normal = {(double)n[0], (double)n[1], (double)n[2]};
        job->view->vertex_normals[job->first_vertex + i] =
            tl_float3_of(tl_view_turn(job->view, tl_turn_apply(mesh->pose.turn, normal)));
    }
}

static void find_colours(const triangle_job *job) {
    const tl_preview_mesh *mesh = job->mesh;
    for (size_t i = 0; mesh->colours && i < mesh->vertex_count; i++)
        job->view->vertex_colours[job->first_vertex + i] = tl_linear(&mesh->colours[3 * i]);
}

/* The mean of the triangles around each vertex, weighted by their areas. */
static void find_normals(const triangle_job *job) {
    tl_float3 *normals = job->view->vertex_normals;
    for (size_t i = 0; i < job->mesh->triangle_count; i++) {
        uint32_t corner[3];
        tl_vec3 at[3];
        find_corners(job, i, corner, at);
        if (!can_be_drawn(at))
            continue;
        const tl_float3 area = tl_float3_of(area_vector(at));
        for (int k = 0; k < 3; k++)
            normals[corner[k]] = tl_float3_add(normals[corner[k]], area);
    }
    for (size_t i = 0; i < job->mesh->vertex_count; i++)
        normals[job->first_vertex + i] = tl_float3_unit(normals[job->first_vertex + i]);
}

static void project_triangles(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const triangle_job *job = context;
    const tl_view *view = job->view;
    for (size_t i = begin; i < end; i++) {
        tl_view_triangle t = {.mesh = (uint32_t)(job->mesh - view->scene->meshes)};
        tl_vec3 at[3];
        find_corners(job, i, t.corner, at);
        const tl_vec3 area = area_vector(at);
        /* Camera space is left-handed: counter-clockwise for the eye is a positive height. */
        const double height = tl_vec3_dot(area, at[0]), sign = height < 0 ? -1 : 1;
        if (!can_be_drawn(at) || !(fabs(height) > 0) ||
            (job->mesh->hollow && !(job->mesh->clarity > 0) && height < 0))
            continue;
        for (int k = 0; k < 3; k++) {
            const tl_vec3 edge = tl_vec3_cross(at[(k + 1) % 3], at[(k + 2) % 3]);
            t.edge[k] = tl_float3_of(tl_vec3_scale(edge, sign));
        }
        const tl_vec3 normal = tl_vec3_scale(tl_vec3_unit(area), -sign);
        t.normal = tl_float3_of(normal);
        t.offset = (float)tl_vec3_dot(normal, at[0]);
        t.near = (float)fmin(at[0].z, fmin(at[1].z, at[2].z));
        t.far = (float)fmax(at[0].z, fmax(at[1].z, at[2].z));
        view->triangles[job->first_triangle + i] = t;
        view->triangle_rects[job->first_triangle + i] = tl_view_bounds(view, at, 3);
    }
}

tl_status tl_triangles_build(const tl_parallel *parallel, tl_arena *arena, tl_view *view,
                             tl_error *error) {
    const tl_preview_scene *scene = view->scene;
    size_t vertices = 0, triangles = 0;
    for (size_t i = 0; i < scene->mesh_count; i++) {
        vertices += scene->meshes[i].vertex_count;
        triangles += scene->meshes[i].triangle_count;
    }
    triangle_job job = {.view = view};
    job.vertices = tl_arena_allocate(arena, vertices, sizeof *job.vertices);
    view->vertex_normals = tl_arena_allocate(arena, vertices, sizeof *view->vertex_normals);
    view->vertex_colours = tl_arena_allocate(arena, vertices, sizeof *view->vertex_colours);
    view->triangles = tl_arena_allocate(arena, triangles, sizeof *view->triangles);
    view->triangle_rects = tl_arena_allocate(arena, triangles, sizeof *view->triangle_rects);
    view->mesh_colours = tl_arena_allocate(arena, scene->mesh_count, sizeof *view->mesh_colours);
    if (!job.vertices || !view->vertex_normals || !view->vertex_colours || !view->triangles ||
        !view->triangle_rects || !view->mesh_colours)
        return tl_fail_memory(error, triangles + vertices, sizeof *view->triangles);
    for (size_t i = 0; i < scene->mesh_count; i++) {
        job.mesh = &scene->meshes[i];
        view->mesh_colours[i] = tl_linear(job.mesh->colour);
        tl_parallel_for(parallel, job.mesh->vertex_count, TL_BLOCK, turn_vertices, &job);
        find_colours(&job);
        if (job.mesh->normals)
            turn_normals(&job);
        else
            find_normals(&job);
        tl_parallel_for(parallel, job.mesh->triangle_count, TL_BLOCK, project_triangles, &job);
        job.first_vertex += job.mesh->vertex_count;
        job.first_triangle += job.mesh->triangle_count;
    }
    return tl_bins_build(parallel, arena, view->triangle_rects, triangles, view->tiles_x,
                         view->tiles_y, &view->triangle_bins, error);
}

/* Seen along its surface the plane of a triangle may be met anywhere, but not the triangle. */
static inline float depth_of(const tl_view_triangle *t, tl_float3 ray) {
    const float z = t->offset / tl_float3_dot(t->normal, ray);
    return z > t->near ? (z < t->far ? z : t->far) : t->near;
}

static void draw_triangle(const tl_view_triangle *t, uint32_t shows, tl_rect area, tl_tile *tile) {
    for (int row = area.y0; row < area.y1; row++)
        for (int column = area.x0; column < area.x1; column++) {
            const int k = row * TL_TILE + column;
            const tl_float3 ray = {tile->ray_x[row & 1][column],
                                   tile->ray_y[row] + tile->shift[column], 1};
            if (!(tl_float3_dot(t->edge[0], ray) >= 0 && tl_float3_dot(t->edge[1], ray) >= 0 &&
                  tl_float3_dot(t->edge[2], ray) >= 0))
                continue;
            const float z = depth_of(t, ray);
            if (z > 0 && z < tile->depth[k]) {
                tile->depth[k] = z;
                tile->shown[k] = shows;
            }
        }
}

void tl_triangles_draw(const tl_view *view, size_t number, tl_tile *tile) {
    const tl_bins *bins = &view->triangle_bins;
    for (size_t k = bins->start[number]; k < bins->start[number + 1]; k++) {
        const uint32_t i = bins->items[k];
        if (view->scene->meshes[view->triangles[i].mesh].clarity > 0)
            continue; /* veil.h */
        draw_triangle(&view->triangles[i], (uint32_t)view->scene->count + i,
                      tl_tile_clip(tile, view->triangle_rects[i]), tile);
    }
}

/* The normal at a corner: that of the vertex, unless it was found and the edges there are sharp. */
static tl_float3 corner_normal(const tl_view *view, const tl_view_triangle *t, int k) {
    const tl_float3 normal = view->vertex_normals[t->corner[k]];
    const float cosine = tl_float3_dot(normal, t->normal);
    if (!view->scene->meshes[t->mesh].normals && !(fabsf(cosine) > 0.8f))
        return t->normal;
    return tl_float3_scale(normal, cosine > 0 ? 1.0f : -1.0f);
}

tl_surface tl_triangle_surface(const tl_view *view, size_t triangle, float x, float y) {
    const tl_view_triangle *t = &view->triangles[triangle];
    const tl_float3 ray = {x, y, 1};
    const float depth = depth_of(t, ray);
    tl_float3 normal = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        normal = tl_float3_mad(normal, fmaxf(tl_float3_dot(t->edge[k], ray), 0),
                               corner_normal(view, t, k));
    return (tl_surface){depth, {x * depth, y * depth, depth}, tl_float3_unit(normal)};
}

tl_float3 tl_triangle_colour(const tl_view *view, size_t triangle, float x, float y) {
    const tl_view_triangle *t = &view->triangles[triangle];
    const tl_float3 ray = {x, y, 1};
    if (!view->scene->meshes[t->mesh].colours)
        return view->mesh_colours[t->mesh];
    tl_float3 sum = {0, 0, 0};
    float all = 0;
    for (int k = 0; k < 3; k++) {
        const float share = fmaxf(tl_float3_dot(t->edge[k], ray), 0);
        sum = tl_float3_mad(sum, share, view->vertex_colours[t->corner[k]]);
        all += share;
    }
    return all > 0 ? tl_float3_scale(sum, 1 / all) : view->vertex_colours[t->corner[0]];
}
