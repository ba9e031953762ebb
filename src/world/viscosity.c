/* What the matter of a world answers to its flow, the viscosities of implicit steps, and how fast
 * heat changes them. */
#include "base/blocks.h"
#include "world/state.h"

#include <math.h>

/* ν dt / dx²: solves in single precision do not tell stiffer matter from this, and do not converge
 * with much more. Matter like that creeps by gL dt/(10⁷ dx) a second when it is L spacings high. */
static const double nearly_rigid = 1e7;

void tl_world_aim_response(tl_world *w, double dt) {
    const double dx = tl_least_spacing(&w->sizes);
    w->response_dt = dt;
    w->stiffest = dt > 0 ? nearly_rigid * dx * dx / dt : HUGE_VAL;
}

void tl_world_respond(void *context, const tl_strained *flow, unsigned wanted,
                      const tl_response *out, size_t begin, size_t end) {
    const tl_world *w = context;
    const float *molten = tl_molten(w);
    float(*strain)[6] = tl_strain_of(w);
    tl_strained in = *flow;
    in.strain = strain ? (const float(*)[6])(strain + begin) : NULL;
    in.materials = w->materials;
    in.material = tl_material_of(w) + begin;
    in.temperature = tl_temperature(w) + begin;
    in.molten = molten ? molten + begin : NULL;
    in.memory = tl_memory_of(w);
    in.first = begin;
    in.dt = w->response_dt;
    in.stiffest = w->stiffest;
    tl_respond(&in, wanted, out, end - begin);
}

void tl_world_renew_viscosities(tl_world *w, size_t begin, size_t end) {
    const float *rate = tl_field_data(&w->fields, w->handle.strain_rate);
    float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    tl_world_respond(w, &(tl_strained){.rate = rate + begin}, TL_RESPOND_VISCOSITY,
                     &(tl_response){.viscosity = viscosity + begin}, begin, end);
}

static void remember_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_world *w = context;
    const float *rate = tl_field_data(&w->fields, w->handle.strain_rate);
    float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    const float(*turn)[3] = (const float(*)[3])w->springs.turn;
    tl_world_respond(context,
                     &(tl_strained){.rate = rate + begin, .turn = turn ? turn + begin : NULL},
                     TL_RESPOND_HELD | TL_RESPOND_REMEMBER,
                     &(tl_response){.viscosity = viscosity + begin}, begin, end);
}

tl_status tl_world_remember(tl_world *w, double dt, tl_error *error) {
    if (!tl_memory_of(w))
        return TL_OK;
    w->response_dt = dt;
    TL_TRY(tl_world_turn_matter(w, dt, error));
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, remember_range, w);
    tl_world_book_strain(w);
    return TL_OK;
}

static bool follows_heat(const tl_world *w) { return w->fields.count > 0 && w->dynamics->solves; }

static void settle_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    tl_world_renew_viscosities(context, begin, end);
}

void tl_world_settle_viscosities(tl_world *w) {
    tl_world_aim_response(w, w->state.dt);
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
    const float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    float before[TL_BLOCK];
    double sum = 0;
    for (size_t i = begin; i < end; i++)
        before[i - begin] = viscosity[i];
    tl_world_renew_viscosities(c->w, begin, end);
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
