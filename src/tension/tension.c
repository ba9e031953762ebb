/* See tension.h. */
#include "tension/tension.h"

#include "flow/lanes.h"
#include "math/pi.h"
#include "tension/curvature.h"
#include "tension/facing.h"

#include <math.h>
#include <string.h>

/* In units of what inertia and viscosity of the shortest waves allow (tl_tension_longest_step). */
static const double stable_part = 4;

/* Parts of a full neighbourhood below which there is no tension, and from which on there is all of
 * it: in spray no pressure acts (balance.c) that would balance it. */
static const float thinnest = 0.05f, thin = 0.2f;

typedef struct tension_job {
    tl_tension *out;
    tl_solver *solver;
    const tl_tension_task *task;
    float (*force)[3];
} tension_job;

/* A⁻¹ of a uniform stress of 1. */
static void unit_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tension_job *c = context;
    const tl_strain *s = &c->solver->strain;
    const tl_wide zero = tl_splat(0.0f), one = tl_splat(1.0f);
    const tl_wide round[6] = {one, one, one, zero, zero, zero};
    const tl_wide none[6] = {zero, zero, zero, zero, zero, zero};
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = tl_group(first, end, index);
        tl_wide inverse[TL_SYM6];
        tl_load_inverse(s, first, inverse);
        if (s->uneven)
            tl_store_uneven_traction(s, first, count, index, inverse, none, one, none, zero);
        else
            tl_store_traction(s, first, count, inverse, round, none, zero);
    }
}

/* Pa: γκ of particle i. */
static float pull_of(const tension_job *c, size_t i) {
    const tl_strain *s = &c->solver->strain;
    const float most = 2 / (TL_SHARPEST * (float)tl_spacing_of(&s->sizes, i));
    const float curvature = fminf(fmaxf(c->out->bent[i].curvature, -most), most);
    const float full = tl_strain_around(s, i)->full / (float)c->task->full;
    return c->task->gamma[i] * curvature *
           fminf(fmaxf((full - thinnest) / (thin - thinnest), 0), 1);
}

static void push_range(void *context, const float (*force)[4], size_t begin, size_t end) {
    const tension_job *c = context;
    for (size_t i = begin; i < end; i++) {
        const bool held = tl_strain_is_held(&c->solver->strain, i);
        const float pull = held ? 0 : pull_of(c, i);
        for (int k = 0; k < 3; k++) {
            c->out->push[i][k] = held ? 0 : force[i - begin][k];
            c->force[i][k] = pull * c->out->push[i][k];
        }
    }
}

static tl_status reserve(tl_tension *t, const tl_strain *s, tl_error *error) {
    const size_t n = s->particles, all = s->total + 1;
    TL_TRY(TL_ARRAY_RESERVE(t->side, 0, all, error));
    TL_TRY(TL_ARRAY_RESERVE(t->facing, 0, all, error));
    TL_TRY(TL_ARRAY_RESERVE(t->bent, 0, all, error));
    TL_TRY(TL_ARRAY_RESERVE(t->wetting, 0, s->link_count, error));
    TL_TRY(TL_ARRAY_RESERVE(t->smooth, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(t->found, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(t->push, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(t->filling, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(t->gamma, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(t->area, 0, n, error));
    memset(t->side, 0, all * sizeof *t->side);
    memset(t->facing, 0, all * sizeof *t->facing);
    memset(t->bent, 0, all * sizeof *t->bent);
    return TL_OK;
}

tl_status tl_tension_begin(tl_tension *t, const tl_strain *s, tl_error *error) {
    if (!t->has_depths || t->kernel != s->kernel)
        t->depths = tl_depths_make(s->kernel);
    t->kernel = s->kernel;
    t->has_depths = true;
    return reserve(t, s, error);
}

tl_status tl_tension_find(tl_tension *t, tl_solver *solver, const tl_tension_task *task,
                          float (*force)[3], tl_error *error) {
    const tl_strain *s = &solver->strain;
    tension_job c = {t, solver, task, force};
    TL_TRY(tl_tension_begin(t, s, error));
    tl_facing_find(t, s, task);
    tl_curvature_find(t, s);
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, unit_range, &c);
    tl_strain_share_traction(s);
    tl_strain_share_motion(s);
    tl_strain_force(s, NULL, 0, push_range, &c);
    return TL_OK;
}

double tl_tension_longest_step(double gamma, double density, double viscosity, double spacing) {
    const double a = gamma / (density * spacing * spacing * spacing);
    const double b = viscosity / (density * spacing * spacing), c = stable_part;
    return a > 0 ? (c * b + sqrt(c * b * (c * b) + 4 * a * c)) / (2 * a) : HUGE_VAL;
}

#define ARRAYS(t)                                                                                  \
    (t)->side, (t)->facing, (t)->bent, (t)->wetting, (t)->smooth, (t)->found, (t)->push,           \
        (t)->filling, (t)->gamma, (t)->area

size_t tl_tension_bytes(const tl_tension *t) { return TL_ARRAYS_BYTES(ARRAYS(t)); }

void tl_tension_free(tl_tension *t) {
    TL_ARRAYS_FREE(ARRAYS(t));
    *t = (tl_tension){0};
}
