/* See newton.h. */
#include "heat/newton.h"

#include "base/blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_outer = 60, most_iterations = 4000 };

/* How far conjugate gradients go while some particle has just met a corner of T(e): the next system
 * is another one. */
static const double coarse = 1e-2;

typedef struct newton {
    tl_heat_exchange *x;
    const tl_heat_task *t;
    double dt;
    double scale;  /* J/kg: what errors are relative to */
    double target; /* J/kg: largest |F| / m that will do */
    double alpha, beta;
    /* Of walls, each [wall_count]; zero where the temperature is given. */
    double *w_start, *w_residual, *w_change, *w_direction, *w_product, *w_diagonal;
    int corners; /* particles that met one in the last step */
} newton;

/* A wall whose temperature is an unknown. */
static bool follows(const tl_heat_wall *wall) { return wall->open && wall->capacity > 0; }

/* ---- Loops over particles ----------------------------------------------------------------------
 */

/* Runs `body`, which leaves up to TL_MAX_HEAT_SOURCES partial results a block. */
static void each(const newton *s, tl_range_fn *body) {
    tl_parallel_for(s->x->conduction.parallel, s->x->conduction.count, TL_BLOCK, body, (void *)s);
}

static double *partial_of(const newton *s, size_t begin) {
    return s->x->block + begin / TL_BLOCK * TL_MAX_HEAT_SOURCES;
}

static double total(const newton *s, int k) {
    return tl_sum_blocks(s->x->block + k, TL_MAX_HEAT_SOURCES, s->x->conduction.count);
}

static double largest(const newton *s, int k) {
    return tl_max_blocks(s->x->block + k, TL_MAX_HEAT_SOURCES, s->x->conduction.count);
}

/* Diagonal m / D - dt dP/dT + dt (Σ G + Σ H) for the direction of -F; 0 where D = 0. */
static void diagonal_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const newton *s = context;
    const tl_heat_exchange *x = s->x;
    const tl_heat_task *t = s->t;
    for (size_t i = begin; i < end; i++) {
        const tl_caloric *c = &t->calorics[t->material[i]];
        const int piece = tl_caloric_piece(c, t->enthalpy[i], x->residual[i]);
        double sum = (double)x->conduction.row_sum[i] - x->slope[i];
        for (uint32_t l = x->contact.first[i]; l < x->contact.first[i + 1]; l++)
            sum += (double)x->contact.link[l].conductance;
        x->diagonal[i] =
            c->slope[piece] > 0 ? (double)t->mass[i] / c->slope[piece] + s->dt * sum : 0;
    }
}

/* product = A direction without the diagonal's own part: sums over neighbours and walls.
 * partial 0: direction · product */
static void product_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const newton *s = context;
    const tl_heat_exchange *x = s->x;
    const double *p = x->direction;
    tl_conduction_apply(&x->conduction, p, x->product + begin, begin, end);
    double dot = 0;
    for (size_t i = begin; i < end; i++) {
        double flow = x->product[i] + (double)x->conduction.row_sum[i] * p[i];
        for (uint32_t l = x->contact.first[i]; l < x->contact.first[i + 1]; l++)
            flow +=
                (double)x->contact.link[l].conductance * s->w_direction[x->contact.link[l].wall];
        x->product[i] = x->diagonal[i] > 0 ? x->diagonal[i] * p[i] - s->dt * flow : 0;
        dot += p[i] * x->product[i];
    }
    partial_of(s, begin)[0] = dot;
}

/* change += α direction, residual -= α product; partial 0: r·z, 1: largest |r| / m */
static void advance_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const newton *s = context;
    tl_heat_exchange *x = s->x;
    double dot = 0, most = 0;
    for (size_t i = begin; i < end; i++) {
        if (!(x->diagonal[i] > 0))
            continue;
        x->change[i] += s->alpha * x->direction[i];
        x->residual[i] -= s->alpha * x->product[i];
        dot += x->residual[i] * x->residual[i] / x->diagonal[i];
        most = fmax(most, fabs(x->residual[i]) / (double)s->t->mass[i]);
    }
    partial_of(s, begin)[0] = dot;
    partial_of(s, begin)[1] = most;
}

/* direction = z + β direction */
static void turn_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const newton *s = context;
    tl_heat_exchange *x = s->x;
    for (size_t i = begin; i < end; i++)
        x->direction[i] =
            x->diagonal[i] > 0 ? x->residual[i] / x->diagonal[i] + s->beta * x->direction[i] : 0;
}

/* F of particles: residual = -F; partial 0: largest |F| / m */
static void residual_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const newton *s = context;
    tl_heat_exchange *x = s->x;
    const tl_heat_task *t = s->t;
    double most = 0;
    for (size_t i = begin; i < end; i++) {
        x->residual[i] = s->dt * x->rate[i] - (double)t->mass[i] * (t->enthalpy[i] - x->start[i]);
        x->change[i] = 0;
        most = fmax(most, fabs(x->residual[i]) / (double)t->mass[i]);
        /* A number that is not one must not look like a small one. */
        if (!isfinite(x->residual[i]))
            most = HUGE_VAL;
    }
    partial_of(s, begin)[0] = most;
}

/* e += δe, to the corner of T(e) at most; partial 0: how many met one. `product` holds the fluxes
 * of the changes, without the diagonal. */
static void correct_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const newton *s = context;
    tl_heat_exchange *x = s->x;
    const tl_heat_task *t = s->t;
    double corners = 0;
    for (size_t i = begin; i < end; i++) {
        const tl_caloric *c = &t->calorics[t->material[i]];
        const double mass = (double)t->mass[i];
        /* -F of this Newton step: the residual of the linear system has become another. */
        const double force = s->dt * x->rate[i] - mass * (t->enthalpy[i] - x->start[i]);
        const int piece = tl_caloric_piece(c, t->enthalpy[i], force);
        double change;
        if (x->diagonal[i] > 0) {
            change = x->change[i] / c->slope[piece];
        } else {
            double flow = x->product[i];
            for (uint32_t l = x->contact.first[i]; l < x->contact.first[i + 1]; l++)
                flow +=
                    (double)x->contact.link[l].conductance * s->w_change[x->contact.link[l].wall];
            change = (force + s->dt * flow) / mass;
        }
        double e = t->enthalpy[i] + change;
        const bool below = piece > 0 && e < c->start[piece];
        const bool above = piece + 1 < c->pieces && e > c->start[piece + 1];
        if (below || above) {
            e = c->start[above ? piece + 1 : piece];
            corners += 1;
        }
        t->enthalpy[i] = e;
    }
    partial_of(s, begin)[0] = corners;
}

/* e = eⁿ + dt rate / m: the fluxes that go into the books. */
static void settle_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const newton *s = context;
    for (size_t i = begin; i < end; i++)
        s->t->enthalpy[i] = s->x->start[i] + s->dt * s->x->rate[i] / (double)s->t->mass[i];
}

/* ---- Linear system -----------------------------------------------------------------------------
 */

static double wall_dot(const newton *s) {
    double dot = 0;
    for (size_t w = 0; w < s->t->wall_count; w++)
        if (s->w_diagonal[w] > 0)
            dot += s->w_residual[w] * s->w_residual[w] / s->w_diagonal[w];
    return dot;
}

/* The walls' rows of A direction; returns their part of direction · product. */
static double multiply_walls(const newton *s) {
    const tl_heat_contact *c = &s->x->contact;
    double dot = 0;
    for (size_t w = 0; w < s->t->wall_count; w++)
        s->w_product[w] = s->w_diagonal[w] * s->w_direction[w];
    for (size_t l = 0; l < c->count; l++) {
        const tl_heat_link *link = &c->link[l];
        if (s->w_diagonal[link->wall] > 0)
            s->w_product[link->wall] -=
                s->dt * (double)link->conductance * s->x->direction[link->particle];
    }
    for (size_t w = 0; w < s->t->wall_count; w++)
        dot += s->w_direction[w] * s->w_product[w];
    return dot;
}

static double advance_walls(const newton *s) {
    for (size_t w = 0; w < s->t->wall_count; w++) {
        s->w_change[w] += s->alpha * s->w_direction[w];
        s->w_residual[w] -= s->alpha * s->w_product[w];
    }
    return wall_dot(s);
}

static void turn_walls(const newton *s) {
    for (size_t w = 0; w < s->t->wall_count; w++)
        s->w_direction[w] = s->w_diagonal[w] > 0
                                ? s->w_residual[w] / s->w_diagonal[w] + s->beta * s->w_direction[w]
                                : 0;
}

/* Solves for the changes of temperature. Returns the number of iterations. */
static int solve_linear(newton *s, double part) {
    tl_heat_exchange *x = s->x;
    each(s, diagonal_range);
    for (size_t w = 0; w < s->t->wall_count; w++) {
        const tl_heat_wall *wall = &s->t->walls[w];
        double sum = 0;
        if (follows(wall))
            tl_heat_wall_power(x, s->t, w, &sum);
        s->w_diagonal[w] = follows(wall) ? wall->capacity + s->dt * sum : 0;
        s->w_change[w] = 0;
    }
    s->alpha = s->beta = 0;
    each(s, advance_range);
    double dot = total(s, 0) + wall_dot(s);
    const double first = dot;
    each(s, turn_range);
    turn_walls(s);
    int k = 0;
    for (; k < most_iterations && dot > 0; k++) {
        tl_conduction_share(&x->conduction, x->direction);
        each(s, product_range);
        s->alpha = dot / (total(s, 0) + multiply_walls(s));
        each(s, advance_range);
        const double next = total(s, 0) + advance_walls(s);
        s->beta = next / dot;
        dot = next;
        if (!isfinite(dot) || largest(s, 1) < 0.3 * s->target || dot < part * part * first)
            break;
        each(s, turn_range);
        turn_walls(s);
    }
    return k;
}

/* ---- Newton ------------------------------------------------------------------------------------
 */

/* Residuals at the present enthalpies. Returns the largest |F| / m, in J/kg. */
static double find_residual(newton *s, double least_heat) {
    tl_heat_find_temperatures(s->x, s->t);
    tl_heat_find_rates(s->x, s->t);
    double most = 0;
    for (size_t w = 0; w < s->t->wall_count; w++) {
        const tl_heat_wall *wall = &s->t->walls[w];
        double sum;
        s->w_residual[w] = !follows(wall)
                               ? 0
                               : s->dt * tl_heat_wall_power(s->x, s->t, w, &sum) -
                                     wall->capacity * (wall->temperature - s->w_start[w]);
        if (follows(wall))
            most = fmax(most, fabs(s->w_residual[w]) / wall->capacity * least_heat);
    }
    return most;
}

static void sources_kept(const newton *s, double *kept, bool back) {
    const size_t blocks = tl_block_count(s->x->conduction.count, TL_BLOCK);
    const size_t bytes = blocks * TL_MAX_HEAT_SOURCES * sizeof *kept;
    memcpy(back ? s->x->block : kept, back ? kept : s->x->block, bytes);
}

/* What errors are relative to (J/kg): the range of temperatures, or what the sources bring in the
 * step where that is more. Sets the least specific heat of all that is there, and the temperature
 * farthest from zero. */
static double find_scale(const newton *s, double *least_heat, double *warmest) {
    const tl_heat_task *t = s->t;
    double low = HUGE_VAL, high = -HUGE_VAL, heat = HUGE_VAL, mass = 0, brought = 0;
    for (size_t i = 0; i < s->x->conduction.count; i++) {
        low = fmin(low, s->x->temperature[i]);
        high = fmax(high, s->x->temperature[i]);
        heat = fmin(heat, t->calorics[t->material[i]].least_heat);
        mass += (double)t->mass[i];
    }
    for (size_t l = 0; l < s->x->contact.count; l++) {
        const double T = t->walls[s->x->contact.link[l].wall].temperature;
        low = fmin(low, T);
        high = fmax(high, T);
    }
    for (size_t k = 0; k < t->sources->count; k++)
        brought += s->dt * fabs(total(s, (int)k)) / mass;
    *least_heat = heat;
    *warmest = fmax(fabs(low), fabs(high));
    return fmax(heat * (high - low), brought);
}

/* The fluxes of the changes alone, for particles whose temperature is held. */
static void flow_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const newton *s = context;
    tl_conduction_apply(&s->x->conduction, s->x->direction, s->x->product + begin, begin, end);
}

static void correct(newton *s) {
    tl_heat_exchange *x = s->x;
    memcpy(x->direction, x->change, x->conduction.count * sizeof *x->change);
    tl_conduction_share(&x->conduction, x->direction);
    each(s, flow_range);
    each(s, correct_range);
    s->corners = (int)fmin(total(s, 0), 1e9);
    for (size_t w = 0; w < s->t->wall_count; w++)
        s->t->walls[w].temperature += s->w_change[w];
}

/* One backward Euler step of s->dt from x->start. True when it converged. */
static bool step(newton *s, double *kept, tl_heat_report *report) {
    double least_heat, warmest;
    s->scale = find_scale(s, &least_heat, &warmest);
    /* Matter that has evened out has no range left: rounding of the fluxes is the least there is.
     */
    const double rounding =
        8 * DBL_EPSILON * (1 + s->dt / report->stable_dt) * least_heat * warmest;
    s->target = fmax(s->t->params->tolerance * s->scale, rounding);
    s->corners = 1;
    for (int outer = 0; outer < most_outer; outer++, report->outer++) {
        double most = find_residual(s, least_heat);
        sources_kept(s, kept, false);
        each(s, residual_range);
        most = fmax(most, largest(s, 0));
        report->residual = s->scale > 0 ? most / s->scale : 0;
        if (most <= s->target) {
            sources_kept(s, kept, true);
            tl_heat_book(s->x, s->t, s->dt);
            each(s, settle_range);
            return true;
        }
        if (!isfinite(most))
            return false;
        report->iterations += solve_linear(s, s->corners ? coarse : 0);
        correct(s);
    }
    return false;
}

/* Shares out the room for walls; returns that for block sums. */
static double *share_room(newton *s) {
    const size_t walls = s->t->wall_count;
    double **vectors[] = {&s->w_start,     &s->w_residual, &s->w_change,
                          &s->w_direction, &s->w_product,  &s->w_diagonal};
    memset(s->x->wall, 0, 6 * walls * sizeof *s->x->wall);
    for (size_t v = 0; v < 6; v++)
        *vectors[v] = s->x->wall + v * walls;
    return s->x->wall + 6 * walls;
}

/* Six vectors over walls, and sums of blocks. */
static size_t wall_room(const tl_heat_exchange *x, const tl_heat_task *task) {
    return 6 * task->wall_count +
           tl_block_count(x->conduction.count, TL_BLOCK) * TL_MAX_HEAT_SOURCES;
}

size_t tl_heat_newton_room(const tl_heat_exchange *x, const tl_heat_task *task) {
    return 4 * tl_scratch_room(x->conduction.count, sizeof(double)) +
           tl_scratch_room(x->conduction.total + 1, sizeof(double)) +
           tl_scratch_room(wall_room(x, task), sizeof(double));
}

static double *take(tl_heat_exchange *x, size_t count, const char *name) {
    double *out = TL_SCRATCH_TAKE(x->scratch, double, count, name);
    memset(out, 0, count * sizeof *out);
    return out;
}

void tl_heat_newton_take(tl_heat_exchange *x, const tl_heat_task *task) {
    const size_t n = x->conduction.count;
    x->residual = take(x, n, "residual of heat");
    x->change = take(x, n, "change of heat");
    x->direction = take(x, x->conduction.total + 1, "direction of heat");
    x->product = take(x, n, "operator times direction of heat");
    x->diagonal = take(x, n, "diagonal of heat");
    x->wall = take(x, wall_room(x, task), "heat of walls");
}

static void begin_step(newton *s) {
    memcpy(s->x->start, s->t->enthalpy, s->x->conduction.count * sizeof *s->x->start);
    for (size_t w = 0; w < s->t->wall_count; w++)
        s->w_start[w] = s->t->walls[w].temperature;
}

static void take_back(newton *s) {
    memcpy(s->t->enthalpy, s->x->start, s->x->conduction.count * sizeof *s->x->start);
    for (size_t w = 0; w < s->t->wall_count; w++)
        s->t->walls[w].temperature = s->w_start[w];
}

double tl_heat_newton_scale(const tl_heat_exchange *x, const tl_heat_task *task, double dt) {
    const newton s = {.x = (tl_heat_exchange *)x, .t = task, .dt = dt};
    double least_heat, warmest;
    return find_scale(&s, &least_heat, &warmest);
}

bool tl_heat_newton_step(tl_heat_exchange *x, const tl_heat_task *task, double dt,
                         tl_heat_report *report) {
    newton s = {.x = x, .t = task, .dt = dt};
    double *kept = share_room(&s);
    tl_heat_find_temperatures(x, task);
    tl_heat_find_rates(x, task);
    begin_step(&s);
    if (step(&s, kept, report))
        return true;
    take_back(&s);
    return false;
}
