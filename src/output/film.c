/* See film.h. All formats begin alike: pictures come in as PNG, at the rate of the frames, and are
 * repeated or left out for the rate of the film. A GIF has 256 colours: a first pass finds those
 * that suit the whole film. */
#include "output/film.h"

#include "base/array.h"
#include "base/file.h"
#include "output/encoder.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const tl_film_suffixes[] = {"mp4", "webm", "gif", NULL};

/* The pictures of a folder, in order. */
typedef struct album {
    const char *folder;
    char **names;
    size_t count;
    tl_arena memory;
} album;

static bool is_picture(const char *name) {
    const size_t length = strlen(name);
    return length > 4 && name[0] != '.' && strcmp(name + length - 4, ".png") == 0;
}

/* 99999.png comes before 100000.png. */
static int by_number(const void *a, const void *b) {
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static tl_status add_picture(album *a, const char *name, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(a->names, a->count, a->count + 1, error));
    a->names[a->count] = tl_arena_text(&a->memory, name, strlen(name));
    return a->names[a->count++] ? TL_OK : tl_fail_memory(error, strlen(name), 1);
}

static tl_status list_pictures(album *a, tl_error *error) {
    DIR *folder = opendir(a->folder);
    if (!folder)
        return tl_fail_errno(error, a->folder, "read the pictures");
    tl_status status = TL_OK;
    for (const struct dirent *entry; status == TL_OK && (entry = readdir(folder));)
        if (is_picture(entry->d_name))
            status = add_picture(a, entry->d_name, error);
    closedir(folder);
    if (status == TL_OK && a->count == 0)
        status = tl_fail(error, TL_BAD_INPUT, a->folder, "draw the pictures first",
                         "there are no pictures to make a film of");
    if (status == TL_OK)
        qsort(a->names, a->count, sizeof *a->names, by_number);
    return status;
}

/* The words of a command. */
typedef struct command {
    const char *words[64];
    size_t count;
} command;

static void add_words(command *c, const char *const *words) {
    while (*words)
        c->words[c->count++] = *words++;
}
#define ADD(command, ...) add_words(command, (const char *const[]){__VA_ARGS__, NULL})

/* What one call of ffmpeg is to do. */
typedef struct pass {
    const char *output, *palette; /* paths; a palette that a pass takes, or NULL */
    char rate[40], filter[400];
} pass;

/* A fraction, because the decimal point depends on the locale. */
static void print_rate(double rate, char *out, size_t size) {
    snprintf(out, size, "%lld/1000000", llround(rate * 1e6));
}

static void begin(command *c, const pass *p) {
    ADD(c, "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-xerror");
    ADD(c, "-f", "image2pipe", "-framerate", p->rate, "-c:v", "png", "-i", "pipe:0");
}

/* "fps=30000000/1000000," when pictures are to be repeated or left out. */
static void begin_filter(pass *p, const tl_film_options *options) {
    char rate[40];
    print_rate(options->frame_rate, p->rate, sizeof p->rate);
    p->filter[0] = 0;
    if (!(options->film_rate > 0))
        return;
    print_rate(options->film_rate, rate, sizeof rate);
    snprintf(p->filter, sizeof p->filter, "fps=%s,", rate);
}

static void add_filter(pass *p, const char *text) {
    const size_t length = strlen(p->filter);
    snprintf(p->filter + length, sizeof p->filter - length, "%s", text);
}

/* Players take HD for BT.709, while ffmpeg's own choice is BT.601. */
static void film_command(command *c, pass *p, const tl_film_options *options) {
    begin_filter(p, options);
    add_filter(p, "crop=trunc(iw/2)*2:trunc(ih/2)*2,"
                  "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p");
    begin(c, p);
    ADD(c, "-vf", p->filter);
    ADD(c, "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709");
    if (options->format == TL_FILM_WEBM)
        ADD(c, "-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-deadline", "good", "-cpu-used",
            "4", "-row-mt", "1", "-f", "webm", p->output);
    else
        ADD(c, "-c:v", "libx264", "-preset", "fast", "-crf", "18", "-movflags", "+faststart", "-f",
            "mp4", p->output);
}

static void palette_command(command *c, pass *p, const tl_film_options *options) {
    begin_filter(p, options);
    add_filter(p, "palettegen");
    begin(c, p);
    ADD(c, "-vf", p->filter, "-c:v", "png", "-f", "image2", "-update", "1", p->output);
}

static void gif_command(command *c, pass *p, const tl_film_options *options) {
    char rest[] = "null[x];[x][1:v]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle";
    begin_filter(p, options);
    add_filter(p, rest);
    begin(c, p);
    ADD(c, "-f", "png_pipe", "-i", p->palette);
    ADD(c, "-filter_complex", p->filter, "-loop", "0", "-f", "gif", p->output);
}

static tl_status feed_encoder(const tl_encoder *e, const album *a, tl_error *error) {
    enum { LIMIT = 1 << 30 };
    for (size_t i = 0; i < a->count; i++) {
        char path[1400], *bytes;
        size_t size;
        snprintf(path, sizeof path, "%s/%s", a->folder, a->names[i]);
        TL_TRY(tl_file_read(path, LIMIT, &bytes, &size, error));
        const bool listening = tl_encoder_send(e, bytes, size);
        free(bytes);
        if (!listening)
            break;
    }
    return TL_OK;
}

static tl_status run_pass(const album *a, const command *c, const char *film_path,
                          tl_error *error) {
    tl_encoder e;
    TL_TRY(tl_encoder_start(&e, c->words, film_path, error));
    const tl_status fed = feed_encoder(&e, a, error);
    const tl_status finished = tl_encoder_finish(&e, film_path, fed == TL_OK ? error : NULL);
    return fed != TL_OK ? fed : finished;
}

static tl_status encode_gif(const album *a, const tl_film_options *options, const char *output,
                            const char *film_path, tl_error *error) {
    char palette[1100];
    command first = {0}, second = {0};
    pass find = {.output = palette}, use = {.output = output, .palette = palette};
    snprintf(palette, sizeof palette, "file:%s.palette.part", film_path);
    palette_command(&first, &find, options);
    tl_status status = run_pass(a, &first, film_path, error);
    if (status == TL_OK) {
        gif_command(&second, &use, options);
        status = run_pass(a, &second, film_path, error);
    }
    unlink(palette + strlen("file:"));
    return status;
}

static tl_status encode(const album *a, const tl_film_options *options, const char *temporary,
                        const char *film_path, tl_error *error) {
    char output[1100];
    command c = {0};
    pass p = {.output = output};
    snprintf(output, sizeof output, "file:%s", temporary); /* a colon in a name is no protocol */
    tl_status status;
    if (options->format == TL_FILM_GIF) {
        status = encode_gif(a, options, output, film_path, error);
    } else {
        film_command(&c, &p, options);
        status = run_pass(a, &c, film_path, error);
    }
    if (status == TL_OK)
        return tl_file_publish(temporary, film_path, error);
    unlink(temporary);
    return status;
}

static bool is_rate(double rate) { return rate >= 0.001 && rate <= 1000; }

tl_status tl_film_make(const char *picture_folder, const tl_film_options *options,
                       const char *film_path, const tl_log *log, tl_error *error) {
    char temporary[1040];
    const double shown = options->film_rate > 0 ? options->film_rate : options->frame_rate;
    if (!is_rate(options->frame_rate) || !is_rate(shown))
        return tl_fail(error, TL_BAD_INPUT, film_path, "choose a frame rate from 0.001 to 1000",
                       "a film cannot have %g frames a second",
                       is_rate(options->frame_rate) ? shown : options->frame_rate);
    if (strlen(film_path) >= 1024 || strlen(picture_folder) >= 1024)
        return tl_fail(error, TL_IO_FAILED, NULL, "use a shorter folder name", "path too long");
    snprintf(temporary, sizeof temporary, "%s.part", film_path);
    album a = {.folder = picture_folder};
    tl_status status = list_pictures(&a, error);
    if (status == TL_OK)
        status = encode(&a, options, temporary, film_path, error);
    if (status == TL_OK)
        tl_log_message(log, TL_LOG_INFO, "%s: %zu pictures at %g a second", film_path, a.count,
                       options->frame_rate);
    tl_array_free(a.names);
    tl_arena_free(&a.memory);
    return status;
}
