/* Ground with hills, as a closed slab. */
#ifndef TL_MESH_TERRAIN_H
#define TL_MESH_TERRAIN_H

#include "mesh/form.h"

/* Heights on a grid, rows from low to high y; numbers from 0 to 1. */
typedef struct tl_heights {
    float *values; /* [columns × rows] */
    size_t columns, rows;
} tl_heights;

/* A slab with these heights between the corners of the terrain, on a flat bottom. */
tl_status tl_terrain_mesh(const tl_terrain_def *terrain, double spacing, tl_mesh *out,
                          tl_error *error);

/* Grey values of a PGM or PNG image; `name` is for messages. Values are freed with free(). */
tl_status tl_read_pgm(const char *bytes, size_t size, const char *name, tl_heights *out,
                      tl_error *error);
tl_status tl_read_png(const char *bytes, size_t size, const char *name, tl_heights *out,
                      tl_error *error);

bool tl_is_png(const char *bytes, size_t size);

#endif
