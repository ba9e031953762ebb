/* The processes of a sweep: each run is a `tallow run`, or a `tallow resume` of what was begun.
 * They have a process group of their own, so that Ctrl-C reaches them through here, once; and they
 * stop when this process ends, however it ends. See sweep.h. */
#include "sweep.h"

#include "base/file.h"
#include "base/parallel.h"
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The one global: signal handlers have no context. */
static volatile sig_atomic_t stop_requests;

static void request_stop(int signal_number) {
    (void)signal_number;
    stop_requests++;
}

/* Without SA_RESTART: a wait for children ends. */
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = request_stop};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

typedef struct job {
    pid_t process; /* 0: none */
    size_t run;
} job;

static int threads_of(const cli_sweep *s) {
    const int all = tl_parallel_create(0).threads, share = all / (int)s->jobs;
    return s->threads > 0 ? (int)s->threads : share > 1 ? share : 1;
}

static bool was_begun(const cli_sweep_run *run) {
    char path[TL_RUN_PATH + 16];
    snprintf(path, sizeof path, "%s/run.yaml", run->folder);
    return tl_file_exists(path);
}

/* What the run complains of goes to a file beside its folder. */
static void become_run(const cli_sweep *s, const cli_sweep_run *run, pid_t parent) {
    char log[TL_RUN_PATH + 16], threads[32], folder[TL_RUN_PATH];
    snprintf(log, sizeof log, "%s.txt", run->folder);
    snprintf(threads, sizeof threads, "--threads=%d", threads_of(s));
    snprintf(folder, sizeof folder, "%s", run->folder);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGINT);
    if (getppid() != parent) /* it has ended in between */
        _exit(CLI_INTERRUPTED);
    const int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0) {
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
    }
    char name[] = "tallow", resume[] = "resume", quiet[] = "--quiet";
    char *again[] = {name, resume, folder, quiet, threads, NULL};
    size_t count = 0;
    while (run->arguments[count])
        count++;
    char **fresh = calloc(count + 2, sizeof *fresh);
    if (!fresh)
        _exit(CLI_FAILED);
    memcpy(fresh, run->arguments, count * sizeof *fresh);
    fresh[count] = threads;
    execv("/proc/self/exe", was_begun(run) ? again : fresh);
    _exit(CLI_FAILED);
}

/* A file of complaints that has none is of no use. */
static void drop_empty_log(const cli_sweep_run *run) {
    char path[TL_RUN_PATH + 16];
    snprintf(path, sizeof path, "%s.txt", run->folder);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (lseek(file, 0, SEEK_END) == 0)
        unlink(path);
    close(file);
}

static void tell(const cli_sweep *s, size_t run, const char *what) {
    if (!s->quiet)
        printf("%zu/%zu %s: %s\n", run + 1, s->run_count, s->runs[run].name, what);
    fflush(stdout);
}

static bool start(const cli_sweep *s, size_t run, job *out) {
    tell(s, run, was_begun(&s->runs[run]) ? "going on" : "begun");
    const pid_t self = getpid(), process = fork();
    if (process < 0) {
        cli_complain("cannot start a run: %s", strerror(errno));
        return false;
    }
    if (process == 0)
        become_run(s, &s->runs[run], self);
    *out = (job){process, run};
    return true;
}

static int finish(const cli_sweep *s, job *jobs, pid_t process, int status) {
    for (int64_t k = 0; k < s->jobs; k++) {
        if (jobs[k].process != process)
            continue;
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : CLI_FAILED;
        tl_run_result result;
        const tl_run_state state = cli_sweep_state(&s->runs[jobs[k].run], &result);
        drop_empty_log(&s->runs[jobs[k].run]);
        tell(s, jobs[k].run, state == TL_RUN_UNKNOWN ? "failed" : tl_run_state_name(state));
        if (code != CLI_DONE && code != CLI_INTERRUPTED)
            cli_complain("%s failed%s%s; %s.txt tells why", s->runs[jobs[k].run].name,
                         *result.message ? ": " : "", result.message, s->runs[jobs[k].run].folder);
        jobs[k].process = 0;
        return code == CLI_INTERRUPTED ? CLI_DONE : code;
    }
    return CLI_DONE;
}

static void stop_all(const cli_sweep *s, const job *jobs) {
    for (int64_t k = 0; k < s->jobs; k++)
        if (jobs[k].process > 0)
            kill(jobs[k].process, SIGINT);
}

static size_t free_place(const cli_sweep *s, const job *jobs, size_t *working) {
    size_t found = SIZE_MAX;
    *working = 0;
    for (int64_t k = 0; k < s->jobs; k++) {
        *working += jobs[k].process > 0;
        found = jobs[k].process == 0 && found == SIZE_MAX ? (size_t)k : found;
    }
    return found;
}

static size_t next_run(const cli_sweep *s, size_t from) {
    while (from < s->run_count && cli_sweep_is_done(&s->runs[from])) {
        tell(s, from, "done before");
        from++;
    }
    return from;
}

int cli_sweep_make(const cli_sweep *s, bool *interrupted) {
    job *jobs = calloc((size_t)s->jobs, sizeof *jobs);
    size_t next = next_run(s, 0), working;
    int code = jobs ? CLI_DONE : CLI_FAILED, told = 0;
    catch_signals();
    while (jobs) {
        const size_t place = free_place(s, jobs, &working);
        if (stop_requests > told) { /* the second time they end at once */
            told = (int)stop_requests;
            stop_all(s, jobs);
        }
        if (told == 0 && place != SIZE_MAX && next < s->run_count) {
            if (!start(s, next, &jobs[place]))
                code = CLI_FAILED;
            next = next_run(s, next + 1);
            continue;
        }
        if (working == 0)
            break;
        int status;
        const pid_t process = waitpid(-1, &status, 0);
        if (process > 0) {
            const int ended = finish(s, jobs, process, status);
            code = ended != CLI_DONE ? CLI_FAILED : code;
        }
    }
    free(jobs);
    *interrupted = stop_requests > 0;
    return code;
}

/* ---- Slurm --------------------------------------------------------------------------------- */

/* A word of a shell. */
static void print_quoted(const char *word) {
    putchar('\'');
    for (; *word; word++)
        *word == '\'' ? fputs("'\\''", stdout) : putchar(*word);
    putchar('\'');
}

void cli_sweep_print_slurm(const cli_sweep *s) {
    const int64_t threads = s->threads > 0 ? s->threads : 1;
    printf("#!/bin/bash\n#SBATCH --job-name=tallow-sweep\n#SBATCH --array=0-%zu%%%lld\n"
           "#SBATCH --cpus-per-task=%lld\n# Submitted again, it goes on with what is not "
           "finished. Afterwards `tallow sweep` with the\n# same words makes sweep.csv, the plot "
           "and the sheet.\nset -eu\nmkdir -p ",
           s->run_count - 1, (long long)s->jobs, (long long)threads);
    print_quoted(s->folder);
    printf("\ncase $SLURM_ARRAY_TASK_ID in\n");
    for (size_t r = 0; r < s->run_count; r++) {
        printf("%zu) folder=", r);
        print_quoted(s->runs[r].folder);
        printf("; set --");
        for (size_t a = 1; s->runs[r].arguments[a]; a++) {
            putchar(' ');
            print_quoted(s->runs[r].arguments[a]);
        }
        printf(" ;;\n");
    }
    printf("esac\n[ -e \"$folder/run.yaml\" ] && set -- resume \"$folder\" --quiet\n"
           "exec tallow \"$@\" --threads=%lld\n",
           (long long)threads);
}
