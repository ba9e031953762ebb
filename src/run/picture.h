/* Pictures of frames: the particles, walls and camera of a scene, drawn in one of several looks.
 * A frame may come from a world or from a file; the same frame gives the same pixels. */
#ifndef TL_RUN_PICTURE_H
#define TL_RUN_PICTURE_H

#include "output/frame.h"
#include "render/preview.h"
#include "run/picture_extent.h"

/* A `tl_picture` keeps its memory from frame to frame; one thread at a time may use it. */
typedef struct tl_picture tl_picture;

/* How matter is shown; in the order of tl_look_names. */
typedef enum tl_picture_look {
    TL_LOOK_SPHERES,    /* a sphere a particle */
    TL_LOOK_SMOOTH,     /* a smooth skin over the spheres, found in the picture */
    TL_LOOK_SURFACE,    /* the surface of the matter as triangles */
    TL_LOOK_TRACED,     /* light followed through the scene */
    TL_LOOK_BALLS,      /* a skin over balls alone, and */
    TL_LOOK_ELLIPSOIDS, /* over ellipsoids alone: for comparison [Chao12 fig. 4.5] */
} tl_picture_look;

typedef struct tl_picture_options {
    int width, height;      /* pixels */
    int look;               /* tl_picture_look */
    const char *colour_by;  /* an array of the frames, or "material" */
    const char *colour_map; /* one of tl_colormap_names */
    double from, to;        /* of the colour bar; equal: of each frame's own */
    tl_camera camera;       /* instead of the scene's, */
    bool has_camera;        /* if it is given */
    tl_extent seen;         /* where matter is in all frames, for a camera that stands by itself, */
    bool has_seen;          /* if that is known */
    const char *title;      /* in the picture, top left; NULL: none */
    double slow;            /* told in the caption: how much slower the film is; 1, 0: nothing */
    bool no_caption;        /* without the time, */
    bool no_legend;         /* without the colour bar */
    bool scale_bar;         /* with a bar of a round length, at the distance that is looked at */
    int samples;            /* a pixel of the look `traced`; 0: a good number */
    double seconds;         /* that it may take for a picture; 0: as long as it needs */
    bool keep_noise;        /* of its samples */
    int threads;            /* 0: all that the machine has */
} tl_picture_options;

/* What the scene asks for. */
tl_picture_options tl_picture_options_of(const tl_scene *scene);

/* Prepares to draw frames of a scene. The scene and the texts of the options must outlive the
 * picture. Without a camera the view holds the action (picture_extent.h). */
tl_status tl_picture_create(const tl_scene *scene, const tl_picture_options *options,
                            tl_picture **out, tl_error *error);

/* TL_BAD_INPUT when a frame lacks what the particles are coloured by. */
tl_status tl_picture_check(const tl_picture *picture, const tl_frame *frame, tl_error *error);

/* Draws a frame into rgb[width * height * 3], top row first. */
tl_status tl_picture_paint(tl_picture *picture, const tl_frame *frame, unsigned char *rgb,
                           tl_error *error);

/* Draws a frame into a PNG file. */
tl_status tl_picture_draw(tl_picture *picture, const tl_frame *frame, const char *path,
                          tl_error *error);

/* Writes a frame as a scene for POV-Ray, whatever the look. */
tl_status tl_picture_povray(tl_picture *picture, const tl_frame *frame, const char *path,
                            tl_error *error);

/* The camera at a time, and another one for what is drawn from now on; NULL: that of the scene. */
tl_camera tl_picture_camera(const tl_picture *picture, double time);
void tl_picture_aim(tl_picture *picture, const tl_camera *camera);

void tl_picture_destroy(tl_picture *picture);

#endif
