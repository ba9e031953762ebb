/* What a run makes of its pictures when it ends: a film, and a poster.
 *
 * The poster is the frame at 60 % of what there is, when most scenes are in the midst of things: in
 * its first frames nothing has happened yet, in its last all has come to rest. */
#ifndef TL_RUN_PICTURE_FILM_H
#define TL_RUN_PICTURE_FILM_H

#include "run/folder.h"
#include "run/picture.h"

enum { TL_POSTER_WIDTH = 640 }; /* pixels, at most */

/* The frame of the poster, of frames 0 .. last. */
static inline int64_t tl_poster_frame(int64_t last) { return (6 * last + 5) / 10; }

/* Writes the path of the film to out[TL_RUN_PATH] and returns `out`. */
char *tl_run_film_path(const char *folder, const tl_scene *scene, char *out);

/* Draws those of pictures/ 0 .. last that are not there from the frame files, where these are: of a
 * run that was finished, and is to be longer. TL_INTERRUPTED when should_stop, which may be NULL,
 * says so. */
tl_status tl_run_redraw(const char *folder, tl_picture *picture, int64_t last,
                        bool (*should_stop)(void *context), void *context, tl_error *error);

/* Whether the pictures go when the run is finished and has its film: unless they are asked for, or
 * nothing is left to draw them again from. */
bool tl_run_drops_pictures(const tl_scene *scene);

/* Makes the film of pictures/, as the scene asks for. */
tl_status tl_run_film(const char *folder, const tl_scene *scene, const tl_log *log,
                      tl_error *error);

/* Draws poster.png of a run whose last frame is `last`, from its frame file; where frames are not
 * written it is the picture of that frame as it is. */
tl_status tl_run_poster(const char *folder, const tl_scene *scene, int64_t last, int threads,
                        tl_error *error);

#endif
