/* Packings of particles beside walls, with the pairs, fits and links of the implicit flow. */
#ifndef TL_TESTS_PACKING_H
#define TL_TESTS_PACKING_H

#include "base/random.h"
#include "boundary/pairs.h"
#include "flow/passes.h"
#include "flow/solve.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double packing_dx = 0.01, packing_support = 2.5, packing_density = 1000;

/* A box of n[0] n[1] n[2] particles at ((k + ½) + random) dx. */
typedef struct packing_plan {
    int n[3];
    double jitter; /* largest displacement along an axis, in spacings */
    bool uneven;   /* volumes between ½ and 1½ dx³ */
    bool graded;   /* sizes: a third is whole, a third halved and a third cut into eight, along x */
    bool periodic[3];
    const tl_wall_def *walls;
    size_t wall_count;
    bool mirrors; /* smooth plane walls are */
    int threads;  /* 0: 1 */
} packing_plan;

/* Must not be moved: its parts know each other. */
typedef struct packing {
    size_t count;
    tl_parallel parallel;
    tl_records records;
    tl_search *search;
    tl_neighbor_list list;
    tl_shapes shapes;
    tl_samples samples;
    tl_scratch scratch;
    tl_solver solver;   /* its strain holds the pairs */
    const float *sizes; /* [count] m; NULL: all are alike */
    bool mirrors;
} packing;

static inline double random_between(double low, double high, uint64_t seed, size_t i) {
    return low + (high - low) * tl_random_uniform(seed, i);
}

static inline void packing_ok(tl_status status, const tl_error *error) {
    cr_assert_eq(status, TL_OK, "%s: %s", error->where, error->what);
}

static inline void packing_fill(packing *p, const float (*places)[3], bool uneven) {
    for (size_t i = 0; i < p->count; i++) {
        tl_record *a = &p->records.a[i];
        const double own = p->sizes ? pow((double)p->sizes[i] / packing_dx, 3) : 1;
        const double part = uneven ? random_between(0.5, 1.5, 77, i) : exp2(round(log2(own)));
        memcpy(a->x, places[i], sizeof a->x);
        a->mass = (float)(part * packing_density * pow(packing_dx, 3));
        a->inverse_density = (float)(1 / packing_density);
    }
}

static inline tl_sizes packing_sizes(const packing *p) {
    const double R = packing_support * packing_dx;
    return p->sizes ? tl_sizes_own(packing_dx, R, p->sizes, p->count)
                    : tl_sizes_alike(packing_dx, R);
}

static inline void packing_add_walls(packing *p, const packing_plan *plan, double reach,
                                     const double period[3]) {
    tl_error error = {0};
    const tl_sampling sampling = {.spacing = p->sizes ? 0.5 * packing_dx : packing_dx,
                                  .reach = reach,
                                  .depth = packing_support * packing_dx,
                                  .period = {period[0], period[1], period[2]}};
    packing_ok(tl_shapes_make(plan->walls, plan->wall_count, &p->shapes, &error), &error);
    packing_ok(tl_samples_make(&p->samples, &p->shapes, &sampling, (const float *)p->records.a,
                               TL_RECORD, p->count, &error),
               &error);
    p->records.samples = p->samples.count;
    packing_ok(tl_records_reserve(&p->records, &error), &error);
    for (size_t s = 0; s < p->samples.count; s++)
        memcpy(p->records.a[p->count + s].x, p->samples.items[s].position, 3 * sizeof(float));
}

static inline tl_pairs_plan packing_pairs(const packing *p) {
    return (tl_pairs_plan){.parallel = &p->parallel,
                           .records = &p->records,
                           .list = &p->list,
                           .kernel = TL_KERNEL_WENDLAND,
                           .sizes = packing_sizes(p),
                           .spacing = packing_dx,
                           .walls = &p->shapes,
                           .samples = &p->samples,
                           .mirrors = p->mirrors};
}

/* Particles at these places, with these sizes; NULL: all are alike. Sizes must outlive them. */
static inline void packing_of_sizes(packing *p, const float (*places)[3], const float *sizes,
                                    size_t count, const packing_plan *plan) {
    const double reach = 1.1 * packing_support * packing_dx, none[3] = {0};
    double period[3];
    for (int k = 0; k < 3; k++)
        period[k] = plan->periodic[k] ? plan->n[k] * packing_dx : 0;
    tl_error error = {0};
    *p = (packing){.count = count,
                   .parallel = tl_parallel_adverse(plan->threads ? plan->threads : 1),
                   .solver = {.scratch = &p->scratch},
                   .sizes = sizes,
                   .mirrors = plan->mirrors};
    p->records.particles = count;
    packing_ok(tl_records_reserve(&p->records, &error), &error);
    packing_fill(p, places, plan->uneven);
    packing_add_walls(p, plan, reach, period);
    packing_ok(tl_images_make(&p->records, period, none, reach, &error), &error);
    p->search = tl_search_create(TL_SEARCH_GRID);
    tl_points points = {.xyz = (const float *)p->records.a,
                        .stride = TL_RECORD,
                        .count = tl_records_total(&p->records),
                        .radius = (float)reach};
    float *radii = sizes ? calloc(points.count, sizeof *radii) : NULL;
    for (size_t j = 0; sizes && j < points.count; j++)
        radii[j] = tl_records_is_matter(&p->records, j)
                       ? (float)reach * (sizes[tl_source_of(&p->records, j)] / (float)packing_dx)
                       : 1e-3f * (float)reach;
    points.radii = radii;
    packing_ok(tl_search_build(p->search, &p->parallel, &points, count, &p->list, &error), &error);
    free(radii);
    const tl_pairs_plan pairs = packing_pairs(p);
    packing_ok(tl_pairs_make(&p->solver, &pairs, &error), &error);
}

static inline void packing_of(packing *p, const float (*places)[3], size_t count,
                              const packing_plan *plan) {
    packing_of_sizes(p, places, NULL, count, plan);
}

enum { PACKING_MOST = 2048 };

/* A packing of cells that are whole, halved or cut into eight. */
static inline void packing_make_graded(packing *p, const packing_plan *plan) {
    static float places[PACKING_MOST][3], sizes[PACKING_MOST];
    const size_t nx = (size_t)plan->n[0], ny = (size_t)plan->n[1],
                 cells = nx * ny * (size_t)plan->n[2];
    size_t count = 0;
    for (size_t i = 0; i < cells; i++) {
        const size_t at[3] = {i % nx, i / nx % ny, i / nx / ny}, third = 3 * at[0] / nx;
        const int cuts[3] = {third == 2 || (third == 1 && i % 3 == 0),
                             third == 2 || (third == 1 && i % 3 == 1),
                             third == 2 || (third == 1 && i % 3 == 2)};
        const size_t parts = third == 2 ? 8 : third == 1 ? 2 : 1;
        for (size_t part = 0, left = part; part < parts; left = ++part) {
            cr_assert_lt(count, PACKING_MOST);
            const double size = cbrt(1.0 / (double)parts);
            for (size_t k = 0; k < 3; k++) {
                const double place = cuts[k] ? 0.25 + 0.5 * (double)(left % 2) : 0.5;
                left /= cuts[k] ? 2 : 1;
                places[count][k] =
                    (float)(packing_dx *
                            ((double)at[k] + place +
                             size * random_between(-plan->jitter, plan->jitter, 5, 3 * count + k)));
            }
            sizes[count++] = (float)(packing_dx * size);
        }
    }
    packing_of_sizes(p, (const float(*)[3])places, sizes, count, plan);
}

static inline void packing_make(packing *p, const packing_plan *plan) {
    enum { MOST = PACKING_MOST };
    static float places[MOST][3];
    if (plan->graded) {
        packing_make_graded(p, plan);
        return;
    }
    const size_t nx = (size_t)plan->n[0], ny = (size_t)plan->n[1],
                 count = nx * ny * (size_t)plan->n[2];
    cr_assert_leq(count, MOST);
    for (size_t i = 0; i < count; i++) {
        const size_t at[3] = {i % nx, i / nx % ny, i / nx / ny};
        for (size_t k = 0; k < 3; k++)
            places[i][k] =
                (float)(packing_dx * ((double)at[k] + 0.5 +
                                      random_between(-plan->jitter, plan->jitter, 5, 3 * i + k)));
    }
    packing_of(p, (const float(*)[3])places, count, plan);
}

static inline void packing_free(packing *p) {
    tl_solver_free(&p->solver);
    tl_scratch_free(&p->scratch);
    tl_neighbor_list_free(&p->list);
    tl_search_destroy(p->search);
    tl_records_free(&p->records);
    tl_samples_free(&p->samples);
    tl_shapes_free(&p->shapes);
}

static inline tl_motion *packing_motion(const packing *p, size_t i) {
    return &p->solver.strain.motion[i];
}

static inline double packing_volume(const packing *p, size_t i) {
    return (double)packing_motion(p, i)->volume;
}

/* Velocities base + G x. */
static inline void packing_stir(const packing *p, const double base[3], const double G[3][3]) {
    for (size_t i = 0; i < p->count; i++) {
        tl_motion *m = packing_motion(p, i);
        for (size_t k = 0; k < 3; k++) {
            const double u = base[k] + G[k][0] * (double)m->x[0] + G[k][1] * (double)m->x[1] +
                             G[k][2] * (double)m->x[2];
            m->u[k] = (float)u;
            p->solver.strain.low[i].u[k] = (float)(u - (double)m->u[k]);
        }
    }
    tl_strain_share_motion(&p->solver.strain);
}

/* Velocities at random, within ±1. */
static inline void packing_shake(const packing *p, uint64_t seed) {
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < 3; k++)
            packing_motion(p, i)->u[k] = (float)random_between(-1, 1, seed, 3 * i + k);
    tl_strain_share_motion(&p->solver.strain);
}

#endif
