/* Where the action of a scene is: the box along the axes that a camera which stands by itself has
 * to hold. It is the matter, wherever it goes, flames, and the walls beside them.
 *
 * Before a run the way of the matter is a guess from the scene: bodies and jets fly by their
 * velocities and gravity until they meet a wall. After it the frames tell. */
#ifndef TL_RUN_PICTURE_EXTENT_H
#define TL_RUN_PICTURE_EXTENT_H

#include "output/frame.h"
#include "scene/scene.h"

/* A box along the axes. */
typedef struct tl_extent {
    tl_vec3 from, to;
} tl_extent;

/* One that holds nothing. */
tl_extent tl_extent_none(void);
bool tl_extent_is_none(const tl_extent *e);

void tl_extent_add(tl_extent *e, tl_vec3 point, double margin);

/* Widens an extent by the particles of a frame, but for strays: one of 500 at each end of each
 * axis. */
void tl_extent_add_frame(tl_extent *e, const tl_frame *frame, double margin);

/* Where matter will be, as far as the scene tells. */
tl_extent tl_extent_guess(const tl_scene *scene);

/* All that is to be in view, when matter is in `matter`. */
tl_extent tl_extent_of_scene(const tl_scene *scene, const tl_extent *matter);

#endif
