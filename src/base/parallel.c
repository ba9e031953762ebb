/* See parallel.h. */
#include "base/parallel.h"

#include <omp.h>

/* Blocks that make another thread worth its while. */
enum { LEAST_BLOCKS = 4 };

tl_parallel tl_parallel_create(int threads) {
    if (threads <= 0)
        threads = omp_get_num_procs();
    return (tl_parallel){threads < 1 ? 1 : threads};
}

void tl_parallel_for(const tl_parallel *parallel, size_t count, size_t grain, tl_range_fn *body,
                     void *context) {
    const size_t blocks = tl_block_count(count, grain);
    /* Waking a thread costs as much as a few blocks: small loops run with fewer. */
    const size_t useful = blocks / LEAST_BLOCKS;
    const int threads = (size_t)parallel->threads < useful ? parallel->threads : (int)useful;
    if (threads <= 1) {
        for (size_t b = 0; b < blocks; b++)
            body(context, b * grain, (b + 1) * grain < count ? (b + 1) * grain : count, 0);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t b = 0; b < blocks; b++)
        body(context, b * grain, (b + 1) * grain < count ? (b + 1) * grain : count,
             omp_get_thread_num());
}
