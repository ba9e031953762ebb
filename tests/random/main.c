/* Runs random scenes, one a seed, and tells how each went.
 *
 *     random_scenes --seed 1 --count 100 [--steps N] [--seconds S] [--folder DIR]
 *     random_scenes --seed 7 --print > scene.yaml
 *     random_scenes [option ...] 7 12 scene.yaml ...
 *
 * Arguments are seeds, or files of scenes. --folder keeps the scenes that are not fine, to be run
 * by `tallow run` or to be given here. Fails when a scene was wrong without a word, had an error,
 * or did not come to its end. */
#include "judge.h"
#include "scene.h"

#include "base/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    uint64_t seed, count;
    limits limits;
    const char *folder;
    bool print;
} options;

static void keep(const options *o, const char *name, const char *text, const judgement *j) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s-%s.yaml", o->folder, verdict_names[j->verdict], name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(2);
    }
    fprintf(file, "# %s: %s\n%s", verdict_names[j->verdict], j->why, text);
    fclose(file);
}

static verdict try_scene(const options *o, const char *name, const char *text) {
    const judgement j = judge(text, strlen(text), name, &o->limits);
    printf("%-10s %-8s %-11s %4zu particles %6" PRIu64 " steps %4" PRIu64 " refused%s%s\n", name,
           verdict_names[j.verdict], j.scheme, j.particles, j.steps, j.rejected,
           j.why[0] ? "  " : "", j.why);
    fflush(stdout);
    if (o->folder && j.verdict != FINE)
        keep(o, name, text, &j);
    return j.verdict;
}

static verdict try_seed(const options *o, uint64_t seed) {
    char name[32];
    char *text = random_scene(seed);
    verdict v = FINE;
    snprintf(name, sizeof name, "%" PRIu64, seed);
    if (!text)
        exit(2);
    if (o->print)
        fputs(text, stdout);
    else
        v = try_scene(o, name, text);
    free(text);
    return v;
}

static verdict try_file(const options *o, const char *path) {
    char *text;
    size_t size;
    tl_error error = {0};
    if (tl_file_read(path, 1 << 24, &text, &size, &error) != TL_OK) {
        fprintf(stderr, "%s: %s\n", error.where, error.what);
        exit(2);
    }
    const char *slash = strrchr(path, '/');
    const verdict v = try_scene(o, slash ? slash + 1 : path, text);
    free(text);
    return v;
}

static bool is_number(const char *text) { return strspn(text, "0123456789") == strlen(text); }

/* The number of arguments that were options. */
static int read_options(int argc, char **argv, options *o) {
    int at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        const char *value = at + 1 < argc ? argv[at + 1] : "";
        if (strcmp(argv[at], "--print") == 0) {
            o->print = true;
            continue;
        }
        if (strcmp(argv[at], "--seed") == 0)
            o->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[at], "--count") == 0)
            o->count = strtoull(value, NULL, 10);
        else if (strcmp(argv[at], "--steps") == 0)
            o->limits.steps = strtoull(value, NULL, 10);
        else if (strcmp(argv[at], "--seconds") == 0)
            o->limits.seconds = strtod(value, NULL);
        else if (strcmp(argv[at], "--folder") == 0)
            o->folder = value;
        else {
            fprintf(stderr, "%s: there is no such option\n", argv[at]);
            exit(2);
        }
        at++;
    }
    return at;
}

int main(int argc, char **argv) {
    options o = {.seed = 1, .count = 1, .limits = {.steps = 10000}};
    int at = read_options(argc, argv, &o);
    size_t counts[VERDICTS] = {0};
    const bool named = at < argc;
    for (; at < argc; at++)
        counts[is_number(argv[at]) ? try_seed(&o, strtoull(argv[at], NULL, 10))
                                   : try_file(&o, argv[at])]++;
    for (uint64_t k = 0; k < o.count && !named; k++)
        counts[try_seed(&o, o.seed + k)]++;
    if (o.print)
        return 0;
    for (int v = 0; v < VERDICTS; v++)
        printf("%s%zu %s", v ? ", " : "", counts[v], verdict_names[v]);
    printf("\n");
    return counts[FAILED] + counts[CRAWLED] + counts[INVALID] > 0;
}
