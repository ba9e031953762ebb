/* Things, cameras and pictures of scenes whose light is known. */
#ifndef TL_TESTS_TRACE_THINGS_H
#define TL_TESTS_TRACE_THINGS_H

#include "trace/trace.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { W = 48, H = 48 };

/* ---- Things -------------------------------------------------------------------------------- */

/* Without a boundary: Lambert's law. */
static inline tl_trace_matter chalk(float grey) {
    return (tl_trace_matter){.colour = {grey, grey, grey}, .roughness = 1, .refraction = 1};
}

static inline tl_trace_matter glass(float index) {
    return (tl_trace_matter){.colour = {1, 1, 1}, .clarity = 1, .refraction = index};
}

enum { RINGS = 48, AROUND = 96 };
static tl_vec3 ball_vertices[(RINGS + 1) * AROUND];
static float ball_normals[3 * (RINGS + 1) * AROUND];
static uint32_t ball_triangles[2 * RINGS * AROUND][3];

/* A ball of radius 1. */
static inline tl_trace_mesh ball(tl_trace_matter matter) {
    for (uint32_t r = 0; r <= RINGS; r++)
        for (uint32_t a = 0; a < AROUND; a++) {
            const double theta = M_PI * r / RINGS, phi = 2 * M_PI * a / AROUND;
            const uint32_t i = r * AROUND + a;
            ball_vertices[i] = (tl_vec3){sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)};
            ball_normals[3 * i] = (float)ball_vertices[i].x;
            ball_normals[3 * i + 1] = (float)ball_vertices[i].y;
            ball_normals[3 * i + 2] = (float)ball_vertices[i].z;
        }
    for (uint32_t r = 0; r < RINGS; r++)
        for (uint32_t a = 0; a < AROUND; a++) {
            const uint32_t i = r * AROUND + a, j = r * AROUND + (a + 1) % AROUND;
            uint32_t(*t)[3] = &ball_triangles[2 * i];
            t[0][0] = i, t[0][1] = i + AROUND, t[0][2] = j;
            t[1][0] = j, t[1][1] = i + AROUND, t[1][2] = j + AROUND;
        }
    return (tl_trace_mesh){.vertices = ball_vertices,
                           .triangles = (const uint32_t(*)[3])ball_triangles,
                           .vertex_count = (RINGS + 1) * AROUND,
                           .triangle_count = 2 * RINGS * AROUND,
                           .normals = ball_normals,
                           .pose = tl_pose_none(),
                           .matter = matter};
}

static tl_vec3 box_vertices[8];
static const uint32_t box_triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                              {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                              {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static inline tl_trace_mesh box(tl_vec3 from, tl_vec3 to, tl_trace_matter matter) {
    for (int c = 0; c < 8; c++)
        box_vertices[c] =
            (tl_vec3){c & 1 ? to.x : from.x, c & 2 ? to.y : from.y, c & 4 ? to.z : from.z};
    return (tl_trace_mesh){.vertices = box_vertices,
                           .triangles = box_triangles,
                           .vertex_count = 8,
                           .triangle_count = 12,
                           .pose = tl_pose_none(),
                           .matter = matter};
}

static inline tl_trace_plane ground(float grey) {
    return (tl_trace_plane){.normal = {0, 0, 1}, .matter = chalk(grey)};
}

static const tl_trace_sky white_sky = {{1, 1, 1}, {1, 1, 1}};

/* ---- Pictures ------------------------------------------------------------------------------ */

static inline tl_trace *trace(const tl_trace_scene *scene, tl_camera camera, int samples,
                              int threads) {
    const tl_parallel parallel = tl_parallel_adverse(threads);
    tl_error error = {0};
    tl_trace *t;
    cr_assert_eq(tl_trace_create(&parallel, scene, &camera, W, H, &t, &error), TL_OK, "%s",
                 error.what);
    tl_trace_add(t, samples);
    return t;
}

static inline void light_of(const tl_trace_scene *scene, tl_camera camera, int samples,
                            float *rgb) {
    tl_trace *t = trace(scene, camera, samples, 2);
    tl_trace_light_of(t, rgb);
    tl_trace_destroy(t);
}

/* The mean light of a picture. */
static inline double mean_light(const tl_trace_scene *scene, tl_camera camera, int samples) {
    static float rgb[3 * W * H];
    double sum = 0;
    light_of(scene, camera, samples, rgb);
    for (int i = 0; i < 3 * W * H; i++)
        sum += (double)rgb[i];
    return sum / (3 * W * H);
}

/* From (0, -10, 0); the ball of radius 1 fills most of it. */
static inline tl_camera front(void) { return (tl_camera){{0, -10, 0}, {0, 0, 0}, {0, 0, 1}, 0.21}; }

/* Straight down on a spot around the origin. */
static inline tl_camera above(void) { return (tl_camera){{0, 0, 10}, {0, 0, 0}, {0, 1, 0}, 0.002}; }

#endif
