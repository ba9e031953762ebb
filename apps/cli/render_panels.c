/* Panels of `tallow render` beside each other in one picture. See render.h. */
#include "render.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "output/png.h"

#include <stdlib.h>
#include <string.h>

/* Pixels between panels; the width that panels share when no size is asked for; the least one. */
enum { GAP = 4, WIDTH = 1920, LEAST = 16 };

static void choose_size(const cli_render_options *o, const tl_scene *scene, cli_render_sheet *s) {
    const int gaps_x = GAP * (s->columns - 1), gaps_y = GAP * (s->rows - 1);
    const int wide = (int)scene->output.width, high = (int)scene->output.height;
    s->panel_width = wide, s->panel_height = high;
    if (o->width > 0) {
        s->panel_width = (o->width - gaps_x) / s->columns;
        s->panel_height = (o->height - gaps_y) / s->rows;
    } else if (s->columns * wide + gaps_x > WIDTH && s->columns > 1) {
        s->panel_width = (WIDTH - gaps_x) / s->columns / 2 * 2;
        s->panel_height = (int)((int64_t)high * s->panel_width / wide / 2 * 2);
    }
    s->width = o->width > 0 ? o->width : s->columns * s->panel_width + gaps_x;
    s->height = o->width > 0 ? o->height : s->rows * s->panel_height + gaps_y;
}

tl_status cli_render_sheet_make(const cli_render_options *options, const tl_scene *scene,
                                int columns, int rows, cli_render_sheet *out, tl_error *error) {
    *out = (cli_render_sheet){.columns = columns, .rows = rows};
    choose_size(options, scene, out);
    if (out->panel_width < LEAST || out->panel_height < LEAST || out->width > TL_PREVIEW_MAX_SIZE ||
        out->height > TL_PREVIEW_MAX_SIZE)
        return tl_fail(error, TL_BAD_INPUT, "--size", "choose another size, or fewer panels",
                       "%d x %d panels of %d x %d pixels cannot be drawn", columns, rows,
                       out->panel_width, out->panel_height);
    const size_t pixels = (size_t)out->width * (size_t)out->height;
    out->pixels = tl_allocate(pixels, 3);
    out->panel = tl_allocate((size_t)out->panel_width * (size_t)out->panel_height, 3);
    return out->pixels && out->panel ? TL_OK : tl_fail_memory(error, pixels, 3);
}

/* What the command line says of the camera goes before the scene. */
static void aim(const cli_render_options *o, const cli_render_panel *panel, double time) {
    tl_picture *picture = panel->run->picture;
    tl_picture_aim(picture, NULL);
    tl_camera camera = tl_picture_camera(picture, time);
    if (o->has_from)
        camera.from = tl_vec3_of(o->from);
    if (o->has_look_at)
        camera.look_at = tl_vec3_of(o->look_at);
    if (o->has_field_of_view)
        camera.field_of_view = o->field_of_view;
    if (panel->angle != 0)
        tl_camera_turn(&camera, panel->angle);
    tl_picture_aim(picture, &camera);
}

static void put(cli_render_sheet *s, size_t place) {
    const int x = (int)(place % (size_t)s->columns) * (s->panel_width + GAP);
    const int y = (int)(place / (size_t)s->columns) * (s->panel_height + GAP);
    const size_t bytes = 3 * (size_t)s->panel_width;
    for (int j = 0; j < s->panel_height; j++)
        memcpy(s->pixels + 3 * ((size_t)(y + j) * (size_t)s->width + (size_t)x),
               s->panel + bytes * (size_t)j, bytes);
}

static tl_status draw_panel(const cli_render_options *options, cli_render_sheet *sheet,
                            const cli_render_panel *panel, size_t place, size_t *particles,
                            tl_error *error) {
    tl_frame frame;
    TL_TRY(cli_render_read(panel->run, panel->number, &frame, error));
    aim(options, panel, frame.time);
    const tl_status status = tl_picture_paint(panel->run->picture, &frame, sheet->panel, error);
    if (status == TL_OK)
        put(sheet, place);
    *particles += frame.count;
    tl_frame_free(&frame);
    return status;
}

tl_status cli_render_sheet_draw(const cli_render_options *options, cli_render_sheet *sheet,
                                const cli_render_panel *panels, size_t count, const char *path,
                                size_t *particles, tl_error *error) {
    const tl_parallel parallel = tl_parallel_create(options->threads);
    *particles = 0;
    memset(sheet->pixels, 255, 3 * (size_t)sheet->width * (size_t)sheet->height);
    for (size_t i = 0; i < count; i++)
        TL_TRY(draw_panel(options, sheet, &panels[i], i, particles, error));
    return tl_png_write(path, sheet->pixels, (size_t)sheet->width, (size_t)sheet->height, &parallel,
                        error);
}

void cli_render_sheet_free(cli_render_sheet *sheet) {
    free(sheet->panel);
    free(sheet->pixels);
    *sheet = (cli_render_sheet){0};
}
