/* Films by the ffmpeg command: pictures go into its standard input as they are, its messages come
 * back through a file in memory. The input is a socket and not a pipe, because a socket can be
 * written to without SIGPIPE when ffmpeg has died, and the signals of the program are not ours. */
#include "output/film.h"

#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The pictures of a folder, in order. */
typedef struct album {
    const char *folder;
    char **names;
    size_t count, capacity;
    tl_arena memory;
} album;

static bool is_picture(const char *name) {
    const size_t length = strlen(name);
    return length > 4 && name[0] != '.' && strcmp(name + length - 4, ".png") == 0;
}

/* 99999.png comes before 100000.png. */
static int by_number(const void *a, const void *b) {
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static tl_status add_picture(album *a, const char *name, tl_error *error) {
    TL_TRY(TL_RESERVE(a->names, a->capacity, a->count, a->count + 1, error));
    a->names[a->count] = tl_arena_text(&a->memory, name, strlen(name));
    return a->names[a->count++] ? TL_OK : tl_fail_memory(error, strlen(name), 1);
}

static tl_status list_pictures(album *a, tl_error *error) {
    DIR *folder = opendir(a->folder);
    if (!folder)
        return tl_fail_errno(error, a->folder, "read the pictures");
    tl_status status = TL_OK;
    for (const struct dirent *entry; status == TL_OK && (entry = readdir(folder));)
        if (is_picture(entry->d_name))
            status = add_picture(a, entry->d_name, error);
    closedir(folder);
    if (status == TL_OK && a->count == 0)
        status = tl_fail(error, TL_BAD_INPUT, a->folder, "draw the pictures first",
                         "there are no pictures to make a film of");
    if (status == TL_OK)
        qsort(a->names, a->count, sizeof *a->names, by_number);
    return status;
}

typedef struct encoder {
    pid_t process;
    int input;    /* our end of its standard input, or -1 */
    int messages; /* what it prints to its standard error */
} encoder;

static int spawn_ffmpeg(encoder *e, int input, char *const *arguments) {
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

static void close_encoder(encoder *e) {
    if (e->input >= 0)
        close(e->input);
    if (e->messages >= 0)
        close(e->messages);
    e->input = e->messages = -1;
}

static tl_status start_encoder(encoder *e, double frame_rate, const char *temporary,
                               const char *film_path, tl_error *error) {
    char rate[40], output[1100];
    /* A fraction, because the decimal point depends on the locale. */
    snprintf(rate, sizeof rate, "%lld/1000000", llround(frame_rate * 1e6));
    snprintf(output, sizeof output, "file:%s", temporary); /* a colon in a name is no protocol */
    /* Players take HD for BT.709, while ffmpeg's own choice is BT.601. */
    const char *filter = "crop=trunc(iw/2)*2:trunc(ih/2)*2,"
                         "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";
    /* clang-format off */
    const char *arguments[] = {
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-xerror",
        "-f", "image2pipe", "-framerate", rate, "-c:v", "png", "-i", "pipe:0",
        "-vf", filter,
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
        "-c:v", "libx264", "-preset", "fast", "-crf", "18", "-movflags", "+faststart",
        "-f", "mp4", output, NULL};
    /* clang-format on */
    int ends[2];
    *e = (encoder){.input = -1, .messages = memfd_create("ffmpeg", MFD_CLOEXEC)};
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
    return tl_fail(error, TL_IO_FAILED, film_path, "install ffmpeg, then make the film again",
                   "the film needs the command ffmpeg, which is not there; the pictures are kept");
}

/* False when ffmpeg no longer listens: it will say why. */
static bool send_all(const encoder *e, const char *bytes, size_t size) {
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

static tl_status feed_encoder(const encoder *e, const album *a, tl_error *error) {
    enum { LIMIT = 1 << 30 };
    for (size_t i = 0; i < a->count; i++) {
        char path[1400], *bytes;
        size_t size;
        snprintf(path, sizeof path, "%s/%s", a->folder, a->names[i]);
        TL_TRY(tl_file_read(path, LIMIT, &bytes, &size, error));
        const bool listening = send_all(e, bytes, size);
        free(bytes);
        if (!listening)
            break;
    }
    return TL_OK;
}

/* The end of what ffmpeg printed, on one line. */
static void read_messages(const encoder *e, char *out, size_t size) {
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

/* Ends the input, waits, and tells what went wrong if something did. */
static tl_status finish_encoder(encoder *e, const char *film_path, tl_error *error) {
    close(e->input);
    e->input = -1;
    int result = 0;
    pid_t waited;
    do
        waited = waitpid(e->process, &result, 0);
    while (waited < 0 && errno == EINTR);
    if (waited < 0)
        return tl_fail_errno(error, film_path, "wait for ffmpeg");
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0)
        return TL_OK;
    char messages[400];
    read_messages(e, messages, sizeof messages);
    return tl_fail(error, TL_IO_FAILED, film_path, "the pictures are kept: make the film again",
                   "ffmpeg %s %d: %s", WIFSIGNALED(result) ? "was ended by signal" : "failed with",
                   WIFSIGNALED(result) ? WTERMSIG(result) : WEXITSTATUS(result),
                   messages[0] ? messages : "it said nothing");
}

static tl_status encode(const album *a, double frame_rate, const char *temporary,
                        const char *film_path, tl_error *error) {
    encoder e;
    TL_TRY(start_encoder(&e, frame_rate, temporary, film_path, error));
    const tl_status fed = feed_encoder(&e, a, error);
    const tl_status finished = finish_encoder(&e, film_path, fed == TL_OK ? error : NULL);
    close_encoder(&e);
    if (fed == TL_OK && finished == TL_OK)
        return tl_file_publish(temporary, film_path, error);
    unlink(temporary);
    return fed != TL_OK ? fed : finished;
}

tl_status tl_film_make(const char *picture_folder, double frame_rate, const char *film_path,
                       const tl_log *log, tl_error *error) {
    char temporary[1040];
    if (!(frame_rate >= 0.001 && frame_rate <= 1000))
        return tl_fail(error, TL_BAD_INPUT, film_path, "choose a frame rate from 0.001 to 1000",
                       "a film cannot have %g frames a second", frame_rate);
    if (strlen(film_path) >= 1024 || strlen(picture_folder) >= 1024)
        return tl_fail(error, TL_IO_FAILED, NULL, "use a shorter folder name", "path too long");
    snprintf(temporary, sizeof temporary, "%s.part", film_path);
    album a = {.folder = picture_folder};
    tl_status status = list_pictures(&a, error);
    if (status == TL_OK)
        status = encode(&a, frame_rate, temporary, film_path, error);
    if (status == TL_OK)
        tl_log_message(log, TL_LOG_INFO, "%s: %zu pictures at %g a second", film_path, a.count,
                       frame_rate);
    free(a.names);
    tl_arena_free(&a.memory);
    return status;
}
