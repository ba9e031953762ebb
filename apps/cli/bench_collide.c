/* `tallow bench collide`: what it costs that nothing passes through a mesh, as a part of explicit
 * steps of water that falls in a hollow ball, for balls of more and more triangles. One thread and
 * its processor time: only the ratio is of interest, and the machine may be busy. */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/memory.h"
#include "mesh/sweep.h"
#include "scene/schema.h"
#include "world/state.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct vessel {
    tl_world_def def;
    tl_material water;
    tl_wall_def ball;
    tl_seed *seeds;
} vessel;

typedef struct collide_result {
    size_t particles, triangles, touches;
    double step, moves; /* s of a whole step, and of its collisions */
} collide_result;

static double processor_time(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* A ball of radius 1 with n rings of 2 n corners, its triangles facing inwards. */
static tl_status make_ball(tl_mesh *m, uint32_t n, tl_error *error) {
    m->closed = true;
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = 0; j < 2 * n; j++) {
            const double u = M_PI * i / n, v = M_PI * j / n;
            const tl_vec3 x = {sin(u) * cos(v), sin(u) * sin(v), cos(u)};
            TL_TRY(tl_mesh_add_vertex(m, x, error));
        }
    const uint32_t top = 2 * n * (n - 1), bottom = top + 1, last = top - 2 * n;
    TL_TRY(tl_mesh_add_vertex(m, (tl_vec3){0, 0, 1}, error));
    TL_TRY(tl_mesh_add_vertex(m, (tl_vec3){0, 0, -1}, error));
    for (uint32_t j = 0; j < 2 * n; j++) {
        const uint32_t k = (j + 1) % (2 * n);
        TL_TRY(tl_mesh_add_triangle(m, top, k, j, error));
        TL_TRY(tl_mesh_add_triangle(m, bottom, last + j, last + k, error));
        for (uint32_t a = 0; a < last; a += 2 * n) {
            const uint32_t b = a + 2 * n;
            TL_TRY(tl_mesh_add_triangle(m, a + j, b + k, b + j, error));
            TL_TRY(tl_mesh_add_triangle(m, a + j, a + k, b + k, error));
        }
    }
    return TL_OK;
}

/* Water up to half a spacing from the ball. */
static tl_status make_vessel(vessel *v, size_t particles, uint32_t rings, tl_error *error) {
    const double dx = cbrt(4 * M_PI / 3 / (double)particles);
    const size_t n = (size_t)ceil(2 / dx);
    v->seeds = tl_allocate(n * n * n, sizeof *v->seeds);
    if (!v->seeds)
        return tl_fail_memory(error, n * n * n, sizeof *v->seeds);
    size_t count = 0;
    for (size_t i = 0; i < n * n * n; i++) {
        const size_t at[3] = {i % n, i / n % n, i / n / n};
        tl_seed seed = {.temperature = 20};
        for (size_t k = 0; k < 3; k++)
            seed.position[k] = ((double)at[k] + 0.5 - 0.5 * (double)n) * dx;
        if (tl_vec3_length(tl_vec3_of(seed.position)) < 1 - 0.5 * dx)
            v->seeds[count++] = seed;
    }
    TL_TRY(make_ball(&v->ball.mesh, rings, error));
    TL_TRY(tl_solid_make(&v->ball.mesh, &v->ball.solid, error));
    v->ball.hollow = true;
    v->water = (tl_material){.name = (char *)"water", .density = 1000, .viscosity.value = 1e-3};
    v->def = (tl_world_def){.spacing = dx,
                            .gravity = {0, 0, -9.81},
                            .materials = &v->water,
                            .material_count = 1,
                            .walls = &v->ball,
                            .wall_count = 1,
                            .seeds = v->seeds,
                            .seed_count = count};
    if (!tl_schema_defaults(&tl_flow_table, &v->def.flow))
        return tl_fail_memory(error, 1, 1);
    v->def.flow.scheme = TL_SCHEME_EXPLICIT;
    return TL_OK;
}

/* The last motion of every particle once more, against the mesh alone. */
static double time_moves(const tl_world *w, size_t *touches) {
    const double *x = tl_position(w);
    const float *moved = tl_field_data(&w->fields, w->handle.last_move);
    const double start = processor_time();
    *touches = 0;
    for (size_t i = 0; i < 3 * w->fields.count; i += 3) {
        const tl_vec3 to = tl_vec3_of(x + i),
                      way = {(double)moved[i], (double)moved[i + 1], (double)moved[i + 2]};
        const tl_slide slide = tl_solid_move(w->shapes.items[0].solid, tl_vec3_sub(to, way), to,
                                             0.05 * w->def.spacing, 0, 1);
        *touches += slide.touches > 0;
    }
    return processor_time() - start;
}

static tl_status measure(collide_result *r, tl_world *w, int64_t turns, tl_error *error) {
    enum { WARM = 20, STEPS = 4 };
    r->step = r->moves = HUGE_VAL;
    for (int k = 0; k < WARM; k++)
        TL_TRY(tl_world_step(w, NULL, error));
    for (int64_t t = 0; t < turns; t++) {
        const double start = processor_time();
        for (int k = 0; k < STEPS; k++)
            TL_TRY(tl_world_step(w, NULL, error));
        r->step = fmin(r->step, (processor_time() - start) / STEPS);
        r->moves = fmin(r->moves, time_moves(w, &r->touches));
    }
    return TL_OK;
}

static tl_status measure_ball(collide_result *r, size_t particles, uint32_t rings, int64_t turns,
                              tl_error *error) {
    vessel v = {0};
    tl_world *w = NULL;
    tl_status status = make_vessel(&v, particles, rings, error);
    if (status == TL_OK)
        status = tl_world_make(&v.def, &(tl_world_options){.threads = 1}, &w, error);
    if (status == TL_OK) {
        r->particles = w->fields.count;
        r->triangles = v.ball.mesh.triangle_count;
        status = measure(r, w, turns, error);
    }
    tl_world_destroy(w);
    tl_solid_free(v.ball.solid);
    tl_mesh_free(&v.ball.mesh);
    free(v.seeds);
    return status;
}

static void print_result(const collide_result *r, bool json, bool last) {
    const double n = (double)r->particles, part = r->moves / r->step;
    if (json)
        printf("  {\"particles\": %zu, \"triangles\": %zu, \"step_ns\": %.2f, \"collide_ns\": "
               "%.2f, \"share\": %.4f, \"touches\": %.4f}%s\n",
               r->particles, r->triangles, 1e9 * r->step / n, 1e9 * r->moves / n, part,
               (double)r->touches / n, last ? "" : ",");
    else
        printf("  %9zu %10zu %8.0f ns %8.0f ns %8.1f %%\n", r->particles, r->triangles,
               1e9 * r->step / n, 1e9 * r->moves / n, 100 * part);
    fflush(stdout);
}

int cli_bench_collide(const cli_arguments *arguments, size_t particles, int64_t turns) {
    static const uint32_t rings[] = {16, 50, 158};
    enum { SIZES = sizeof rings / sizeof *rings };
    const bool json = cli_has(arguments, "json");
    tl_error error = {0};
    tl_status status = TL_OK;
    printf(json ? "[\n"
                : "Water in a ball of triangles: collisions as a part of explicit steps, a "
                  "particle\n\n  particles  triangles        step   collisions\n");
    for (size_t k = 0; k < SIZES && status == TL_OK; k++) {
        collide_result r = {0};
        status = measure_ball(&r, particles, rings[k], turns, &error);
        if (status == TL_OK)
            print_result(&r, json, k + 1 == SIZES);
    }
    if (json)
        printf("]\n");
    if (status != TL_OK)
        cli_complain_error(&error);
    return cli_exit_code(status);
}
