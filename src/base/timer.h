/* Wall-clock time for progress and benchmarks; never for physics. */
#ifndef TL_BASE_TIMER_H
#define TL_BASE_TIMER_H

#include <time.h>

/* Seconds since some fixed moment; monotonic. */
static inline double tl_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
