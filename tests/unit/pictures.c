/* Pictures show walls as triangles, survive as PNG and become films. */
#include "base/random.h"
#include "output/film.h"
#include "output/png.h"
#include "run/picture_meshes.h"
#include "scratch_folder.h"

#include <math.h>
#include <sys/stat.h>
#include <zlib.h>

TestSuite(pictures, .init = scratch_make, .fini = scratch_remove);

/* Six times the signed volume of the pyramids from a point to the triangles. */
static double volume(const tl_preview_mesh *mesh, tl_vec3 from) {
    double sum = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        tl_vec3 at[3];
        for (int k = 0; k < 3; k++)
            at[k] = tl_vec3_sub(mesh->vertices[mesh->triangles[t][k]], from);
        sum += tl_vec3_dot(at[0], tl_vec3_cross(at[1], at[2]));
    }
    return sum;
}

Test(pictures, boxes_that_move_are_triangles_that_face_the_matter) {
    const char text[] =
        "spacing: 0.1\nduration: 1\n"
        "bodies: [{material: honey, box: {from: [1, 1, 5], to: [2, 2, 6]}}]\n"
        "walls:\n"
        "  - {box: {from: [0, 0, 0], to: [1, 2, 3]}, outside: true,\n"
        "     motion: [{speed: 2, along: z}]}\n"
        "  - {box: {from: [0, 0, 0], to: [4, 5, 9]}, open: z,\n"
        "     motion: [{speed: 2, along: -x}]}\n"
        "  - {box: {from: [3, 3, 0], to: [4, 4, 1]}, outside: true}\n"
        "  - {sphere: {center: [3, 1, 1], radius: 0.5}, motion: [{speed: 1, along: y}]}\n"
        "  - {capsule: {from: [3, 1, 3], to: [3, 1, 4], radius: 0.4}}\n"
        "  - {capsule: {from: [1, 4, 3], to: [1, 4, 4], radius: 0.4}, hidden: true}\n";
    tl_scene *scene = NULL;
    tl_error error = {0};
    tl_picture_meshes meshes;
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s", error.what);
    cr_assert_eq(tl_picture_meshes_make(scene, &meshes, &error), TL_OK);
    cr_assert_eq(meshes.count, 3, "the block at rest and the ball have pictures of their own");
    const tl_preview_mesh *block = &meshes.items[0], *tank = &meshes.items[1];
    cr_assert(!block->hollow && tank->hollow && !meshes.items[2].hollow);
    cr_assert_eq(block->triangle_count, 12);
    cr_assert_eq(tank->triangle_count, 10, "no lid");
    cr_assert_float_eq(volume(block, (tl_vec3){0.3, -7, 2}), 6 * 6.0, 1e-9);
    cr_assert_float_eq(volume(tank, (tl_vec3){1, 1, 9}), -6 * 180.0, 1e-9);
    tl_picture_meshes_aim(&meshes, 0.25);
    cr_assert_float_eq(block->pose.place.z, 0.5, 1e-12);
    cr_assert_float_eq(tank->pose.place.x, -0.5, 1e-12);
    cr_assert_eq(meshes.items[2].pose.place.x, 0);
    tl_picture_meshes_free(&meshes);
    tl_scene_destroy(scene);
}

Test(pictures, emitters_have_spouts_around_what_comes_out) {
    const char text[] =
        "spacing: 0.1\nduration: 1\n"
        "emitters:\n"
        "  - {material: honey, speed: 1, velocity: [2, 0, 0],\n"
        "     disc: {center: [0, 0, 5], direction: [0, 0, -1], radius: 0.5}}\n"
        "  - {material: honey, speed: 1,\n"
        "     rectangle: {center: [9, 0, 5], direction: [1, 0, -1], width: 1, height: 0.6}}\n"
        "  - {material: honey, speed: 1, hidden: true,\n"
        "     disc: {center: [0, 9, 5], direction: [0, 0, -1], radius: 0.5}}\n"
        "walls: [{plane: z, at: 0}]\n";
    tl_scene *scene = NULL;
    tl_error error = {0};
    tl_picture_meshes meshes;
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, &scene, &error), TL_OK,
                 "%s", error.what);
    cr_assert_eq(tl_picture_meshes_make(scene, &meshes, &error), TL_OK);
    cr_assert_eq(meshes.count, 2, "the hidden one has none");
    const tl_preview_mesh *round = &meshes.items[0], *square = &meshes.items[1];
    for (size_t i = 0; i < round->vertex_count; i++) {
        const tl_vec3 v = round->vertices[i];
        const double across = hypot(v.x, v.y);
        cr_expect(across < 1e-9 || (across > 0.5 && across < 0.6), "%g", across);
        cr_expect(v.z > 4.69 && v.z < 6, "from the back to where the nozzle ends: %g", v.z);
    }
    for (size_t i = 0; i < square->vertex_count; i++) { /* its width is level: along y */
        const tl_vec3 v = tl_vec3_sub(square->vertices[i], (tl_vec3){9, 0, 5});
        const double u = fabs(v.y), w = fabs((v.x + v.z) / sqrt(2));
        cr_expect(hypot(u, w) < 1e-9 || fmax(u - 0.5, w - 0.3) > 0.01, "%g, %g", u, w);
        cr_expect(u < 0.6 && w < 0.4, "%g, %g", u, w);
    }
    tl_picture_meshes_aim(&meshes, 0.5);
    cr_expect_float_eq(round->pose.place.x, 1, 1e-12);
    tl_picture_meshes_free(&meshes);
    tl_scene_destroy(scene);
}

static uint32_t big_endian(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* A decoder for what tl_png_write may use: RGB8, filters none, sub and up. Counts the filters. */
static unsigned char *decode(const char *path, size_t *width, size_t *height, size_t filters[3]) {
    size_t size, packed = 0;
    unsigned char *file = (unsigned char *)slurp(path, &size), *data = malloc(size);
    cr_assert_eq(memcmp(file, "\x89PNG\r\n\x1a\n", 8), 0);
    for (size_t at = 8; at < size;) {
        const uint32_t length = big_endian(file + at);
        const unsigned char *body = file + at + 8;
        cr_assert_leq(at + 12 + length, size);
        cr_assert_eq(big_endian(body + length), crc32(0, file + at + 4, length + 4));
        if (memcmp(file + at + 4, "IHDR", 4) == 0) {
            *width = big_endian(body);
            *height = big_endian(body + 4);
            cr_assert(body[8] == 8 && body[9] == 2 && !body[10] && !body[11] && !body[12]);
        } else if (memcmp(file + at + 4, "IDAT", 4) == 0) {
            memcpy(data + packed, body, length);
            packed += length;
        }
        at += 12 + length;
    }
    const size_t n = 3 * *width;
    uLongf total = (uLongf)((n + 1) * *height);
    unsigned char *rows = malloc(total), *rgb = malloc(n * *height);
    cr_assert_eq(uncompress(rows, &total, data, packed), Z_OK, "the zlib stream and its checksum");
    cr_assert_eq(total, (n + 1) * *height);
    for (size_t y = 0; y < *height; y++) {
        const unsigned char *row = rows + y * (n + 1);
        cr_assert_leq(row[0], 2);
        filters[row[0]]++;
        for (size_t i = 0; i < n; i++) {
            const size_t to = y * n + i;
            const unsigned left = i >= 3 ? rgb[to - 3] : 0, above = y > 0 ? rgb[to - n] : 0;
            rgb[to] = (unsigned char)(row[i + 1] + (row[0] == 1 ? left : row[0] == 2 ? above : 0));
        }
    }
    free(file);
    free(data);
    free(rows);
    return rgb;
}

/* A smooth ramp along x, a smooth ramp along y, and noise: each wants another filter. */
static unsigned char *paint(size_t width, size_t height) {
    unsigned char *rgb = malloc(3 * width * height);
    for (size_t y = 0; y < height; y++)
        for (size_t i = 0; i < 3 * width; i++) {
            const uint64_t noise = tl_random_bits(9, y * 3 * width + i);
            const uint64_t hills = tl_random_bits(8, i) % 200 + y;
            rgb[y * 3 * width + i] = (unsigned char)(y < height / 3       ? i / 3
                                                     : y < 2 * height / 3 ? hills
                                                                          : noise);
        }
    return rgb;
}

Test(pictures, png_gives_back_every_pixel_for_any_size_and_number_of_threads) {
    const size_t sizes[][2] = {{1, 1}, {2, 3}, {5, 64}, {64, 65}, {333, 200}};
    size_t filters[3] = {0};
    for (int s = 0; s < 5; s++) {
        const size_t width = sizes[s][0], height = sizes[s][1];
        unsigned char *rgb = paint(width, height);
        char *first = NULL;
        size_t first_size = 0;
        for (int threads = 1; threads <= 3; threads++) {
            const tl_parallel parallel = tl_parallel_adverse(threads);
            size_t w = 0, h = 0, size;
            cr_assert_eq(tl_png_write(in_scratch("p.png"), rgb, width, height, &parallel, NULL),
                         TL_OK);
            unsigned char *found = decode(in_scratch("p.png"), &w, &h, filters);
            cr_assert(w == width && h == height);
            cr_assert_eq(memcmp(rgb, found, 3 * width * height), 0);
            char *file = slurp(in_scratch("p.png"), &size);
            if (!first) {
                first = file;
                first_size = size;
            } else {
                cr_assert(size == first_size && memcmp(first, file, size) == 0);
                free(file);
            }
            free(found);
        }
        free(first);
        free(rgb);
    }
    cr_assert(filters[0] && filters[1] && filters[2], "every filter is put to use");
}

Test(pictures, png_on_a_full_disk_leaves_nothing) {
    unsigned char *rgb = paint(400, 400);
    const tl_parallel parallel = tl_parallel_create(1);
    tl_error error = {0};
    limit_disk(100000);
    const tl_status status = tl_png_write(in_scratch("p.png"), rgb, 400, 400, &parallel, &error);
    limit_disk(RLIM_INFINITY);
    cr_assert_eq(status, TL_IO_FAILED);
    cr_assert(strstr(error.where, "p.png") && strstr(error.what, "File too large"));
    cr_assert_eq(scratch_files(false), 0);
    cr_assert_eq(tl_png_write(in_scratch("p.png"), rgb, 0, 9, &parallel, &error), TL_BAD_INPUT);
    free(rgb);
}

/* 25 pictures, each of one grey that tells its number. */
static void draw_pictures(size_t width, size_t height) {
    unsigned char *rgb = malloc(3 * width * height);
    const tl_parallel parallel = tl_parallel_create(1);
    for (int i = 0; i < 25; i++) {
        char name[32];
        snprintf(name, sizeof name, "%05d.png", 99990 + i); /* past 99999 names grow longer */
        memset(rgb, 10 * i, 3 * width * height);
        cr_assert_eq(tl_png_write(in_scratch(name), rgb, width, height, &parallel, NULL), TL_OK);
    }
    free(rgb);
}

/* The first line that a command prints. */
static void ask(const char *command, char *answer, int size) {
    FILE *pipe = popen(command, "r");
    cr_assert(pipe);
    answer[0] = 0;
    cr_assert(fgets(answer, size, pipe), "%s", command);
    pclose(pipe);
}

static bool has_command(const char *name) {
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return system(command) == 0;
}

Test(pictures, a_film_has_all_pictures_in_order_and_even_sizes) {
    if (!has_command("ffmpeg") || !has_command("ffprobe"))
        SKIP("no ffmpeg here");
    tl_error error;
    char command[1024], answer[256];
    draw_pictures(65, 49);
    cr_assert_eq(tl_film_make(scratch, &(tl_film_options){.frame_rate = 12.5},
                              in_scratch("film:1.mp4"), NULL, &error),
                 TL_OK, "%s", error.what);
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -show_entries stream=codec_name,width,height,"
             "pix_fmt,color_space,r_frame_rate,nb_read_frames -of csv=p=0 'file:%s'",
             in_scratch("film:1.mp4"));
    ask(command, answer, sizeof answer);
    cr_assert_str_eq(answer, "h264,64,48,yuv420p,bt709,25/2,25\n");
    /* The mean brightness of each picture rises with its number. */
    snprintf(command, sizeof command,
             "ffmpeg -v error -i 'file:%s' -vf scale=1:1,format=gray -f rawvideo - | od -An -v -tu1"
             " -w1 | awk '$1 < last {bad = 1} {last = $1; n++} END {print n, bad + 0, last}'",
             in_scratch("film:1.mp4"));
    ask(command, answer, sizeof answer);
    int count = 0, unordered = 1, brightest = 0;
    cr_assert_eq(sscanf(answer, "%d %d %d", &count, &unordered, &brightest), 3);
    cr_assert(count == 25 && unordered == 0, "%s", answer);
    cr_assert_eq(scratch_files(false), 26, "25 pictures and a film");
}

/* What ffprobe says of a film. */
static void probe(const char *film, char *answer, int size) {
    char command[1024];
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -show_entries stream=codec_name,width,height,pix_fmt,"
             "nb_read_frames:format=duration -of csv=p=0 'file:%s' | tr '\\n' ' '",
             film);
    ask(command, answer, size);
}

Test(pictures, films_come_as_webm_and_gif_too) {
    if (!has_command("ffmpeg") || !has_command("ffprobe"))
        SKIP("no ffmpeg here");
    tl_error error;
    char answer[256];
    draw_pictures(65, 49);
    tl_film_options options = {.format = TL_FILM_WEBM, .frame_rate = 12.5};
    cr_assert_eq(tl_film_make(scratch, &options, in_scratch("film.webm"), NULL, &error), TL_OK,
                 "%s", error.what);
    probe(in_scratch("film.webm"), answer, sizeof answer);
    cr_assert_str_eq(answer, "vp9,64,48,yuv420p,25 2.000000 ");
    options.format = TL_FILM_GIF;
    cr_assert_eq(tl_film_make(scratch, &options, in_scratch("film.gif"), NULL, &error), TL_OK, "%s",
                 error.what);
    probe(in_scratch("film.gif"), answer, sizeof answer);
    cr_assert_str_eq(answer, "gif,65,49,bgra,25 2.000000 ");
    cr_assert_eq(scratch_files(false), 27, "no palette is left");
}

/* 25 pictures at 5 a second last 5 s, however many of them a second of the film has. */
Test(pictures, the_rate_of_a_film_does_not_change_its_length) {
    if (!has_command("ffmpeg") || !has_command("ffprobe"))
        SKIP("no ffmpeg here");
    tl_error error;
    char answer[256];
    draw_pictures(64, 48);
    tl_film_options options = {.frame_rate = 5, .film_rate = 30};
    cr_assert_eq(tl_film_make(scratch, &options, in_scratch("film.mp4"), NULL, &error), TL_OK, "%s",
                 error.what);
    probe(in_scratch("film.mp4"), answer, sizeof answer);
    cr_assert_str_eq(answer, "h264,64,48,yuv420p,150 5.000000 ");
    options.film_rate = 2;
    cr_assert_eq(tl_film_make(scratch, &options, in_scratch("film.mp4"), NULL, &error), TL_OK);
    probe(in_scratch("film.mp4"), answer, sizeof answer);
    cr_assert_str_eq(answer, "h264,64,48,yuv420p,10 5.000000 ");
    options.film_rate = 2000;
    cr_assert_eq(tl_film_make(scratch, &options, in_scratch("film.mp4"), NULL, &error),
                 TL_BAD_INPUT);
}

Test(pictures, without_ffmpeg_the_error_says_what_to_install) {
    tl_error error;
    draw_pictures(8, 8);
    setenv("PATH", scratch, 1);
    cr_assert_eq(tl_film_make(scratch, &(tl_film_options){.frame_rate = 25}, in_scratch("film.mp4"),
                              NULL, &error),
                 TL_IO_FAILED);
    cr_assert(strstr(error.fix, "install ffmpeg"));
    cr_assert_eq(scratch_files(false), 25);
}

/* A command called ffmpeg that does something else. */
static void pretend(const char *script) {
    spill(in_scratch("ffmpeg"), script, strlen(script));
    cr_assert_eq(chmod(in_scratch("ffmpeg"), 0755), 0);
    setenv("PATH", scratch, 1);
}

Test(pictures, an_ffmpeg_that_dies_is_quoted_and_does_not_kill_us) {
    tl_error error;
    draw_pictures(300, 300);
    pretend("#!/bin/sh\necho 'no such codec' >&2\nfor last; do :; done\n"
            "echo half > \"${last#file:}\"\nexit 3\n");
    cr_assert_eq(tl_film_make(scratch, &(tl_film_options){.frame_rate = 25}, in_scratch("film.mp4"),
                              NULL, &error),
                 TL_IO_FAILED);
    cr_assert(strstr(error.what, "failed with 3: no such codec"), "%s", error.what);
    cr_assert(strstr(error.where, "film.mp4"));
    cr_assert_eq(scratch_files(false), 26, "no half film is left");
}

Test(pictures, an_ffmpeg_that_is_killed_is_reported) {
    tl_error error;
    draw_pictures(8, 8);
    pretend("#!/bin/sh\nkill -9 $$\n");
    cr_assert_eq(tl_film_make(scratch, &(tl_film_options){.frame_rate = 25}, in_scratch("film.mp4"),
                              NULL, &error),
                 TL_IO_FAILED);
    cr_assert(strstr(error.what, "signal 9"), "%s", error.what);
}

Test(pictures, a_picture_that_is_none_makes_no_film) {
    if (!has_command("ffmpeg"))
        SKIP("no ffmpeg here");
    tl_error error;
    draw_pictures(64, 64);
    spill(in_scratch("99995.png"), "not a picture", 13);
    cr_assert_eq(tl_film_make(scratch, &(tl_film_options){.frame_rate = 25}, in_scratch("film.mp4"),
                              NULL, &error),
                 TL_IO_FAILED);
    cr_assert_eq(scratch_files(false), 25);
}

Test(pictures, films_of_nothing_are_refused) {
    tl_error error;
    cr_assert_eq(tl_film_make(scratch, &(tl_film_options){.frame_rate = 25}, in_scratch("film.mp4"),
                              NULL, &error),
                 TL_BAD_INPUT);
    cr_assert(strstr(error.what, "no pictures"));
    cr_assert_eq(tl_film_make(in_scratch("no"), &(tl_film_options){.frame_rate = 25},
                              in_scratch("f.mp4"), NULL, &error),
                 TL_IO_FAILED);
    cr_assert_eq(tl_film_make(scratch, &(tl_film_options){.frame_rate = 0}, in_scratch("f.mp4"),
                              NULL, &error),
                 TL_BAD_INPUT);
    cr_assert_eq(tl_film_make(scratch, &(tl_film_options){.frame_rate = (double)NAN},
                              in_scratch("f.mp4"), NULL, &error),
                 TL_BAD_INPUT);
}
