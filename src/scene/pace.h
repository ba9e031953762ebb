/* How long the film of a scene is: 4 to 12 seconds, at 25 to 30 pictures a second, however long
 * what happens takes, unless the scene says how much slower it is to be shown. */
#ifndef TL_SCENE_PACE_H
#define TL_SCENE_PACE_H

#include "scene/scene.h"

typedef struct tl_pace {
    double slow;      /* seconds of the film for one of the scene */
    double film_rate; /* 1/s, of the film; 0: each frame once */
} tl_pace;

/* The frames a second that a scene takes that asks for none: as many as its film has pictures. */
double tl_pace_frame_rate(double duration);

/* What is best for frames of a duration (s) at a rate (1/s). */
tl_pace tl_pace_of_frames(double duration, double frame_rate);

/* Of the film of a scene, of which every `every`th frame is shown. */
tl_pace tl_pace_of_scene(const tl_scene *scene, double every);

#endif
