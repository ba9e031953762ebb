/* The viscosities of implicit steps, and how fast heat changes them. */
#include "base/blocks.h"
#include "world/state.h"

#include <math.h>

/* ν dt / dx²: solves in single precision do not tell stiffer matter from this, and do not converge
 * with much more. Matter like that creeps by gL dt/(10⁷ dx) a second when it is L spacings high. */
static const double nearly_rigid = 1e7;

double tl_world_stiffest(const tl_world *w, double dt) {
    const double dx = tl_least_spacing(&w->sizes);
    return dt > 0 ? nearly_rigid * dx * dx / dt : HUGE_VAL;
}

void tl_world_viscosity_law(void *context, const float *rate, float *viscosity, size_t begin,
                            size_t end) {
    const tl_world *w = context;
    const float *molten = tl_molten(w);
    tl_viscosities(w->materials, tl_material_of(w) + begin, rate + begin, tl_temperature(w) + begin,
                   molten ? molten + begin : NULL, viscosity + begin, end - begin);
    for (size_t i = begin; i < end; i++) {
        const double most = w->stiffest * w->fluids[tl_material_of(w)[i]].rest_density;
        viscosity[i] = (float)fmin((double)viscosity[i], most);
    }
}

static bool follows_heat(const tl_world *w) { return w->fields.count > 0 && w->dynamics->solves; }

static void settle_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    tl_world *w = context;
    tl_world_viscosity_law(w, tl_field_data(&w->fields, w->handle.strain_rate),
                           tl_field_data(&w->fields, w->handle.viscosity), begin, end);
}

void tl_world_settle_viscosities(tl_world *w) {
    w->stiffest = tl_world_stiffest(w, w->state.dt);
    if (follows_heat(w))
        tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, settle_range, w);
}

typedef struct softening {
    tl_world *w;
    double *partial; /* [blocks] Σ |Δ ln η| */
} softening;

static void soften_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const softening *c = context;
    const tl_world *w = c->w;
    float *viscosity = tl_field_data(&w->fields, w->handle.viscosity), before[TL_BLOCK];
    const float *rate = tl_field_data(&w->fields, w->handle.strain_rate);
    double sum = 0;
    for (size_t i = begin; i < end; i++)
        before[i - begin] = viscosity[i];
    tl_world_viscosity_law(c->w, rate, viscosity, begin, end);
    for (size_t i = begin; i < end; i++)
        if (before[i - begin] > 0 && viscosity[i] > 0)
            sum += fabs(log((double)viscosity[i] / (double)before[i - begin]));
    c->partial[begin / TL_BLOCK] = sum;
}

tl_status tl_world_follow_heat(tl_world *w, double due, tl_error *error) {
    const size_t n = w->fields.count;
    if (!follows_heat(w))
        return TL_OK;
    TL_TRY(tl_world_partials(w, n, sizeof(double), error));
    softening c = {w, w->partial};
    tl_parallel_for(&w->parallel, n, TL_BLOCK, soften_range, &c);
    w->state.softening = tl_sum_blocks(c.partial, 1, n) / (due * (double)n);
    return TL_OK;
}
