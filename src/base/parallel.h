/* Loops over ranges with threads.
 *
 * Determinism: the range is cut into blocks of `grain`, whatever the number of threads, and a block
 * is run by one thread. A body that writes only what belongs to its own indices, and reductions
 * that keep one partial result a block and add them in order (blocks.h), give the same bits for any
 * number of threads. */
#ifndef TL_BASE_PARALLEL_H
#define TL_BASE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

/* The block size of reductions and of most particle loops. */
enum { TL_BLOCK = 256 };

typedef struct tl_parallel {
    int threads;    /* at least 1 */
    int least;      /* blocks for which a thread is woken; 0: as many as are worth it */
    bool backwards; /* blocks are handed out from the last to the first */
} tl_parallel;

/* `threads` 0 means all that the machine has. */
tl_parallel tl_parallel_create(int threads);

/* For tests: even two blocks are shared, and the last is begun first, so that what depends on
 * threads or on the order of blocks shows in small loops too. One thread is left as it is. */
static inline tl_parallel tl_parallel_adverse(int threads) {
    return (tl_parallel){.threads = threads, .least = 1, .backwards = threads > 1};
}

/* Runs on [begin, end), with begin a multiple of the grain. `thread` is in [0, threads). */
typedef void tl_range_fn(void *context, size_t begin, size_t end, int thread);

/* Calls body for all blocks of [0, count), in any order, and returns when all are done. */
void tl_parallel_for(const tl_parallel *parallel, size_t count, size_t grain, tl_range_fn *body,
                     void *context);

/* Number of blocks of `grain` in `count`. */
static inline size_t tl_block_count(size_t count, size_t grain) {
    return (count + grain - 1) / grain;
}

#endif
