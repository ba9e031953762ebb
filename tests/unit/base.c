/* Memory, errors, hashes and random numbers: what every other room stands on. */
#include "base/array.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/random.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---- */

Test(memory, sizes_multiply_unless_they_overflow) {
    size_t product = 7;
    cr_assert(tl_size_multiply(SIZE_MAX / 2, 2, &product));
    cr_assert_eq(product, SIZE_MAX - 1);
    cr_assert(tl_size_multiply(SIZE_MAX, 0, &product));
    cr_assert_eq(product, 0);
    cr_assert_not(tl_size_multiply(SIZE_MAX / 2 + 1, 2, &product));
    cr_assert_not(tl_size_multiply((size_t)1 << 32, (size_t)1 << 32, &product));
}

Test(memory, allocations_are_aligned_and_zeroed) {
    const size_t counts[] = {0, 1, 7, 63, 64, 65, 1000, 100000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        /* A dirty block of the same size is likely to be handed out again. */
        void *before = malloc(counts[c] * 3 + 64);
        memset(before, 0xA5, counts[c] * 3 + 64);
        free(before);
        unsigned char *bytes = tl_allocate(counts[c], 3);
        cr_assert_not_null(bytes);
        cr_assert_eq((uintptr_t)bytes % TL_ALIGNMENT, 0);
        for (size_t i = 0; i < 3 * counts[c]; i++)
            cr_assert_eq(bytes[i], 0);
        free(bytes);
    }
}

Test(memory, allocations_that_overflow_give_nothing) {
    cr_assert_null(tl_allocate(SIZE_MAX / 2 + 1, 2));
    cr_assert_null(tl_allocate(SIZE_MAX, 1));
    cr_assert_null(tl_allocate(SIZE_MAX - TL_ALIGNMENT + 1, 1));
    cr_assert_null(tl_allocate(1, SIZE_MAX));
}

Test(memory, the_machine_has_some) { cr_assert_gt(tl_available_memory(), (size_t)1 << 20); }

Test(array, growing_keeps_what_is_used_and_zeroes_the_rest) {
    double *array = NULL;
    cr_assert_eq(tl_array_capacity(array), 0);
    for (size_t n = 0; n < 3000; n++) {
        cr_assert_eq(TL_ARRAY_RESERVE(array, n, n + 1, NULL), TL_OK);
        cr_assert_gt(tl_array_capacity(array), n);
        cr_assert_eq((uintptr_t)array % TL_ALIGNMENT, 0);
        for (size_t i = n; i < tl_array_capacity(array); i++)
            cr_assert_eq(array[i], 0);
        array[n] = (double)n + 1;
    }
    for (size_t i = 0; i < 3000; i++)
        cr_assert_eq(array[i], (double)i + 1);
    tl_array_free(array);
}

Test(array, growing_one_by_one_moves_it_rarely) {
    char *array = NULL;
    size_t moves = 0;
    for (size_t n = 0; n < 100000; n++) {
        const size_t before = tl_array_capacity(array);
        cr_assert_eq(TL_ARRAY_RESERVE(array, n, n + 1, NULL), TL_OK);
        moves += tl_array_capacity(array) != before;
    }
    cr_assert_lt(moves, 40); /* log 100000 / log 1.5 is 28 */
    tl_array_free(array);
}

Test(array, knows_its_bytes) {
    double *a = NULL;
    uint8_t *b = NULL;
    cr_assert_eq(TL_ARRAY_RESERVE(a, 0, 1000, NULL), TL_OK);
    const double *before = a;
    cr_assert_eq(TL_ARRAY_RESERVE(a, 0, 10, NULL), TL_OK);
    cr_assert_eq(a, before, "room is never given back");
    cr_assert_eq(TL_ARRAY_RESERVE(b, 0, 3, NULL), TL_OK);
    cr_assert_eq(TL_ARRAYS_BYTES(a, b, NULL), 1000 * sizeof *a + 3);
    TL_ARRAYS_FREE(a, b, NULL);
}

Test(array, one_that_cannot_grow_stays_as_it_is) {
    int *array = NULL;
    cr_assert_eq(TL_ARRAY_RESERVE(array, 0, 10, NULL), TL_OK);
    int *const before = array;
    array[9] = 9;
    tl_error error = {0};
    cr_assert_eq(TL_ARRAY_RESERVE(array, 10, SIZE_MAX / 2, &error), TL_NO_MEMORY);
    cr_assert(error.status == TL_NO_MEMORY && error.what[0] && error.fix[0]);
    cr_assert(array == before && tl_array_capacity(array) == 10 && array[9] == 9);
    cr_assert_eq(TL_ARRAY_RESERVE(array, 10, SIZE_MAX / 2, NULL), TL_NO_MEMORY);
    cr_assert_eq(TL_ARRAY_RESERVE(array, 10, 3, NULL), TL_OK);
    cr_assert(array == before && tl_array_capacity(array) == 10);
    tl_array_free(array);
}

Test(arena, blocks_do_not_overlap_and_are_zeroed_and_aligned) {
    enum { N = 2000 };
    tl_arena arena = {0};
    unsigned char *blocks[N];
    size_t sizes[N], asked = 0;
    for (size_t i = 0; i < N; i++) {
        sizes[i] = i % 50 == 49 ? 70000 + i : tl_random_bits(3, i) % 200;
        blocks[i] = tl_arena_allocate(&arena, sizes[i], 1);
        cr_assert_not_null(blocks[i]);
        cr_assert_eq((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        for (size_t b = 0; b < sizes[i]; b++)
            cr_assert_eq(blocks[i][b], 0);
        memset(blocks[i], (int)(i % 251) + 1, sizes[i]);
        asked += sizes[i];
    }
    for (size_t i = 0; i < N; i++)
        for (size_t b = 0; b < sizes[i]; b++)
            cr_assert_eq(blocks[i][b], i % 251 + 1);
    cr_assert_geq(arena.total, asked);
    tl_arena_free(&arena);
    cr_assert(arena.total == 0 && !arena.blocks);
    tl_arena_free(&arena);
}

Test(arena, nothing_and_too_much_are_told_apart) {
    tl_arena arena = {0};
    cr_assert_not_null(tl_arena_allocate(&arena, 0, 8));
    cr_assert_null(tl_arena_allocate(&arena, SIZE_MAX / 4, 8));
    cr_assert_null(tl_arena_allocate(&arena, SIZE_MAX, 1));
    cr_assert_null(tl_arena_text(&arena, "", SIZE_MAX));
    tl_arena_free(&arena);
}

Test(arena, texts_are_copied_and_ended) {
    tl_arena arena = {0};
    char source[] = "wax and honey";
    const char *copy = tl_arena_text(&arena, source, 3), *none = tl_arena_text(&arena, NULL, 0);
    memset(source, 'x', sizeof source - 1);
    cr_assert_str_eq(copy, "wax");
    cr_assert_str_eq(none, "");
    tl_arena_free(&arena);
}

/* ---- Errors and messages ---- */

Test(error, an_error_says_what_where_and_how_to_mend_it) {
    tl_error error;
    memset(&error, 'x', sizeof error);
    cr_assert_eq(tl_fail(&error, TL_BAD_INPUT, "a.yaml:1:2", "do that", "%d is %s", 3, "wrong"),
                 TL_BAD_INPUT);
    cr_assert_eq(error.status, TL_BAD_INPUT);
    cr_assert_str_eq(error.where, "a.yaml:1:2");
    cr_assert_str_eq(error.what, "3 is wrong");
    cr_assert_str_eq(error.fix, "do that");
    cr_assert_eq(tl_fail(&error, TL_DIVERGED, NULL, NULL, "x"), TL_DIVERGED);
    cr_assert(error.where[0] == 0 && error.fix[0] == 0);
    cr_assert_eq(tl_fail(NULL, TL_NO_MEMORY, "x", "y", "%s", "z"), TL_NO_MEMORY);
}

Test(error, what_does_not_fit_is_cut) {
    char flood[2000];
    tl_error error;
    memset(flood, 'x', sizeof flood - 1);
    flood[sizeof flood - 1] = 0;
    tl_fail(&error, TL_BAD_INPUT, flood, flood, "%s", flood);
    cr_assert_eq(strlen(error.where), sizeof error.where - 1);
    cr_assert_eq(strlen(error.what), sizeof error.what - 1);
    cr_assert_eq(strlen(error.fix), sizeof error.fix - 1);
}

Test(error, every_status_has_a_word_of_its_own) {
    for (int a = TL_OK; a <= TL_INTERRUPTED; a++) {
        cr_assert_str_not_empty(tl_status_name((tl_status)a));
        for (int b = TL_OK; b < a; b++)
            cr_assert_str_neq(tl_status_name((tl_status)a), tl_status_name((tl_status)b));
    }
    cr_assert_str_eq(tl_status_name((tl_status)99), "unknown");
}

static void keep_message(void *context, tl_log_level level, const char *message) {
    tl_text_print(context, "%d:%s;", (int)level, message);
}

Test(log, messages_below_the_level_are_dropped) {
    tl_text kept = {0};
    const tl_log log = {keep_message, &kept, TL_LOG_WARNING}, deaf = {.level = TL_LOG_DEBUG};
    for (int level = TL_LOG_DEBUG; level <= TL_LOG_ERROR; level++) {
        tl_log_message(&log, (tl_log_level)level, "no %d", level);
        tl_log_message(&deaf, (tl_log_level)level, "no %d", level);
        tl_log_message(NULL, (tl_log_level)level, "no %d", level);
    }
    cr_assert_str_eq(kept.bytes, "2:no 2;3:no 3;");
    free(kept.bytes);
}

/* ---- Hash and random numbers ---- */

Test(hash, sees_every_bit_and_the_length) {
    unsigned char bytes[40] = {0};
    uint64_t seen[40 * 8 + 41];
    size_t count = 0;
    for (size_t length = 0; length <= 40; length++)
        seen[count++] = tl_hash(0, bytes, length);
    for (size_t bit = 0; bit < 40 * 8; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        seen[count++] = tl_hash(0, bytes, 40);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++)
            cr_assert_neq(seen[a], seen[b], "%zu and %zu", a, b);
}

Test(hash, chains_depend_on_order_and_on_where_they_are_cut) {
    const uint64_t ab = tl_hash(tl_hash(0, "a", 1), "b", 1);
    cr_assert_neq(ab, tl_hash(tl_hash(0, "b", 1), "a", 1));
    cr_assert_neq(ab, tl_hash(0, "ab", 2));
    cr_assert_neq(ab, tl_hash(tl_hash(0, "ab", 2), "", 0));
    cr_assert_eq(ab, tl_hash(tl_hash(0, "a", 1), "b", 1));
}

Test(hash, does_not_depend_on_alignment) {
    char shifted[64];
    const char text[] = "the same bytes at another place";
    for (size_t shift = 0; shift < 8; shift++) {
        memcpy(shifted + shift, text, sizeof text);
        cr_assert_eq(tl_hash(5, shifted + shift, sizeof text), tl_hash(5, text, sizeof text));
    }
}

enum { DRAWS = 100000 };

Test(random, numbers_are_spread_evenly_over_zero_to_one) {
    double sum = 0, squares = 0;
    size_t bins[16] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double u = tl_random_uniform(42, i);
        cr_assert(u >= 0 && u < 1);
        sum += u;
        squares += u * u;
        bins[(size_t)(16 * u)]++;
    }
    /* Five standard deviations of the mean and of a bin. */
    cr_assert_float_eq(sum / DRAWS, 0.5, 5 * sqrt(1.0 / 12 / DRAWS));
    cr_assert_float_eq(squares / DRAWS, 1.0 / 3, 5 * sqrt(4.0 / 45 / DRAWS));
    for (int b = 0; b < 16; b++)
        cr_assert_float_eq((double)bins[b], DRAWS / 16.0, 5 * sqrt(DRAWS / 16.0));
}

/* Correlation of two streams, in standard deviations of that of independent ones. */
static double correlation(uint64_t seed_a, uint64_t from_a, uint64_t seed_b, uint64_t from_b) {
    double sum = 0;
    for (uint64_t i = 0; i < DRAWS; i++)
        sum += (tl_random_uniform(seed_a, from_a + i) - 0.5) *
               (tl_random_uniform(seed_b, from_b + i) - 0.5);
    return sum * 12 / sqrt(DRAWS);
}

Test(random, neighbouring_counters_and_seeds_have_nothing_in_common) {
    for (uint64_t lag = 1; lag <= 4; lag++) {
        cr_assert_lt(fabs(correlation(1, 0, 1, lag)), 5, "counter lag %d", (int)lag);
        cr_assert_lt(fabs(correlation(1, 0, 1 + lag, 0)), 5, "seed lag %d", (int)lag);
    }
    cr_assert_gt(correlation(1, 0, 1, 0), 100); /* the measure sees what is the same */
}
