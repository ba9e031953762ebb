/* Colours for the vertices of a surface, where a format has colours and no fields. */
#ifndef CLI_SURFACE_COLOURS_H
#define CLI_SURFACE_COLOURS_H

#include "output/frame.h"

/* Zero-initialise. */
typedef struct cli_surface_colours {
    float (*rgb)[3]; /* an array: sRGB 0..1 */
} cli_surface_colours;

/* As pictures of the run have them: by output.colour_by of the scene, which may be NULL, or by the
 * temperature, or by the material. */
tl_status cli_colour_surface(cli_surface_colours *colours, const tl_scene *scene,
                             const tl_frame *vertices, tl_error *error);

#endif
