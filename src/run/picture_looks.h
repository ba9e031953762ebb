/* The looks of pictures. A look is a function that draws a shot: picture.c makes the shot, finds
 * the function here and writes the file. A new look has its name and function in picture_looks.c,
 * and what it needs beyond the frame in the shot. */
#ifndef TL_RUN_PICTURE_LOOKS_H
#define TL_RUN_PICTURE_LOOKS_H

#include "run/picture.h"
#include "run/picture_surface.h"

/* All that is known of a picture before it is drawn. */
typedef struct tl_shot {
    const tl_parallel *parallel;
    const tl_scene *scene;
    const tl_picture_options *options;
    const tl_frame *frame;
    const tl_frame_array *by;        /* of the frame: what the particles are coloured by, */
    const tl_preview_legend *legend; /* and how, unless it is the material */
    tl_camera camera;
    tl_preview_scene view; /* as the look `spheres` draws it. Spheres 0 .. frame->count - 1 are the
                              particles; after them come walls that are balls */
    unsigned char *rgb;    /* receives options->width * options->height pixels */
    const char *path;      /* of a look that writes a file instead */
    tl_picture_surface *surface; /* working memory */
} tl_shot;

typedef tl_status tl_look_fn(tl_shot *shot, tl_error *error);

/* Draws a skin over the particles: see picture_smooth.c. */
tl_look_fn tl_look_smooth;

/* The function of a look. TL_BAD_INPUT for one that this build does not have. */
tl_status tl_look_find(int look, tl_look_fn **out, tl_error *error);

#endif
