/* A 64-bit hash of bytes, for comparing states bit for bit. Not for security. */
#ifndef TL_BASE_HASH_H
#define TL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Continues `hash` (0 to start) over `size` bytes. */
uint64_t tl_hash(uint64_t hash, const void *bytes, size_t size);

#endif
