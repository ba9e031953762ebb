/* Times moves of particles around balls of more and more triangles. Particles fill a cube around
 * the ball with a spacing of a fiftieth of it and move by a fifth of a spacing, so that a few per
 * cent of them are near the surface, as in a flow; the layer alone is timed as well. */
#include "base/random.h"
#include "mesh/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COUNT = 100000, REPEATS = 5 };

/* Processor time in seconds: other work on the machine does not count. */
static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void fail(const tl_error *error) {
    fprintf(stderr, "%s: %s\n", error->where, error->what);
    exit(1);
}

static void add_vertex(tl_mesh *m, double u, double v) {
    tl_error error;
    if (tl_mesh_add_vertex(m, (tl_vec3){sin(u) * cos(v), sin(u) * sin(v), cos(u)}, &error))
        fail(&error);
}

static void add_triangle(tl_mesh *m, uint32_t a, uint32_t b, uint32_t c) {
    tl_error error;
    if (tl_mesh_add_triangle(m, a, b, c, &error))
        fail(&error);
}

/* Of 4 n² triangles, half of those at the poles without area. */
static tl_mesh make_ball(uint32_t n) {
    tl_mesh m = {.closed = true};
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j < 2 * n; j++)
            add_vertex(&m, M_PI * i / n, M_PI * j / n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < 2 * n; j++) {
            const uint32_t k = (j + 1) % (2 * n), a = i * 2 * n, b = a + 2 * n;
            add_triangle(&m, a + j, b + j, b + k);
            add_triangle(&m, a + j, b + k, a + k);
        }
    return m;
}

/* Anywhere in the cube, or in a layer of two spacings on the ball. */
static tl_vec3 place_for(uint64_t i, double spacing, int layer) {
    const tl_vec3 x = {2.4 * tl_random_uniform(1, 3 * i) - 1.2,
                       2.4 * tl_random_uniform(1, 3 * i + 1) - 1.2,
                       2.4 * tl_random_uniform(1, 3 * i + 2) - 1.2};
    const double height = 1 + 2 * spacing * tl_random_uniform(2, i);
    return layer ? tl_vec3_scale(tl_vec3_unit(x), height) : x;
}

static void measure(const tl_solid *solid, size_t triangles, double making, int layer) {
    const double spacing = 0.04;
    static tl_vec3 from[COUNT];
    size_t touches = 0;
    double best = HUGE_VAL;
    for (uint64_t i = 0; i < COUNT; i++)
        from[i] = place_for(i, spacing, layer);
    for (int r = 0; r < REPEATS; r++) {
        const double start = now();
        touches = 0;
        for (size_t i = 0; i < COUNT; i++) {
            const tl_vec3 to = {from[i].x, from[i].y, from[i].z - 0.2 * spacing};
            touches += tl_solid_move(solid, from[i], to, 0.05 * spacing, 0, 1).touches > 0;
        }
        best = fmin(best, now() - start);
    }
    printf("%9zu %8.1f  %-6s %8.2f %10.0f\n", triangles, 1e3 * making, layer ? "layer" : "cube",
           100 * (double)touches / COUNT, 1e9 * best / COUNT);
}

int main(void) {
    static const uint32_t sizes[] = {5, 16, 50, 160};
    printf("triangles  make ms  where   touch %%  ns a particle\n");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        tl_mesh mesh = make_ball(sizes[k]);
        tl_solid *solid;
        tl_error error;
        const double start = now();
        if (tl_solid_make(&mesh, &solid, &error))
            fail(&error);
        const double making = now() - start;
        for (int layer = 0; layer < 2; layer++)
            measure(solid, mesh.triangle_count, making, layer);
        tl_solid_free(solid);
        tl_mesh_free(&mesh);
    }
    return 0;
}
