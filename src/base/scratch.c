/* See scratch.h. */
#include "base/scratch.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* Stands before each piece, and behind the last one as if another began there: what is written past
 * the end of a piece breaks a seal. */
typedef struct head {
    _Alignas(TL_ALIGNMENT) const char *name;
    size_t bytes;  /* of the piece, with this */
    size_t before; /* of the piece before it; 0: it is the first */
    uint64_t seal;
} head;

static const uint64_t seal = 0x5c7a7c4b10c5ea1d;

static head *head_at(const tl_scratch *s, size_t at) { return (head *)(s->block + at); }

static void end_at(tl_scratch *s, size_t at, size_t before) {
    *head_at(s, at) = (head){.before = before, .seal = seal};
    s->used = at;
}

/* What is larger cannot be had; sums of some such pieces do not overflow. */
static const size_t most = SIZE_MAX / 64 / TL_ALIGNMENT * TL_ALIGNMENT;

size_t tl_scratch_room(size_t count, size_t size) {
    size_t bytes;
    if (!tl_size_multiply(count, size, &bytes) || bytes > most - TL_ALIGNMENT)
        return most;
    return sizeof(head) + (bytes + TL_ALIGNMENT - 1) / TL_ALIGNMENT * TL_ALIGNMENT;
}

tl_status tl_scratch_reserve(tl_scratch *s, size_t bytes, tl_error *error) {
    const size_t needed = s->used + bytes + sizeof(head);
    if (needed <= tl_array_capacity(s->block))
        return TL_OK;
    assert(s->used == 0);
    if (bytes >= most)
        return tl_fail_memory(error, bytes, 1);
    TL_TRY(TL_ARRAY_RESERVE(s->block, 0, needed, error));
    end_at(s, 0, 0);
    return TL_OK;
}

void *tl_scratch_take(tl_scratch *s, size_t count, size_t size, const char *name) {
    const size_t bytes = tl_scratch_room(count, size);
    assert(s->used + bytes + sizeof(head) <= tl_array_capacity(s->block));
    head *piece = head_at(s, s->used);
    assert(piece->seal == seal);
    piece->name = name;
    piece->bytes = bytes;
    end_at(s, s->used + bytes, bytes);
    return piece + 1;
}

size_t tl_scratch_mark(const tl_scratch *s) { return s->used; }

void tl_scratch_release(tl_scratch *s, size_t mark) {
    assert(mark <= s->used && tl_scratch_is_whole(s, NULL));
    if (mark == s->used)
        return;
#ifndef NDEBUG
    memset(s->block + mark + sizeof(head), 0xff, s->used - mark); /* NaN, to whoever reads on */
#endif
    end_at(s, mark, head_at(s, mark)->before);
}

const char *tl_scratch_top(const tl_scratch *s) {
    return s->used > 0 ? head_at(s, s->used - head_at(s, s->used)->before)->name : NULL;
}

bool tl_scratch_is_whole(const tl_scratch *s, const char **name) {
    const char *last = NULL;
    for (size_t at = 0; s->block; at += head_at(s, at)->bytes) {
        if (head_at(s, at)->seal != seal) {
            if (name)
                *name = last;
            return false;
        }
        if (at >= s->used)
            break;
        last = head_at(s, at)->name;
    }
    return true;
}

size_t tl_scratch_bytes(const tl_scratch *s) { return tl_array_bytes(s->block); }

void tl_scratch_free(tl_scratch *s) {
    assert(s->used == 0);
    tl_array_free(s->block);
    *s = (tl_scratch){0};
}
