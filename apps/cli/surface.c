/* `tallow surface`: the surface of the matter in the frames of a run as triangle meshes. */
#include "surface/surface.h"

#include "base/file.h"
#include "base/text.h"
#include "base/timer.h"
#include "command.h"
#include "frames.h"
#include "output/glb.h"
#include "output/obj.h"
#include "output/ply.h"
#include "output/pvd.h"
#include "output/vtp.h"
#include "run/folder.h"
#include "scene/scene.h"
#include "scene/units.h"
#include "surface_colours.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

typedef const uint32_t (*triangle_list)[3];

/* ---- Formats ------------------------------------------------------------------------------- */

static tl_status write_ply(const char *path, const tl_surface *s, const float (*colours)[3],
                           tl_error *error) {
    (void)colours;
    return tl_ply_write_mesh(path, &s->vertices, (triangle_list)s->mesh.triangles,
                             s->mesh.triangle_count, TL_DOUBLES_AS_FLOATS, error);
}

static tl_status write_obj(const char *path, const tl_surface *s, const float (*colours)[3],
                           tl_error *error) {
    return tl_obj_write(path, &s->vertices, (triangle_list)s->mesh.triangles,
                        s->mesh.triangle_count, colours, error);
}

static tl_status write_vtp(const char *path, const tl_surface *s, const float (*colours)[3],
                           tl_error *error) {
    (void)colours;
    return tl_vtp_write_mesh(path, &s->vertices, (triangle_list)s->mesh.triangles,
                             s->mesh.triangle_count, TL_DOUBLES_AS_FLOATS, error);
}

static tl_status write_glb(const char *path, const tl_surface *s, const float (*colours)[3],
                           tl_error *error) {
    return tl_glb_write(path, &s->vertices, (triangle_list)s->mesh.triangles,
                        s->mesh.triangle_count, colours, error);
}

static const struct format {
    const char *name;
    tl_status (*write)(const char *path, const tl_surface *s, const float (*colours)[3],
                       tl_error *error);
    bool has_colours;
} formats[] = {{"ply", write_ply, false},
               {"obj", write_obj, true},
               {"vtp", write_vtp, false},
               {"glb", write_glb, true}};

enum { FORMATS = sizeof formats / sizeof *formats };

static bool find_format(const char *name, unsigned *bits) {
    const char *names[FORMATS];
    for (unsigned f = 0; f < FORMATS; f++) {
        names[f] = formats[f].name;
        if (strcmp(name, names[f]) == 0) {
            *bits |= 1u << f;
            return true;
        }
    }
    const char *nearest = tl_nearest_word(name, names, FORMATS);
    if (nearest)
        cli_complain("there is no format %s; did you mean %s?", name, nearest);
    else
        cli_complain("there is no format %s; there are ply, obj, vtp and glb", name);
    return false;
}

/* Names with commas in between. */
static bool parse_formats(const char *text, unsigned *out) {
    *out = 0;
    for (text = text ? text : "ply";; text++) {
        char name[16];
        const size_t length = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        if (!find_format(name, out))
            return false;
        text += length;
        if (!*text)
            return true;
    }
}

/* ---- The job ------------------------------------------------------------------------------- */

typedef struct task {
    const char *folder; /* of the run; NULL: one frame by its name */
    char target[TL_RUN_PATH];
    tl_surface_options options;
    unsigned formats;
    bool by_material, quiet;
    tl_scene *scene; /* of run.yaml; NULL: not there */
    tl_surface surface;
    cli_surface_colours colours;
    tl_pvd list; /* of .vtp files */
    bool is_terminal;
    double began;
} task;

static bool parse_number(const cli_arguments *arguments, const char *option, double min, double max,
                         double otherwise, double *out) {
    const char *text = cli_value(arguments, option);
    tl_unit_problem problem;
    *out = otherwise;
    if (!text || (tl_unit_parse(text, TL_UNIT_NONE, out, &problem) && *out >= min && *out <= max))
        return true;
    cli_complain("--%s %s: expected a number from %g to %g", option, text, min, max);
    return false;
}

static bool parse_spacing(const cli_arguments *arguments, double *out) {
    const char *text = cli_value(arguments, "spacing");
    tl_unit_problem problem;
    *out = 0;
    if (!text || (tl_unit_parse(text, TL_UNIT_LENGTH, out, &problem) && *out > 0))
        return true;
    cli_complain("--spacing %s: expected a length, such as 4mm", text);
    return false;
}

static bool parse_task(const cli_arguments *arguments, task *t) {
    int64_t smooth, threads;
    if (!parse_number(arguments, "cells", 0.1, 1, TL_SURFACE_CELLS, &t->options.cells) ||
        !cli_integer(arguments, "smooth", 0, 1000, TL_SURFACE_SMOOTH, &smooth) ||
        !cli_integer(arguments, "threads", 1, 4096, 0, &threads) ||
        !parse_spacing(arguments, &t->options.spacing) ||
        !parse_formats(cli_value(arguments, "to"), &t->formats))
        return false;
    t->options.smooth = (int)smooth;
    t->options.threads = (int)threads;
    t->options.round = cli_has(arguments, "round");
    t->options.material = -1;
    t->by_material = cli_has(arguments, "by-material");
    t->quiet = cli_has(arguments, "quiet");
    t->is_terminal = isatty(STDOUT_FILENO);
    return true;
}

/* The spacing is in run.yaml, unless the command line has it. */
static tl_status find_scene(task *t, const char *folder, tl_error *error) {
    char path[TL_RUN_PATH];
    tl_run_path(folder, path, "run.yaml");
    if (tl_file_exists(path) && tl_scene_load_file(path, NULL, &t->scene, error) != TL_OK)
        t->scene = NULL;
    if (t->options.spacing > 0)
        return TL_OK;
    if (!t->scene)
        return tl_fail(error, TL_BAD_INPUT, path, "give it: --spacing 4mm",
                       "the spacing of the particles is not known without run.yaml");
    t->options.spacing = t->scene->spacing;
    return TL_OK;
}

/* ---- A frame ------------------------------------------------------------------------------- */

static tl_status write_surface(task *t, const char *name, tl_error *error) {
    char path[TL_RUN_PATH];
    bool has_colours = false;
    for (unsigned f = 0; f < FORMATS; f++)
        has_colours = has_colours || (t->formats >> f & 1 && formats[f].has_colours);
    if (has_colours)
        TL_TRY(cli_colour_surface(&t->colours, t->scene, &t->surface.vertices, error));
    for (unsigned f = 0; f < FORMATS; f++) {
        if (!(t->formats >> f & 1))
            continue;
        tl_run_path(t->target, path, "%s.%s", name, formats[f].name);
        TL_TRY(formats[f].write(path, &t->surface, (const float(*)[3])t->colours.rgb, error));
        if (formats[f].write != write_vtp)
            continue;
        snprintf(path, sizeof path, "%s.vtp", name);
        TL_TRY(tl_pvd_add(&t->list, t->surface.vertices.time, path, error));
    }
    return TL_OK;
}

static unsigned count_materials(const tl_frame *frame) {
    const tl_frame_array *a = tl_frame_find(frame, "material");
    unsigned count = 1;
    for (size_t i = 0; a && a->type == TL_U8 && i < frame->count; i++)
        if (((const uint8_t *)a->data)[i] >= count)
            count = ((const uint8_t *)a->data)[i] + 1u;
    return count;
}

/* "00012", or "00012-wax" for the surface of one material. */
static void name_files(const task *t, const char *name, char out[128]) {
    const int m = t->options.material;
    const tl_material *materials = t->scene ? t->scene->materials.items : NULL;
    if (m < 0)
        snprintf(out, 128, "%.100s", name);
    else if (t->scene && (size_t)m < t->scene->materials.count)
        snprintf(out, 128, "%.60s-%.60s", name, materials[m].name);
    else
        snprintf(out, 128, "%.100s-%d", name, m);
}

static void report(const task *t, const char *name, size_t particles, size_t triangles, size_t done,
                   size_t count) {
    char clock[CLI_SHORT], left[CLI_SHORT], p[CLI_SHORT], n[CLI_SHORT];
    const double elapsed = tl_now() - t->began;
    if (t->quiet)
        return;
    printf("%sframe %s (%zu/%zu)  %s particles  %s triangles  %s a frame  %s left%s",
           t->is_terminal ? "\r" : "", name, done, count, cli_count((double)particles, p),
           cli_count((double)triangles, n), cli_clock(elapsed / (double)done, clock),
           cli_clock(elapsed * (double)(count - done) / (double)done, left),
           t->is_terminal ? "\033[K" : "\n");
    fflush(stdout);
}

static void note(const task *t, const char *what, const char *name, const char *why) {
    const cli_style style = cli_style_of(stderr);
    if (t->is_terminal && !t->quiet)
        fputs("\r\033[K", stdout), fflush(stdout);
    fprintf(stderr, "%snote:%s %s %s%s\n", style.yellow, style.reset, what, name, why);
}

static tl_status make_surfaces(task *t, const tl_frame *frame, const char *name, size_t *triangles,
                               tl_error *error) {
    const int count = t->by_material ? (int)count_materials(frame) : 1;
    *triangles = 0;
    for (int m = 0; m < count; m++) {
        char file[128];
        t->options.material = t->by_material ? m : -1;
        TL_TRY(tl_surface_make(&t->surface, frame, &t->options, error));
        if (t->surface.left_out > 0)
            note(t, "particles far from all others are left out in frame", name, "");
        name_files(t, name, file);
        TL_TRY(write_surface(t, file, error));
        *triangles += t->surface.mesh.triangle_count;
    }
    return TL_OK;
}

/* A run that is at work, or was killed on a bad disk, may leave a last frame that is not whole. */
static tl_status convert(task *t, const char *path, const char *name, size_t done, size_t count,
                         tl_error *error) {
    tl_frame frame = {0};
    size_t triangles;
    const tl_status read = tl_vtp_read(path, &frame, error);
    if (read == TL_BAD_INPUT && t->folder && done == count) {
        note(t, "skipping the last frame,", path, ", which is not whole");
        return TL_OK;
    }
    TL_TRY(read);
    if (frame.count == 0)
        note(t, "no particles in frame", name, ": its surface is empty");
    const tl_status status = make_surfaces(t, &frame, name, &triangles, error);
    if (status == TL_OK)
        report(t, name, frame.count, triangles, done, count);
    tl_frame_free(&frame);
    return status;
}

static tl_status convert_run(task *t, int64_t from, int64_t to, tl_error *error) {
    int64_t *numbers = NULL;
    size_t count = 0;
    tl_status status = cli_find_frames(t->folder, from, to, &numbers, &count, error);
    if (status == TL_OK)
        status = find_scene(t, t->folder, error);
    if (status == TL_OK)
        status = tl_folder_make(t->target, error);
    for (size_t i = 0; status == TL_OK && i < count; i++) {
        char path[TL_RUN_PATH], name[32];
        snprintf(name, sizeof name, "%05" PRId64, numbers[i]);
        tl_run_path(t->folder, path, "frames/%s.vtp", name);
        status = convert(t, path, name, i + 1, count, error);
    }
    tl_array_free(numbers);
    return status;
}

/* A frame by its file: run.yaml is one folder up, where the run is. */
static tl_status convert_file(task *t, const char *path, tl_error *error) {
    char folder[TL_RUN_PATH], name[100];
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s/..", (int)(slash - path), path);
    else
        snprintf(folder, sizeof folder, "..");
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - 4), file);
    TL_TRY(find_scene(t, folder, error));
    TL_TRY(tl_folder_make(t->target, error));
    return convert(t, path, name, 1, 1, error);
}

static void free_task(task *t) {
    tl_surface_free(&t->surface);
    tl_pvd_free(&t->list);
    tl_array_free(t->colours.rgb);
    tl_scene_destroy(t->scene);
}

int cli_surface(const cli_arguments *arguments) {
    const char *word = arguments->words[0];
    const size_t length = strlen(word);
    const bool is_file = length > 4 && strcmp(word + length - 4, ".vtp") == 0;
    task t = {.folder = is_file ? NULL : word, .began = tl_now()};
    int64_t from, to;
    tl_error error = {0};
    if (!parse_task(arguments, &t) || !cli_frame_range(arguments, &from, &to))
        return CLI_BAD_INPUT;
    if (cli_value(arguments, "output"))
        snprintf(t.target, sizeof t.target, "%s", cli_value(arguments, "output"));
    else if (is_file)
        snprintf(t.target, sizeof t.target, ".");
    else
        tl_run_path(word, t.target, "surface");
    tl_status status = is_file ? convert_file(&t, word, &error) : convert_run(&t, from, to, &error);
    if (status == TL_OK && t.list.count > 0 && !is_file) {
        char path[TL_RUN_PATH];
        status = tl_pvd_write(tl_run_path(t.target, path, "surface.pvd"), &t.list, &error);
    }
    if (t.is_terminal && !t.quiet)
        putchar('\n');
    if (status != TL_OK)
        cli_complain_error(&error);
    else if (!t.quiet)
        printf("surfaces in %s/\n", t.target);
    free_task(&t);
    return cli_exit_code(status);
}
