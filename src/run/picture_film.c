/* See picture_film.h. */
#include "run/picture_film.h"

#include "base/file.h"
#include "output/film.h"
#include "output/vtp.h"
#include "scene/pace.h"

#include <inttypes.h>
#include <stdlib.h>

char *tl_run_film_path(const char *folder, const tl_scene *scene, char *out) {
    return tl_run_path(folder, out, "film.%s", tl_film_suffixes[scene->output.film_format]);
}

bool tl_run_drops_pictures(const tl_scene *scene) {
    return scene->output.frames && scene->output.film && !scene->output.keep_pictures;
}

static tl_status redraw(tl_picture *picture, const char *from, const char *to, tl_error *error) {
    tl_frame frame;
    TL_TRY(tl_vtp_read(from, &frame, error));
    const tl_status status = tl_picture_draw(picture, &frame, to, error);
    tl_frame_free(&frame);
    return status;
}

tl_status tl_run_redraw(const char *folder, tl_picture *picture, int64_t last,
                        bool (*should_stop)(void *context), void *context, tl_error *error) {
    for (int64_t k = 0; k <= last; k++) {
        char from[TL_RUN_PATH], to[TL_RUN_PATH];
        tl_run_path(folder, to, "pictures/%05" PRId64 ".png", k);
        tl_run_path(folder, from, "frames/%05" PRId64 ".vtp", k);
        if (tl_file_exists(to) || !tl_file_exists(from))
            continue;
        if (should_stop && should_stop(context))
            return tl_fail(error, TL_INTERRUPTED, folder, NULL, "stopped before the film was made");
        TL_TRY(redraw(picture, from, to, error));
    }
    return TL_OK;
}

tl_status tl_run_film(const char *folder, const tl_scene *scene, const tl_log *log,
                      tl_error *error) {
    char pictures[TL_RUN_PATH], film[TL_RUN_PATH];
    const tl_pace pace = tl_pace_of_scene(scene, 1);
    const tl_film_options options = {.format = scene->output.film_format,
                                     .frame_rate = scene->frame_rate / pace.slow,
                                     .film_rate = pace.film_rate};
    tl_run_path(folder, pictures, "pictures");
    return tl_film_make(pictures, &options, tl_run_film_path(folder, scene, film), log, error);
}

static tl_status copy_file(const char *from, const char *to, tl_error *error) {
    enum { LIMIT = 1 << 30 };
    char *bytes;
    size_t size;
    tl_file file;
    TL_TRY(tl_file_read(from, LIMIT, &bytes, &size, error));
    tl_status status = tl_file_begin(&file, to, error);
    if (status == TL_OK) {
        fwrite(bytes, 1, size, file.stream); /* commit tells of errors */
        status = tl_file_commit(&file, error);
    }
    free(bytes);
    return status;
}

static tl_status draw_poster(const tl_scene *scene, const tl_frame *frame, const char *path,
                             int threads, tl_error *error) {
    tl_picture_options options = tl_picture_options_of(scene);
    tl_picture *picture;
    options.threads = threads;
    if (options.width > TL_POSTER_WIDTH) {
        options.height = options.height * TL_POSTER_WIDTH / options.width;
        options.height = options.height > 1 ? options.height : 1;
        options.width = TL_POSTER_WIDTH;
    }
    TL_TRY(tl_picture_create(scene, &options, &picture, error));
    const tl_status status = tl_picture_draw(picture, frame, path, error);
    tl_picture_destroy(picture);
    return status;
}

tl_status tl_run_poster(const char *folder, const tl_scene *scene, int64_t last, int threads,
                        tl_error *error) {
    char from[TL_RUN_PATH], to[TL_RUN_PATH];
    const int64_t number = tl_poster_frame(last);
    tl_run_path(folder, to, "poster.png");
    tl_run_path(folder, from, "frames/%05" PRId64 ".vtp", number);
    if (!tl_file_exists(from)) {
        tl_run_path(folder, from, "pictures/%05" PRId64 ".png", number);
        return copy_file(from, to, error);
    }
    tl_frame frame;
    TL_TRY(tl_vtp_read(from, &frame, error));
    const tl_status status = draw_poster(scene, &frame, to, threads, error);
    tl_frame_free(&frame);
    return status;
}
