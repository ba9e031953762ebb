/* `tallow bench heat`: what heat costs, in units of what a run does anyway. Its share of explicit
 * steps of a moving block of liquid, support two spacings; a stiff implicit exchange; areas and
 * light of a shaken ball, in neighbour searches of the same ball. Fastest of some turns, since the
 * machine may be busy. */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/timer.h"
#include "scene/schema.h"
#include "world/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIGHTS = 6 };

typedef struct stage {
    tl_world_def def;
    tl_material wax;
    tl_wall_def floor;
    tl_seed *seeds;
} stage;

typedef struct heat_result {
    size_t particles;
    double step, exchange,
        every; /* s of a step without heat, s an exchange, steps from one to next */
    double implicit, iterations; /* s and iterations of an exchange of 200 explicit sub-steps */
    size_t ball;
    double search, areas; /* s */
    double light[LIGHTS]; /* s */
} heat_result;

static const char *const light_names[LIGHTS] = {"point, far",   "point, near", "sphere, far",
                                                "sphere, near", "disc, far",   "disc, near"};

/* Particles of a cubic lattice with n on an edge of 1 m; those of the ball in it alone, shaken. */
static tl_status make_stage(stage *s, size_t n, bool ball, size_t *count, tl_error *error) {
    const double dx = 1.0 / (double)n;
    s->seeds = tl_allocate(n * n * n, sizeof *s->seeds);
    if (!s->seeds)
        return tl_fail_memory(error, n * n * n, sizeof *s->seeds);
    *count = 0;
    for (size_t i = 0; i < n * n * n; i++) {
        const size_t at[3] = {i % n, i / n % n, i / n / n};
        tl_seed seed = {.temperature = 20, .velocity = {ball ? 0 : sqrt(9.81), 0, 0}};
        double square = 0;
        for (size_t k = 0; k < 3; k++) {
            const double shake = ball ? 0.4 * (tl_random_uniform(7, 3 * i + k) - 0.5) : 0;
            seed.position[k] = ((double)at[k] + 0.5 + shake) * dx;
            square += pow(seed.position[k] - 0.5, 2);
        }
        if (!ball || square < 0.25)
            s->seeds[(*count)++] = seed;
    }
    s->wax = (tl_material){.name = (char *)"wax",
                           .density = 900,
                           .viscosity.value = 1e-3,
                           .conductivity = 0.35,
                           .specific_heat = 2400,
                           .latent_heat = 2e5,
                           .solidus = 60,
                           .liquidus = 64,
                           .has_solidus = true,
                           .has_liquidus = true};
    s->floor = (tl_wall_def){.plane = TL_SIDE_Z, .temperature.value = 90, .has_temperature = true};
    s->def = (tl_world_def){.spacing = dx,
                            .gravity = {0, 0, ball ? 0 : -9.81},
                            .materials = &s->wax,
                            .material_count = 1,
                            .walls = &s->floor,
                            .wall_count = ball ? 0 : 1,
                            .seeds = s->seeds,
                            .seed_count = *count,
                            .with_heat = true};
    if (!tl_schema_defaults(&tl_flow_table, &s->def.flow) ||
        !tl_schema_defaults(&tl_heat_table, &s->def.heat))
        return tl_fail_memory(error, 1, 1);
    s->def.flow.scheme = ball ? TL_SCHEME_NONE : TL_SCHEME_EXPLICIT;
    s->def.flow.support = 2;
    return TL_OK;
}

/* ---- Flow with heat ------------------------------------------------------------------------ */

static tl_status measure_flow(heat_result *r, tl_world *w, int turns, tl_error *error) {
    enum { STEPS = 24 };
    r->step = r->exchange = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        TL_TRY(tl_world_step(w, NULL, error));
    for (int t = 0; t < turns; t++) {
        const tl_stage_time *stages;
        tl_world_stages(w, &stages);
        const double before = stages[TL_STAGE_HEAT].seconds, iterations = w->state.heat_iterations;
        const double start = tl_now();
        for (int k = 0; k < STEPS; k++)
            TL_TRY(tl_world_step(w, NULL, error));
        const double all = tl_now() - start;
        const double heat = stages[TL_STAGE_HEAT].seconds - before;
        const double exchanges = fmax(w->state.heat_iterations - iterations, 1);
        r->step = fmin(r->step, (all - heat) / STEPS);
        r->exchange = fmin(r->exchange, heat / exchanges);
        r->every = STEPS / exchanges;
    }
    return TL_OK;
}

/* The same matter at rest: one exchange as long as 200 explicit sub-steps. */
static tl_status measure_implicit(heat_result *r, const stage *s, int threads, tl_error *error) {
    tl_world_def def = s->def;
    tl_world *w;
    def.flow.scheme = TL_SCHEME_NONE;
    def.heat.scheme = TL_HEAT_IMPLICIT;
    TL_TRY(tl_world_make(&def, &(tl_world_options){.threads = threads}, &w, error));
    w->def.heat.max_step = 200 * w->state.heat_stable;
    tl_status status = tl_world_step(w, NULL, error);
    r->implicit = HUGE_VAL;
    for (int t = 0; t < 2 && status == TL_OK; t++) {
        const double start = tl_now(), before = w->state.heat_iterations;
        status = tl_world_step(w, NULL, error);
        r->implicit = fmin(r->implicit, tl_now() - start);
        r->iterations = w->state.heat_iterations - before;
    }
    tl_world_destroy(w);
    return status;
}

/* ---- Surface ------------------------------------------------------------------------------- */

static tl_status measure_surface(heat_result *r, tl_world *w, int turns, tl_error *error) {
    tl_exposed exposed = {0};
    tl_radiation radiation = {0};
    double *parts = tl_allocate(w->fields.count, sizeof *parts);
    tl_status status = parts ? TL_OK : tl_fail_memory(error, w->fields.count, sizeof *parts);
    const tl_sight sight = {.records = &w->records,
                            .exposed = &exposed,
                            .origin = w->origin,
                            .sizes = w->sizes,
                            .spacing = w->def.spacing};
    r->search = r->areas = HUGE_VAL;
    for (int k = 0; k < LIGHTS; k++)
        r->light[k] = HUGE_VAL;
    for (int t = 0; t < turns && status == TL_OK; t++) {
        double start = tl_now();
        status = tl_world_rebuild_lists(w, error);
        r->search = fmin(r->search, tl_now() - start);
        start = tl_now();
        if (status == TL_OK)
            status = tl_exposed_find(&exposed, &w->parallel, &w->records, &w->list, NULL, &w->sizes,
                                     w->def.spacing, error);
        r->areas = fmin(r->areas, tl_now() - start);
        for (int k = 0; k < LIGHTS && status == TL_OK; k++) {
            const tl_source_def source = {
                .shape = k / 2, .radius = k > 1 ? 0.05 : 0, .normal = {0, 0, -1}};
            const tl_vec3 place = {0.6, 0.6, k % 2 ? 1.1 : 2};
            start = tl_now();
            status =
                tl_radiation_add(&radiation, &w->parallel, &sight, &source, place, 1, parts, error);
            r->light[k] = fmin(r->light[k], tl_now() - start);
        }
    }
    tl_exposed_free(&exposed);
    tl_radiation_free(&radiation);
    free(parts);
    return status;
}

/* ---- Both ---------------------------------------------------------------------------------- */

static tl_status measure(heat_result *r, size_t particles, int turns, int threads,
                         tl_error *error) {
    for (int ball = 0; ball < 2; ball++) {
        stage s = {0};
        tl_world *w = NULL;
        const double filled = ball ? 0.5236 : 1;
        tl_status status = make_stage(&s, (size_t)cbrt((double)particles / filled), ball,
                                      ball ? &r->ball : &r->particles, error);
        if (status == TL_OK)
            status = tl_world_make(&s.def, &(tl_world_options){.threads = threads}, &w, error);
        if (status == TL_OK)
            status = ball ? measure_surface(r, w, turns, error) : measure_flow(r, w, turns, error);
        if (status == TL_OK && !ball)
            status = measure_implicit(r, &s, threads, error);
        tl_world_destroy(w);
        free(s.seeds);
        TL_TRY(status);
    }
    return TL_OK;
}

static void print_result(const heat_result *r, int threads, bool json) {
    const double share = r->exchange / (r->every * r->step);
    if (json) {
        printf("{\"particles\": %zu, \"threads\": %d, \"step_ns\": %.2f, \"exchange\": %.4f, "
               "\"steps_per_exchange\": %.2f, \"share\": %.4f, \"implicit\": %.3f, "
               "\"implicit_iterations\": %.0f, \"search_ns\": %.2f, \"areas\": %.3f",
               r->particles, threads, 1e9 * r->step / (double)r->particles, r->exchange / r->step,
               r->every, share, r->implicit / r->step, r->iterations,
               1e9 * r->search / (double)r->ball, r->areas / r->search);
        for (int k = 0; k < LIGHTS; k++)
            printf(", \"%s\": %.3f", light_names[k], r->light[k] / r->search);
        printf("}\n");
        return;
    }
    printf("%zu particles, support of 2 spacings, %d threads\n\n"
           "  step           %.1f ns a particle without heat\n"
           "  exchange       %.2f steps, every %.1f steps: adds %.1f %%\n"
           "  implicit       %.1f steps for 200 explicit sub-steps; %.0f iterations\n\n"
           "%zu particles of a shaken ball, in neighbour searches of %.1f ms\n\n"
           "  %-14s %6.2f\n",
           r->particles, threads, 1e9 * r->step / (double)r->particles, r->exchange / r->step,
           r->every, 100 * share, r->implicit / r->step, r->iterations, r->ball, 1e3 * r->search,
           "areas", r->areas / r->search);
    for (int k = 0; k < LIGHTS; k++)
        printf("  %-14s %6.2f\n", light_names[k], r->light[k] / r->search);
}

int cli_bench_heat(const cli_arguments *arguments, size_t particles, int turns, int threads) {
    heat_result r = {0};
    tl_error error = {0};
    const tl_status status = measure(&r, particles, turns, threads, &error);
    if (status != TL_OK)
        cli_complain_error(&error);
    else
        print_result(&r, threads, cli_has(arguments, "json"));
    return cli_exit_code(status);
}
