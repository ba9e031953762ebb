/* `tallow bench render`: pictures of 1280 x 720 pixels with a smooth skin over a heap of particles
 * on a floor, under daylight and beside a flame, opaque and translucent; the fastest of each, pass
 * by pass, beginning with the surface that the skin lies on. */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/timer.h"
#include "render/preview.h"
#include "surface/surface.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 1280, HEIGHT = 720 };

typedef struct subject {
    const char *name;
    float translucency, clarity;
    bool has_flame;
} subject;

typedef struct times {
    double wall, processor, surface, passes[TL_PASSES];
} times;

/* Half a ball with waves on it, spacing 1, each particle moved by up to a tenth of that. */
static double *make_heap(size_t *count, double *radius) {
    const double wanted = cbrt(1.5 * (double)*count / M_PI);
    const int64_t n = (int64_t)ceil(1.2 * wanted);
    double *place = tl_allocate(2 * *count + 1000, 3 * sizeof *place);
    size_t found = 0;
    *radius = wanted;
    for (int64_t k = 0; place && k < n * 4 * n * n; k++) {
        const double x = (double)(k % (2 * n) - n), y = (double)(k / (2 * n) % (2 * n) - n);
        const double z = (double)(k / (4 * n * n)) + 0.5;
        const double wave = 1 + 0.06 * sin(6 * atan2(y, x)) * sin(8 * z / wanted);
        if (x * x + y * y + z * z > wanted * wanted * wave * wave || found == 2 * *count)
            continue;
        const double at[3] = {x, y, z};
        for (size_t c = 0; c < 3; c++)
            place[3 * found + c] = at[c] + 0.2 * tl_random_uniform(1, 3 * found + c);
        found++;
    }
    *count = found;
    return place;
}

/* As pictures of runs do. */
static tl_status find_surface(const double *place, size_t count, int threads, tl_surface *surface,
                              tl_preview_mesh *out, tl_error *error) {
    const tl_surface_options options = {.spacing = 1,
                                        .cells = TL_SURFACE_SEEN,
                                        .smooth = TL_SURFACE_SMOOTH,
                                        .material = -1,
                                        .threads = threads};
    tl_frame frame = {.count = count, .array_count = 1};
    frame.array[0] = (tl_frame_array){"position", "m", "", TL_F64, 3, place};
    TL_TRY(tl_surface_make(surface, &frame, &options, error));
    const tl_mesh *m = &surface->mesh;
    *out = (tl_preview_mesh){.vertices = m->vertices,
                             .triangles = (const uint32_t(*)[3])m->triangles,
                             .vertex_count = m->vertex_count,
                             .triangle_count = m->triangle_count,
                             .pose = tl_pose_none(),
                             .normals = tl_frame_find(&surface->vertices, "normal")->data};
    return TL_OK;
}

static tl_status measure(const double *place, size_t count, double radius, const subject *s,
                         int threads, int64_t repeats, times *best, tl_error *error) {
    const tl_parallel parallel = tl_parallel_create(threads);
    const tl_preview_plane floor = {.normal = {0, 0, 1}, .colour = {0.75f, 0.76f, 0.78f}};
    const tl_preview_matter matter = {.roughness = 0.35f,
                                      .translucency = s->translucency * (float)radius,
                                      .clarity = s->clarity,
                                      .refraction = 1.45f};
    tl_preview_mesh mesh;
    tl_surface surface = {0};
    const tl_preview_skin skin = {
        .count = count, .spacing = 1, .surface = &mesh, .matters = &matter, .matter_count = 1};
    const tl_preview_light lights[2] = {
        {.at = {-0.45, -0.35, 0.85}, .colour = {1, 1, 1}, .strength = 0.3f, .size = 0.06f},
        {.at = {0, 0, 1.4 * radius}, .is_near = true, .colour = {1, 0.8f, 0.5f}, .strength = 1}};
    const tl_preview_flame flame = {.at = lights[1].at, .width = 0.1 * radius, .strength = 1};
    const tl_camera camera = {
        {0.8 * radius, -3.2 * radius, 2 * radius}, {0, 0, 0.4 * radius}, {0, 0, 1}, 0.62};
    tl_preview_scene scene = tl_preview_default();
    times t = {0};
    scene.positions = place, scene.count = count, scene.radius = 0.5;
    scene.planes = &floor, scene.plane_count = 1;
    scene.skin = &skin, scene.pass_seconds = t.passes;
    scene.lights = lights, scene.light_count = s->has_flame ? 2 : 1;
    scene.flames = &flame, scene.flame_count = s->has_flame;
    unsigned char *rgb = tl_allocate((size_t)WIDTH * HEIGHT, 3);
    tl_status status = rgb ? TL_OK : tl_fail_memory(error, (size_t)WIDTH * HEIGHT, 3);
    best->wall = HUGE_VAL;
    for (int64_t r = 0; r < repeats && status == TL_OK; r++) {
        const double start = tl_now();
        const clock_t used = clock();
        status = find_surface(place, count, threads, &surface, &mesh, error);
        t.surface = tl_now() - start;
        if (status == TL_OK)
            status = tl_preview_draw(&parallel, &scene, &camera, WIDTH, HEIGHT, rgb, error);
        t.wall = tl_now() - start;
        t.processor = (double)(clock() - used) / CLOCKS_PER_SEC;
        if (t.wall < best->wall)
            *best = t;
    }
    tl_surface_free(&surface);
    free(rgb);
    return status;
}

static void print_times(const subject *s, size_t count, int threads, const times *t, bool json,
                        bool last) {
    if (json)
        printf("  {\"scene\": \"%s\", \"particles\": %zu, \"threads\": %d, \"seconds\": %.4g, "
               "\"processor_seconds\": %.4g, \"passes\": {\"surface\": %.4g",
               s->name, count, threads, t->wall, t->processor, t->surface);
    else
        printf("  %-22s %7d %8.1f %9.1f   %7.1f", s->name, threads, 1e3 * t->wall,
               1e3 * t->processor, 1e3 * t->surface);
    for (int k = 0; k < TL_PASSES; k++)
        if (json)
            printf(", \"%s\": %.4g", tl_preview_pass_names[k], t->passes[k]);
        else
            printf(" %7.1f", 1e3 * t->passes[k]);
    printf(json ? "}}%s\n" : "%s\n", json && !last ? "," : "");
    fflush(stdout);
}

static void print_head(size_t count) {
    printf("Pictures of %d x %d pixels with a smooth skin over %zu particles, ms\n\n", WIDTH,
           HEIGHT, count);
    printf("  %-22s %7s %8s %9s   %7s", "", "threads", "time", "processor", "surface");
    for (int k = 0; k < TL_PASSES; k++)
        printf(" %7s", tl_preview_pass_names[k]);
    printf("\n");
}

int cli_bench_render(const cli_arguments *arguments, size_t particles, int threads,
                     int64_t repeats) {
    static const subject subjects[] = {{"opaque, day", 0, 0, false},
                                       {"translucent, day", 0.1f, 0, false},
                                       {"translucent, flame", 0.1f, 0, true},
                                       {"clear, day", 0, 1, false}};
    enum { SUBJECTS = sizeof subjects / sizeof *subjects };
    const bool json = cli_has(arguments, "json");
    const int kinds = threads > 1 ? 2 : 1;
    tl_error error = {0};
    tl_status status = TL_OK;
    size_t count = particles;
    double radius;
    double *place = make_heap(&count, &radius);
    if (!place)
        status = tl_fail_memory(&error, count, 3 * sizeof *place);
    if (json)
        printf("[\n");
    else
        print_head(count);
    for (int i = 0; i < SUBJECTS * kinds && status == TL_OK; i++) {
        const subject *s = &subjects[i / kinds];
        const int with = i % kinds ? threads : 1;
        times best = {0};
        status = measure(place, count, radius, s, with, repeats, &best, &error);
        if (status == TL_OK)
            print_times(s, count, with, &best, json, i + 1 == SUBJECTS * kinds);
    }
    if (json)
        printf("]\n");
    free(place);
    if (status != TL_OK)
        cli_complain_error(&error);
    return cli_exit_code(status);
}
