/* A folder of its own for each test, and what tests of files ask of it. */
#ifndef TL_TESTS_SCRATCH_FOLDER_H
#define TL_TESTS_SCRATCH_FOLDER_H

#include "base/file.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char scratch[256];

static void scratch_make(void) {
    const char *base = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/tallow-test-XXXXXX", base ? base : "/tmp");
    cr_assert(mkdtemp(scratch), "cannot make %s", scratch);
}

/* Number of files; removes them when asked. */
static size_t scratch_files(bool remove_them) {
    size_t count = 0;
    DIR *folder = opendir(scratch);
    cr_assert(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            count++;
            if (remove_them)
                unlinkat(dirfd(folder), entry->d_name, 0);
        }
    closedir(folder);
    return count;
}

static void scratch_remove(void) {
    scratch_files(true);
    rmdir(scratch);
}

/* Criterion does not tidy up after a test that is skipped. */
#define SKIP(reason)                                                                               \
    do {                                                                                           \
        scratch_remove();                                                                          \
        cr_skip(reason);                                                                           \
    } while (0)

/* A path in the folder; good until the fourth call after. */
static inline const char *in_scratch(const char *name) {
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
    return path;
}

static inline char *slurp(const char *path, size_t *size) {
    char *bytes = NULL;
    tl_error error;
    cr_assert_eq(tl_file_read(path, (size_t)1 << 30, &bytes, size, &error), TL_OK, "%s",
                 error.what);
    return bytes;
}

static inline void spill(const char *path, const char *bytes, size_t size) {
    FILE *stream = fopen(path, "wb");
    cr_assert(stream && fwrite(bytes, 1, size, stream) == size);
    fclose(stream);
}

/* From here on a write past `bytes` of a file fails, as on a full disk; RLIM_INFINITY ends it. */
static inline void limit_disk(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, RLIM_INFINITY}), 0);
}

#endif
