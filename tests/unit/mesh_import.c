/* Files that a library reads in a child process: what is wrong with them never ends the program. */
#include "mesh/child.h"
#include "mesh/load.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The child ---- */

static const tl_child_limits limits = {.seconds = 1, .memory = 1 << 28};

static void answer(void *context, int pipe) { tl_child_write(pipe, context, 5); }

static void crash(void *context, int pipe) {
    (void)context, (void)pipe;
    raise(SIGSEGV);
}

static void give_up(void *context, int pipe) {
    (void)context, (void)pipe;
    fprintf(stderr, "nobody is to see this\n");
    abort();
}

static void hang(void *context, int pipe) {
    (void)context, (void)pipe;
    for (volatile int forever = 1; forever;)
        ;
}

static void devour(void *context, int pipe) {
    (void)context;
    volatile char *lump = malloc((size_t)1 << 30);
    if (lump) {
        lump[0] = 1;
        tl_child_write(pipe, "fed", 4);
    }
    abort();
}

static tl_child_fate fate_of(tl_child_fn *work, bool *answered) {
    tl_child child;
    char bytes[5];
    char greeting[] = "hello";
    cr_assert_eq(tl_child_begin(&child, work, greeting, &limits, NULL), TL_OK);
    *answered = tl_child_read(&child, bytes, 4);
    return tl_child_end(&child);
}

Test(child, crashes_hangs_and_hunger_end_the_child_alone) {
    bool answered;
    fate_of(answer, &answered);
    cr_assert(answered);
    cr_assert_eq(fate_of(crash, &answered), TL_CHILD_CRASHED);
    cr_assert_not(answered);
    cr_assert_eq(fate_of(give_up, &answered), TL_CHILD_CRASHED);
    cr_assert_not(answered);
    cr_assert_eq(fate_of(hang, &answered), TL_CHILD_LATE);
    cr_assert_not(answered);
    cr_assert_eq(fate_of(devour, &answered), TL_CHILD_CRASHED);
    cr_assert_not(answered, "more memory than it may have");
}

Test(child, a_program_that_ignores_its_children_gets_answers) {
    bool answered;
    signal(SIGCHLD, SIG_IGN);
    fate_of(answer, &answered);
    cr_assert(answered);
    fate_of(crash, &answered);
    cr_assert_not(answered);
}

static void handle(int number) {
    (void)number;
    _exit(0);
}

Test(child, handlers_of_the_program_do_not_hear_of_it) {
    bool answered;
    signal(SIGSEGV, handle);
    signal(SIGABRT, handle);
    cr_assert_eq(fate_of(crash, &answered), TL_CHILD_CRASHED);
    cr_assert_eq(fate_of(give_up, &answered), TL_CHILD_CRASHED);
}

/* ---- Files ---- */

static const char *refusal(const char *ending, const char *text) {
    static tl_error error;
    char path[64];
    snprintf(path, sizeof path, P_tmpdir "/tallow-import-XXXXXX%s", ending);
    const int file = mkstemps(path, (int)strlen(ending));
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    tl_mesh mesh = {0};
    error.what[0] = 0;
    const tl_status status = tl_mesh_load(path, &mesh, &error);
    unlink(path);
    tl_mesh_free(&mesh);
    cr_assert(status == TL_OK || status == TL_BAD_INPUT);
    cr_assert((status == TL_OK) == (error.what[0] == 0));
    return error.what;
}

Test(import, a_head_that_counts_more_than_there_is_is_refused) {
    if (!tl_mesh_has_assimp())
        return;
    const char *what = refusal(".ply", "ply\nformat ascii 1.0\nelement vertex 4294967295\n"
                                       "property float x\nend_header\n0\n");
    cr_assert(strstr(what, "counts 4294967295"), "%s", what);
    what = refusal(".ply", "ply\nformat binary_little_endian 1.0\nelement vertex 3\n"
                           "property float x\nelement face 99999\nproperty list uchar int "
                           "vertex_indices\nend_header\n0\n");
    cr_assert(strstr(what, "counts 99999"), "%s", what);
    what = refusal(".off", "OFF\n# many\n3 1000000000 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    cr_assert(strstr(what, "counts 1000000000"), "%s", what);
    /* Over this one assimp 5.2 would turn for ever. */
    what = refusal(".ply", "ply\nformat ascii 1.0\nelement vertex 8\nproperty ");
    cr_assert(strstr(what, "does not end"), "%s", what);
}

/* assimp 5.2 reads past its memory over it. */
Test(import, a_file_that_crashes_the_library_is_an_error) {
    if (!tl_mesh_has_assimp())
        return;
    const char *what = refusal(".off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    cr_assert(what[0]);
}

Test(import, a_good_file_is_read_as_before) {
    if (!tl_mesh_has_assimp())
        return;
    const char *what = refusal(".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    cr_assert_eq(what[0], 0, "%s", what);
}
