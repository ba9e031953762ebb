/* Scenes as files for POV-Ray 3.7, which renders them as they are: the same things, matter, lamps
 * and camera that trace.h follows light through. Needs no Embree. */
#ifndef TL_TRACE_POVRAY_H
#define TL_TRACE_POVRAY_H

#include "trace/trace.h"

/* Writes a file, whole or not at all. The picture has the shape that POV-Ray is asked for. */
tl_status tl_povray_write(const char *path, const tl_trace_scene *scene, const tl_camera *camera,
                          tl_error *error);

#endif
