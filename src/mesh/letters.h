/* Text as a solid. */
#ifndef TL_MESH_LETTERS_H
#define TL_MESH_LETTERS_H

#include "mesh/form.h"

/* The letters stand on z = 0, run along x from 0, and are `depth` thick about y = 0. Refused in
 * builds without FreeType. */
tl_status tl_letters_mesh(const tl_letters_def *letters, double deviation, tl_mesh *out,
                          tl_error *error);

#endif
