/* See bench_machine.h. */
#include "bench_machine.h"

#include "base/parallel.h"
#include "base/simd.h"
#include "base/timer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- The processor ------------------------------------------------------------------------- */

enum { CHAINS = 12, ROUNDS = 1 << 17 };

/* Independent chains of multiply-adds hide the latency of each; the sums are kept so that the
 * compiler cannot leave them out. */
static void multiply_add(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    float *sums = context;
    const tl_wide a = tl_splat(0.999f), b = tl_splat(0.001f);
    for (size_t i = begin; i < end; i++) {
        tl_wide x[CHAINS];
        for (int c = 0; c < CHAINS; c++)
            x[c] = tl_splat((float)c);
        for (int r = 0; r < ROUNDS; r++)
            for (int c = 0; c < CHAINS; c++)
                x[c] = a * x[c] + b;
        tl_wide sum = x[0];
        for (int c = 1; c < CHAINS; c++)
            sum += x[c];
        sums[i] = tl_sum(sum);
    }
}

double cli_measure_gflops(int threads) {
    enum { TURNS = 8, JOBS_A_THREAD = 8 };
    const tl_parallel parallel = tl_parallel_create(threads);
    const size_t jobs = JOBS_A_THREAD * (size_t)threads;
    float *sums = calloc(jobs, sizeof *sums);
    double best = HUGE_VAL;
    for (int turn = 0; sums && turn < TURNS; turn++) {
        const double start = tl_now();
        tl_parallel_for(&parallel, jobs, 1, multiply_add, sums);
        best = fmin(best, tl_now() - start);
    }
    free(sums);
    return 2e-9 * TL_LANES * CHAINS * ROUNDS * (double)jobs / best;
}

/* ---- The scalar twin ----------------------------------------------------------------------- */

/* The path of tallow-scalar in the folder of this executable; false when it is not there. */
static bool find_twin(char *out, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", out, size - 1);
    if (length <= 0)
        return false;
    out[length] = 0;
    char *slash = strrchr(out, '/');
    const char name[] = "tallow-scalar";
    if (!slash || (size_t)(slash + 1 - out) + sizeof name > size || strcmp(slash + 1, name) == 0)
        return false;
    memcpy(slash + 1, name, sizeof name);
    return access(out, X_OK) == 0;
}

/* Starts a program with its standard output in a pipe; returns the reading end or -1. */
static int start(const char *const *words, pid_t *child) {
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int failure = posix_spawn(child, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failure) {
        close(ends[0]);
        return -1;
    }
    return ends[0];
}

double cli_measure_twin(size_t particles, int64_t repeats, bool from_rest) {
    char path[1024], count[32], turns[32], text[8192];
    pid_t child;
    if (!find_twin(path, sizeof path))
        return 0;
    snprintf(count, sizeof count, "%zu", particles);
    snprintf(turns, sizeof turns, "%" PRId64, repeats);
    const char *const words[] = {
        path,        "bench", "--json",    "--particles", count,
        "--repeats", turns,   "--threads", "1",           from_rest ? "--rest" : NULL,
        NULL};
    const int output = start(words, &child);
    if (output < 0)
        return 0;
    size_t length = 0;
    for (ssize_t got; length + 1 < sizeof text;) {
        got = read(output, text + length, sizeof text - 1 - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    text[length] = 0;
    close(output);
    int status;
    if (waitpid(child, &status, 0) != child || status != 0)
        return 0;
    const char *key = "\"updates_per_second\": ", *at = strstr(text, key);
    return at ? strtod(at + strlen(key), NULL) : 0;
}
