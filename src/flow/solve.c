/* See solve.h. The outer iterations; balance.c finds where they stand, iterate.c what to add. */
#include "flow/balance.h"
#include "flow/iterate.h"

#include <math.h>
#include <string.h>

/* A residual this many tolerances large at the end is still taken: the set of particles under
 * pressure may flicker at a free surface without harm. */
static const double acceptable = 5;

/* Where iterations end, in tolerances. Who is under pressure may change after them, which needs
 * room; in thick matter nobody does, and in thin corrections are made shorter. */
static const double aim = 0.5, sure_aim = 0.65;

/* A first guess is taken as it is when its residual is this many tolerances small: the errors of
 * guesses add up. */
static const double guessed = 0.2;

/* The least part of what force gives that counts in thin matter. */
static const double least_counted = 0.2;

/* Part of the particles whose viscosities may still change: theirs are taken as they are. */
static const double tolerated_unsettled = 0.01;

/* A correction after which its own direction is resisted by more than this part of what led into it
 * went too far; and so often is it made shorter. */
static const double tolerated_excess = 1;
enum { most_returns = 3 };

/* Edge of the finest cells of the background grids, in spacings, and at least in those of the
 * largest particles. */
static const double cell_of_spacing = 4, cell_of_largest = 2;

/* ---- Room --------------------------------------------------------------------------------------
 */

tl_status tl_solver_begin(tl_solver *s, tl_error *error) {
    const size_t n = s->strain.particles, lanes = tl_pad_lanes(n);
    if (!s->grids)
        s->grids = tl_grids_create();
    if (!s->grids)
        return tl_fail_memory(error, 1, 1);
    TL_TRY(TL_ARRAY_RESERVE(s->shear, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->bulk, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->pressure, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->compression, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->rest_density, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->dilation, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->pull, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->left, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->lambda, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->blocks, 0, lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->start, 0, 3 * lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->given, 0, 3 * lanes, error));
    TL_TRY(TL_ARRAY_RESERVE(s->walls, 0, s->strain.link_count, error));
    /* At most w, r and the means, and z and q: what else is taken is less than these two. */
    TL_TRY(tl_scratch_reserve(s->scratch,
                              4 * tl_scratch_room(4 * lanes, sizeof(float)) +
                                  tl_scratch_room(lanes, sizeof(tl_averaged)),
                              error));
    return tl_array_reserve(&s->partial, 0, n / TL_BLOCK + 1, sizeof(tl_balance), error);
}

#define ARRAYS(s)                                                                                  \
    (s)->given, (s)->start, (s)->lambda, (s)->compression, (s)->rest_density, (s)->pressure,       \
        (s)->left, (s)->dilation, (s)->shear, (s)->bulk, (s)->pull, (s)->tension, (s)->bears,      \
        (s)->recalled, (s)->modulus, (s)->springy, (s)->slack, (s)->blocks, (s)->walls,            \
        (s)->partial

size_t tl_solver_bytes(const tl_solver *s) {
    return TL_ARRAYS_BYTES(ARRAYS(s)) + tl_strain_bytes(&s->strain) + tl_modes_bytes(&s->modes) +
           (s->grids ? tl_grids_bytes(s->grids) : 0);
}

void tl_solver_free(tl_solver *s) {
    tl_strain_free(&s->strain);
    tl_modes_free(&s->modes);
    tl_grids_destroy(s->grids);
    TL_ARRAYS_FREE(ARRAYS(s));
    *s = (tl_solver){.scratch = s->scratch};
}

/* ---- The solve ---------------------------------------------------------------------------------
 */

typedef struct taking {
    const tl_solver *s;
    const tl_solve_task *task;
    double part;
} taking;

static void take_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const taking *o = context;
    for (size_t i = begin; i < end; i++)
        for (size_t k = 0; k < 3; k++)
            o->task->velocity[3 * i + k] += o->part * (double)o->s->w[4 * i + k];
}

/* Adds a part of the correction to the velocities. */
static void take(tl_solver *s, const tl_solve_task *t, double part) {
    taking o = {s, t, part};
    tl_parallel_for(s->strain.parallel, s->strain.particles, TL_BLOCK, take_range, &o);
    tl_modes_take(&s->modes, part, t->velocity);
}

/* What is left along a correction that was taken, of what there was before it (gain): none where
 * stress grows with strain as the operator knows it, less where matter comes under pressure on the
 * way. Such a correction goes too far, and what it should have been is known by the two. That is so
 * where pressure or viscosity is solved for alone, and in thin matter; in thick matter η and the
 * set under pressure change together, and nothing is gained. */
static tl_balance find_balance(tl_solver *s, const tl_solve_task *t, int outer, double gain) {
    tl_balance now = tl_balance_find(s, t, outer);
    double part = 1;
    const bool both = t->part == TL_SOLVE_COUPLED && (!s->thin || now.unsettled > 0);
    const int most = both || !(gain > 0) ? 0 : most_returns;
    for (int tries = 0; tries < most && now.along < -tolerated_excess * gain; tries++) {
        const double less = part * gain / (gain - now.along);
        take(s, t, less - part);
        part = less;
        now = tl_balance_find(s, t, outer);
    }
    return now;
}

/* The momentum that counts as much: what force gives in the step, or a part of the motion's. In
 * thin matter errors add up, since nothing damps them: a wave, whose velocities change by a small
 * part of what gravity gives, would live by them. There it is what velocities are to change by.
 * (Surface tension is not known so well.) */
static double reference(const tl_solver *s, const tl_solve_task *t) {
    double weight = 0, motion = 0, change = 0;
    for (size_t i = 0; i < s->strain.particles; i++) {
        if (tl_strain_is_held(&s->strain, i) && !tl_strain_body_of(&s->strain, i))
            continue;
        const double mass = (double)t->mass[i], *u = s->start + 3 * i;
        const double g = tl_body_force_size(&t->force, i);
        weight += mass * g * t->dt * (mass * g * t->dt);
        if (s->tension) {
            const float *f = s->tension[i];
            const double given = (double)s->strain.motion[i].volume * t->dt;
            weight += given * given * (double)(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        }
        motion += mass * mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        for (size_t k = 0; k < 3; k++) {
            const double more = t->velocity[3 * i + k] - u[k];
            change += mass * mass * more * more;
        }
    }
    const double given = sqrt(weight);
    const double counts =
        s->thin && !s->tension ? fmin(fmax(sqrt(change), least_counted * given), given) : given;
    return fmax(counts, 1e-3 * sqrt(motion));
}

/* Where particles differ, cells are for the smallest, but of those that are larger some must be in
 * each. */
static double finest_cell(const tl_solve_task *t) {
    if (!tl_sizes_differ(&t->sizes))
        return cell_of_spacing * t->spacing;
    return fmax(cell_of_spacing * tl_least_spacing(&t->sizes), cell_of_largest * t->sizes.largest);
}

static tl_status place_grids(tl_solver *s, const tl_solve_task *t, tl_error *error) {
    const tl_grid_matter matter = {.count = s->strain.particles,
                                   .place = (const float *)s->strain.motion,
                                   .stride = sizeof *s->strain.motion / sizeof(float)};
    return tl_grids_place(s->grids, s->strain.parallel, &matter, finest_cell(t), error);
}

/* Finds a correction and takes it. Returns the iterations. */
static int correct(tl_solver *s, const tl_solve_task *t, double target, double *gain) {
    const size_t mark = tl_scratch_mark(s->scratch);
    tl_iterate_take(s);
    const int iterations = tl_iterate(s, t, target, gain);
    tl_scratch_release(s->scratch, mark);
    take(s, t, 1);
    return iterations;
}

static tl_status solve(tl_solver *s, const tl_solve_task *t, tl_solve_report *report,
                       tl_error *error) {
    const size_t n = s->strain.particles;
    double gain = 0;
    *report = (tl_solve_report){0};
    tl_balance_begin(s, t);
    double scale = reference(s, t);
    for (;;) {
        const tl_balance now = find_balance(s, t, report->outer, gain);
        const double size = sqrt(now.residual2);
        if (report->outer == 0)
            scale = fmax(scale, 0.1 * sqrt(now.free2));
        report->residual = scale > 0 ? size / scale : 0;
        report->viscous_power = now.viscous_power;
        report->wall_power = now.wall_power;
        report->numerical_power = now.wall_power - now.force_power - now.viscous_power;
        report->lag = now.lag;
        report->acceleration = sqrt(now.acceleration2) / t->dt;
        memcpy(report->wall_force, now.wall_force, sizeof now.wall_force);
        memcpy(report->led_impulse, now.led_impulse, sizeof now.led_impulse);
        report->led_work = now.led_work;
        if (now.broken) {
            report->broken = true;
            report->worst = now.broken - 1;
            return TL_OK;
        }
        const double wanted = report->iterations > 0 ? t->tolerance : guessed * t->tolerance;
        report->converged = size <= wanted * scale;
        if (report->converged && report->outer == 0 && now.kept > 0) {
            report->outer++; /* to let go who is kept */
            continue;
        }
        if (report->converged || report->outer >= t->max_outer) {
            report->converged = size <= acceptable * t->tolerance * scale;
            break;
        }
        const bool yields = (double)now.unsettled > tolerated_unsettled * (double)n;
        if (report->iterations == 0 || now.changed || yields)
            TL_TRY(tl_iterate_prepare(s, t, error));
        /* What changes again need not be found precisely, but for the sign of pressures that tells
         * who is let go. */
        const double part = yields                                         ? 0.5
                            : report->outer < TL_RENEWALS && now.kept == 0 ? 0.1
                                                                           : 0.02;
        const double end = now.doubtful ? aim : sure_aim;
        const double target = fmax(end * t->tolerance * scale, part * size);
        report->iterations += correct(s, t, target, &gain);
        report->outer++;
    }
    report->volume_error = tl_balance_smooth(s, t);
    return TL_OK;
}

tl_status tl_solve(tl_solver *s, const tl_solve_task *t, tl_solve_report *report, tl_error *error) {
    TL_TRY(place_grids(s, t, error));
    const size_t mark = tl_scratch_mark(s->scratch);
    tl_balance_take(s);
    const tl_status status = solve(s, t, report, error);
    tl_scratch_release(s->scratch, mark);
    s->w = s->r = s->z = s->q = NULL;
    s->means = NULL;
    return status;
}
