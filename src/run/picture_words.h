/* The words on pictures: title, time, and a bar that tells how long things are. */
#ifndef TL_RUN_PICTURE_WORDS_H
#define TL_RUN_PICTURE_WORDS_H

#include "run/picture_looks.h"

/* Texts that a shot borrows. */
typedef struct tl_picture_words {
    char caption[112], legend[96], scale[32];
} tl_picture_words;

/* Adds to the view of a shot, whose camera is known, the words that its options ask for, and prints
 * the label of its legend. */
void tl_shot_add_words(tl_shot *shot, tl_picture_words *words);

#endif
