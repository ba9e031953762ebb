/* What `tallow bench` compares the solver with, and its other half. */
#ifndef CLI_BENCH_MACHINE_H
#define CLI_BENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GFLOP/s of fused multiply-adds on the wide type with so many threads, at best. */
double cli_measure_gflops(int threads);

/* Updates a second on one thread of the scalar twin of this command; 0 when there is none. */
double cli_measure_twin(size_t particles, int64_t repeats, bool from_rest);

/* The other things that `tallow bench` measures; they return the exit code. */
struct cli_arguments;
int cli_bench_viscous(const struct cli_arguments *arguments, int threads);
int cli_bench_elastic(const struct cli_arguments *arguments, int threads);
int cli_bench_sizes(const struct cli_arguments *arguments, int threads);
int cli_bench_cost(const struct cli_arguments *arguments, int threads, int64_t turns);
int cli_bench_splash(const struct cli_arguments *arguments, int threads);
int cli_bench_heat(const struct cli_arguments *arguments, size_t particles, int turns, int threads);
int cli_bench_cohesion(const struct cli_arguments *arguments, int threads);
int cli_bench_surface(const struct cli_arguments *arguments, int threads, int64_t repeats);
int cli_bench_collide(const struct cli_arguments *arguments, size_t particles, int64_t turns);
int cli_bench_render(const struct cli_arguments *arguments, size_t particles, int threads,
                     int64_t repeats);
int cli_bench_trace(const struct cli_arguments *arguments, int threads, int64_t repeats);

#endif
