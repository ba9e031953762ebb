/* Files are there as a whole or not at all, and what goes wrong is named. */
#include "scratch_folder.h"

#include <errno.h>
#include <sys/stat.h>

TestSuite(file, .init = scratch_make, .fini = scratch_remove);

Test(file, nothing_is_there_before_the_commit_and_all_of_it_after) {
    tl_file file;
    size_t size;
    spill(in_scratch("f"), "old", 3);
    cr_assert_eq(tl_file_begin(&file, in_scratch("f"), NULL), TL_OK);
    cr_assert_eq(tl_file_begin(&(tl_file){0}, in_scratch("no/such/folder"), NULL), TL_IO_FAILED);
    fputs("the new text", file.stream);
    fflush(file.stream);
    char *text = slurp(in_scratch("f"), &size);
    cr_assert_str_eq(text, "old");
    free(text);
    cr_assert_eq(tl_file_commit(&file, NULL), TL_OK);
    text = slurp(in_scratch("f"), &size);
    cr_assert_str_eq(text, "the new text");
    cr_assert_eq(size, 12);
    cr_assert_eq(scratch_files(false), 1);
    tl_file_discard(&file);
    cr_assert_eq(scratch_files(false), 1);
    free(text);
}

Test(file, what_is_discarded_leaves_no_trace) {
    tl_file file;
    cr_assert_eq(tl_file_begin(&file, in_scratch("f"), NULL), TL_OK);
    fputs("text", file.stream);
    tl_file_discard(&file);
    tl_file_discard(&file);
    cr_assert_eq(scratch_files(false), 0);
    cr_assert_eq(tl_file_begin(&file, in_scratch("no/folder"), NULL), TL_IO_FAILED);
    tl_file_discard(&file);
}

/* Writes `size` bytes in pieces of `piece` where only `limit` fit. */
static void fails_on_a_full_disk(size_t size, size_t piece, rlim_t limit) {
    static char bytes[100000];
    tl_file file;
    tl_error error = {0};
    limit_disk(limit);
    cr_assert_eq(tl_file_begin(&file, in_scratch("f"), NULL), TL_OK);
    for (size_t done = 0; done < size; done += piece)
        fwrite(bytes, 1, piece, file.stream);
    errno = 0;
    const tl_status status = tl_file_commit(&file, &error);
    limit_disk(RLIM_INFINITY);
    cr_assert_eq(status, TL_IO_FAILED);
    cr_assert(strstr(error.what, "File too large"), "%zu by %zu: %s", size, piece, error.what);
    cr_assert(strstr(error.where, "/f"), "%s", error.where);
    cr_assert_eq(scratch_files(false), 0);
    tl_file_discard(&file);
}

Test(file, a_full_disk_is_given_as_the_reason_and_leaves_nothing) {
    fails_on_a_full_disk(50, 50, 10);            /* found out by the flush */
    fails_on_a_full_disk(50, 50, 0);             /* nothing fits at all */
    fails_on_a_full_disk(100000, 100, 6000);     /* by a write long before the commit */
    fails_on_a_full_disk(100000, 100000, 50000); /* by a write that is too large to be buffered */
    fails_on_a_full_disk(98304, 32768, 65536);   /* exactly between two writes */
}

Test(file, one_that_cannot_be_renamed_leaves_nothing) {
    tl_file file;
    tl_error error = {0};
    cr_assert_eq(mkdir(in_scratch("taken"), 0777), 0);
    cr_assert_eq(tl_file_begin(&file, in_scratch("taken"), NULL), TL_OK);
    cr_assert_eq(tl_file_commit(&file, &error), TL_IO_FAILED);
    cr_assert(strstr(error.what, "Is a directory"), "%s", error.what);
    cr_assert_eq(scratch_files(false), 1);
    rmdir(in_scratch("taken"));
}

Test(file, publishing_what_is_not_there_fails_with_the_reason) {
    tl_error error = {0};
    cr_assert_eq(tl_file_publish(in_scratch("a.part"), in_scratch("a"), &error), TL_IO_FAILED);
    cr_assert(strstr(error.what, "No such file"), "%s", error.what);
}

Test(file, endless_paths_are_refused) {
    char path[2000];
    tl_file file;
    tl_error error = {0};
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = 0;
    cr_assert_eq(tl_file_begin(&file, path, &error), TL_IO_FAILED);
    cr_assert(strstr(error.what, "too long"));
    tl_file_discard(&file);
    cr_assert_eq(tl_folder_make(path, &error), TL_IO_FAILED);
    cr_assert(strstr(error.what, "too long"));
}

Test(file, reads_all_of_a_file_up_to_the_limit) {
    char bytes[20000], *found;
    size_t size;
    tl_error error = {0};
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    const size_t sizes[] = {0, 1, 4095, 4096, 8191, 8192, 8193, 20000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        spill(in_scratch("f"), bytes, sizes[s]);
        cr_assert_eq(tl_file_read(in_scratch("f"), sizes[s], &found, &size, &error), TL_OK);
        cr_assert(size == sizes[s] && memcmp(found, bytes, size) == 0 && found[size] == 0);
        free(found);
        if (sizes[s] == 0)
            continue;
        cr_assert_eq(tl_file_read(in_scratch("f"), sizes[s] - 1, &found, &size, &error),
                     TL_BAD_INPUT);
        cr_assert(strstr(error.what, "too many") && strstr(error.where, "/f"));
    }
}

Test(file, what_tells_no_size_is_read_up_to_the_limit) {
    char *found;
    size_t size;
    tl_error error = {0};
    cr_assert_eq(tl_file_read("/dev/zero", 100000, &found, &size, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "more than 100000"), "%s", error.what);
    cr_assert_eq(tl_file_read("/proc/self/status", 1 << 20, &found, &size, &error), TL_OK);
    cr_assert(size > 100 && strstr(found, "Name:"));
    free(found);
}

Test(file, what_cannot_be_read_is_named) {
    char *found;
    size_t size;
    tl_error error = {0};
    cr_assert_eq(tl_file_read(in_scratch("none"), 100, &found, &size, &error), TL_IO_FAILED);
    cr_assert(strstr(error.what, "No such file") && strstr(error.where, "/none"));
    cr_assert_str_not_empty(error.fix);
    cr_assert_eq(tl_file_read(scratch, 100, &found, &size, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "folder"));
    cr_assert_eq(tl_file_read(in_scratch("none"), 100, &found, &size, NULL), TL_IO_FAILED);
}

Test(file, folders_are_made_with_their_parents_and_may_exist) {
    cr_assert_eq(tl_folder_make(in_scratch("a//b/c/"), NULL), TL_OK);
    cr_assert_eq(tl_folder_make(in_scratch("a/b/c"), NULL), TL_OK);
    cr_assert_eq(tl_folder_make("/", NULL), TL_OK);
    cr_assert(tl_file_exists(in_scratch("a/b/c")));
    cr_assert_not(tl_file_exists(in_scratch("a/b/d")));
    rmdir(in_scratch("a/b/c"));
    rmdir(in_scratch("a/b"));
    rmdir(in_scratch("a"));
}

Test(file, a_file_in_the_way_of_a_folder_is_named) {
    tl_error error = {0};
    spill(in_scratch("f"), "x", 1);
    cr_assert_eq(tl_folder_make(in_scratch("f"), &error), TL_IO_FAILED);
    cr_assert(strstr(error.what, "Not a directory") && strstr(error.where, "/f"));
    cr_assert_eq(tl_folder_make(in_scratch("f/g"), &error), TL_IO_FAILED);
    cr_assert(strstr(error.what, "Not a directory"), "%s", error.what);
}

Test(file, a_folder_without_a_name_is_refused) {
    tl_error error = {0};
    cr_assert_eq(tl_folder_make("", &error), TL_IO_FAILED);
    cr_assert(strstr(error.what, "No such file"), "%s", error.what);
}
