/* What a world relies on in the fields of a snapshot: numbers that are finite, indices of things
 * that are there. A file whose bits changed is refused before (snapshot_file.h); this is for files
 * that were written wrong, or with a seal of their own. Private to this room. */
#ifndef TL_WORLD_SNAPSHOT_CHECK_H
#define TL_WORLD_SNAPSHOT_CHECK_H

#include "world/state.h"

/* Bodies that particles of this world may come from. */
uint32_t tl_world_count_bodies(const tl_world *world);

/* Refuses fields that the world cannot go on from. `path` is for messages. */
tl_status tl_world_check_fields(const tl_world *world, uint32_t bodies, const char *path,
                                tl_error *error);

#endif
