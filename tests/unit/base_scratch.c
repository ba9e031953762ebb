/* Scratch: pieces stand apart, are gone when released, and tell who wrote past its end. */
#include "base/scratch.h"

#include <criterion/criterion.h>
#include <string.h>

static tl_scratch scratch_for(size_t bytes) {
    tl_scratch s = {0};
    cr_assert_eq(tl_scratch_reserve(&s, bytes, NULL), TL_OK);
    return s;
}

Test(scratch, pieces_are_aligned_and_do_not_overlap) {
    const size_t room = tl_scratch_room(5, sizeof(double)) + tl_scratch_room(3, 1) +
                        tl_scratch_room(1000, sizeof(float));
    tl_scratch s = scratch_for(room);
    double *a = TL_SCRATCH_TAKE(&s, double, 5, "a");
    char *b = TL_SCRATCH_TAKE(&s, char, 3, "b");
    float *c = TL_SCRATCH_TAKE(&s, float, 1000, "c");
    cr_assert_eq((uintptr_t)a % TL_ALIGNMENT + (uintptr_t)b % TL_ALIGNMENT, 0);
    cr_assert_eq((uintptr_t)c % TL_ALIGNMENT, 0);
    memset(c, 3, 1000 * sizeof *c);
    memset(b, 2, 3);
    for (int i = 0; i < 5; i++)
        a[i] = i;
    cr_assert(a[4] == 4 && b[0] == 2 && b[2] == 2);
    cr_assert(tl_scratch_is_whole(&s, NULL));
    cr_assert_leq(s.used, room, "what was reserved is enough");
    tl_scratch_release(&s, 0);
    tl_scratch_free(&s);
}

Test(scratch, what_is_released_is_taken_again_and_what_was_below_stays) {
    tl_scratch s = scratch_for(2 * tl_scratch_room(100, sizeof(int)));
    cr_assert_null(tl_scratch_top(&s));
    int *kept = TL_SCRATCH_TAKE(&s, int, 100, "kept");
    kept[99] = 7;
    const size_t mark = tl_scratch_mark(&s), bytes = tl_scratch_bytes(&s);
    const int *first = NULL;
    for (int phase = 0; phase < 3; phase++) {
        int *own = TL_SCRATCH_TAKE(&s, int, 100, "own");
        memset(own, phase, 100 * sizeof *own);
        first = first ? first : own;
        cr_assert_eq(own, first);
        cr_assert_str_eq(tl_scratch_top(&s), "own");
        tl_scratch_release(&s, mark);
        cr_assert_str_eq(tl_scratch_top(&s), "kept");
    }
    cr_assert_eq(kept[99], 7);
    cr_assert_eq(tl_scratch_bytes(&s), bytes, "nothing is allocated by taking");
    tl_scratch_release(&s, 0);
    cr_assert_null(tl_scratch_top(&s));
    tl_scratch_free(&s);
}

Test(scratch, what_is_written_past_the_end_is_found_and_named) {
    tl_scratch s = scratch_for(3 * tl_scratch_room(64, 1));
    TL_SCRATCH_TAKE(&s, char, 64, "good");
    char *bad = TL_SCRATCH_TAKE(&s, char, 64, "bad");
    char *last = TL_SCRATCH_TAKE(&s, char, 64, "last");
    const char *name = NULL;
    cr_assert(tl_scratch_is_whole(&s, &name));
    char kept[64];
    memcpy(kept, bad + 64, sizeof kept);
    memset(bad + 64, 1, 64);
    cr_assert(!tl_scratch_is_whole(&s, &name));
    cr_assert_str_eq(name, "bad");
    memcpy(bad + 64, kept, sizeof kept);
    cr_assert(tl_scratch_is_whole(&s, &name));
    memset(last + 64, 1, 64);
    cr_assert(!tl_scratch_is_whole(&s, &name));
    cr_assert_str_eq(name, "last");
    tl_array_free(s.block);
}

Test(scratch, room_grows_while_nothing_is_taken) {
    tl_scratch s = scratch_for(tl_scratch_room(10, 1));
    cr_assert_eq(tl_scratch_reserve(&s, tl_scratch_room(10000, 1), NULL), TL_OK);
    char *a = TL_SCRATCH_TAKE(&s, char, 5000, "a");
    const size_t mark = tl_scratch_mark(&s);
    /* What fits in beside it may be asked for while it is there. */
    cr_assert_eq(tl_scratch_reserve(&s, tl_scratch_room(4000, 1), NULL), TL_OK);
    char *b = TL_SCRATCH_TAKE(&s, char, 4000, "b");
    memset(a, 1, 5000), memset(b, 2, 4000);
    cr_assert_eq(a[4999], 1);
    tl_scratch_release(&s, mark);
    tl_scratch_release(&s, 0);
    tl_error error = {0};
    cr_assert_eq(tl_scratch_reserve(&s, tl_scratch_room(SIZE_MAX, 8), &error), TL_NO_MEMORY);
    tl_scratch_free(&s);
}
