/* The implicit step: find velocities that viscosity, pressure and inertia agree on at the present
 * places (flow/solve.h), then move. Nothing changes before the velocities are found good. */
#include "base/blocks.h"
#include "base/log.h"
#include "base/timer.h"
#include "boundary/pairs.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Matter that has come apart keeps nearly its rest density: it must not have to be squeezed through
 * a void before it pushes back. */
static const double sparsest = 0.98;

/* More compression than this is not worth remembering: the step size sees to it that it is spray.
 */
static const double densest = 1.1;

/* The longest step if the scene does not say; and the longest one where velocities change in it by
 * more than this part. */
static const double longest_step = 0.1, longest_change = 0.02, steady = 0.05;

/* By how much heat may change viscosities in a step, in the mean of |Δ ln η|. */
static const double followed_softening = 0.02;

/* θ: how fast the spring of bulk stiffness is let out, in thin and in thick matter. */
static const double relief = 0.1, thick_relief = 0.2;

/* Least bulk stiffness, in units of the pressure at the foot of the matter. */
static const double least_stiffness = 100;

/* Matter over held solids is taken to be at least so many spacings deep. */
static const double shallowest = 2;

/* Artificial viscosity acts on what a fit of the strain rate leaves over, at the speed at which
 * pressure crosses the matter, not at that of sound in the explicit scheme. */
static const double damping_part = 4;

/* The mean error of changes of volume beyond which a solve is repeated, and how often it may be. */
static const double wanted_volume_error = 3e-4;
enum { most_repeats = 2, most_repeats_at_start = 20, most_repeats_split = 10 };

/* ---- Step size ---------------------------------------------------------------------------------
 */

/* The fastest wall, where it is near the matter: at the corners of the box around that. Its way in
 * the last step tells, or in the first moment at the start. */
static double wall_speed(const tl_world *w) {
    double speed = 0;
    if (!tl_shapes_move(&w->shapes))
        return 0;
    tl_vec3 low, high;
    tl_world_bounds(w, &low, &high);
    for (size_t s = 0; s < w->shapes.count; s++)
        for (int c = 0; c < 8 && tl_shape_is_led(&w->shapes.items[s]); c++) {
            const tl_vec3 corner = {c & 1 ? high.x : low.x, c & 2 ? high.y : low.y,
                                    c & 4 ? high.z : low.z};
            speed = fmax(speed, tl_vec3_length(tl_shape_velocity(&w->shapes.items[s], corner)));
        }
    return speed;
}

/* The longest step for elastic matter that bounces: while its velocities change much, and are more
 * than what gravity gives between two particles. */
static double bounce(const tl_world *w, double u, double a) {
    const double g = tl_vec3_length(tl_world_mean_force(w)), dx = tl_least_spacing(&w->sizes);
    return fmax(tl_world_wave_step(w), a > 0 ? steady * fmax(u, sqrt(g * dx)) / a : HUGE_VAL);
}

/* dt with u dt + a dt² = motion·dx, for the fastest particle and the largest acceleration: the step
 * moves with the velocity at its end. Shorter where heat softens the matter faster than that, and
 * for thin matter under pressure. */
static double step_size(const tl_world *w) {
    const tl_flow_params *f = &w->def.flow;
    const double way = f->motion * tl_least_spacing(&w->sizes),
                 u = fmax(w->state.max_speed, wall_speed(w));
    const double a =
        w->state.steps > 0 ? w->state.max_acceleration : tl_vec3_length(tl_world_mean_force(w));
    const double even =
        fmin(fmax(longest_change, a > 0 ? steady * u / a : HUGE_VAL), bounce(w, u, a));
    double longest = f->max_step > 0 ? f->max_step : fmin(longest_step, even);
    if (w->state.softening > 0)
        longest = fmin(longest, followed_softening / w->state.softening);
    longest = fmin(longest, fmin(tl_world_tension_step(w), tl_world_calm_step(w)));
    const double root = u + sqrt(u * u + 4 * a * way);
    return root > 0 ? fmin(longest, 2 * way / root) : longest;
}

/* ---- The solve ---------------------------------------------------------------------------------
 */

/* NULL where no matter is elastic. */
static const float *elastic_stresses(const tl_world *w) {
    void *memory[TL_MEMORIES];
    for (size_t m = 0; m < w->def.material_count; m++)
        if (w->materials[m].has_elastic) {
            tl_memory_of_elastic(&w->memory, 0, memory);
            return memory[TL_ELASTIC_STRESS];
        }
    return NULL;
}

/* What tells which walls let matter go. Before the first step nobody has asked for viscosities. */
static tl_pulling pulling_of(tl_world *w) {
    const float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    if (w->state.steps == 0)
        tl_world_renew_viscosities(w, 0, w->fields.count);
    return (tl_pulling){tl_velocity(w), tl_field_data(&w->fields, w->handle.pressure), viscosity,
                        elastic_stresses(w)};
}

/* Artificial viscosity of thin matter, α. */
static double damping_of(const tl_world *w) {
    return damping_part * w->def.flow.artificial_viscosity;
}

/* Matter has images in smooth walls where it finds its order anew in this part of the time in which
 * it moves by a spacing. Stiffer matter keeps its holes, and its viscosity holds it up beside walls
 * of samples as well. */
static const double fluid_part = 0.1;

static bool is_fluid(const tl_world *w) {
    const float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    const double dx = tl_least_spacing(&w->sizes), g = tl_vec3_length(tl_world_mean_force(w));
    const double time = w->def.flow.motion * dx / sqrt(g * dx); /* to fall as far as one may move */
    for (size_t i = 0; i < w->fields.count; i++) {
        const size_t m = tl_material_of(w)[i];
        const double known =
            w->state.steps > 0 ? (double)viscosity[i]
                               : tl_viscosity_at(&w->materials[m], 0, (double)tl_temperature(w)[i]);
        if (!(known / w->fluids[m].rest_density * time < fluid_part * dx * dx))
            return false;
    }
    return true;
}

/* Memories of pairs, and surfaces with tension, do not know of images. */
static bool has_images(const tl_world *w) {
    const bool plain = !elastic_stresses(w) && !w->tension.wanted && !w->tension.parted;
    return plain && is_fluid(w);
}

/* Pairs, fits and links at the present places, for a step of dt. */
static tl_status make_pairs(tl_world *w, double dt, tl_error *error) {
    const bool lets_go = tl_shapes_let_go(&w->shapes);
    const tl_pulling pulling = lets_go ? pulling_of(w) : (tl_pulling){0};
    const double calm = fmin(tl_world_calm_step(w), longest_step);
    const tl_pairs_plan plan = {.parallel = &w->parallel,
                                .records = &w->records,
                                .list = &w->list,
                                .ties = tl_world_ties(w),
                                .kernel = (tl_kernel)w->def.flow.kernel,
                                .sizes = w->sizes,
                                .spacing = w->def.spacing,
                                .origin = w->origin,
                                .held = tl_held(w),
                                .walls = &w->shapes,
                                .samples = &w->samples,
                                .mirrors = has_images(w),
                                .pulling = lets_go ? &pulling : NULL,
                                .bodies = &w->rigids.shapes,
                                .viscosity = tl_field_data(&w->fields, w->handle.viscosity),
                                .material = tl_material_of(w),
                                .materials = w->materials,
                                .dt = w->state.steps > 0 ? fmax(dt, calm) : 0,
                                .thin =
                                    tl_solve_thin(damping_of(w), tl_least_spacing(&w->sizes), dt)};
    TL_TRY(tl_world_show_rigids(w, error));
    TL_TRY(tl_world_find_touch(w, error));
    return tl_pairs_make(&w->solver, &plan, error);
}

static bool is_held(const tl_world *w, size_t i) { return tl_held(w) && tl_held(w)[i]; }

/* The depth (m) of a pool in which the mean pressure is that of the last step: twice the mean.
 * Single pressures are too noisy in films of one layer. */
static double depth_of_pressure(const tl_world *w, double gravity) {
    const float *pressure = tl_field_data(&w->fields, w->handle.pressure);
    double sum = 0, weight = 0;
    for (size_t i = 0; i < w->fields.count; i++)
        if (!is_held(w, i)) {
            const double part = tl_volume_of(&w->sizes, i) / w->sizes.volume;
            sum += part * (double)pressure[i];
            weight += part * w->fluids[tl_material_of(w)[i]].rest_density * gravity;
        }
    return weight > 0 ? 2 * sum / weight : 0;
}

/* How deep the matter that moves is along gravity, m. A film that runs down a held solid is high,
 * but not deep: there the last pressures tell. `mean`: twice the mean height, which knows of
 * splashes that they are little matter. */
static double depth_of(const tl_world *w, double *mean_depth) {
    const tl_vec3 mean = tl_world_mean_force(w);
    const double g[3] = {mean.x, mean.y, mean.z}, *x = tl_position(w);
    const double size = tl_vec3_length(mean);
    double low = HUGE_VAL, high = -HUGE_VAL, sum = 0, mass = 0;
    for (size_t i = 0; i < w->fields.count; i++) {
        if (is_held(w, i))
            continue;
        const double level = g[0] * x[3 * i] + g[1] * x[3 * i + 1] + g[2] * x[3 * i + 2];
        low = fmin(low, level);
        high = fmax(high, level);
        sum += (double)tl_mass(w)[i] * level;
        mass += (double)tl_mass(w)[i];
    }
    const bool deep = size > 0 && high > low;
    const double height = w->def.spacing + (deep ? (high - low) / size : 0);
    *mean_depth = w->def.spacing + (deep ? 2 * (high - sum / mass) / size : 0);
    if (!tl_held(w) || w->state.steps == 0 || size == 0)
        return height;
    const double least = shallowest * w->def.spacing;
    return fmin(height, fmax(least, depth_of_pressure(w, size)));
}

/* Whether particle i belongs to a rigid body that does not lie on the matter: walls hold it up, or
 * nothing does. */
static bool is_no_load(const tl_world *w, size_t i) {
    const uint32_t body = tl_rigid_of(w, i);
    const tl_rigid_mode *mode = body ? &w->solver.modes.items[body - 1] : NULL;
    return mode && (mode->carried || !mode->bound);
}

/* ρ g H: the pressure at the foot of the matter, which may carry the rigid bodies. */
static double foot_pressure(const tl_world *w, double depth) {
    double flowing = 0, rigid = 0, mass = 0, volume = 0;
    for (size_t i = 0; i < w->fields.count; i++) {
        if (is_no_load(w, i))
            continue;
        const double density = w->fluids[tl_material_of(w)[i]].rest_density;
        double *largest = tl_rigid_of(w, i) ? &rigid : &flowing;
        *largest = fmax(*largest, density);
        mass += (double)tl_mass(w)[i];
        volume += tl_rigid_of(w, i) ? 0 : (double)tl_mass(w)[i] / density;
    }
    const double loaded = volume > 0 ? mass / volume : 0;
    const double density = fmax(flowing, fmin(rigid, loaded));
    return density * tl_vec3_length(tl_world_mean_force(w)) * depth;
}

typedef struct fill_context {
    tl_world *w;
    double dt;
    double ahead; /* of the last change of velocity that is expected again */
    const tl_averaged *around;
} fill_context;

static void fill_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const fill_context *c = context;
    const tl_world *w = c->w;
    const tl_solver *s = &w->solver;
    const float *before = tl_field_data(&w->fields, w->handle.kept_velocity);
    double *velocity = tl_velocity(w);
    for (size_t i = begin; i < end; i++) {
        const uint8_t material = tl_material_of(w)[i];
        const double rest = w->fluids[material].rest_density;
        /* Matter that yields would be taken for stiff where a guess is slower than the flow. */
        const bool guess = tl_is_newtonian(&w->materials[material]) && !is_held(w, i);
        const double ahead = guess ? c->ahead : 0;
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            s->start[k] = s->given[k] = velocity[k];
            velocity[k] += ahead * (velocity[k] - (double)before[k]);
        }
        const double *led = tl_world_led_velocity(w, i);
        if (led)
            memcpy(velocity + 3 * i, led, 3 * sizeof *led);
        s->rest_density[i] = (float)rest;
        s->compression[i] =
            is_held(w, i) ? 0 : tl_world_compression_of(w, i, c->around[i], rest, c->dt);
    }
}

/* The velocities of the last step go on changing as they did: a good first guess saves more than
 * half of the iterations. */
static tl_status fill_task(tl_world *w, double dt, tl_error *error) {
    const float *pressure = tl_field_data(&w->fields, w->handle.pressure);
    const double ahead = w->state.steps > 0 ? fmin(dt / w->state.dt, 2) : 0;
    const size_t n = w->fields.count, mark = tl_scratch_mark(&w->scratch);
    tl_averaged *around = TL_SCRATCH_TAKE(&w->scratch, tl_averaged, tl_pad_lanes(n), "fullness");
    fill_context c = {w, dt, ahead, around};
    tl_world_find_fullness(w, dt, around);
    memcpy(w->solver.lambda, pressure, n * sizeof *pressure);
    tl_parallel_for(&w->parallel, n, TL_BLOCK, fill_range, &c);
    tl_scratch_release(&w->scratch, mark);
    TL_TRY(tl_world_guess_fall(w, dt, error));
    tl_modes_slide(&w->solver.modes, &w->solver.strain, w->solver.start, dt);
    const tl_body_force force = tl_world_body_force(w);
    tl_modes_guess(&w->solver.modes, tl_mass(w), tl_velocity(w), dt, force.uniform);
    return TL_OK;
}

static tl_solve_task make_task(tl_world *w, double dt) {
    const tl_flow_params *f = &w->def.flow;
    double mean_depth;
    const double own = depth_of(w, &mean_depth), wetted = tl_world_tension_depth(w);
    const double depth = fmax(own, wetted), leisure = tl_world_leisure(w, dt);
    return (tl_solve_task){
        .part = TL_SOLVE_COUPLED,
        .dt = dt,
        .force = tl_world_body_force(w),
        .spacing = w->def.spacing,
        .sizes = w->sizes,
        .full = 3 * w->lattice.moment,
        .stiffness = least_stiffness * (foot_pressure(w, depth) + tl_world_tension_pressure(w)),
        .relief = leisure * relief,
        .thick_relief = leisure * thick_relief,
        .depth = depth,
        .thin_depth = fmin(depth, fmax(mean_depth, wetted)),
        .brace = f->stabilization,
        .damping = damping_of(w),
        .tolerance = f->tolerance,
        .max_iterations = (int)f->max_iterations,
        .max_outer = 8,
        .curved = true,
        .pulls = f->pulls,
        .velocity = tl_velocity(w),
        .mass = tl_mass(w),
        .led = w->handle.nozzle < 0 ? NULL : tl_field_data(&w->fields, w->handle.nozzle),
        .strain_rate = tl_field_data(&w->fields, w->handle.strain_rate),
        .viscosity = tl_field_data(&w->fields, w->handle.viscosity),
        .strain = tl_strain_of(w),
        .respond = tl_world_respond,
        .respond_context = w};
}

/* Solves, and again with the pressure found, until the volume is kept well enough: at the start of
 * a run and in impacts pressure has far to go. */
static tl_status solve_for_volume(tl_world *w, const tl_solve_task *task, int most,
                                  tl_solve_report *report, tl_error *error) {
    int iterations = 0;
    for (int again = 0;; again++) {
        TL_TRY(tl_solve(&w->solver, task, report, error));
        iterations += report->iterations;
        if (report->broken || !report->converged || again == most ||
            report->volume_error < wanted_volume_error)
            break;
        memcpy(w->solver.lambda, w->solver.pressure, w->fields.count * sizeof(float));
    }
    report->iterations = iterations;
    return TL_OK;
}

/* Viscosity first, then pressure: the usual way, for comparison. Incremental: viscosity feels the
 * pressure of the last step, and only its change is found after it. */
static tl_status solve_split(tl_world *w, double dt, tl_solve_report *report, tl_error *error) {
    tl_solver *s = &w->solver;
    const size_t n = w->fields.count;
    const float *last = tl_field_data(&w->fields, w->handle.pressure);
    const bool incremental = w->def.flow.scheme == TL_SCHEME_INCREMENTAL;
    tl_solve_task task = make_task(w, dt);
    tl_solve_report viscous;
    double(*first)[3];
    TL_TRY(tl_world_want_pushes(w, &w->gauges.push, n, &task.push, error));
    TL_TRY(tl_world_want_pushes(w, &w->gauges.first, n, &first, error));
    task.part = TL_SOLVE_VISCOSITY;
    if (!incremental)
        memset(s->lambda, 0, n * sizeof *s->lambda);
    TL_TRY(tl_solve(s, &task, &viscous, error));
    *report = viscous;
    if (viscous.broken || !viscous.converged)
        return TL_OK;
    if (first)
        memcpy(first, task.push, n * sizeof *first);
    task.part = TL_SOLVE_PRESSURE;
    task.carried = incremental ? last : NULL;
    task.force = (tl_body_force){.each = NULL};
    memcpy(s->start, task.velocity, 3 * n * sizeof *s->start);
    tl_modes_restart(&s->modes);
    memset(s->lambda, 0, n * sizeof *s->lambda);
    TL_TRY(solve_for_volume(w, &task, most_repeats_split, report, error));
    for (size_t i = 0; i < n && incremental; i++)
        s->pressure[i] += last[i];
    report->iterations += viscous.iterations;
    report->viscous_power = viscous.viscous_power;
    report->numerical_power += viscous.numerical_power;
    report->lag += viscous.lag;
    report->wall_power += viscous.wall_power;
    report->led_work += viscous.led_work;
    for (int k = 0; k < 3; k++) {
        report->wall_force[k] += viscous.wall_force[k];
        report->led_impulse[k] += viscous.led_impulse[k];
    }
    report->acceleration = fmax(report->acceleration, viscous.acceleration);
    for (size_t i = 0; task.push && i < n; i++)
        for (int k = 0; k < 3; k++)
            task.push[i][k] += first[i][k];
    return TL_OK;
}

static tl_status solve(tl_world *w, double dt, tl_solve_report *report, tl_error *error) {
    if (w->def.flow.scheme != TL_SCHEME_COUPLED)
        return solve_split(w, dt, report, error);
    tl_solve_task task = make_task(w, dt);
    TL_TRY(tl_world_want_pushes(w, &w->gauges.push, w->fields.count, &task.push, error));
    const int most = w->state.steps > 0 ? most_repeats : most_repeats_at_start;
    return solve_for_volume(w, &task, most, report, error);
}

/* ---- After it ----------------------------------------------------------------------------------
 */

typedef struct settle_context {
    tl_world *w;
    double dt;
    double *partial; /* largest compression of a block */
} settle_context;

/* Density, pressure and shift after a solve that was accepted. */
static void settle_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const settle_context *c = context;
    tl_world *w = c->w;
    const tl_solver *s = &w->solver;
    float *pressure = tl_field_data(&w->fields, w->handle.pressure);
    float *shift = tl_field_data(&w->fields, w->handle.shift);
    double largest = -1;
    for (size_t i = begin; i < end; i++) {
        if (is_held(w, i))
            continue;
        double *density = &tl_density(w)[i];
        const double rest = (double)s->rest_density[i];
        *density = rest * (1 + (double)s->left[i]);
        if (!w->def.flow.pulls)
            *density = fmin(fmax(*density, sparsest * rest), densest * rest);
        if (tl_rigid_of(w, i))
            *density = rest;
        pressure[i] = s->pressure[i];
        tl_world_find_shift(w, i, c->dt, shift + 3 * i);
        largest = fmax(largest, fabs(*density / rest - 1));
    }
    c->partial[begin / TL_BLOCK] = largest;
}

static tl_status settle(tl_world *w, double dt, tl_error *error) {
    const size_t n = w->fields.count;
    TL_TRY(tl_world_partials(w, n, sizeof(double), error));
    settle_context c = {w, dt, w->partial};
    tl_parallel_for(&w->parallel, n, TL_BLOCK, settle_range, &c);
    w->state.density_error = tl_max_blocks(c.partial, 1, n);
    return TL_OK;
}

static double fastest(const tl_world *w, size_t *which) {
    double speed2 = 0;
    const double *v = tl_velocity(w);
    for (size_t i = 0; i < w->fields.count; i++) {
        const double s =
            v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2];
        if (s <= speed2)
            continue;
        *which = i;
        if (isnan(s))
            return s;
        speed2 = s;
    }
    return sqrt(speed2);
}

static void keep_books(tl_world *w, double dt, const tl_solve_report *r) {
    tl_world_state *s = &w->state;
    s->iterations += r->iterations;
    s->max_acceleration = r->acceleration;
    s->viscous_heat += dt * r->viscous_power;
    s->numerical_heat += dt * r->numerical_power + r->lag;
    s->wall_work += dt * r->wall_power;
    s->emitter_work += r->led_work;
    for (int k = 0; k < 3; k++) {
        s->wall_impulse[k] += dt * r->wall_force[k];
        s->emitter_impulse[k] += r->led_impulse[k];
    }
}

/* Before a solve, which changes velocities (it keeps them itself), strain rates and viscosities. */
static tl_status keep_flow(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count;
    TL_TRY(TL_ARRAY_RESERVE(w->kept_flow, 0, 2 * n, error));
    memcpy(w->kept_flow, tl_field_data(&w->fields, w->handle.strain_rate), n * sizeof(float));
    memcpy(w->kept_flow + n, tl_field_data(&w->fields, w->handle.viscosity), n * sizeof(float));
    return TL_OK;
}

static void give_back_flow(tl_world *w) {
    const size_t n = w->fields.count;
    memcpy(tl_velocity(w), w->solver.given, 3 * n * sizeof(double));
    memcpy(tl_field_data(&w->fields, w->handle.strain_rate), w->kept_flow, n * sizeof(float));
    memcpy(tl_field_data(&w->fields, w->handle.viscosity), w->kept_flow + n, n * sizeof(float));
}

static tl_status attempt(tl_world *w, double dt, bool *fine, size_t *worst, tl_error *error) {
    double since = tl_now();
    bool broken;
    *fine = w->fields.count == 0;
    if (*fine)
        return TL_OK;
    tl_world_aim_response(w, dt);
    tl_shapes_aim(&w->shapes, w->state.time, w->state.time + dt);
    TL_TRY(tl_world_find_neighbors(w, &broken, worst, error));
    tl_world_lap(w, TL_STAGE_NEIGHBORS, &since);
    if (broken) {
        snprintf(w->refusal, sizeof w->refusal, "a particle is out of range");
        return TL_OK;
    }
    TL_TRY(keep_flow(w, error));
    TL_TRY(make_pairs(w, dt, error));
    TL_TRY(tl_world_show_contacts(w, dt, error));
    TL_TRY(tl_world_aim_springs(w, error));
    TL_TRY(tl_world_aim_tension(w, error));
    TL_TRY(fill_task(w, dt, error));
    tl_world_lap(w, TL_STAGE_PAIRS, &since);

    tl_solve_report report;
    TL_TRY(solve(w, dt, &report, error));
    tl_world_lap(w, TL_STAGE_SOLVE, &since);
    *worst = report.worst;
    const double way = dt * fastest(w, worst);
    tl_log_message(&w->log, TL_LOG_DEBUG,
                   "step %.3g s: %d outer, %d iterations, residual %.3g, way %.3g dx%s", dt,
                   report.outer, report.iterations, report.residual, way / w->def.spacing,
                   report.converged ? "" : ", not converged");
    if (!tl_world_accepts(w, &report, dt, way)) {
        tl_log_message(&w->log, TL_LOG_INFO, "step of %.3g s at %.6g s: %s", dt, w->state.time,
                       w->refusal);
        give_back_flow(w);
        return TL_OK;
    }
    keep_books(w, dt, &report);
    tl_world_book_tension(w, dt);
    tl_world_book_solve(w, dt);
    TL_TRY(settle(w, dt, error));
    TL_TRY(tl_world_move(w, w->solver.given, dt, &broken, worst, error));
    tl_shapes_arrive(&w->shapes);
    tl_world_lap(w, TL_STAGE_MOVE, &since);
    *fine = true;
    return TL_OK;
}

static tl_status begin(tl_world *w, bool *broken, tl_error *error) {
    size_t worst;
    return tl_world_find_neighbors(w, broken, &worst, error);
}

/* An attempt changes nothing before it is accepted. */
static tl_status take_back(tl_world *w, const tl_world_state *kept, tl_error *error) {
    (void)error;
    tl_world_return_to(w, kept);
    return TL_OK;
}

static tl_status explain(const tl_world *w, double dt, const char *where, size_t worst,
                         tl_error *error) {
    return tl_fail(error, TL_DIVERGED, where,
                   "raise flow.max_iterations, or lower flow.motion or flow.max_step",
                   "at %.6g s no step down to %.3g s is acceptable: %s; speed %.3g m/s, "
                   "density %.4g kg/m³",
                   w->state.time, dt, w->refusal, tl_world_speed_of(w, worst),
                   tl_density(w)[worst]);
}

static size_t solver_bytes(const tl_world *w) { return tl_solver_bytes(&w->solver); }
static void free_solver(tl_world *w) { tl_solver_free(&w->solver); }

const tl_dynamics tl_implicit_dynamics = {
    .moves = true,
    .flows = true,
    .solves = true,
    .begin = begin,
    .step_size = step_size,
    .attempt = attempt,
    .take_back = take_back,
    .explain = explain,
    .bytes = solver_bytes,
    .free = free_solver,
};
