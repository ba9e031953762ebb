/* Loops with threads: every index once, in blocks that do not depend on the number of threads. */
#include "base/blocks.h"

#include "base/groups.h"
#include "base/memory.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a loop did. Blocks are marked with atomics, so that two threads that get the same block are
 * both counted. */
typedef struct record {
    size_t count, grain;
    int threads;
    unsigned char *visits; /* [count] */
    int wrong_ranges, wrong_threads;
} record;

static void note(void *context, size_t begin, size_t end, int thread) {
    record *r = context;
    const size_t full = begin + r->grain;
    if (begin % r->grain != 0 || begin >= end || end != (full < r->count ? full : r->count))
        __atomic_fetch_add(&r->wrong_ranges, 1, __ATOMIC_RELAXED);
    if (thread < 0 || thread >= r->threads)
        __atomic_fetch_add(&r->wrong_threads, 1, __ATOMIC_RELAXED);
    for (size_t i = begin; i < end && i < r->count; i++)
        __atomic_fetch_add(&r->visits[i], 1, __ATOMIC_RELAXED);
}

Test(parallel, every_index_is_visited_once_in_whole_blocks) {
    const size_t counts[] = {0, 1, 511, 512, 513, 100000}, grains[] = {1, 64, TL_BLOCK, 200000};
    const int threads[] = {1, 2, 3, 8};
    for (size_t c = 0; c < 6; c++)
        for (size_t g = 0; g < 4; g++)
            for (size_t t = 0; t < 8; t++) {
                const int wanted = threads[t % 4];
                const tl_parallel parallel =
                    t < 4 ? tl_parallel_create(wanted) : tl_parallel_adverse(wanted);
                cr_assert_eq(parallel.threads, wanted);
                record r = {.count = counts[c], .grain = grains[g], .threads = wanted};
                r.visits = tl_allocate(counts[c], 1);
                tl_parallel_for(&parallel, r.count, r.grain, note, &r);
                cr_assert_eq(r.wrong_ranges, 0);
                cr_assert_eq(r.wrong_threads, 0);
                for (size_t i = 0; i < r.count; i++)
                    cr_assert_eq(r.visits[i], 1, "index %zu of %zu, grain %zu, %d threads", i,
                                 r.count, r.grain, wanted);
                free(r.visits);
            }
}

static void sum_thirds(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    double sum = 0, *partial = context;
    for (size_t i = begin; i < end; i++)
        sum += 1.0 / (3 * (double)i + 1);
    partial[begin / TL_BLOCK] = sum;
}

Test(parallel, block_sums_added_in_order_have_the_same_bits_for_any_number_of_threads) {
    enum { N = 100000, BLOCKS = (N + TL_BLOCK - 1) / TL_BLOCK };
    cr_assert_eq(tl_block_count(N, TL_BLOCK), BLOCKS);
    double first = 0, partial[BLOCKS];
    for (int threads = 1; threads <= 8; threads++) {
        const tl_parallel parallel = tl_parallel_create(threads);
        double sum = 0;
        memset(partial, 0xFF, sizeof partial);
        tl_parallel_for(&parallel, N, TL_BLOCK, sum_thirds, partial);
        for (size_t b = 0; b < BLOCKS; b++)
            sum += partial[b];
        if (threads == 1)
            first = sum;
        cr_assert_eq(memcmp(&sum, &first, sizeof sum), 0);
    }
    cr_assert_gt(first, 4);
}

/* Notes the thread and, for a while, waits for another to come and take its share. */
static void see_thread(void *context, size_t begin, size_t end, int thread) {
    (void)begin, (void)end;
    unsigned *seen = context;
    __atomic_fetch_or(seen, 1u << thread, __ATOMIC_RELAXED);
    for (int wait = 0; wait < 100 && __atomic_load_n(seen, __ATOMIC_RELAXED) != 3; wait++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

Test(parallel, large_loops_are_shared_and_small_ones_stay_on_one_thread) {
    const tl_parallel parallel = tl_parallel_create(2);
    unsigned seen = 0;
    tl_parallel_for(&parallel, 64, 1, see_thread, &seen);
    cr_assert_eq(seen, 3);
    seen = 0;
    tl_parallel_for(&parallel, TL_BLOCK, TL_BLOCK, see_thread, &seen);
    cr_assert_eq(seen, 1);
    seen = 0;
    tl_parallel_for(&parallel, 7, 1, see_thread, &seen);
    cr_assert_eq(seen, 1);
}

static void note_order(void *context, size_t begin, size_t end, int thread) {
    (void)end, (void)thread;
    size_t *order = context;
    order[1 + order[0]++] = begin;
}

Test(parallel, blocks_may_be_had_from_the_last_to_the_first) {
    const tl_parallel parallel = {.threads = 1, .backwards = true};
    size_t order[4] = {0};
    tl_parallel_for(&parallel, 25, 10, note_order, order);
    cr_assert(order[0] == 3 && order[1] == 20 && order[2] == 10 && order[3] == 0);
}

Test(parallel, small_loops_are_shared_too_if_the_caller_wants_it) {
    const tl_parallel parallel = tl_parallel_adverse(2);
    unsigned seen = 0;
    tl_parallel_for(&parallel, 2, 1, see_thread, &seen);
    cr_assert_eq(seen, 3);
    seen = 0;
    tl_parallel_for(&parallel, 1, 1, see_thread, &seen);
    cr_assert_eq(seen, 1, "a block is not divided");
}

Test(parallel, no_number_of_threads_means_all_there_are) {
    cr_assert_geq(tl_parallel_create(0).threads, 1);
    cr_assert_eq(tl_parallel_create(-3).threads, tl_parallel_create(0).threads);
}

/* Each block runs a loop of its own. */
static void sum_within(void *context, size_t begin, size_t end, int thread) {
    (void)end, (void)thread;
    const tl_parallel parallel = tl_parallel_create(4);
    double partial[4], *sums = context;
    tl_parallel_for(&parallel, 4 * TL_BLOCK, TL_BLOCK, sum_thirds, partial);
    sums[begin] = partial[0] + partial[1] + partial[2] + partial[3];
}

static void *run_beside(void *context) {
    const tl_parallel parallel = tl_parallel_create(3);
    tl_parallel_for(&parallel, 64, 1, sum_within, context);
    return NULL;
}

Test(parallel, loops_may_stand_within_loops_and_beside_each_other) {
    double partial[4], sums[2][64];
    const tl_parallel parallel = tl_parallel_create(4);
    tl_parallel_for(&parallel, 4 * TL_BLOCK, TL_BLOCK, sum_thirds, partial);
    const double sum = partial[0] + partial[1] + partial[2] + partial[3];
    pthread_t other;
    for (int round = 0; round < 200; round++) {
        memset(sums, 0, sizeof sums);
        cr_assert_eq(pthread_create(&other, NULL, run_beside, sums[0]), 0);
        run_beside(sums[1]);
        pthread_join(other, NULL);
        for (size_t i = 0; i < 128; i++)
            cr_assert_eq((&sums[0][0])[i], sum, "round %d, block %zu", round, i);
    }
}

static void join_digits(void *total, const void *partial) {
    double *number = total;
    *number = 10 * *number + *(const double *)partial;
}

Test(parallel, totals_join_blocks_from_the_first_to_the_last) {
    /* In any other order some of the small ones would be lost, or none. */
    const double partial[] = {1, 0.5, 1e16, 7, -1e16, 2, 0.25, 3};
    const double odd = ((0.0 + 0.5) + 7 + 2) + 3;
    cr_assert_eq(tl_sum_blocks(partial, 1, 4 * TL_BLOCK), ((1 + 0.5) + 1e16) + 7);
    cr_assert_eq(tl_sum_blocks(partial, 2, 3 * TL_BLOCK + 1), ((1 + 1e16) - 1e16) + 0.25);
    cr_assert_eq(tl_sum_blocks(partial + 1, 2, 4 * TL_BLOCK), odd);
    cr_assert_eq(tl_sum_blocks(partial, 1, 0), 0);
    cr_assert_eq(tl_max_blocks(partial + 3, 1, 3 * TL_BLOCK), 7);
    cr_assert_eq(tl_max_blocks(partial + 4, 1, TL_BLOCK), 0);
    double number = 4;
    tl_join_blocks(&number, (const double[]){3, 2, 1}, sizeof number, 2 * TL_BLOCK + 1,
                   join_digits);
    cr_assert_eq(number, 4321);
}

/* The threads of the parent are not in the child, which must neither wait for them nor lack them.
 */
Test(parallel, a_child_of_the_process_has_threads_of_its_own, .timeout = 60) {
    const tl_parallel parallel = tl_parallel_create(2);
    unsigned seen = 0;
    tl_parallel_for(&parallel, 64, 1, see_thread, &seen);
    const pid_t child = fork();
    if (child == 0) {
        seen = 0;
        tl_parallel_for(&parallel, 64, 1, see_thread, &seen);
        _exit(seen == 3 ? 0 : 1);
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- Groups ------------------------------------------------------------------------------------
 */

enum { MEMBERS = 20000 };

/* Pairs that make chains within residues of seven, some of them all but backwards. */
static void join_chains(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t k = begin; k < end; k++) {
        const size_t i = k * 7919 % MEMBERS;
        if (i + 7 < MEMBERS && i % 701 > 6)
            tl_group_join(context, (uint32_t)(i + 7), (uint32_t)i);
    }
}

Test(parallel, groups_are_led_by_their_lowest_whoever_joins_them_first) {
    tl_member *group = tl_allocate(MEMBERS, sizeof *group);
    uint32_t lowest[MEMBERS]; /* of a chain: by the pairs in the order of their members */
    for (size_t i = 0; i < MEMBERS; i++)
        lowest[i] = i >= 7 && (i - 7) % 701 > 6 ? lowest[i - 7] : (uint32_t)i;
    for (int threads = 1; threads <= 4; threads++) {
        const tl_parallel parallel = tl_parallel_adverse(threads);
        tl_group_begin(group, MEMBERS);
        tl_parallel_for(&parallel, MEMBERS, 64, join_chains, group);
        for (size_t i = 0; i < MEMBERS; i++)
            cr_assert_eq(tl_group_first(group, (uint32_t)i), lowest[i], "%zu, %d threads", i,
                         threads);
    }
    free(group);
}
