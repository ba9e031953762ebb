/* See implicit.h. */
#include "heat/implicit.h"

#include "heat/newton.h"

#include <math.h>
#include <string.h>

/* Steps are not made shorter than this many explicit ones. */
static const double shortest = 2;

/* How fast steps may grow. */
static const double fastest_growth = 4;

typedef struct run {
    tl_heat_exchange *x;
    const tl_heat_task *t;
    size_t n, book_size;
    double *state[3], *books[3]; /* enthalpies and books: START, ONCE, HALF */
    double slack;                /* J/kg: what the tolerance leaves open */
} run;

enum { START, ONCE, HALF, STATES };

/* ---- States ------------------------------------------------------------------------------------
 */

/* All that a step changes beside enthalpies, as numbers that may be added. */
static void copy_books(const run *r, double *books, bool back) {
    double *b = books;
    for (size_t w = 0; w < r->t->wall_count; w++, b += 2) {
        tl_heat_wall *wall = &r->t->walls[w];
        if (back)
            wall->heat = b[0], wall->temperature = b[1];
        else
            b[0] = wall->heat, b[1] = wall->temperature;
    }
    for (size_t s = 0; s < r->t->sources->count; s++, b++) {
        double *energy = &r->t->sources->items[s].energy;
        *(back ? energy : b) = *(back ? b : energy);
    }
}

static void keep(const run *r, int state) {
    memcpy(r->state[state], r->t->enthalpy, r->n * sizeof(double));
    copy_books(r, r->books[state], false);
}

static void go_back(const run *r, int state) {
    memcpy(r->t->enthalpy, r->state[state], r->n * sizeof(double));
    copy_books(r, r->books[state], true);
}

/* ---- Two halves against one whole --------------------------------------------------------------
 */

/* What two halves and one step of the same length make differently, as a part of what they do. */
static double compare(const run *r) {
    const double *start = r->state[START], *once = r->state[ONCE], *now = r->t->enthalpy;
    double apart = 0, done = 0, mass = 0;
    for (size_t i = 0; i < r->n; i++) {
        const double m = (double)r->t->mass[i];
        apart += m * fabs(now[i] - once[i]);
        done += m * fabs(now[i] - start[i]);
        mass += m;
    }
    return apart > mass * r->slack ? apart / done : 0;
}

/* The range of temperatures at the start and after both ways, walls included. */
static void find_range(const run *r, double *coldest, double *warmest) {
    const double *states[] = {r->state[START], r->state[ONCE], r->t->enthalpy};
    *coldest = HUGE_VAL, *warmest = -HUGE_VAL;
    for (size_t i = 0; i < 3 * r->n; i++) {
        const size_t k = i % r->n;
        const double T = tl_temperature_at(&r->t->calorics[r->t->material[k]], states[i / r->n][k]);
        *coldest = fmin(*coldest, T);
        *warmest = fmax(*warmest, T);
    }
    for (size_t w = 0; w < r->t->wall_count; w++)
        if (r->t->walls[w].open) {
            *coldest = fmin(*coldest, r->t->walls[w].temperature);
            *warmest = fmax(*warmest, r->t->walls[w].temperature);
        }
}

/* How far one may go on from the two halves, away from the one step, before some temperature leaves
 * the range of those found: 1 is Richardson's extrapolation. One number for all keeps energy. */
static double find_reach(const run *r) {
    const double *once = r->state[ONCE], *now = r->t->enthalpy;
    double coldest, warmest, reach = 1;
    find_range(r, &coldest, &warmest);
    /* Just beyond a temperature at which latent heat is taken up lies the end of that heat. */
    const double beyond = nextafter(warmest, HUGE_VAL);
    for (size_t i = 0; i < r->n; i++) {
        const tl_caloric *c = &r->t->calorics[r->t->material[i]];
        const double low = tl_enthalpy_at(c, coldest) - r->slack,
                     high = tl_enthalpy_at(c, beyond) + r->slack, way = now[i] - once[i];
        if (way > 0)
            reach = fmin(reach, (high - now[i]) / way);
        if (way < 0)
            reach = fmin(reach, (low - now[i]) / way);
    }
    return fmax(reach, 0);
}

static void extrapolate(const run *r) {
    const double reach = find_reach(r);
    double *e = r->t->enthalpy, *once = r->books[ONCE], *now = r->books[HALF];
    for (size_t i = 0; i < r->n; i++)
        e[i] += reach * (e[i] - r->state[ONCE][i]);
    copy_books(r, now, false);
    for (size_t b = 0; b < r->book_size; b++)
        now[b] += reach * (now[b] - once[b]);
    copy_books(r, now, true);
}

/* ---- Steps -------------------------------------------------------------------------------------
 */

static tl_status take_room(run *r, tl_error *error) {
    tl_heat_exchange *x = r->x;
    r->n = x->conduction.count;
    r->book_size = 2 * r->t->wall_count + r->t->sources->count;
    const size_t one = r->n + r->book_size;
    TL_TRY(tl_scratch_reserve(
        x->scratch, STATES * tl_scratch_room(one, sizeof(double)) + tl_heat_newton_room(x, r->t),
        error));
    for (int k = 0; k < STATES; k++) {
        r->state[k] = TL_SCRATCH_TAKE(x->scratch, double, one, "enthalpies and books");
        r->books[k] = r->state[k] + r->n;
    }
    tl_heat_newton_take(x, r->t);
    return TL_OK;
}

/* One attempt of length h. `has_once`: the step as a whole is known from an attempt of twice the
 * length. Returns its error, infinite when Newton's method found nothing. */
static double attempt(const run *r, double h, bool has_once, tl_heat_report *report) {
    if (!has_once) {
        if (!tl_heat_newton_step(r->x, r->t, h, report))
            return HUGE_VAL;
        keep(r, ONCE);
        go_back(r, START);
    }
    if (!tl_heat_newton_step(r->x, r->t, h / 2, report))
        return HUGE_VAL;
    keep(r, HALF);
    if (!tl_heat_newton_step(r->x, r->t, h / 2, report))
        return HUGE_VAL;
    return compare(r);
}

/* The first half of a step that was too long is the whole of the next attempt. */
static void swap_states(run *r) {
    double *state = r->state[ONCE], *books = r->books[ONCE];
    r->state[ONCE] = r->state[HALF], r->books[ONCE] = r->books[HALF];
    r->state[HALF] = state, r->books[HALF] = books;
}

static tl_status advance(run *r, tl_heat_report *report, tl_error *error) {
    const tl_heat_task *task = r->t;
    const double wanted = task->params->accuracy;
    double h = task->dt, done = 0;
    r->slack = 2 * task->params->tolerance * tl_heat_newton_scale(r->x, task, h);
    bool has_once = false;
    while (task->dt - done > 1e-12 * task->dt) {
        h = fmin(h, task->dt - done);
        if (!has_once)
            keep(r, START);
        const double off = attempt(r, h, has_once, report);
        if (off <= wanted || (isfinite(off) && h <= shortest * report->stable_dt)) {
            extrapolate(r);
            done += h;
            report->steps++;
            has_once = false;
            h *= fmin(0.8 * wanted / fmax(off, 1e-3 * wanted), fastest_growth);
            h = fmax(h, shortest * report->stable_dt);
            continue;
        }
        go_back(r, START);
        has_once = isfinite(off);
        if (has_once)
            swap_states(r);
        else
            report->failures++;
        h *= 0.5;
        if (h < 1e-6 * task->dt)
            return tl_fail(error, TL_DIVERGED, "heat",
                           "lower heat.max_step, or raise heat.tolerance",
                           "the exchange of heat finds no enthalpies (error %.3g, %.3g wanted)",
                           report->residual, task->params->tolerance);
    }
    return TL_OK;
}

tl_status tl_heat_run_implicit(tl_heat_exchange *x, const tl_heat_task *task,
                               tl_heat_report *report, tl_error *error) {
    run r = {.x = x, .t = task};
    const size_t mark = tl_scratch_mark(x->scratch);
    TL_TRY(take_room(&r, error));
    const tl_status status = advance(&r, report, error);
    tl_scratch_release(x->scratch, mark);
    return status;
}
