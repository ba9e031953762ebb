/* A worker draws copies of frames while the world goes on: same files as without it. A plain
 * program for the thread sanitizer. */
#include "base/file.h"
#include "run/picture_worker.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 4 };

static void check(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static const char text[] =
    "spacing: 0.1\nduration: 1\n"
    "bodies: [{material: honey, sphere: {center: [0, 0, 0.7], radius: 0.4}, velocity: [1, 0, 0]}]\n"
    "walls:\n  - {plane: z, at: 0}\n"
    "output: {width: 160, height: 90, colour_by: velocity}\n";

static char folder[256];

static const char *path_of(bool beside, int k) {
    static char path[300];
    snprintf(path, sizeof path, "%s/%s-%d.png", folder, beside ? "beside" : "before", k);
    return path;
}

static void copy_of(tl_world *world, tl_frame *out) {
    tl_frame view;
    tl_frame_of_fields(tl_world_fields(world), tl_world_time(world), tl_world_steps(world), &view);
    check(tl_frame_copy(&view, TL_DOUBLES_AS_FLOATS, out, NULL) == TL_OK, "no copy");
}

static void draw_all(const tl_scene *scene, bool beside) {
    const tl_world_options world_options = {.threads = 2};
    tl_picture_options options = tl_picture_options_of(scene);
    tl_picture *picture;
    tl_picture_worker *worker = NULL;
    tl_world *world;
    options.threads = 2;
    check(tl_world_create(scene, &world_options, &world, NULL) == TL_OK, "no world");
    check(tl_picture_create(scene, &options, &picture, NULL) == TL_OK, "no picture");
    if (beside)
        check(tl_picture_worker_start(picture, &worker, NULL) == TL_OK, "no worker");
    for (int k = 0; k < FRAMES; k++) {
        tl_frame frame;
        copy_of(world, &frame);
        if (beside)
            check(tl_picture_worker_give(worker, &frame, path_of(true, k), NULL) == TL_OK, "give");
        else
            check(tl_picture_draw(picture, &frame, path_of(false, k), NULL) == TL_OK, "draw");
        tl_frame_free(&frame);
        for (int step = 0; step < 5; step++)
            check(tl_world_step(world, NULL, NULL) == TL_OK, "step");
    }
    if (beside) { /* a picture that cannot be written is told once, by what comes next */
        tl_frame frame;
        tl_error error = {0};
        check(tl_picture_worker_wait(worker, NULL) == TL_OK, "wait");
        check(tl_file_exists(path_of(true, FRAMES - 1)), "waiting was in vain");
        copy_of(world, &frame);
        check(tl_picture_worker_give(worker, &frame, "/nowhere/at/all.png", NULL) == TL_OK, "give");
        check(frame.count == 0, "the frame was handed over");
        check(tl_picture_worker_wait(worker, &error) == TL_IO_FAILED, "the error was lost");
        check(strstr(error.where, "/nowhere") != NULL, "the error has no place");
        check(tl_picture_worker_wait(worker, NULL) == TL_OK, "the error stayed");
        copy_of(world, &frame);
        check(tl_picture_worker_give(worker, &frame, path_of(true, FRAMES), NULL) == TL_OK, "last");
    }
    tl_picture_worker_stop(worker);
    if (beside)
        check(tl_file_exists(path_of(true, FRAMES)), "the last picture was dropped");
    tl_picture_destroy(picture);
    tl_world_destroy(world);
}

int main(void) {
    tl_scene *scene;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/tallow-worker-XXXXXX", base ? base : P_tmpdir);
    check(mkdtemp(folder) != NULL, "no folder");
    check(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, NULL) == TL_OK, "scene");
    draw_all(scene, false);
    draw_all(scene, true);
    for (int k = 0; k < FRAMES; k++) {
        char *a, *b;
        size_t n, m;
        check(tl_file_read(path_of(false, k), 1 << 24, &a, &n, NULL) == TL_OK, "read");
        check(tl_file_read(path_of(true, k), 1 << 24, &b, &m, NULL) == TL_OK, "read");
        check(n == m && memcmp(a, b, n) == 0, "other pixels");
        free(a);
        free(b);
        unlink(path_of(false, k));
        unlink(path_of(true, k));
    }
    unlink(path_of(true, FRAMES));
    rmdir(folder);
    tl_scene_destroy(scene);
    puts("pictures are the same");
    return 0;
}
