/* Light that wanders in translucent matter: free paths of random length, and a new direction at the
 * end of each, until the surface is met again. */
#ifndef TL_TRACE_WALK_H
#define TL_TRACE_WALK_H

#include "trace/space.h"

/* Walks into the mesh at a meeting with it, in the frame of its smooth normal. False: the light was
 * absorbed. Otherwise where it comes out and what is left of it.
 * seed    of this walk alone
 * rays    counts up */
bool tl_walk(const tl_space *space, const tl_meeting *enters, uint64_t seed, tl_meeting *leaves,
             tl_float3 *left, uint64_t *rays);

#endif
