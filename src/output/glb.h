/* Meshes as binary glTF 2.0 (.glb), for browsers, Blender and game engines: places, normals, vertex
 * colours, and every other field as an attribute of its own (_TEMPERATURE, _VELOCITY), which
 * glTF leaves to the application and Blender shows. The node turns our z up to glTF's y up. */
#ifndef TL_OUTPUT_GLB_H
#define TL_OUTPUT_GLB_H

#include "output/frame.h"

/* Writes a mesh, whole or not at all. `vertices` is the frame of its vertices. `colours` are sRGB
 * 0..1, or NULL. A mesh without triangles is an empty scene, for glTF has no empty meshes. */
tl_status tl_glb_write(const char *path, const tl_frame *vertices, const uint32_t (*triangles)[3],
                       size_t count, const float (*colours)[3], tl_error *error);

#endif
