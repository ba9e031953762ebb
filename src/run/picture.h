/* Pictures of a world: the preview renderer fed with the particles, walls and camera of a scene. */
#ifndef TL_RUN_PICTURE_H
#define TL_RUN_PICTURE_H

#include "base/error.h"

typedef struct tl_picture tl_picture;

/* Prepares to draw worlds of a scene, which must outlive the picture. Without a camera in the scene
 * the view holds its bodies and walls; it depends on the scene only, so that it is the same when a
 * run is resumed. A colour_by that the world has no field for is TL_BAD_INPUT. */
tl_status tl_picture_create(const tl_scene *scene, tl_world *world, int threads, tl_picture **out,
                            tl_error *error);

/* Draws the world as it is now into a PNG file. */
tl_status tl_picture_draw(tl_picture *picture, tl_world *world, const char *path, tl_error *error);

void tl_picture_destroy(tl_picture *picture);

#endif
