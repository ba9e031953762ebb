/* See ellipsoids.h. The variances of the places around a particle along their principal axes tell
 * how the matter spreads there. Lengths are in spacings until the end. */
#include "render/ellipsoids.h"

#include "math/pi.h"
#include "surface/moments.h"

#include <stdlib.h>

/* How far a neighbourhood reaches; Σ w in the midst of a cubic lattice; and from which part of it
 * on, and up to which offset of its middle, a particle is deep. */
#define SUPPORT     2.7f
#define CELLS       1.36f /* cells of half the support hold fewer that are too far */
#define FULL_SUM    5.93f
#define DEEP_SUM    0.93f
#define DEEP_OFFSET 0.05f

/* The shortest half axis on a face, so that the skin lies half a spacing outside the outermost
 * particles; of a particle alone, a ball of its volume; and the longest. */
#define LEAST 0.5
#define ALONE 0.62
#define MOST  1.3

/* How far a shape is moved towards the middle of its neighbourhood, in ways to that middle; and how
 * far off that is on a face. */
#define INWARD      2.0
#define FACE_OFFSET 0.292

/* Added to variances, so that few neighbours stretch little; and how fast a shape grows with the
 * ratio of variances. That of a face, 1.4, is to reach the next particle. */
#define LEAST_VARIANCE 0.04
#define GROWTH         3.2

typedef struct job {
    const tl_preview_scene *scene;
    const tl_cloud *cloud;
    const uint32_t *chosen; /* particles of the cloud */
    const uint8_t *inner;   /* [cell]: all around it, as far as neighbours are, cells hold matter */
    tl_ellipsoid *shapes;
} job;

/* Keeps of the cells marked in `from` those with `near` marked ones on both sides along an axis. */
static void erode(const tl_cells *cells, size_t axis, size_t near, const uint8_t *from,
                  uint8_t *to) {
    const size_t *step =
        (const size_t[3]){1, cells->size[0], (size_t)cells->size[0] * cells->size[1]};
    for (size_t c = 0; c < cells->count; c++) {
        const size_t at = c / step[axis] % cells->size[axis];
        uint8_t all = at >= near && at + near < cells->size[axis];
        for (size_t k = 1; k <= near && all; k++)
            all = from[c - k * step[axis]] & from[c + k * step[axis]];
        to[c] = all & from[c];
    }
}

/* Cells are wider than a spacing: where none around is empty, there is no surface. This spares most
 * particles of bulk matter a look at their neighbours. */
static tl_status find_inner(tl_arena *arena, const tl_cells *cells, const uint8_t **out,
                            tl_error *error) {
    uint8_t *marks[2];
    for (int k = 0; k < 2; k++) {
        marks[k] = tl_arena_allocate(arena, cells->count, 1);
        if (!marks[k])
            return tl_fail_memory(error, cells->count, 1);
    }
    *out = marks[1];
    if (cells->folded[0] || cells->folded[1] || cells->folded[2])
        return TL_OK; /* none is known to be */
    for (size_t c = 0; c < cells->count; c++)
        marks[0][c] = cells->start[c + 1] > cells->start[c];
    for (size_t axis = 0; axis < 3; axis++)
        erode(cells, axis, 2, marks[axis & 1], marks[~axis & 1]);
    return TL_OK;
}

static size_t cell_of(const tl_cells *cells, const float x[3]) {
    size_t at[3];
    for (int k = 0; k < 3; k++)
        at[k] = (size_t)((int64_t)floor((double)x[k] * cells->scale) - cells->origin[k]) %
                cells->size[k];
    return (at[2] * cells->size[1] + at[1]) * cells->size[0] + at[0];
}

static bool is_deep(const tl_moments *m) {
    const float *f = m->first, most = DEEP_OFFSET * SUPPORT * m->sum;
    return m->sum > DEEP_SUM * FULL_SUM && f[0] * f[0] + f[1] * f[1] + f[2] * f[2] < most * most;
}

/* M = Σ v vᵀ / length². */
static void set_axes(const double length[3], const double vector[3][3], double spacing,
                     tl_ellipsoid *out) {
    double M[6] = {0};
    for (int k = 0; k < 3; k++) {
        const double *v = vector[k], s = 1 / (length[k] * length[k] * spacing * spacing);
        M[0] += s * v[0] * v[0], M[1] += s * v[1] * v[1], M[2] += s * v[2] * v[2];
        M[3] += s * v[0] * v[1], M[4] += s * v[1] * v[2], M[5] += s * v[0] * v[2];
    }
    for (int k = 0; k < 6; k++)
        out->M[k] = (float)M[k];
    out->fill = (float)(0.75 / TL_PI / (length[0] * length[1] * length[2]));
    out->reach = (float)(spacing * fmax(length[0], fmax(length[1], length[2])));
}

static void set_ball(double radius, double spacing, tl_ellipsoid *out) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    set_axes((const double[3]){radius, radius, radius}, axes, spacing, out);
}

/* Stretches a shape along a direction u: M' = T M T with T = 1 + (1/factor - 1) u uᵀ. */
static void stretch(tl_ellipsoid *s, tl_vec3 u, double factor) {
    static const int at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
    const double v[3] = {u.x, u.y, u.z}, b = 1 / factor - 1;
    double Mu[3] = {0}, uMu = 0, M[6];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            Mu[r] += (double)s->M[at[r][c]] * v[c];
    for (int r = 0; r < 3; r++)
        uMu += v[r] * Mu[r];
    for (int k = 0; k < 6; k++) {
        const int r = row[k], c = column[k];
        M[k] = (double)s->M[k] + b * (v[r] * Mu[c] + Mu[r] * v[c]) + b * b * uMu * v[r] * v[c];
    }
    for (int k = 0; k < 6; k++)
        s->M[k] = (float)M[k];
    s->reach *= (float)factor;
    s->fill /= (float)factor;
}

/* What flies alone is as long as its way while the shutter is open, up to twice its width. */
static void stretch_by_flow(const tl_preview_skin *skin, size_t i, double lonely, tl_ellipsoid *s) {
    if (!skin->velocities || !(lonely > 0))
        return;
    const float *v = skin->velocities + 3 * i;
    const tl_vec3 velocity = {(double)v[0], (double)v[1], (double)v[2]};
    const double way = tl_vec3_length(velocity) * skin->shutter / skin->spacing;
    if (way > 0 && isfinite(way))
        stretch(s, tl_vec3_unit(velocity), 1 + lonely * fmin(way, 1));
}

/* Moves a shape towards and beyond the middle of its neighbourhood and makes it as much longer, so
 * that it reaches as far as before: large shapes have flatter unions. What stands out of a face is
 * moved in more, and so is evened out. */
static void move_inward(const tl_moments *m, double spacing, const double vector[3][3],
                        double length[3], tl_ellipsoid *out) {
    const double offset[3] = {INWARD * (double)(m->first[0] / m->sum),
                              INWARD * (double)(m->first[1] / m->sum),
                              INWARD * (double)(m->first[2] / m->sum)};
    for (int k = 0; k < 3; k++)
        length[k] += fmin(
            fabs(offset[0] * vector[k][0] + offset[1] * vector[k][1] + offset[2] * vector[k][2]),
            INWARD * FACE_OFFSET);
    out->at = tl_vec3_mad(out->at, spacing, tl_vec3_of(offset));
}

/* How far a shape reaches from its middle along a direction u: √(uᵀ M⁻¹ u). */
static double extent(const tl_ellipsoid *s, tl_vec3 u) {
    double M[6];
    for (int k = 0; k < 6; k++)
        M[k] = (double)s->M[k];
    const tl_vec3 x = {M[0], M[3], M[5]}, y = {M[3], M[1], M[4]}, z = {M[5], M[4], M[2]};
    const tl_vec3 a = tl_vec3_cross(y, z), b = tl_vec3_cross(z, x), c = tl_vec3_cross(x, y);
    const double sum = u.x * tl_vec3_dot(a, u) + u.y * tl_vec3_dot(b, u) + u.z * tl_vec3_dot(c, u);
    return sqrt(sum / tl_vec3_dot(x, a));
}

/* Makes a shape as long as it must be to reach the end of its particle's way, while what lies on
 * the other side stays; what is alone is moved there as it is. */
static void reach_out(const tl_preview_scene *scene, size_t i, double lonely, tl_ellipsoid *s) {
    if (!scene->skin->ways)
        return;
    const float *w = scene->skin->ways + 3 * i;
    const tl_vec3 way = {(double)w[0], (double)w[1], (double)w[2]};
    const double length = tl_vec3_length(way);
    if (!(length > 0))
        return;
    const tl_vec3 u = tl_vec3_unit(way);
    const tl_vec3 place = tl_vec3_of(scene->positions + i * (scene->stride ? scene->stride : 3));
    const double half = extent(s, u);
    const double gap = length - half - tl_vec3_dot(u, tl_vec3_sub(s->at, place));
    if (!(gap > 0))
        return;
    s->at = tl_vec3_mad(s->at, 0.5 * (1 + lonely) * gap, u);
    stretch(s, u, 1 + 0.5 * (1 - lonely) * gap / half);
}

static void set_shape(const job *j, size_t sorted) {
    const tl_preview_scene *scene = j->scene;
    const tl_cells *cells = &j->cloud->cells;
    const size_t i = j->chosen[j->cloud->index[cells->id[sorted]]];
    const float x[3] = {cells->x[sorted], cells->y[sorted], cells->z[sorted]};
    const double spacing =
        scene->skin->sizes ? (double)scene->skin->sizes[i] : scene->skin->spacing;
    tl_ellipsoid *out = &j->shapes[i];
    const bool inner = j->inner[cell_of(cells, x)];
    tl_moments m = {0};
    if (!inner)
        m = tl_moments_find(j->cloud, x, SUPPORT, tl_cloud_size(j->cloud, sorted));
    out->at = tl_vec3_of(scene->positions + i * (scene->stride ? scene->stride : 3));
    out->is_deep = inner || is_deep(&m);
    if (out->is_deep || scene->skin->round) {
        set_ball(ALONE, spacing, out);
        reach_out(scene, i, 0, out);
        return;
    }
    double value[3], vector[3][3], length[3];
    tl_moments_variances(&m, value, vector);
    /* Σ w is 1 for a particle alone, some 2 on a thread and 4.6 on a face. */
    const double lonely = fmin(fmax(1 - ((double)m.sum - 1) / 0.8, 0), 1);
    const double least = fmin(value[0], fmin(value[1], value[2])) + LEAST_VARIANCE;
    const double shortest = LEAST + (ALONE - LEAST) * lonely;
    for (int k = 0; k < 3; k++) {
        const double ratio = sqrt((value[k] + LEAST_VARIANCE) / least);
        length[k] = fmin(shortest * (1 + GROWTH * (ratio - 1)), fmax(MOST, shortest));
    }
    move_inward(&m, spacing, vector, length, out);
    set_axes(length, vector, spacing, out);
    stretch_by_flow(scene->skin, i, lonely, out);
    reach_out(scene, i, lonely, out);
}

static void set_shapes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t i = begin; i < end; i++)
        set_shape(context, i);
}

/* The places that are finite, and not so far off that the cloud would lose its digits. */
static tl_status choose(tl_arena *arena, const tl_preview_scene *scene, tl_frame *frame,
                        uint32_t **chosen, tl_error *error) {
    const size_t stride = scene->stride ? scene->stride : 3, room = scene->skin->count + 1;
    double *places = tl_arena_allocate(arena, room, 3 * sizeof *places);
    *chosen = tl_arena_allocate(arena, room, sizeof **chosen);
    if (!places || !*chosen)
        return tl_fail_memory(error, room, 3 * sizeof *places);
    *frame = (tl_frame){.array_count = 1};
    frame->array[0] = (tl_frame_array){"position", "m", "", TL_F64, 3, places};
    float *sizes = scene->skin->sizes ? tl_arena_allocate(arena, room, sizeof *sizes) : NULL;
    if (scene->skin->sizes && !sizes)
        return tl_fail_memory(error, room, sizeof *sizes);
    if (sizes)
        frame->array[frame->array_count++] = (tl_frame_array){"size", "m", "", TL_F32, 1, sizes};
    for (size_t i = 0; i < scene->skin->count; i++) {
        const double *p = scene->positions + i * stride;
        if (!(fabs(p[0]) < 1e15 && fabs(p[1]) < 1e15 && fabs(p[2]) < 1e15))
            continue;
        for (size_t k = 0; k < 3; k++)
            places[3 * frame->count + k] = p[k];
        if (sizes)
            sizes[frame->count] = scene->skin->sizes[i];
        (*chosen)[frame->count++] = (uint32_t)i;
    }
    return TL_OK;
}

tl_status tl_ellipsoids_make(const tl_parallel *parallel, tl_arena *arena,
                             const tl_preview_scene *scene, tl_ellipsoid **out, tl_error *error) {
    tl_frame frame;
    uint32_t *chosen;
    tl_cloud cloud = {0};
    TL_TRY(choose(arena, scene, &frame, &chosen, error));
    *out = tl_arena_allocate(arena, scene->skin->count, sizeof **out);
    if (!*out)
        return tl_fail_memory(error, scene->skin->count, sizeof **out);
    tl_status status =
        tl_cloud_make(&cloud, &frame, scene->skin->spacing, CELLS, -1, parallel, error);
    job j = {scene, &cloud, chosen, NULL, *out};
    if (status == TL_OK && cloud.count > 0)
        status = find_inner(arena, &cloud.cells, &j.inner, error);
    if (status == TL_OK)
        tl_parallel_for(parallel, cloud.count, TL_BLOCK, set_shapes, &j);
    tl_cloud_free(&cloud);
    return status;
}
