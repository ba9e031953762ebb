/* Texts and numbers in them, and the word that was meant. */
#include "base/random.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text ---- */

Test(text, prints_and_grows) {
    tl_text text = {0};
    char expected[40000];
    size_t length = 0;
    for (int i = 0; i < 3000; i++) {
        tl_text_print(&text, "%d,", i);
        length += (size_t)sprintf(expected + length, "%d,", i);
        tl_text_add(&text, "ab;c", 3);
        length += (size_t)sprintf(expected + length, "ab;");
        cr_assert_eq(text.length, length);
    }
    cr_assert_str_eq(text.bytes, expected);
    cr_assert_not(text.failed);
    free(text.bytes);
}

Test(text, without_memory_it_stays_failed_and_whole) {
    tl_text text = {0};
    tl_text_add(&text, "kept", 4);
    tl_text_add(&text, "lost", SIZE_MAX / 2);
    cr_assert(text.failed);
    tl_text_add(&text, "more", 4);
    tl_text_print(&text, "%d", 7);
    cr_assert(text.failed && text.length == 4);
    cr_assert_str_eq(text.bytes, "kept");
    free(text.bytes);
}

Test(text, roff_sees_no_requests_in_words) {
    tl_text text = {0};
    tl_text_roff(&text, ".a\n'b\\c -d. `e' ~^");
    cr_assert_str_eq(text.bytes, "\\&.a\n\\(aqb\\ec \\-d. \\(gae\\(aq \\(ti\\(ha");
    free(text.bytes);
}

static const char *number(double value) {
    static char out[64];
    tl_text text = {0};
    tl_text_number(&text, value);
    snprintf(out, sizeof out, "%s", text.bytes);
    free(text.bytes);
    return out;
}

Test(text, numbers_read_back_as_the_same_bits) {
    const double chosen[] = {0.0,       -0.0,    0.1,        1e300,      -1e300,
                             DBL_MAX,   DBL_MIN, 5e-324,     -5e-324,    1e-310,
                             1.0 / 3,   1e15,    1e15 + 2,   1e16,       HUGE_VAL,
                             -HUGE_VAL, 0x1p53,  0x1p53 + 2, 123456.789, DBL_EPSILON};
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        const double back = strtod(number(chosen[i]), NULL);
        cr_assert_eq(memcmp(&back, &chosen[i], sizeof back), 0, "%a is %s", chosen[i],
                     number(chosen[i]));
    }
    for (uint64_t i = 0; i < 20000; i++) {
        const uint64_t bits = tl_random_bits(11, i);
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (isnan(value))
            continue;
        back = strtod(number(value), NULL);
        cr_assert_eq(memcmp(&back, &value, sizeof back), 0, "%a is %s", value, number(value));
    }
    cr_assert(isnan(strtod(number((double)NAN), NULL)));
}

Test(text, numbers_are_as_short_as_they_can_be) {
    cr_assert_str_eq(number(0.1), "0.1");
    cr_assert_str_eq(number(0.1 + 0.2), "0.30000000000000004");
    cr_assert_str_eq(number(5e-324), "5e-324");
    cr_assert_str_eq(number(1e300), "1e+300");
    cr_assert_str_eq(number(-2.5), "-2.5");
}

Test(text, whole_numbers_are_printed_whole) {
    cr_assert_str_eq(number(0), "0");
    cr_assert_str_eq(number(-7), "-7");
    cr_assert_str_eq(number(1000000), "1000000");
    cr_assert_str_eq(number(123456789012345), "123456789012345");
}

/* ---- Nearest word ---- */

static const char *const keys[] = {"spacing", "viscosity", "free-slip", "at", "sound_speed"};

static void suggests(const char *word, const char *expected) {
    const char *found = tl_nearest_word(word, keys, sizeof keys / sizeof keys[0]);
    cr_assert(expected ? found && strcmp(found, expected) == 0 : !found, "%s: %s, not %s", word,
              found ? found : "nothing", expected ? expected : "nothing");
}

Test(text, what_does_not_fit_is_left_out_by_whole_words) {
    char out[16];
    tl_copy_words(out, sizeof out, "red, green, bl");
    cr_expect_str_eq(out, "red, green, bl");
    tl_copy_words(out, sizeof out, "red, green, blu");
    cr_expect_str_eq(out, "red, green, blu");
    tl_copy_words(out, sizeof out, "red, green, blue");
    cr_expect_str_eq(out, "red, green, …");
    tl_copy_words(out, sizeof out, "one endless word");
    cr_expect_str_eq(out, "one endless …");
    tl_copy_words(out, sizeof out, "€€€€€€€€");
    cr_expect_str_eq(out, "€€€ …");
}

Test(nearest, slips_of_the_finger_are_understood) {
    suggests("spacing", "spacing");
    suggests("spcaing", "spacing"); /* swapped: one edit, not two */
    suggests("spacin", "spacing");
    suggests("spaacing", "spacing");
    suggests("spaging", "spacing");
    suggests("SPACING", "spacing");
    suggests("Free_Slip", "free-slip");
    suggests("sound-speed", "sound_speed");
    suggests("ta", "at");
}

Test(nearest, other_words_are_not_taken_for_slips) {
    suggests("gravity", NULL);
    suggests("colour", NULL);
    suggests("to", NULL);
    cr_assert_null(tl_nearest_word("spacing", keys, 0));
}

Test(nearest, the_nearer_of_two_wins_and_the_first_of_equals) {
    const char *const words[] = {"slot", "slop", "slip"};
    cr_assert_str_eq(tl_nearest_word("slipp", words, 3), "slip");
    cr_assert_str_eq(tl_nearest_word("slo", words, 3), "slot");
}

Test(nearest, endless_words_match_nothing) {
    char word[400];
    memset(word, 'x', sizeof word);
    for (size_t length = 30; length < sizeof word; length++) {
        word[length] = 0;
        suggests(word, NULL);
        word[length] = 'x';
    }
}
