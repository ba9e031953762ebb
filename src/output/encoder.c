/* See encoder.h. Bytes go into its standard input, its messages come back through a file in memory.
 * The input is a socket and not a pipe, because a socket can be written to without SIGPIPE when
 * ffmpeg has died, and the signals of the program are not ours. */
#include "output/encoder.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int spawn_ffmpeg(tl_encoder *e, int input, char *const *arguments) {
    posix_spawn_file_actions_t actions;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason)
        return reason;
    reason = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!reason)
        reason =
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!reason)
        reason = posix_spawn_file_actions_adddup2(&actions, e->messages, STDERR_FILENO);
    if (!reason)
        reason = posix_spawnp(&e->process, "ffmpeg", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

static void close_encoder(tl_encoder *e) {
    if (e->input >= 0)
        close(e->input);
    if (e->messages >= 0)
        close(e->messages);
    e->input = e->messages = -1;
}

tl_status tl_encoder_start(tl_encoder *e, const char *const *arguments, const char *film,
                           tl_error *error) {
    int ends[2];
    *e = (tl_encoder){.input = -1, .messages = memfd_create("ffmpeg", MFD_CLOEXEC)};
    if (e->messages < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        tl_fail_errno(error, "ffmpeg", "start");
        close_encoder(e);
        return TL_IO_FAILED;
    }
    e->input = ends[0];
    const int reason = spawn_ffmpeg(e, ends[1], (char *const *)arguments);
    close(ends[1]);
    if (!reason)
        return TL_OK;
    close_encoder(e);
    errno = reason;
    if (reason != ENOENT)
        return tl_fail_errno(error, "ffmpeg", "start");
    return tl_fail(error, TL_IO_FAILED, film, "install ffmpeg, then make the film again",
                   "the film needs the command ffmpeg, which is not there; the pictures are kept");
}

bool tl_encoder_send(const tl_encoder *e, const char *bytes, size_t size) {
    while (size) {
        const ssize_t sent = send(e->input, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

/* The end of what ffmpeg printed, on one line. */
static void read_messages(const tl_encoder *e, char *out, size_t size) {
    const off_t length = lseek(e->messages, 0, SEEK_END);
    const off_t from = length > (off_t)size - 1 ? length - ((off_t)size - 1) : 0;
    const ssize_t got = pread(e->messages, out, size - 1, from);
    size_t n = got > 0 ? (size_t)got : 0;
    while (n && (out[n - 1] == '\n' || out[n - 1] == '\r'))
        n--;
    out[n] = 0;
    for (char *c = out; *c; c++)
        if ((unsigned char)*c < 32)
            *c = ' ';
}

static tl_status wait_for_end(tl_encoder *e, const char *film, tl_error *error) {
    close(e->input);
    e->input = -1;
    int result = 0;
    pid_t waited;
    do
        waited = waitpid(e->process, &result, 0);
    while (waited < 0 && errno == EINTR);
    if (waited < 0)
        return tl_fail_errno(error, film, "wait for ffmpeg");
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0)
        return TL_OK;
    char messages[400];
    read_messages(e, messages, sizeof messages);
    return tl_fail(error, TL_IO_FAILED, film, "the pictures are kept: make the film again",
                   "ffmpeg %s %d: %s", WIFSIGNALED(result) ? "was ended by signal" : "failed with",
                   WIFSIGNALED(result) ? WTERMSIG(result) : WEXITSTATUS(result),
                   messages[0] ? messages : "it said nothing");
}

tl_status tl_encoder_finish(tl_encoder *e, const char *film, tl_error *error) {
    const tl_status status = wait_for_end(e, film, error);
    close_encoder(e);
    return status;
}
