/* `tallow bench`: explicit steps of a collapsing block of water, support two spacings.
 *
 * One and more threads take turns, and the fastest turn of each counts: what else the machine does
 * slows both alike. The speed is also given per GFLOP/s of fused multiply-adds, measured here, so
 * that numbers of different machines can be compared. A scalar build of the same command, named
 * tallow-scalar and beside this one, is measured in between if it is there. */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "base/memory.h"
#include "base/simd.h"
#include "base/timer.h"
#include "scene/schema.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STAGES = 16, LARGE = 2000000 };

/* A world and what was measured of it. */
typedef struct subject {
    int threads;
    tl_world *world;
    double step_seconds; /* fastest turn */
    size_t stage_count;
    tl_stage_time stages[MOST_STAGES]; /* of that turn, a step */
} subject;

/* The block and its tank; what worlds refer to. */
typedef struct block {
    tl_world_def def;
    tl_material water;
    tl_wall_def tank;
    tl_seed *seeds;
    size_t count;
} block;

/* A block of length 2, width 1 and height 1; unless it starts from rest, in motion as a dam break
 * is later: at the speed of a wave of its height, so that neighbour lists age as they do in
 * earnest. */
static tl_status make_block(block *b, size_t wanted, bool from_rest, tl_error *error) {
    const size_t n = (size_t)fmax(2, round(cbrt((double)wanted / 2)));
    const double dx = 1.0 / (double)n;
    b->count = 2 * n * n * n;
    b->seeds = tl_allocate(b->count, sizeof *b->seeds);
    if (!b->seeds)
        return tl_fail_memory(error, b->count, sizeof *b->seeds);
    for (size_t i = 0; i < b->count; i++)
        b->seeds[i] = (tl_seed){.position = {((double)(i % (2 * n)) + 0.5) * dx,
                                             ((double)(i / (2 * n) % n) + 0.5) * dx,
                                             ((double)(i / (2 * n * n)) + 0.5) * dx},
                                .velocity = {from_rest ? 0 : sqrt(9.81), 0, 0}};
    b->water = (tl_material){.density = 1000, .viscosity.value = 1e-3};
    b->tank = (tl_wall_def){.box = {{0, 0, 0}, {6, 1, 3}}, .has_box = true, .open = TL_SIDE_Z};
    b->def = (tl_world_def){.spacing = dx,
                            .gravity = {0, 0, -9.81},
                            .materials = &b->water,
                            .material_count = 1,
                            .walls = &b->tank,
                            .wall_count = 1,
                            .seeds = b->seeds,
                            .seed_count = b->count};
    if (!tl_schema_defaults(&tl_flow_table, &b->def.flow))
        return tl_fail_memory(error, 1, 1);
    return TL_OK;
}

static tl_status wake(subject *s, const block *b, int threads, tl_error *error) {
    *s = (subject){.threads = threads, .step_seconds = HUGE_VAL};
    TL_TRY(tl_world_make(&b->def, &(tl_world_options){.threads = threads}, &s->world, error));
    for (int i = 0; i < 3; i++) /* caches, pages and lists settle */
        TL_TRY(tl_world_step(s->world, NULL, error));
    return TL_OK;
}

/* One turn of a subject. */
static tl_status take_turn(subject *s, int steps, tl_error *error) {
    const tl_stage_time *stages;
    double before[MOST_STAGES] = {0};
    size_t count = tl_world_stages(s->world, &stages);
    count = count < MOST_STAGES ? count : MOST_STAGES;
    for (size_t i = 0; i < count; i++)
        before[i] = stages[i].seconds;
    const double start = tl_now();
    for (int i = 0; i < steps; i++)
        TL_TRY(tl_world_step(s->world, NULL, error));
    const double seconds = (tl_now() - start) / steps;
    if (seconds >= s->step_seconds)
        return TL_OK;
    s->step_seconds = seconds;
    s->stage_count = count;
    tl_world_stages(s->world, &stages);
    for (size_t i = 0; i < count; i++)
        s->stages[i] = (tl_stage_time){stages[i].name, (stages[i].seconds - before[i]) / steps};
    return TL_OK;
}

static tl_status take_turns(subject subjects[2], int64_t repeats, tl_error *error) {
    const double guess = 2e-7 * (double)tl_world_count(subjects[0].world);
    const int steps = (int)fmin(40, fmax(4, 0.4 / guess));
    for (int64_t r = 0; r < repeats; r++)
        for (int i = 0; i < 2; i++)
            TL_TRY(take_turn(&subjects[i], steps, error));
    return TL_OK;
}

/* ---- What is measured ---------------------------------------------------------------------- */

typedef struct measurement {
    bool from_rest;
    size_t particles;
    subject subjects[2]; /* one thread, more threads */
    double bytes;        /* a particle */
    double large_ns;     /* a particle of the large block, one thread; 0: not measured */
    size_t large_particles;
    double scalar_speed; /* updates a second of the scalar twin; 0: not there */
    double gflops[2];    /* of one thread, and of more */
} measurement;

static double updates(const measurement *m, int i) {
    return (double)m->particles / m->subjects[i].step_seconds;
}

static double nanoseconds(const measurement *m, double seconds) {
    return 1e9 * seconds / (double)m->particles;
}

static tl_status measure_small(measurement *m, size_t particles, int64_t repeats, int threads,
                               tl_error *error) {
    block b = {0};
    tl_status status = make_block(&b, particles, m->from_rest, error);
    const int thread_counts[2] = {1, threads};
    for (int i = 0; i < 2 && status == TL_OK; i++)
        status = wake(&m->subjects[i], &b, thread_counts[i], error);
    if (status == TL_OK)
        status = take_turns(m->subjects, (repeats + 1) / 2, error);
    if (status == TL_OK) {
        m->scalar_speed = cli_measure_twin(particles, repeats, m->from_rest);
        m->gflops[0] = cli_measure_gflops(1);
        m->gflops[1] = cli_measure_gflops(threads);
        status = take_turns(m->subjects, repeats / 2, error);
    }
    if (status == TL_OK) {
        m->particles = b.count;
        m->bytes = (double)tl_world_bytes(m->subjects[0].world) / (double)b.count;
    }
    for (int i = 0; i < 2; i++)
        tl_world_destroy(m->subjects[i].world);
    free(b.seeds);
    return status;
}

static tl_status measure_large(measurement *m, int64_t repeats, tl_error *error) {
    block b = {0};
    subject s = {0};
    tl_status status = make_block(&b, LARGE, m->from_rest, error);
    if (status == TL_OK)
        status = wake(&s, &b, 1, error);
    for (int64_t r = 0; r < (repeats + 1) / 2 && status == TL_OK; r++)
        status = take_turn(&s, 4, error);
    m->large_ns = 1e9 * s.step_seconds / (double)b.count;
    m->large_particles = b.count;
    tl_world_destroy(s.world);
    free(b.seeds);
    return status;
}

/* ---- What is printed ----------------------------------------------------------------------- */

static void print_stages(const measurement *m) {
    const subject *one = &m->subjects[0], *more = &m->subjects[1];
    printf("\n  %-14s %10s %10s   ns a particle and step\n", "stage", "1 thread", "more");
    for (size_t i = 0; i < one->stage_count; i++)
        printf("  %-14s %10.1f %10.1f\n", one->stages[i].name,
               nanoseconds(m, one->stages[i].seconds), nanoseconds(m, more->stages[i].seconds));
    printf("  %-14s %10.1f %10.1f\n", "step", nanoseconds(m, one->step_seconds),
           nanoseconds(m, more->step_seconds));
}

static void print_measurement(const measurement *m) {
    const int threads = m->subjects[1].threads;
    const double speedup = m->subjects[0].step_seconds / m->subjects[1].step_seconds;
    printf("%zu particles, support of 2 spacings, %d lanes\n\n", m->particles, TL_LANES);
    printf("  speed          %.2f M updates/s on 1 thread, %.2f on %d\n", 1e-6 * updates(m, 0),
           1e-6 * updates(m, 1), threads);
    printf("  parallel       %.2f times as fast: %.0f %% efficient\n", speedup,
           100 * speedup / threads);
    printf("  memory         %.0f bytes a particle\n", m->bytes);
    printf("  machine        %.1f GFLOP/s of fused multiply-adds on 1 thread, %.1f on %d\n",
           m->gflops[0], m->gflops[1], threads);
    printf("  for that       %.0f k updates a GFLOP on 1 thread\n",
           1e-3 * updates(m, 0) / m->gflops[0]);
    if (m->large_ns > 0)
        printf("  growth         a particle of %zu costs %.2f times one of %zu\n",
               m->large_particles, m->large_ns / nanoseconds(m, m->subjects[0].step_seconds),
               m->particles);
    if (m->scalar_speed > 0)
        printf("  vectors        %.2f times as fast as the scalar build\n",
               updates(m, 0) / m->scalar_speed);
    print_stages(m);
}

static void print_object(const measurement *m) {
    printf("{\n  \"particles\": %zu,\n  \"lanes\": %d,\n  \"bytes_per_particle\": %.1f,\n",
           m->particles, TL_LANES, m->bytes);
    for (int i = 0; i < 2; i++) {
        const subject *s = &m->subjects[i];
        const char *name = i == 0 ? "one" : "more";
        printf("  \"%s\": {\"threads\": %d, \"updates_per_second\": %.6g, \"gflops\": %.4g, "
               "\"stages_ns\": {",
               name, s->threads, updates(m, i), m->gflops[i]);
        for (size_t k = 0; k < s->stage_count; k++)
            printf("%s\"%s\": %.3f", k ? ", " : "", s->stages[k].name,
                   nanoseconds(m, s->stages[k].seconds));
        printf("}},\n");
    }
    if (m->large_ns > 0)
        printf("  \"growth\": %.4f,\n", m->large_ns / nanoseconds(m, m->subjects[0].step_seconds));
    if (m->scalar_speed > 0)
        printf("  \"scalar_ratio\": %.4f,\n", updates(m, 0) / m->scalar_speed);
    printf("  \"efficiency\": %.4f\n}\n",
           m->subjects[0].step_seconds / m->subjects[1].step_seconds / m->subjects[1].threads);
}

int cli_bench(const cli_arguments *arguments) {
    int64_t particles, repeats, threads;
    measurement m = {.from_rest = cli_has(arguments, "rest")};
    tl_error error = {0};
    if (!cli_integer(arguments, "particles", 100, 100000000, 100000, &particles) ||
        !cli_integer(arguments, "repeats", 1, 1000, 6, &repeats) ||
        !cli_integer(arguments, "threads", 1, 4096, 2, &threads))
        return CLI_BAD_INPUT;
    const char *what = arguments->word_count > 0 ? arguments->words[0] : "water";
    if (strcmp(what, "viscous") == 0)
        return cli_bench_viscous(arguments, (int)threads);
    if (strcmp(what, "elastic") == 0)
        return cli_bench_elastic(arguments, (int)threads);
    if (strcmp(what, "sizes") == 0)
        return cli_bench_sizes(arguments, (int)threads);
    if (strcmp(what, "splash") == 0)
        return cli_bench_splash(arguments, (int)threads);
    if (strcmp(what, "cost") == 0)
        return cli_bench_cost(arguments, (int)threads, repeats);
    if (strcmp(what, "heat") == 0)
        return cli_bench_heat(arguments, (size_t)particles, (int)repeats, (int)threads);
    if (strcmp(what, "thermal") == 0)
        return cli_bench_cohesion(arguments, (int)threads);
    if (strcmp(what, "surface") == 0)
        return cli_bench_surface(arguments, (int)threads, repeats);
    if (strcmp(what, "collide") == 0)
        return cli_bench_collide(arguments, (size_t)particles, repeats);
    if (strcmp(what, "render") == 0)
        return cli_bench_render(arguments, (size_t)particles, (int)threads, repeats);
    if (strcmp(what, "trace") == 0)
        return cli_bench_trace(arguments, (int)threads, repeats);
    if (strcmp(what, "water") != 0) {
        cli_complain("cannot measure %s; usage: tallow bench %s", what, arguments->command->usage);
        return CLI_BAD_INPUT;
    }
    tl_status status = measure_small(&m, (size_t)particles, repeats, (int)threads, &error);
    if (status == TL_OK && cli_has(arguments, "large"))
        status = measure_large(&m, repeats, &error);
    if (status != TL_OK)
        cli_complain_error(&error);
    else if (cli_has(arguments, "json"))
        print_object(&m);
    else
        print_measurement(&m);
    return cli_exit_code(status);
}
