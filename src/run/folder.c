/* See folder.h. */
#include "run/folder.h"

#include "base/array.h"
#include "base/file.h"
#include "base/timer.h"
#include "plot/plot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* What kind of file of a run a name stands for. */
typedef enum kind { NUMBERED, SNAPSHOT, RESULT, RECORD } kind;

typedef struct entry {
    kind kind;
    bool is_part; /* half-written */
    tl_run_snapshot at;
} entry;

static const char *const subfolders[] = {"", "frames", "pictures", "plots", "snapshots", "surface"};
enum { SUBFOLDERS = sizeof subfolders / sizeof *subfolders };

char *tl_run_path(const char *path, char *out, const char *format, ...) {
    const int length = snprintf(out, TL_RUN_PATH, "%s/", path);
    va_list arguments;
    va_start(arguments, format);
    if (length > 0 && length < TL_RUN_PATH)
        vsnprintf(out + length, (size_t)(TL_RUN_PATH - length), format, arguments);
    va_end(arguments);
    return out;
}

char *tl_run_snapshot_path(const char *path, const tl_run_snapshot *snapshot, char *out) {
    if (snapshot->step == 0)
        return tl_run_path(path, out, "snapshots/%05" PRId64 ".h5", snapshot->frame);
    return tl_run_path(path, out, "snapshots/%05" PRId64 "-step-%" PRIu64 ".h5", snapshot->frame,
                       snapshot->step);
}

static const char *skip_digits(const char *text, uint64_t *value) {
    char *end;
    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno ? NULL : end;
}

/* True when a run makes files of this name in this subfolder. */
static bool parse_name(const char *subfolder, const char *name, entry *out) {
    static const char *const records[] = {"run.yaml",   "ledger.csv", "measures.csv",
                                          "frames.pvd", "log.txt",    "steering.txt"};
    static const char *const results[] = {"result.json", "film.mp4",         "film.webm",
                                          "film.gif",    "film.gif.palette", "poster.png"};
    *out = (entry){.kind = RECORD};
    char bare[256];
    const size_t length = strlen(name);
    if (length >= sizeof bare)
        return false;
    memcpy(bare, name, length + 1);
    if (length > 5 && strcmp(bare + length - 5, ".part") == 0) {
        out->is_part = true;
        bare[length - 5] = 0;
    }
    if (!*subfolder) {
        for (size_t i = 0; i < sizeof records / sizeof *records; i++)
            if (strcmp(bare, records[i]) == 0)
                return true;
        out->kind = RESULT;
        for (size_t i = 0; i < sizeof results / sizeof *results; i++)
            if (strcmp(bare, results[i]) == 0)
                return true;
        return false;
    }
    if (strcmp(subfolder, "plots") == 0) {
        out->kind = RESULT;
        return tl_plot_makes(bare);
    }
    const bool is_snapshot = strcmp(subfolder, "snapshots") == 0;
    out->kind = is_snapshot ? SNAPSHOT : NUMBERED;
    uint64_t frame;
    const char *rest = skip_digits(bare, &frame);
    if (!rest || frame > INT64_MAX)
        return false;
    out->at.frame = (int64_t)frame;
    if (is_snapshot && strncmp(rest, "-step-", 6) == 0)
        rest = skip_digits(rest + 6, &out->at.step);
    const char *suffix = is_snapshot                         ? ".h5"
                         : strcmp(subfolder, "frames") == 0  ? ".vtp"
                         : strcmp(subfolder, "surface") == 0 ? ".ply"
                                                             : ".png";
    return rest && strcmp(rest, suffix) == 0;
}

static int compare_snapshots(const void *a, const void *b) {
    const tl_run_snapshot *s = a, *t = b;
    if (s->frame != t->frame)
        return s->frame < t->frame ? -1 : 1;
    return (s->step > t->step) - (s->step < t->step);
}

/* Whether clean() removes an entry. */
typedef bool doomed_fn(const entry *item, const tl_run_snapshot *after);

static bool is_part(const entry *item, const tl_run_snapshot *after) {
    (void)after;
    return item->is_part;
}

static bool is_of_run(const entry *item, const tl_run_snapshot *after) {
    (void)item, (void)after;
    return true;
}

static bool is_later(const entry *item, const tl_run_snapshot *after) {
    switch (item->kind) {
    case NUMBERED: return item->at.frame > after->frame;
    case SNAPSHOT: return compare_snapshots(&item->at, after) > 0;
    case RESULT: return true;
    case RECORD: break;
    }
    return false;
}

/* Removes the doomed files of a run from one subfolder; log.txt, which carries the lock, stays. */
static tl_status clean_subfolder(const char *path, const char *subfolder, doomed_fn *doomed,
                                 const tl_run_snapshot *after, tl_error *error) {
    char name[TL_RUN_PATH];
    DIR *folder = opendir(tl_run_path(path, name, "%s", subfolder));
    if (!folder)
        return errno == ENOENT ? TL_OK : tl_fail_errno(error, name, "read the folder");
    tl_status status = TL_OK;
    for (struct dirent *item; status == TL_OK && (item = readdir(folder));) {
        entry found;
        if (strcmp(item->d_name, "log.txt") == 0 || !parse_name(subfolder, item->d_name, &found) ||
            !doomed(&found, after))
            continue;
        tl_run_path(path, name, "%s/%s", subfolder, item->d_name);
        if (unlink(name) != 0 && errno != ENOENT)
            status = tl_fail_errno(error, name, "remove");
    }
    closedir(folder);
    return status;
}

static tl_status clean(const char *path, doomed_fn *doomed, const tl_run_snapshot *after,
                       tl_error *error) {
    for (size_t i = 0; i < SUBFOLDERS; i++)
        TL_TRY(clean_subfolder(path, subfolders[i], doomed, after, error));
    return TL_OK;
}

/* True for a subfolder of runs in which nothing stands yet. */
static bool is_empty_subfolder(const char *path, const char *name) {
    bool is_ours = false, is_empty = true;
    for (size_t i = 1; i < SUBFOLDERS; i++)
        is_ours = is_ours || strcmp(name, subfolders[i]) == 0;
    char inner[TL_RUN_PATH];
    DIR *folder = is_ours ? opendir(tl_run_path(path, inner, "%s", name)) : NULL;
    if (!folder)
        return false;
    for (struct dirent *item; (item = readdir(folder));)
        is_empty = is_empty && (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0);
    closedir(folder);
    return is_empty;
}

/* What a run that was killed in its first moments leaves does not count. */
static tl_status has_contents(const char *path, bool *out, tl_error *error) {
    *out = false;
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOENT ? TL_OK : tl_fail_errno(error, path, "read the folder");
    for (struct dirent *item; (item = readdir(folder));) {
        entry found;
        const char *name = item->d_name;
        const bool is_nothing = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
                                strcmp(name, "log.txt") == 0 || is_empty_subfolder(path, name) ||
                                (parse_name("", name, &found) && found.is_part);
        *out = *out || !is_nothing;
    }
    closedir(folder);
    return TL_OK;
}

/* Opens and locks log.txt. */
static tl_status lock(tl_run_folder *folder, const char *path, tl_error *error) {
    char name[TL_RUN_PATH];
    *folder = (tl_run_folder){.log = -1, .began = tl_now()};
    if ((size_t)snprintf(folder->path, sizeof folder->path, "%s", path) >= sizeof folder->path)
        return tl_fail(error, TL_IO_FAILED, NULL, "use a shorter folder name", "path too long");
    folder->log =
        open(tl_run_path(path, name, "log.txt"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (folder->log < 0)
        return tl_fail_errno(error, name, "write");
    if (flock(folder->log, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        tl_run_folder_release(folder);
        return tl_fail(error, TL_BAD_INPUT, path, "wait for it, or choose another folder with -o",
                       "another run is at work in this folder");
    }
    return TL_OK; /* a file system without locks gives none, and the run goes on */
}

static tl_status make_subfolders(const char *path, tl_error *error) {
    char name[TL_RUN_PATH];
    for (size_t i = 1; i < SUBFOLDERS; i++)
        TL_TRY(tl_folder_make(tl_run_path(path, name, "%s", subfolders[i]), error));
    return TL_OK;
}

tl_status tl_run_folder_check(const char *path, tl_error *error) {
    bool taken;
    TL_TRY(has_contents(path, &taken, error));
    if (!taken)
        return TL_OK;
    return tl_fail(error, TL_BAD_INPUT, path,
                   "--force replaces an earlier run; -o chooses another folder",
                   "this folder is not empty");
}

/* With the lock held, so that of two runs that begin at once only one gets here. */
static tl_status empty(const tl_run_folder *folder, bool force, tl_error *error) {
    if (!force)
        TL_TRY(tl_run_folder_check(folder->path, error));
    TL_TRY(clean(folder->path, is_of_run, NULL, error));
    if (ftruncate(folder->log, 0) != 0)
        return tl_fail_errno(error, folder->path, "empty log.txt of");
    return make_subfolders(folder->path, error);
}

tl_status tl_run_folder_take(tl_run_folder *folder, const char *path, bool force, tl_error *error) {
    folder->log = -1;
    TL_TRY(tl_folder_make(path, error));
    if (!force) /* asked before log.txt is opened too: a refusal leaves no trace */
        TL_TRY(tl_run_folder_check(path, error));
    TL_TRY(lock(folder, path, error));
    const tl_status status = empty(folder, force, error);
    if (status != TL_OK)
        tl_run_folder_release(folder);
    return status;
}

tl_status tl_run_folder_reopen(tl_run_folder *folder, const char *path, tl_error *error) {
    char name[TL_RUN_PATH];
    folder->log = -1;
    if (!tl_file_exists(tl_run_path(path, name, "run.yaml")))
        return tl_fail(error, TL_BAD_INPUT, path, "name the folder of a run, such as out/dam-break",
                       tl_file_exists(path) ? "no run.yaml in this folder: nothing to resume"
                                            : "no such folder");
    TL_TRY(lock(folder, path, error));
    tl_status status = clean(path, is_part, NULL, error);
    if (status == TL_OK)
        status = make_subfolders(path, error);
    if (status != TL_OK)
        tl_run_folder_release(folder);
    return status;
}

tl_status tl_run_folder_rewind(const tl_run_folder *folder, const tl_run_snapshot *snapshot,
                               tl_error *error) {
    return clean(folder->path, is_later, snapshot, error);
}

tl_status tl_run_folder_drop_pictures(const char *path, tl_error *error) {
    char name[TL_RUN_PATH];
    TL_TRY(clean_subfolder(path, "pictures", is_of_run, NULL, error));
    rmdir(tl_run_path(path, name, "pictures")); /* what others put there stays, with the folder */
    return TL_OK;
}

void tl_run_folder_release(tl_run_folder *folder) {
    if (folder->log >= 0)
        close(folder->log);
    folder->log = -1;
}

bool tl_run_folder_is_locked(const char *path) {
    char name[TL_RUN_PATH];
    const int log = open(tl_run_path(path, name, "log.txt"), O_RDONLY | O_CLOEXEC);
    if (log < 0)
        return false;
    const bool locked = flock(log, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(log);
    return locked;
}

tl_status tl_run_snapshots(const char *path, tl_run_snapshot **out, size_t *count,
                           tl_error *error) {
    char name[TL_RUN_PATH];
    *out = NULL;
    *count = 0;
    DIR *folder = opendir(tl_run_path(path, name, "snapshots"));
    if (!folder)
        return errno == ENOENT ? TL_OK : tl_fail_errno(error, name, "read the folder");
    tl_run_snapshot *list = NULL;
    tl_status status = TL_OK;
    for (struct dirent *item; status == TL_OK && (item = readdir(folder));) {
        entry found;
        if (!parse_name("snapshots", item->d_name, &found) || found.is_part)
            continue;
        status = TL_ARRAY_RESERVE(list, *count, *count + 1, error);
        if (status == TL_OK)
            list[(*count)++] = found.at;
    }
    closedir(folder);
    if (*count > 0)
        qsort(list, *count, sizeof *list, compare_snapshots);
    *out = list;
    return status;
}

tl_status tl_run_prune_snapshots(const char *path, size_t keep, tl_error *error) {
    tl_run_snapshot *list;
    size_t count;
    if (keep == 0)
        return TL_OK;
    tl_status status = tl_run_snapshots(path, &list, &count, error);
    for (size_t i = 0; status == TL_OK && i + keep < count; i++) {
        char name[TL_RUN_PATH];
        if (unlink(tl_run_snapshot_path(path, &list[i], name)) != 0 && errno != ENOENT)
            status = tl_fail_errno(error, name, "remove");
    }
    tl_array_free(list);
    return status;
}

void tl_run_folder_log(void *context, tl_log_level level, const char *message) {
    static const char *const words[] = {"debug", "info", "warning", "error"};
    const tl_run_folder *folder = context;
    char line[1200];
    const int length = snprintf(line, sizeof line, "%10.3f %-7s %s\n", tl_now() - folder->began,
                                words[level], message);
    /* A log that cannot be written, as on a full disk, must not end the run. */
    if (folder->log >= 0 && length > 0)
        (void)!write(folder->log, line,
                     (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}
