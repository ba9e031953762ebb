/* See parallel.h. One pool of threads for the whole program. A loop is a job that threads join
 * while it is open; its blocks are handed out one by one, so that a thread that has lost its core
 * to another program holds up no more than the block it is at. Threads without a job wait awake for
 * a moment, since the next loop is mostly near, and then sleep. */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Blocks that make another thread worth its while, unless the caller says. */
enum { LEAST_BLOCKS = 4 };

/* Looks at the pool before a thread goes to sleep: about 0.1 ms. */
enum { PATIENCE = 4000 };

/* The state of a job in one word: threads at work, places left for more, and whether it is open. */
#define AT_WORK UINT64_C(1)
#define A_PLACE (UINT64_C(1) << 20)
#define OPEN    (UINT64_C(1) << 40)

typedef struct loop {
    size_t count, grain, blocks;
    bool backwards;
    tl_range_fn *body;
    void *context;
} loop;

static struct pool {
    pthread_mutex_t mutex; /* of those that sleep */
    pthread_cond_t work;
    atomic_int sleepers;
    atomic_bool taken; /* by the thread whose job it is, which alone changes what follows */
    int workers, processors;
    bool watches_forks;

    _Atomic uint64_t state;
    atomic_size_t next; /* block, in the order in which they are handed out */
    loop loop;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static int count_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return CPU_COUNT(&set);
}

tl_parallel tl_parallel_create(int threads) {
    if (threads <= 0)
        threads = count_processors();
    return (tl_parallel){.threads = threads < 1 ? 1 : threads};
}

/* ---- A job -------------------------------------------------------------------------------------
 */

static void run_block(const loop *l, size_t turn, int thread) {
    const size_t block = l->backwards ? l->blocks - 1 - turn : turn;
    const size_t begin = block * l->grain, rest = l->count - begin;
    l->body(l->context, begin, begin + (rest < l->grain ? rest : l->grain), thread);
}

static void run_blocks(int thread) {
    for (size_t turn; (turn = atomic_fetch_add(&pool.next, 1)) < pool.loop.blocks;)
        run_block(&pool.loop, turn, thread);
}

static int places(uint64_t state) { return (int)(state / A_PLACE % (OPEN / A_PLACE)); }

static bool has_place(uint64_t state) { return (state & OPEN) && places(state) > 0; }

/* True when the calling thread has joined; `thread` is then its number in the job. */
static bool join(int *thread) {
    uint64_t state = atomic_load(&pool.state);
    while (has_place(state))
        if (atomic_compare_exchange_weak(&pool.state, &state, state - A_PLACE + AT_WORK)) {
            *thread = places(state);
            return true;
        }
    return false;
}

static void sleep_until_needed(void) {
    pthread_mutex_lock(&pool.mutex);
    atomic_fetch_add(&pool.sleepers, 1);
    while (!has_place(atomic_load(&pool.state)))
        pthread_cond_wait(&pool.work, &pool.mutex);
    atomic_fetch_sub(&pool.sleepers, 1);
    pthread_mutex_unlock(&pool.mutex);
}

static void *work(void *patience) {
    for (int waited = 0;;) {
        int thread;
        if (join(&thread)) {
            run_blocks(thread);
            atomic_fetch_sub(&pool.state, AT_WORK);
            waited = 0;
        } else if (waited++ < (int)(intptr_t)patience) {
            pause_briefly();
        } else {
            sleep_until_needed();
        }
    }
    return NULL;
}

/* ---- The pool ----------------------------------------------------------------------------------
 */

/* After a fork the child has no threads but its own. */
static void forget_workers(void) {
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.work, NULL);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.state, 0);
    atomic_store(&pool.taken, false);
    pool.workers = 0;
}

/* More threads than processors do not wait awake: they would keep those from work that have some.
 * Signals are for the threads of the program. */
static void start_workers(int wanted) {
    if (pool.processors == 0)
        pool.processors = count_processors();
    if (!pool.watches_forks)
        pool.watches_forks = pthread_atfork(NULL, NULL, forget_workers) == 0;
    sigset_t all, before;
    sigfillset(&all);
    if (pool.workers >= wanted)
        return;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.workers < wanted) {
        const intptr_t patience = pool.workers + 2 > pool.processors ? 0 : PATIENCE;
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, (void *)patience) != 0)
            break; /* those that are there do the work */
        pthread_detach(thread);
        pool.workers++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void wake_sleepers(int wanted) {
    int sleepers = atomic_load(&pool.sleepers);
    if (sleepers == 0)
        return;
    pthread_mutex_lock(&pool.mutex);
    for (sleepers = sleepers < wanted ? sleepers : wanted; sleepers > 0; sleepers--)
        pthread_cond_signal(&pool.work);
    pthread_mutex_unlock(&pool.mutex);
}

static void run_job(int threads) {
    atomic_store(&pool.next, 0);
    atomic_store(&pool.state, OPEN + (uint64_t)(threads - 1) * A_PLACE);
    wake_sleepers(threads - 1);
    run_blocks(0);
    atomic_fetch_and(&pool.state, A_PLACE - 1); /* closed: only who is at work remains */
    for (int waited = 0; atomic_load(&pool.state) != 0; waited++)
        if (waited < PATIENCE)
            pause_briefly();
        else
            sched_yield();
}

void tl_parallel_for(const tl_parallel *parallel, size_t count, size_t grain, tl_range_fn *body,
                     void *context) {
    const loop l = {count, grain, tl_block_count(count, grain), parallel->backwards, body, context};
    /* Waking a thread costs as much as a few blocks: small loops run with fewer. */
    const size_t least = (size_t)(parallel->least > 0 ? parallel->least : LEAST_BLOCKS);
    const size_t useful = l.blocks / least;
    const int threads = (size_t)parallel->threads < useful ? parallel->threads : (int)useful;
    /* A loop within a loop, or beside that of another thread, runs by itself. */
    if (threads <= 1 || atomic_exchange(&pool.taken, true)) {
        for (size_t turn = 0; turn < l.blocks; turn++)
            run_block(&l, turn, 0);
        return;
    }
    start_workers(threads - 1);
    pool.loop = l;
    run_job(threads);
    atomic_store(&pool.taken, false);
}
