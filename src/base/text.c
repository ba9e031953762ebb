/* See text.h. */
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `length` more bytes and the terminator. */
static bool make_room(tl_text *text, size_t length) {
    if (text->failed || length > SIZE_MAX / 4 - text->length)
        text->failed = true;
    const size_t needed = text->length + length + 1;
    if (text->failed || needed <= text->room)
        return !text->failed;
    const size_t room = needed + text->room / 2;
    char *grown = realloc(text->bytes, room);
    text->failed = !grown;
    if (grown)
        text->bytes = grown, text->room = room;
    return !text->failed;
}

void tl_text_add(tl_text *text, const char *bytes, size_t length) {
    if (!make_room(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

void tl_text_print(tl_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0 && make_room(text, (size_t)length)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void tl_text_roff(tl_text *text, const char *words) {
    static const struct {
        char letter;
        const char *name;
    } special[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                   {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    bool line_start = true;
    for (; *words; words++) {
        const char *name = line_start && *words == '.' ? "\\&." : NULL;
        for (size_t i = 0; i < sizeof special / sizeof *special; i++)
            name = *words == special[i].letter ? special[i].name : name;
        tl_text_add(text, name ? name : words, name ? strlen(name) : 1);
        line_start = *words == '\n';
    }
}

void tl_text_number(tl_text *text, double value) {
    char digits[40];
    if (fabs(value) < 1e15 && value == trunc(value)) {
        tl_text_print(text, "%.0f", value);
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value || isnan(value))
            break;
    }
    tl_text_add(text, digits, strlen(digits));
}

void tl_copy_words(char *out, size_t size, const char *text) {
    static const char more[] = " …";
    const size_t length = strlen(text);
    if (length < size) {
        memcpy(out, text, length + 1);
        return;
    }
    size_t end = size - sizeof more;
    while (end > 0 && text[end] != ' ')
        end--;
    if (end == 0) /* one endless word: no byte of a character may be left over */
        for (end = size - sizeof more; end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80;)
            end--;
    memcpy(out, text, end);
    memcpy(out + end, more, sizeof more);
}

static char fold(char c) { return c == '-' ? '_' : (char)tolower((unsigned char)c); }

/* Edits (insert, delete, replace, swap neighbours) from a to b; words longer than the table never
 * match. */
static size_t edit_distance(const char *a, const char *b) {
    enum { LONGEST = 48 };
    const size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= m; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            const size_t replace = d[i - 1][j - 1] + (fold(a[i - 1]) != fold(b[j - 1]));
            size_t best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (replace < best)
                best = replace;
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]) && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[n][m];
}

const char *tl_nearest_word(const char *word, const char *const *candidates, size_t count) {
    const char *nearest = NULL;
    const size_t length = strlen(word);
    size_t best = 1 + length / 4; /* beyond that it is another word: copper is no solder */
    for (size_t i = 0; i < count; i++) {
        const size_t distance = edit_distance(word, candidates[i]);
        if (distance < best || (distance == best && !nearest)) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}
