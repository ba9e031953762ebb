/* See exchange.h. */
#include "heat/exchange.h"

#include "base/blocks.h"
#include "heat/implicit.h"

#include <math.h>
#include <string.h>

/* Sub-steps that cost about as much as an implicit step: that is three solves of some 20 iterations
 * and 5 evaluations. Runge-Kutta-Legendre stages would need half as many evaluations, but after a
 * sudden change they are 10 % off where sub-steps are 0.2 %. */
static const double most_substeps = 60;

/* Part of the longest monotone sub-step that is used: sums of conductances are single precision. */
static const double safety = 0.95;

/* ---- Evaluation --------------------------------------------------------------------------------
 */

typedef struct rates_context {
    tl_heat_exchange *x;
    const tl_heat_task *task;
} rates_context;

static void temperature_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const rates_context *c = context;
    const tl_heat_task *t = c->task;
    for (size_t i = begin; i < end; i++)
        c->x->temperature[i] = tl_temperature_at(&t->calorics[t->material[i]], t->enthalpy[i]);
}

void tl_heat_find_temperatures(tl_heat_exchange *x, const tl_heat_task *task) {
    rates_context c = {x, task};
    tl_parallel_for(x->conduction.parallel, x->conduction.count, TL_BLOCK, temperature_range, &c);
    tl_conduction_share(&x->conduction, x->temperature);
}

static void rates_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const rates_context *c = context;
    tl_heat_exchange *x = c->x;
    const tl_heat_task *t = c->task;
    const double *T = x->temperature;
    tl_conduction_apply(&x->conduction, T, x->rate + begin, begin, end);
    for (uint32_t l = x->contact.first[begin]; l < x->contact.first[end]; l++) {
        const tl_heat_link *link = &x->contact.link[l];
        x->rate[link->particle] +=
            (double)link->conductance * (t->walls[link->wall].temperature - T[link->particle]);
    }
    memset(x->slope + begin, 0, (end - begin) * sizeof *x->slope);
    double *sums = x->block + begin / TL_BLOCK * TL_MAX_HEAT_SOURCES;
    for (size_t s = 0; s < t->sources->count; s++) {
        double power[TL_BLOCK] = {0};
        const tl_heat_source *source = &t->sources->items[s];
        source->add(source->context, T, power, x->slope + begin, begin, end);
        sums[s] = 0;
        for (size_t i = begin; i < end; i++) {
            sums[s] += power[i - begin];
            x->rate[i] += power[i - begin];
        }
    }
}

void tl_heat_find_rates(tl_heat_exchange *x, const tl_heat_task *task) {
    rates_context c = {x, task};
    tl_parallel_for(x->conduction.parallel, x->conduction.count, TL_BLOCK, rates_range, &c);
}

double tl_heat_wall_power(const tl_heat_exchange *x, const tl_heat_task *t, size_t wall,
                          double *conductance) {
    double power = 0, sum = 0;
    for (size_t l = 0; l < x->contact.count; l++) {
        const tl_heat_link *link = &x->contact.link[l];
        if (link->wall != wall)
            continue;
        sum += (double)link->conductance;
        power += (double)link->conductance *
                 (x->temperature[link->particle] - t->walls[wall].temperature);
    }
    *conductance = sum;
    return power;
}

void tl_heat_book(tl_heat_exchange *x, const tl_heat_task *t, double dt) {
    for (size_t s = 0; s < t->sources->count; s++)
        t->sources->items[s].energy +=
            dt * tl_sum_blocks(x->block + s, TL_MAX_HEAT_SOURCES, x->conduction.count);
    for (size_t w = 0; w < t->wall_count; w++) {
        double conductance;
        if (t->walls[w].open)
            t->walls[w].heat -= dt * tl_heat_wall_power(x, t, w, &conductance);
    }
}

/* ---- Explicit ----------------------------------------------------------------------------------
 */

/* The longest sub-step in which every new temperature is a mean of old ones:
 * dt (Σ G + Σ H - dP/dT) <= m c, with the smallest c of the material. */
static double stable_step(const tl_heat_exchange *x, const tl_heat_task *t) {
    const tl_conduction *c = &x->conduction;
    double fastest = 0; /* 1/s */
    for (size_t i = 0; i < c->count; i++) {
        double sum = (double)c->row_sum[i] - x->slope[i];
        for (uint32_t l = x->contact.first[i]; l < x->contact.first[i + 1]; l++)
            sum += (double)x->contact.link[l].conductance;
        fastest =
            fmax(fastest, sum / ((double)t->mass[i] * t->calorics[t->material[i]].least_heat));
    }
    for (size_t w = 0; w < t->wall_count; w++) {
        double conductance = 0;
        if (t->walls[w].open && t->walls[w].capacity > 0)
            tl_heat_wall_power(x, t, w, &conductance);
        fastest = fmax(fastest, conductance / fmax(t->walls[w].capacity, 1e-300));
    }
    return fastest > 0 ? safety / fastest : HUGE_VAL;
}

typedef struct update_context {
    const tl_heat_exchange *x;
    const tl_heat_task *task;
    double dt;
} update_context;

static void update_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const update_context *c = context;
    for (size_t i = begin; i < end; i++)
        c->task->enthalpy[i] += c->dt * c->x->rate[i] / (double)c->task->mass[i];
}

/* Sub-steps of dt; the first one's rates are there already. */
static void run_explicit(tl_heat_exchange *x, const tl_heat_task *t, double dt, int substeps) {
    update_context c = {x, t, dt};
    for (int s = 0; s < substeps; s++) {
        if (s > 0) {
            tl_heat_find_temperatures(x, t);
            tl_heat_find_rates(x, t);
        }
        tl_heat_book(x, t, dt);
        for (size_t w = 0; w < t->wall_count; w++) {
            double sum;
            if (t->walls[w].open && t->walls[w].capacity > 0)
                t->walls[w].temperature +=
                    dt * tl_heat_wall_power(x, t, w, &sum) / t->walls[w].capacity;
        }
        tl_parallel_for(x->conduction.parallel, x->conduction.count, TL_BLOCK, update_range, &c);
    }
}

/* ---- Both --------------------------------------------------------------------------------------
 */

static tl_status reserve(tl_heat_exchange *x, const tl_heat_task *t, tl_error *error) {
    const size_t n = x->conduction.count, blocks = tl_block_count(n, TL_BLOCK);
    TL_TRY(TL_ARRAY_RESERVE(x->temperature, 0, x->conduction.total + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(x->rate, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(x->slope, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(x->start, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(x->block, 0, blocks * TL_MAX_HEAT_SOURCES, error));
    for (size_t s = 0; s < t->sources->count; s++)
        t->sources->items[s].energy = 0;
    for (size_t w = 0; w < t->wall_count; w++)
        t->walls[w].heat = 0;
    return TL_OK;
}

tl_status tl_heat_exchange_run(tl_heat_exchange *x, const tl_heat_task *task,
                               tl_heat_report *report, tl_error *error) {
    *report = (tl_heat_report){.stable_dt = HUGE_VAL};
    TL_TRY(reserve(x, task, error));
    tl_heat_find_temperatures(x, task);
    tl_heat_find_rates(x, task);
    report->stable_dt = stable_step(x, task);
    const int scheme = task->params->scheme;
    const double substeps = ceil(task->dt / report->stable_dt);
    if (scheme == TL_HEAT_EXPLICIT || (scheme == TL_HEAT_AUTOMATIC && substeps <= most_substeps)) {
        report->substeps = (int)fmin(fmax(substeps, 1), 1e9);
        run_explicit(x, task, task->dt / report->substeps, report->substeps);
    } else {
        TL_TRY(tl_heat_run_implicit(x, task, report, error));
    }
    return TL_OK;
}

#define ARRAYS(x) (x)->temperature, (x)->rate, (x)->slope, (x)->start, (x)->block

size_t tl_heat_exchange_bytes(const tl_heat_exchange *x) {
    return TL_ARRAYS_BYTES(ARRAYS(x), x->contact.link, x->contact.first) +
           tl_conduction_bytes(&x->conduction);
}

void tl_heat_exchange_free(tl_heat_exchange *x) {
    tl_conduction_free(&x->conduction);
    tl_heat_contact_free(&x->contact);
    TL_ARRAYS_FREE(ARRAYS(x));
    *x = (tl_heat_exchange){.scratch = x->scratch};
}
