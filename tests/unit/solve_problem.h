/* A packing and the solve that is asked of it. */
#ifndef TL_TESTS_SOLVE_PROBLEM_H
#define TL_TESTS_SOLVE_PROBLEM_H

#include "flow/iterate.h"
#include "packing.h"
#include "sample_response.h"

#include <stdlib.h>

static const double still[3] = {0}, density = 1000;

typedef struct problem {
    packing p;
    tl_solve_task task;
    double *velocity;
    float *mass, *strain_rate, *viscosity;
    float eta; /* of every particle */
} problem;

static inline void one_viscosity(void *context, const tl_strained *flow, unsigned wanted,
                                 const tl_response *out, size_t begin, size_t end) {
    respond_evenly((double)((const problem *)context)->eta, flow, wanted, out, end - begin);
}

/* Start and first guess are base + G x; no compression, no pressure, no gravity. */
static inline void problem_make(problem *o, const packing_plan *plan, double eta, double dt) {
    packing_make(&o->p, plan);
    const size_t n = o->p.count;
    o->eta = (float)eta;
    o->velocity = calloc(3 * n, sizeof *o->velocity);
    o->mass = calloc(n, sizeof *o->mass);
    o->strain_rate = calloc(n, sizeof *o->strain_rate);
    o->viscosity = calloc(n, sizeof *o->viscosity);
    tl_solver *s = &o->p.solver;
    for (size_t i = 0; i < n; i++) {
        o->mass[i] = (float)(density * packing_volume(&o->p, i));
        o->viscosity[i] = o->eta;
        s->rest_density[i] = (float)density;
        s->lambda[i] = s->compression[i] = 0;
    }
    o->task =
        (tl_solve_task){.part = TL_SOLVE_COUPLED,
                        .dt = dt,
                        .spacing = packing_dx,
                        .sizes = tl_sizes_alike(packing_dx, packing_support * packing_dx),
                        .full = 3 * tl_lattice_sums(TL_KERNEL_WENDLAND, packing_support).moment,
                        .stiffness = 100 * density * 9.81 * 10 * packing_dx,
                        .relief = 0.1,
                        .thick_relief = 0.1,
                        .brace = 0.1,
                        .damping = 0.1,
                        .tolerance = 1e-3,
                        .max_iterations = 500,
                        .max_outer = 8,
                        .curved = true,
                        .velocity = o->velocity,
                        .mass = o->mass,
                        .strain_rate = o->strain_rate,
                        .viscosity = o->viscosity,
                        .respond = one_viscosity,
                        .respond_context = o};
}

static inline void problem_start(problem *o, const double base[3], const double G[3][3]) {
    for (size_t i = 0; i < o->p.count; i++)
        for (size_t k = 0; k < 3; k++) {
            const float *x = packing_motion(&o->p, i)->x;
            o->velocity[3 * i + k] =
                base[k] + G[k][0] * (double)x[0] + G[k][1] * (double)x[1] + G[k][2] * (double)x[2];
        }
    memcpy(o->p.solver.start, o->velocity, 3 * o->p.count * sizeof *o->velocity);
}

static inline tl_solve_report solve(problem *o) {
    tl_solve_report report;
    tl_error error = {0};
    cr_assert_eq(tl_solve(&o->p.solver, &o->task, &report, &error), TL_OK, "%s", error.what);
    return report;
}

static inline void problem_free(problem *o) {
    packing_free(&o->p);
    free(o->velocity);
    free(o->mass);
    free(o->strain_rate);
    free(o->viscosity);
}

static const packing_plan block = {.n = {9, 8, 9}, .jitter = 0.2, .uneven = true};
static const double none[3][3] = {{0}};

/* Momentum and angular momentum about the origin. */
static inline void momenta(const problem *o, const double *velocity, double out[6]) {
    memset(out, 0, 6 * sizeof *out);
    for (size_t i = 0; i < o->p.count; i++)
        for (size_t a = 0; a < 3; a++) {
            const size_t b = (a + 1) % 3, c = (a + 2) % 3;
            const float *x = packing_motion(&o->p, i)->x;
            const double *u = velocity + 3 * i, m = (double)o->mass[i];
            out[a] += m * u[a];
            out[3 + a] += m * ((double)x[b] * u[c] - (double)x[c] * u[b]);
        }
}

#endif
