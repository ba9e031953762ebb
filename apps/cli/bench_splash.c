/* `tallow bench splash`: a dam of water of 0.4 x 0.4 x 0.6 m breaks in a tank, explicit and in
 * coupled steps. Both go on by a tenth of a second in turn, so a busy machine slows them alike, and
 * what counts is the processor's time. */
#include "bench_machine.h"
#include "command.h"
#include "terminal.h"

#include "scene/scene.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TURNS = 25, SCHEMES = 2 };
static const double turn = 0.1;
static const char *const schemes[SCHEMES] = {"explicit", "coupled"};

typedef struct splash {
    tl_scene *scene;
    tl_world *world;
    double seconds;
} splash;

static tl_status make_splash(splash *s, const char *scheme, double spacing, int threads,
                             tl_error *error) {
    char text[512];
    snprintf(text, sizeof text,
             "spacing: %g\nduration: 2.5 s\nflow: {scheme: %s}\n"
             "bodies:\n  - {material: water, box: {from: [0, 0, 0], to: [0.4, 0.4, 0.6]}}\n"
             "walls:\n  - {box: {from: [0, 0, 0], to: [1.6, 0.4, 1.2]}, open: z, "
             "contact: free-slip}\n",
             spacing, scheme);
    TL_TRY(tl_scene_load_memory(text, strlen(text), "splash", NULL, &s->scene, error));
    return tl_world_create(s->scene, &(tl_world_options){.threads = threads}, &s->world, error);
}

static tl_status run_turns(splash s[SCHEMES], tl_error *error) {
    for (int k = 0; k < TURNS * SCHEMES; k++) {
        const clock_t start = clock();
        TL_TRY(tl_world_advance(s[k % SCHEMES].world, turn * (k / SCHEMES + 1), error));
        s[k % SCHEMES].seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    return TL_OK;
}

static void print_splash(const splash *s, const char *scheme, bool json, bool last) {
    tl_ledger books;
    tl_world_ledger(s->world, &books);
    const double each = 1e3 * s->seconds / (double)tl_world_count(s->world);
    const double tried = books.steps + books.rejected, iterations = books.iterations / books.steps;
    if (json)
        printf("  {\"scheme\": \"%s\", \"particles\": %zu, \"seconds\": %.3f, \"ms_a_particle\": "
               "%.3f, \"steps\": %.0f, \"refused\": %.4f, \"iterations\": %.1f}%s\n",
               scheme, tl_world_count(s->world), s->seconds, each, books.steps,
               books.rejected / tried, iterations, last ? "" : ",");
    else
        printf("  %-10s %9.2f s %14.3f ms %8.0f %8.1f %% %10.1f\n", scheme, s->seconds, each,
               books.steps, 100 * books.rejected / tried, iterations);
}

static void print_all(const splash s[SCHEMES], bool json) {
    if (json)
        printf("[\n");
    else
        printf("A dam of %zu particles breaks, %g s\n\n"
               "  scheme       processor    a particle     steps    refused  iterations\n",
               tl_world_count(s[0].world), TURNS * turn);
    for (int k = 0; k < SCHEMES; k++)
        print_splash(&s[k], schemes[k], json, k == SCHEMES - 1);
    if (json)
        printf("]\n");
}

int cli_bench_splash(const cli_arguments *arguments, int threads) {
    const double spacing = cli_has(arguments, "large") ? 0.02 : 0.04;
    splash s[SCHEMES] = {0};
    tl_error error = {0};
    tl_status status = TL_OK;
    for (int k = 0; k < SCHEMES && status == TL_OK; k++)
        status = make_splash(&s[k], schemes[k], spacing, threads, &error);
    if (status == TL_OK)
        status = run_turns(s, &error);
    if (status == TL_OK)
        print_all(s, cli_has(arguments, "json"));
    else
        cli_complain_error(&error);
    for (int k = 0; k < SCHEMES; k++) {
        tl_world_destroy(s[k].world);
        tl_scene_destroy(s[k].scene);
    }
    return cli_exit_code(status);
}
