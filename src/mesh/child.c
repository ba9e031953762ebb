/* See child.h. */
#include "mesh/child.h"

#include "base/timer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED
#endif
#endif
#ifdef WATCHED
#include <sanitizer/common_interface_defs.h>
#endif

/* By the clock, on a machine that others use too. */
static const double patience = 10;

/* ---- The child ---------------------------------------------------------------------------------
 */

static void set_limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return;
    limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    (void)setrlimit(resource, &limit);
}

/* Beyond what is mapped already: under the address sanitizer that is most of the address space. */
static void limit_memory(size_t memory) {
    unsigned long long pages;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return;
    if (fscanf(file, "%llu", &pages) == 1) {
        const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + memory;
        set_limit(RLIMIT_AS, most, most);
    }
    fclose(file);
}

/* Crashes end the child without a word: no handler of the program, no report, no core file. */
static void crash_in_silence(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU, SIGPIPE};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], SIG_DFL);
        sigaddset(&set, signals[i]);
    }
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifdef WATCHED
    __sanitizer_set_report_fd((void *)STDERR_FILENO);
    __sanitizer_set_death_callback(NULL);
#endif
}

/* Nothing of the program's but `answer` stays open: pipes of others would not end before the child
 * does. Returns where the answer goes now. */
static int keep_only(int answer) {
    const int kept = fcntl(answer, F_DUPFD_CLOEXEC, 3), nowhere = open("/dev/null", O_RDWR);
    for (int standard = 0; standard < 3; standard++)
        if (nowhere < 0 || dup2(nowhere, standard) < 0)
            close(standard);
    if (kept > 3)
        close_range(3, (unsigned)kept - 1, 0);
    close_range((unsigned)kept + 1, ~0U, 0);
    return kept;
}

_Noreturn static void run_child(tl_child_fn *work, void *context, int answer,
                                const tl_child_limits *limits) {
    answer = keep_only(answer);
    if (answer < 0)
        _exit(1);
    crash_in_silence();
    const rlim_t seconds = (rlim_t)ceil(limits->seconds);
    set_limit(RLIMIT_CPU, seconds, seconds + 1);
    limit_memory(limits->memory);
    work(context, answer);
    _exit(0);
}

bool tl_child_write(int answer, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        const ssize_t written = write(answer, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

/* ---- The program -------------------------------------------------------------------------------
 */

tl_status tl_child_begin(tl_child *child, tl_child_fn *work, void *context,
                         const tl_child_limits *limits, tl_error *error) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return tl_fail_errno(error, "a child process", "start");
    *child = (tl_child){.answer = ends[0], .deadline = tl_now() + patience * limits->seconds};
    child->process = fork();
    if (child->process == 0)
        run_child(work, context, ends[1], limits);
    close(ends[1]);
    if (child->process > 0)
        return TL_OK;
    close(ends[0]);
    return tl_fail_errno(error, "a child process", "start");
}

static bool wait_for_bytes(tl_child *child) {
    for (;;) {
        const double left = child->deadline - tl_now();
        if (left <= 0) {
            child->late = true;
            return false;
        }
        struct pollfd pipe = {.fd = child->answer, .events = POLLIN};
        const int ready = poll(&pipe, 1, (int)fmin(ceil(1000 * left), 1e6));
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

bool tl_child_read(tl_child *child, void *bytes, size_t size) {
    char *at = bytes;
    while (size > 0) {
        if (!wait_for_bytes(child))
            return false;
        const ssize_t got = read(child->answer, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* A program that ignores its children learns nothing of their end, and their numbers may be in use
 * again: those are not waited for and not killed. */
tl_child_fate tl_child_end(tl_child *child) {
    int result = 0;
    close(child->answer);
    pid_t waited = waitpid(child->process, &result, WNOHANG);
    if (waited == 0) {
        kill(child->process, SIGKILL); /* does not change how one ends that has begun to */
        do
            waited = waitpid(child->process, &result, 0);
        while (waited < 0 && errno == EINTR);
    }
    if (child->late)
        return TL_CHILD_LATE;
    if (waited != child->process || (WIFEXITED(result) && WEXITSTATUS(result) == 0))
        return TL_CHILD_DONE;
    return WIFSIGNALED(result) && WTERMSIG(result) == SIGXCPU ? TL_CHILD_LATE : TL_CHILD_CRASHED;
}
