/* `tallow bench trace`: light followed through a still life of wax, water, metal and chalk, on one
 * and on more threads; samples and rays a second. */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/timer.h"
#include "mesh/mesh.h"
#include "trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { WIDTH = 320, HEIGHT = 180, SAMPLES = 4, THINGS = 4 };

/* The balls are meshes, as surfaces of matter are. */
static tl_status make_ball(tl_mesh *mesh, tl_error *error) {
    enum { RINGS = 128, AROUND = 256 };
    for (int r = 0; r <= RINGS; r++)
        for (int a = 0; a < AROUND; a++) {
            const double theta = acos(-1) * r / RINGS, phi = 2 * acos(-1) * a / AROUND;
            TL_TRY(tl_mesh_add_vertex(
                mesh, (tl_vec3){sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)}, error));
        }
    for (uint32_t r = 0; r < RINGS; r++)
        for (uint32_t a = 0; a < AROUND; a++) {
            const uint32_t i = r * AROUND + a, j = r * AROUND + (a + 1) % AROUND;
            TL_TRY(tl_mesh_add_triangle(mesh, i, i + AROUND, j, error));
            TL_TRY(tl_mesh_add_triangle(mesh, j, i + AROUND, j + AROUND, error));
        }
    return TL_OK;
}

static const tl_trace_matter matters[THINGS] = {
    {.colour = {0.9f, 0.8f, 0.6f}, .roughness = 0.4f, .refraction = 1.45f, .translucency = 0.1},
    {.colour = {0.3f, 0.6f, 0.9f}, .clarity = 1, .refraction = 1.33f, .depth = 3},
    {.colour = {0.8f, 0.6f, 0.4f}, .roughness = 0.3f, .refraction = 1.5f, .metal = 1},
    {.colour = {0.5f, 0.3f, 0.2f}, .roughness = 0.3f, .refraction = 1.5f}};

typedef struct result {
    double seconds, processor, rays, samples;
} result;

/* One matter, or all beside each other. */
static tl_status measure(const tl_mesh *mesh, int only, int threads, int64_t repeats, result *out,
                         tl_error *error) {
    tl_trace_mesh balls[THINGS];
    const tl_trace_plane floor = {
        .point = {0, 0, -1},
        .normal = {0, 0, 1},
        .matter = {.colour = {0.6f, 0.6f, 0.6f}, .roughness = 1, .refraction = 1}};
    const tl_trace_light sun = {.towards = {-1, -1, 2}, .size = 0.4, .power = {1, 1, 1}};
    const tl_camera camera = {{0, -14, 5}, {0, 0, -0.3}, {0, 0, 1}, 0.45};
    tl_trace_scene scene = {.meshes = balls,
                            .planes = &floor,
                            .plane_count = 1,
                            .lights = &sun,
                            .light_count = 1,
                            .sky = {{0.4f, 0.5f, 0.6f}, {0.7f, 0.7f, 0.7f}},
                            .most = 8};
    for (int k = 0; k < THINGS; k++) {
        balls[k] = (tl_trace_mesh){.vertices = mesh->vertices,
                                   .triangles = (const uint32_t(*)[3])mesh->triangles,
                                   .vertex_count = mesh->vertex_count,
                                   .triangle_count = mesh->triangle_count,
                                   .pose = tl_pose_none(),
                                   .matter = matters[only < 0 ? k : only]};
        balls[k].pose.place = (tl_vec3){2.3 * (k - 1.5), 0, 0};
    }
    scene.mesh_count = THINGS;
    const tl_parallel parallel = tl_parallel_create(threads);
    tl_trace *trace;
    TL_TRY(tl_trace_create(&parallel, &scene, &camera, WIDTH, HEIGHT, &trace, error));
    *out = (result){.seconds = HUGE_VAL};
    for (int64_t r = 0; r < repeats; r++) {
        const double start = tl_now();
        const clock_t used = clock();
        const uint64_t before = tl_trace_rays(trace);
        tl_trace_add(trace, SAMPLES);
        const double seconds = tl_now() - start;
        if (seconds < out->seconds)
            *out =
                (result){seconds, (double)(clock() - used) / CLOCKS_PER_SEC,
                         (double)(tl_trace_rays(trace) - before), (double)WIDTH * HEIGHT * SAMPLES};
    }
    tl_trace_destroy(trace);
    return TL_OK;
}

int cli_bench_trace(const cli_arguments *arguments, int threads, int64_t repeats) {
    static const char *const names[] = {"all", "wax", "water", "metal", "chocolate"};
    const bool json = cli_has(arguments, "json");
    const int kinds = threads > 1 ? 2 : 1;
    tl_mesh mesh = {0};
    tl_error error = {0};
    tl_status status = make_ball(&mesh, &error);
    if (json)
        printf("[\n");
    else
        printf(
            "Light through four balls of 65 thousand triangles, %d x %d, %d samples\n\n"
            "  matter      threads      time  processor   M rays/s, of processor   rays a sample\n",
            WIDTH, HEIGHT, SAMPLES);
    for (int only = -1; only < THINGS && status == TL_OK; only++)
        for (int k = 0; k < kinds && status == TL_OK; k++) {
            result r = {0};
            status = measure(&mesh, only, k ? threads : 1, repeats, &r, &error);
            if (status != TL_OK)
                break;
            const bool last = only + 1 == THINGS && k + 1 == kinds;
            if (json)
                printf("  {\"matter\": \"%s\", \"threads\": %d, \"seconds\": %.4g, "
                       "\"processor_seconds\": %.4g, \"samples\": %.0f, \"rays\": %.0f}%s\n",
                       names[only + 1], k ? threads : 1, r.seconds, r.processor, r.samples, r.rays,
                       last ? "" : ",");
            else
                printf("  %-10s %8d %7.3f s %8.3f s %10.2f %14.2f %15.1f\n", names[only + 1],
                       k ? threads : 1, r.seconds, r.processor, 1e-6 * r.rays / r.seconds,
                       1e-6 * r.rays / r.processor, r.rays / r.samples);
            fflush(stdout);
        }
    if (json)
        printf("]\n");
    tl_mesh_free(&mesh);
    if (status != TL_OK)
        cli_complain_error(&error);
    return cli_exit_code(status);
}
