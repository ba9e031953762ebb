/* What files say of themselves before it is believed. Private to this room. */
#ifndef TL_MESH_COUNTS_H
#define TL_MESH_COUNTS_H

#include "base/error.h"

/* Refuses a PLY or OFF file whose head does not end or counts more than a file of `size` bytes can
 * hold; all other files pass. */
tl_status tl_mesh_check_counts(const char *path, size_t size, tl_error *error);

#endif
