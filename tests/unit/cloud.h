/* Clouds of particles in simple shapes, with their neighbour lists and surfaces. */
#ifndef TL_TESTS_CLOUD_H
#define TL_TESTS_CLOUD_H

#include "base/random.h"
#include "boundary/samples.h"
#include "math/kernels.h"
#include "records/exposed.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const double cloud_dx = 0.01;

typedef enum cloud_fill { CLOUD_CUBIC, CLOUD_CLOSE, CLOUD_TURNED } cloud_fill;

/* True for points, in spacings, that belong to a shape. */
typedef bool cloud_shape(const double x[3], const double size[3]);

typedef struct cloud {
    size_t count;
    float *places; /* [3 * count] m */
    tl_parallel parallel;
    tl_records records;
    tl_search *search;
    tl_neighbor_list list;
    tl_shapes shapes;
    tl_samples samples;
    tl_exposed exposed;
} cloud;

static inline void cloud_ok(tl_status status, const tl_error *error) {
    cr_assert_eq(status, TL_OK, "%s: %s", error->where, error->what);
}

static inline bool cloud_ball(const double x[3], const double size[3]) {
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < size[0] * size[0];
}

static inline bool cloud_box(const double x[3], const double size[3]) {
    return fabs(x[0]) < size[0] / 2 && fabs(x[1]) < size[1] / 2 && fabs(x[2]) < size[2] / 2;
}

static inline void cloud_add(cloud *c, const double x[3]) {
    if (c->count % 1024 == 0)
        c->places = realloc(c->places, (c->count + 1024) * 3 * sizeof *c->places);
    for (int k = 0; k < 3; k++)
        c->places[3 * c->count + (size_t)k] = (float)(x[k] * cloud_dx);
    c->count++;
}

/* Rotation about (1, 2, 3) by one radian. */
static inline void cloud_turn(double x[3]) {
    const double n[3] = {0.2672612419, 0.5345224838, 0.8017837257}, c = cos(1), s = sin(1);
    const double dot = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
    const double cross[3] = {n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2],
                             n[0] * x[1] - n[1] * x[0]};
    for (int k = 0; k < 3; k++)
        x[k] = c * x[k] + s * cross[k] + (1 - c) * dot * n[k];
}

/* Adds the points of a lattice of one point a spacing³ that lie in the shape about `middle`
 * (spacings), each then displaced by up to `jitter` along each axis. */
static inline void cloud_fill_shape(cloud *c, cloud_shape *shape, const double size[3],
                                    const double middle[3], cloud_fill fill, double jitter) {
    const double reach =
        1.8 * fmax(size[0], fmax(size[1], size[2])) / (shape == cloud_ball ? 1 : 2);
    const double a = fill == CLOUD_CLOSE ? cbrt(4) : 1;
    static const double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    const int n = (int)(reach / a) + 2;
    for (int i = -n; i <= n; i++)
        for (int j = -n; j <= n; j++)
            for (int k = -n; k <= n; k++)
                for (int b = 0; b < (fill == CLOUD_CLOSE ? 4 : 1); b++) {
                    double x[3] = {a * (i + basis[b][0]), a * (j + basis[b][1]),
                                   a * (k + basis[b][2])};
                    /* A box of an even number of particles has none in the middle. */
                    for (int axis = 0; axis < 3; axis++)
                        x[axis] += shape == cloud_box && fill == CLOUD_CUBIC
                                       ? fmod(size[axis] + 1, 2) / 2
                                       : 0.1 + 0.13 * axis;
                    if (fill == CLOUD_TURNED)
                        cloud_turn(x);
                    if (!shape(x, size))
                        continue;
                    for (int axis = 0; axis < 3; axis++)
                        x[axis] +=
                            middle[axis] +
                            jitter * (2 * tl_random_uniform(7, 3 * c->count + (size_t)axis) - 1);
                    cloud_add(c, x);
                }
}

/* Records, walls' samples, lists. Lists reach `support` spacings and a skin. */
static inline void cloud_build(cloud *c, const tl_wall_def *walls, size_t wall_count,
                               double support, int threads) {
    tl_error error = {0};
    const double reach = 1.05 * support * cloud_dx;
    c->parallel = tl_parallel_adverse(threads);
    c->records.particles = c->count;
    cloud_ok(tl_records_reserve(&c->records, &error), &error);
    for (size_t i = 0; i < c->count; i++)
        memcpy(c->records.a[i].x, c->places + 3 * i, 3 * sizeof(float));
    const tl_sampling sampling = {.spacing = cloud_dx, .reach = reach, .depth = support * cloud_dx};
    cloud_ok(tl_shapes_make(walls, wall_count, &c->shapes, &error), &error);
    cloud_ok(tl_samples_make(&c->samples, &c->shapes, &sampling, (const float *)c->records.a,
                             TL_RECORD, c->count, &error),
             &error);
    c->records.samples = c->samples.count;
    cloud_ok(tl_records_reserve(&c->records, &error), &error);
    for (size_t s = 0; s < c->samples.count; s++)
        memcpy(c->records.a[c->count + s].x, c->samples.items[s].position, 3 * sizeof(float));
    c->search = tl_search_create(TL_SEARCH_GRID);
    const tl_points points = {.xyz = (const float *)c->records.a,
                              .stride = TL_RECORD,
                              .count = tl_records_total(&c->records),
                              .radius = (float)reach};
    cloud_ok(tl_search_build(c->search, &c->parallel, &points, c->count, &c->list, &error), &error);
    const tl_sizes sizes = tl_sizes_alike(cloud_dx, support * cloud_dx);
    cloud_ok(tl_exposed_find(&c->exposed, &c->parallel, &c->records, &c->list, NULL, &sizes,
                             cloud_dx, &error),
             &error);
}

static inline void cloud_free(cloud *c) {
    tl_exposed_free(&c->exposed);
    tl_neighbor_list_free(&c->list);
    tl_search_destroy(c->search);
    tl_records_free(&c->records);
    tl_samples_free(&c->samples);
    tl_shapes_free(&c->shapes);
    free(c->places);
}

#endif
