/* Eight bytes at a time through the splitmix64 finaliser; the tail is zero-padded and the length
 * mixed in, so that "ab" + "c" and "abc" differ from "ab". See hash.h. */
#include "base/hash.h"

#include "base/random.h"

#include <string.h>

uint64_t tl_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    hash = tl_random_bits(hash, size);
    for (; size >= 8; p += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        hash = tl_random_bits(hash ^ word, 0);
    }
    if (size) {
        uint64_t word = 0;
        memcpy(&word, p, size);
        hash = tl_random_bits(hash ^ word, 1);
    }
    return hash;
}
