/* Frames as VTK XML PolyData (.vtp), for ParaView and for every later stage of Tallow itself.
 *
 * Raw appended little-endian data behind a readable head; one vertex cell a particle, so that
 * viewers draw at once. The unit of an array is its UNITS_LABEL key, which VTK knows; its
 * one-line doc is an attribute. The last line seals the file with a hash of all before it. */
#ifndef TL_OUTPUT_VTP_H
#define TL_OUTPUT_VTP_H

#include "output/frame.h"

/* Writes a frame, whole or not at all. */
tl_status tl_vtp_write(const char *path, const tl_frame *frame, tl_doubles doubles,
                       tl_error *error);

/* The same for a mesh: the frame is of its vertices, and triangles are the cells. Other programs
 * read it; tl_vtp_read does not. */
tl_status tl_vtp_write_mesh(const char *path, const tl_frame *vertices,
                            const uint32_t (*triangles)[3], size_t count, tl_doubles doubles,
                            tl_error *error);

/* Reads a frame that tl_vtp_write made; free it with tl_frame_free. A file that is cut short,
 * damaged or from another program is TL_BAD_INPUT. On failure *out is empty. */
tl_status tl_vtp_read(const char *path, tl_frame *out, tl_error *error);

/* The same from memory. `name` stands for the file in messages. */
tl_status tl_vtp_read_memory(const char *bytes, size_t size, const char *name, tl_frame *out,
                             tl_error *error);

#endif
