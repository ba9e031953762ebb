/* Frames and meshes as binary little-endian PLY, for Blender, MeshLab and point-cloud tools: x y z,
 * then one property a component (velocity_x, temperature, ...; normals are nx ny nz). Units and
 * docs are comments. PLY knows no 64-bit integers: those are stored as double, exact below 2^53. */
#ifndef TL_OUTPUT_PLY_H
#define TL_OUTPUT_PLY_H

#include "output/frame.h"

/* Writes a frame, whole or not at all. */
tl_status tl_ply_write(const char *path, const tl_frame *frame, tl_doubles doubles,
                       tl_error *error);

/* The same for a mesh: the frame is of its vertices, and triangles follow as faces. */
tl_status tl_ply_write_mesh(const char *path, const tl_frame *vertices,
                            const uint32_t (*triangles)[3], size_t count, tl_doubles doubles,
                            tl_error *error);

#endif
