/* Meshes as Wavefront OBJ, the text that every modeller reads: places with colours, normals and
 * triangles. It has no other fields. */
#ifndef TL_OUTPUT_OBJ_H
#define TL_OUTPUT_OBJ_H

#include "output/frame.h"

/* Writes a mesh, whole or not at all. `vertices` is the frame of its vertices, with "normal" if it
 * has them. `colours` are sRGB 0..1, or NULL. */
tl_status tl_obj_write(const char *path, const tl_frame *vertices, const uint32_t (*triangles)[3],
                       size_t count, const float (*colours)[3], tl_error *error);

#endif
