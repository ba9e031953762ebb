/* Text: a growing buffer to print into, and the nearest word for messages. */
#ifndef TL_BASE_TEXT_H
#define TL_BASE_TEXT_H

#include "base/error.h"

/* A growing zero-terminated buffer. Zero-initialise; free `bytes` with free(). Once memory runs out
 * `failed` stays true and nothing more is added. */
typedef struct tl_text {
    char *bytes;
    size_t length, room;
    bool failed;
} tl_text;

void tl_text_add(tl_text *text, const char *bytes, size_t length);
void tl_text_print(tl_text *text, const char *format, ...) TL_PRINTF(2, 3);

/* Text for a man page: roff sees neither requests nor escapes in it. */
void tl_text_roff(tl_text *text, const char *words);

/* Shortest decimal that reads back as the same double. */
void tl_text_number(tl_text *text, double value);

/* Copies a text of words into `size` bytes, 8 at least. What does not fit is left out from the end
 * by whole words, with an ellipsis in its place. */
void tl_copy_words(char *out, size_t size, const char *text);

/* The candidate that differs from `word` by the fewest edits, or NULL when none is near enough to
 * be what was meant. Ignores case, and takes '-' and '_' for the same. */
const char *tl_nearest_word(const char *word, const char *const *candidates, size_t count);

#endif
