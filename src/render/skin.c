/* See skin.h. Here: from shapes to raw nearness, cover and paint, tile by tile. */
#include "render/skin.h"

#include "base/simd.h"
#include "render/triangles.h"

enum { PIXELS = TL_TILE / 2, AREA = PIXELS * PIXELS };

/* Paint is the mean of the particles around, this much wider than they are drawn, and of those no
 * deeper than so many spacings under the skin; long ones that point at the eye may be deeper. */
#define PAINT_WIDTH 1.7f
#define PAINT_DEPTH 1.6f
#define PAINT_REACH 1.2f

/* How much wider than they are drawn particles are when ways through them are added up. */
#define THICK_WIDTH 1.35f

/* Spacings that pixels beside each other differ in depth on one sheet, at most. */
#define SHEET 0.6f

/* °C, below which nothing glows that an eye would see. */
#define DARK_BELOW 400

static bool is_other(const float a[3], const float b[3]) {
    return a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
}

static bool is_many_coloured(const tl_preview_scene *scene) {
    const float *c = scene->colours;
    for (size_t i = 1; c && i < scene->skin->count; i++)
        if (is_other(c, c + 3 * i))
            return true;
    return false;
}

static bool is_hot(const tl_preview_skin *skin) {
    for (size_t i = 0; skin->temperatures && i < skin->count; i++)
        if (skin->temperatures[i] > DARK_BELOW)
            return true;
    return false;
}

static bool has_melt(const tl_preview_skin *skin) {
    for (size_t i = 0; skin->temperatures && i < skin->matter_count; i++)
        if (skin->matters[i].melts)
            return true;
    return false;
}

static bool has_clear(const tl_preview_skin *skin) {
    for (size_t i = 0; i < skin->matter_count; i++)
        if (skin->matters[i].clarity > 0.5f)
            return true;
    return false;
}

/* What is deep is not seen, but counts where one looks through. */
static bool choose(const void *context, size_t particle) {
    const tl_skin *skin = context;
    return !skin->shapes[particle].is_deep || tl_skin_is_clear(skin, particle);
}

static void set_paints(tl_skin *skin) {
    const tl_preview_scene *scene = skin->scene;
    const float *last = scene->colours ? scene->colours : scene->colour;
    tl_float3 linear = tl_linear(last);
    for (size_t i = 0; i < skin->matter->count; i++) {
        const float *c = scene->colours ? scene->colours + 3 * i : scene->colour;
        if (is_other(c, last))
            linear = tl_linear(c);
        last = c;
        skin->paints[i].colour = linear;
        skin->paints[i].temperature =
            skin->matter->temperatures ? skin->matter->temperatures[i] : 0;
    }
}

static void set_grid(tl_tile_grid *grid) {
    for (int k = 0; k < TL_TILE; k++) {
        grid->x[0][k] = (float)k + 0.25f, grid->x[1][k] = (float)k + 0.75f;
        grid->y[k] = (float)k + 0.75f;
        grid->shift[k] = k & 1 ? -0.5f : 0;
    }
}

/* The camera's view of the surface of the matter, which casts no shadows and has no colours. */
static tl_status set_form(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                          tl_skin *skin, tl_error *error) {
    if (!skin->matter->surface)
        return TL_OK;
    skin->cast = (tl_preview_scene){.meshes = skin->matter->surface, .mesh_count = 1};
    skin->form = tl_arena_allocate(arena, 1, sizeof *skin->form);
    if (!skin->form)
        return tl_fail_memory(error, 1, sizeof *skin->form);
    *skin->form = *view;
    skin->form->scene = &skin->cast;
    return tl_triangles_build(parallel, arena, skin->form, error);
}

tl_status tl_skin_make(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                       const tl_preview_scene *scene, tl_skin *out, tl_error *error) {
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    const size_t count = scene->skin->count;
    const bool blends = is_many_coloured(scene) || is_hot(scene->skin) || has_melt(scene->skin) ||
                        scene->skin->matter_count > 1;
    *out = (tl_skin){.scene = scene, .matter = scene->skin};
    out->spacing = (float)scene->skin->spacing;
    out->lens = (tl_lens){.eye = view->eye,
                          .right = view->right,
                          .down = tl_vec3_scale(view->up, -1),
                          .forward = view->forward,
                          .x0 = view->width,
                          .y0 = view->height,
                          .scale = 2 / (double)view->pixel,
                          .tiles_x = view->tiles_x,
                          .tiles_y = view->tiles_y};
    out->near = tl_arena_allocate(arena, pixels, sizeof *out->near);
    out->cover = tl_arena_allocate(arena, pixels, sizeof *out->cover);
    out->front = tl_arena_allocate(arena, pixels, sizeof *out->front);
    out->normals = tl_arena_allocate(arena, pixels, sizeof *out->normals);
    out->paints = tl_arena_allocate(arena, count + 1, sizeof *out->paints);
    out->kinds = tl_arena_allocate(arena, pixels, sizeof *out->kinds);
    out->behind = tl_arena_allocate(arena, pixels, sizeof *out->behind);
    const bool clear = has_clear(scene->skin);
    if (clear)
        out->thickness = tl_arena_allocate(arena, pixels, sizeof *out->thickness);
    if (blends)
        out->painted = tl_arena_allocate(arena, pixels, sizeof *out->painted);
    if (!out->near || !out->cover || !out->front || !out->normals || !out->paints || !out->kinds ||
        !out->behind || (blends && !out->painted) || (clear && !out->thickness))
        return tl_fail_memory(error, pixels + count, sizeof *out->normals);
    set_paints(out);
    set_grid(&out->grid);
    TL_TRY(set_form(parallel, arena, view, out, error));
    TL_TRY(tl_ellipsoids_make(parallel, arena, scene, &out->shapes, error));
    return tl_blots_make(parallel, arena, &out->lens, out->shapes, count,
                         blends || clear ? PAINT_WIDTH : 1, choose, out, &out->blots, error);
}

/* The nearness of a pixel is the mean of its samples on the foremost sheet, *front of them; of more
 * than one sheet it would be one between them, where there is none. */
static float resolve(const float z[4], float sheet, uint8_t *front) {
    const float nearest = fminf(fminf(z[0], z[1]), fminf(z[2], z[3]));
    float sum = 0;
    *front = 0;
    for (int k = 0; k < 4; k++)
        if (z[k] < nearest + sheet) {
            sum += 1 / z[k];
            (*front)++;
        }
    return *front > 0 ? sum / *front : 0;
}

static void put_pixels(const tl_view *view, const tl_tile *tile, const float *depth) {
    const tl_skin *skin = view->skin;
    for (int y = 0; y < PIXELS && tile->y0 / 2 + y < view->height; y++)
        for (int x = 0; x < PIXELS && tile->x0 / 2 + x < view->width; x++) {
            const int k = 2 * y * TL_TILE + 2 * x;
            const int at[4] = {k, k + 1, k + TL_TILE, k + TL_TILE + 1};
            float z[4];
            int cover = 0;
            for (int s = 0; s < 4; s++) {
                z[s] = depth[at[s]];
                cover += z[s] < tile->depth[at[s]];
            }
            const size_t p =
                (size_t)(tile->y0 / 2 + y) * (size_t)view->width + (size_t)(tile->x0 / 2 + x);
            skin->near[p] = resolve(z, skin->spacing, &skin->front[p]);
            skin->cover[p] = (uint8_t)cover;
        }
}

/* Sums of paint over a tile. */
typedef struct canvas {
    float depth[AREA], x[PIXELS]; /* x: of pixels, in samples from the corner */
    float sum[5][AREA];           /* weights, colour, temperature */
    float most[AREA];
    uint8_t kind[AREA];
} canvas;

/* The pixels of a tile that the paint of a blot may reach. */
typedef struct area {
    int left, top, right, bottom;
} area;

static area area_of(const tl_view *view, const tl_blot *s, const tl_tile *tile, float width) {
    const float wide = width * s->wide, high = width * s->high;
    const int x0 = tile->x0 / 2, y0 = tile->y0 / 2;
    const int x1 = x0 + PIXELS < view->width ? x0 + PIXELS : view->width;
    const int y1 = y0 + PIXELS < view->height ? y0 + PIXELS : view->height;
    return (area){
        (int)fmaxf((s->x - wide) / 2 - 1, (float)x0), (int)fmaxf((s->y - high) / 2 - 1, (float)y0),
        (int)fminf((s->x + wide) / 2 + 1, (float)x1), (int)fminf((s->y + high) / 2 + 1, (float)y1)};
}

static void note_kind(canvas *c, int at, const float *weight, uint8_t kind) {
    for (int l = 0; l < TL_LANES; l++)
        if (weight[l] > c->most[at + l]) {
            c->most[at + l] = weight[l];
            c->kind[at + l] = kind;
        }
}

static void paint_blot(const tl_skin *skin, const tl_blot *s, float cx, float cy, canvas *c) {
    const tl_paint *paint = &skin->paints[s->particle];
    const float wide = PAINT_WIDTH * s->wide, high = PAINT_WIDTH * s->high;
    const float scale = 1 / (PAINT_WIDTH * PAINT_WIDTH * s->top);
    const float reach = PAINT_REACH * skin->shapes[s->particle].reach;
    const float depth = 1 / fmaxf(PAINT_DEPTH * skin->spacing, reach);
    const uint8_t kind = skin->matter->kinds ? skin->matter->kinds[s->particle] : 0;
    const int left = (int)fmaxf((cx - wide) / 2 - 1, 0) / TL_LANES * TL_LANES;
    const int right = (int)fminf((cx + wide) / 2 + 1, PIXELS);
    const int top = (int)fmaxf((cy - high) / 2 - 1, 0);
    const int bottom = (int)fminf((cy + high) / 2 + 1, PIXELS);
    const float values[5] = {1, paint->colour.x, paint->colour.y, paint->colour.z,
                             paint->temperature};
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column += TL_LANES) {
            const int at = row * PIXELS + column;
            const tl_wide dx = tl_load(&c->x[column]) - tl_splat(cx);
            const tl_wide dy = tl_splat((float)(2 * row + 1) - cy);
            const tl_wide q = (dx * (s->qxx * dx + 2 * s->qxy * dy) + s->qyy * (dy * dy)) * scale;
            const tl_wide away = (s->z - tl_load(&c->depth[at])) * depth;
            const tl_wide inside = tl_positive(1 - q), close = tl_positive(1 - away * away);
            const tl_wide weight = inside * inside * close * close;
            float weights[TL_LANES];
            for (int k = 0; k < 5; k++)
                tl_store(&c->sum[k][at], tl_load(&c->sum[k][at]) + values[k] * weight);
            if (skin->matter->matter_count > 1) {
                tl_store(weights, weight);
                note_kind(c, at, weights, kind);
            }
        }
}

/* Adds the ways through the clear matter of a tile before what is behind it. A particle counts as
 * wider than it is, and as much thinner: so the sum is smooth. */
static void add_thickness(const tl_view *view, size_t number, const tl_tile *tile) {
    const tl_skin *skin = view->skin;
    const tl_bins *bins = &skin->blots.bins;
    const float square = THICK_WIDTH * THICK_WIDTH;
    for (size_t k = bins->start[number]; k < bins->start[number + 1]; k++) {
        const tl_blot *s = &skin->blots.items[bins->items[k]];
        if (!tl_skin_is_clear(skin, s->particle))
            continue;
        const float fill = 2 * skin->shapes[s->particle].fill / (square * THICK_WIDTH);
        const area a = area_of(view, s, tile, THICK_WIDTH);
        for (int y = a.top; y < a.bottom; y++) {
            const size_t row = (size_t)y * (size_t)view->width;
            const float dy = (float)(2 * y + 1) - s->y, rest = square * s->top - s->qyy * dy * dy;
            const float slope = 2 * s->qxy * dy, start = 1 - s->x, qxx = s->qxx, z = s->z;
            const float *restrict behind = view->depth + row;
            float *restrict sum = skin->thickness + row;
            for (int x = a.left; x < a.right; x++) {
                const float dx = start + (float)(2 * x), left = rest - dx * (qxx * dx + slope);
                const float way = fill * sqrtf(left > 0 ? left : 0);
                sum[x] += z < behind[x] ? way : 0;
            }
        }
    }
}

static void paint_tile(const tl_view *view, size_t number, const tl_tile *tile) {
    const tl_skin *skin = view->skin;
    const tl_bins *bins = &skin->blots.bins;
    canvas c;
    memset(&c, 0, sizeof c);
    for (int k = 0; k < PIXELS; k++)
        c.x[k] = (float)(2 * k + 1);
    const int x0 = tile->x0 / 2, y0 = tile->y0 / 2;
    const int wide = view->width - x0 < PIXELS ? view->width - x0 : PIXELS;
    const int high = view->height - y0 < PIXELS ? view->height - y0 : PIXELS;
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++)
            c.depth[y * PIXELS + x] =
                1 / skin->near[(size_t)(y0 + y) * (size_t)view->width + (size_t)(x0 + x)];
    for (size_t k = bins->start[number]; k < bins->start[number + 1]; k++) {
        const tl_blot *s = &skin->blots.items[bins->items[k]];
        if (!s->is_deep)
            paint_blot(skin, s, s->x - (float)tile->x0, s->y - (float)tile->y0, &c);
    }
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            const int k = y * PIXELS + x;
            const size_t p = (size_t)(y0 + y) * (size_t)view->width + (size_t)(x0 + x);
            const float scale = c.sum[0][k] > 0 ? 1 / c.sum[0][k] : 0;
            skin->painted[p] =
                (tl_paint){{c.sum[1][k] * scale, c.sum[2][k] * scale, c.sum[3][k] * scale},
                           c.sum[4][k] * scale};
            skin->kinds[p] = c.kind[k];
        }
}

static bool is_empty(const tl_bins *bins, size_t tile) {
    return bins->start[tile] == bins->start[tile + 1];
}

/* The depths of the matter of a tile; it is cast in the same rays as all else. */
static void draw_depths(const tl_skin *skin, size_t number, const tl_tile *tile, tl_tile *out) {
    uint32_t shown[TL_TILE * TL_TILE];
    *out = *tile;
    out->shown = shown;
    for (int k = 0; k < TL_TILE * TL_TILE; k++)
        out->depth[k] = INFINITY;
    if (skin->form)
        tl_triangles_draw(skin->form, number, out);
    else
        tl_blots_draw(&skin->blots, number, &skin->grid, out->depth);
    out->shown = tile->shown;
}

void tl_skin_draw(const tl_view *view, size_t number, const tl_tile *tile) {
    const tl_skin *skin = view->skin;
    if (is_empty(&skin->blots.bins, number) &&
        (!skin->form || is_empty(&skin->form->triangle_bins, number)))
        return;
    tl_tile matter;
    draw_depths(skin, number, tile, &matter);
    put_pixels(view, tile, matter.depth);
    if (skin->painted)
        paint_tile(view, number, tile);
    if (skin->thickness)
        add_thickness(view, number, tile);
}

/* The slope of nearness from one pixel to the next. Near an edge one side belongs to another sheet:
 * the flatter side counts more. Where both do, as in a sliver between two edges, the slope says
 * nothing: beyond `steep` it is made flatter again. */
static float slope(float before, float here, float after, float flat, float steep) {
    const float l = here - before, r = after - here;
    float sum = before > 0 ? l : after > 0 ? r : 0;
    if (before > 0 && after > 0) {
        const float wl = 1 / (l * l + flat * flat), wr = 1 / (r * r + flat * flat);
        sum = (wl * l + wr * r) / (wl + wr);
    }
    const float over = fabsf(sum) / steep;
    return over > 1 ? sum / (over * over) : sum;
}

typedef struct turn_job {
    const tl_view *view;
    tl_float3 *raw; /* [pixel]: normals before those around are heard */
} turn_job;

static void turn_rows(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const turn_job *job = context;
    const tl_view *view = job->view;
    const tl_skin *skin = view->skin;
    const int width = view->width;
    for (int y = (int)begin; y < (int)end; y++) {
        const float *row = skin->near + (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++) {
            const float w = row[x];
            if (!(w > 0))
                continue;
            const float flat = 0.05f * skin->spacing * w * w;
            const float steep = fmaxf(10 * flat, 8 * w * view->pixel);
            const float above = y > 0 ? row[x - width] : 0;
            const float below = y + 1 < view->height ? row[x + width] : 0;
            const float left = x > 0 ? row[x - 1] : 0, right = x + 1 < width ? row[x + 1] : 0;
            const float wx = slope(left, w, right, flat, steep);
            const float wy = -slope(above, w, below, flat, steep);
            /* n·p = h on a plane, hence h w = n·(x, y, 1): n is along the slopes of w. */
            const float sx = wx / view->pixel, sy = wy / view->pixel;
            const float rest = w - tl_pixel_x(view, x) * sx - tl_pixel_y(view, y) * sy;
            job->raw[(size_t)y * (size_t)width + (size_t)x] =
                tl_float3_unit((tl_float3){-sx, -sy, -rest});
        }
    }
}

/* The mean normal of a pixel and of those around it on the same sheet, which count more: at edges a
 * single pixel may have been misled. */
static tl_float3 agree(const turn_job *job, int x, int y) {
    const tl_view *view = job->view;
    const tl_skin *skin = view->skin;
    const size_t p = (size_t)y * (size_t)view->width + (size_t)x;
    const float here = skin->near[p], scale = 1 / (SHEET * skin->spacing * here * here);
    tl_float3 sum = tl_float3_scale(job->raw[p], 0.25f);
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < view->height; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < view->width; i++) {
            const size_t q = (size_t)j * (size_t)view->width + (size_t)i;
            const float off = (skin->near[q] - here) * scale;
            if (off * off < 1)
                sum = tl_float3_mad(sum, 1 - off * off, job->raw[q]);
        }
    return tl_float3_unit(sum);
}

static void agree_rows(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const turn_job *job = context;
    const tl_skin *skin = job->view->skin;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < job->view->width; x++) {
            const size_t p = y * (size_t)job->view->width + (size_t)x;
            if (skin->near[p] > 0)
                skin->normals[p] = agree(job, x, (int)y);
        }
}

void tl_skin_turn(const tl_parallel *parallel, const tl_view *view, tl_float3 *scratch) {
    turn_job job = {view, scratch};
    tl_parallel_for(parallel, (size_t)view->height, 8, turn_rows, &job);
    tl_parallel_for(parallel, (size_t)view->height, 8, agree_rows, &job);
}

void tl_skin_join(tl_view *view) {
    const tl_skin *skin = view->skin;
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    for (size_t p = 0; p < pixels; p++) {
        skin->behind[p] = view->depth[p];
        if (skin->cover[p] > 0)
            view->depth[p] = 1 / skin->near[p];
    }
}
