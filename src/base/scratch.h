/* Scratch: memory for what lives no longer than a call. One block is a stack of pieces with names;
 * whoever works takes what it needs above what its callers have taken, and goes back to where it
 * began. So phases of a step that do not overlap use the same memory without knowing each other.
 *
 *     const size_t mark = tl_scratch_mark(scratch);
 *     float *least = TL_SCRATCH_TAKE(scratch, float, n, "least viscosity");
 *     ...
 *     tl_scratch_release(scratch, mark);
 *
 * Room is made before anything is taken, by whoever knows how much a phase needs in all: taking
 * never fails, never moves what others have and costs next to nothing. Pieces are aligned for the
 * wide type and hold whatever was there before. Pieces that are too long, that are kept too long or
 * that were written past their ends are a programmer's error, which is asserted. */
#ifndef TL_BASE_SCRATCH_H
#define TL_BASE_SCRATCH_H

#include "base/array.h"

/* Zero-initialise. */
typedef struct tl_scratch {
    unsigned char *block; /* an array */
    size_t used;          /* bytes: where the next piece begins */
} tl_scratch;

/* Bytes that a piece of `count` elements takes, with what stands before it. */
size_t tl_scratch_room(size_t count, size_t size);

/* Makes room for `bytes`, the sum of tl_scratch_room of all pieces that are taken at a time.
 * Nothing may be taken now, but for what fits in with them anyway. */
tl_status tl_scratch_reserve(tl_scratch *scratch, size_t bytes, tl_error *error);

/* A piece of `count` elements. `name` must outlive it. */
#define TL_SCRATCH_TAKE(scratch, type, count, name)                                                \
    tl_scratch_take((scratch), (count), sizeof(type), (name))
void *tl_scratch_take(tl_scratch *scratch, size_t count, size_t size, const char *name);

/* Where the stack ends now; and back to there, with all that was taken since. */
size_t tl_scratch_mark(const tl_scratch *scratch);
void tl_scratch_release(tl_scratch *scratch, size_t mark);

/* The name of the piece that was taken last; NULL: nothing is taken. */
const char *tl_scratch_top(const tl_scratch *scratch);

/* False when something was written past the end of a piece that is taken; *name is whose. */
bool tl_scratch_is_whole(const tl_scratch *scratch, const char **name);

size_t tl_scratch_bytes(const tl_scratch *scratch);

/* Everything must have been released. */
void tl_scratch_free(tl_scratch *scratch);

#endif
