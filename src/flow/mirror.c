/* See mirror.h. The sweeps over images are in image_sweeps.c. */
#include "flow/strain.h"

#include <math.h>
#include <string.h>

/* Planes whose normals have no larger product are at right angles. */
static const float right_angle = 1e-4f;

/* ---- Mirrors -----------------------------------------------------------------------------------
 */

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool meet_squarely(const tl_mirrors *m, uint32_t planes, size_t plane) {
    for (size_t k = 0; k < m->plane_count; k++)
        if (planes >> k & 1 && fabsf(dot(m->plane[k].normal, m->plane[plane].normal)) > right_angle)
            return false;
    return true;
}

/* x -> x - 2 (n·x - offset) n for all planes, which do not know of each other. */
static tl_mirror make_mirror(const tl_mirrors *m, uint32_t planes) {
    tl_mirror out = {.planes = planes, .Q = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (size_t k = 0; k < m->plane_count; k++) {
        const tl_mirror_plane *p = &m->plane[k];
        for (int r = 0; r < 3 && planes >> k & 1; r++) {
            for (int c = 0; c < 3; c++)
                out.Q[r][c] -= 2 * p->normal[r] * p->normal[c];
            out.Q[r][3] += 2 * p->offset * p->normal[r];
        }
    }
    return out;
}

/* A mirror for each set of planes at right angles to each other. */
static tl_status make_mirrors(tl_mirrors *m, tl_error *error) {
    m->count = 0;
    for (size_t k = 0; k < m->plane_count; k++) {
        const size_t before = m->count;
        TL_TRY(TL_ARRAY_RESERVE(m->items, m->count, 2 * before + 1, error));
        m->items[m->count++] = make_mirror(m, 1U << k);
        for (size_t other = 0; other < before; other++)
            if (meet_squarely(m, m->items[other].planes, k))
                m->items[m->count++] = make_mirror(m, m->items[other].planes | 1U << k);
    }
    return TL_OK;
}

size_t tl_mirrors_near(const tl_mirrors *m, const float x[3], float reach,
                       uint32_t out[TL_MOST_MIRRORS]) {
    uint32_t near = 0;
    size_t count = 0;
    for (size_t k = 0; k < m->plane_count; k++) {
        const float y = dot(m->plane[k].normal, x) - m->plane[k].offset;
        near |= (uint32_t)(y > 0 && y < reach) << k;
    }
    for (uint32_t k = 0; near && k < m->count && count < TL_MOST_MIRRORS; k++)
        if (!(m->items[k].planes & ~near))
            out[count++] = k;
    return count;
}

/* ---- Pairs -------------------------------------------------------------------------------------
 */

/* Who is in front of all planes of a mirror, as whoever sees his image is. */
TL_INLINE tl_wide in_front(const tl_mirrors *all, const tl_mirror *m, const tl_wide x[3],
                           tl_wide volume) {
    const tl_wide zero = tl_splat(0.0f);
    for (size_t k = 0; k < all->plane_count; k++) {
        const tl_mirror_plane *p = &all->plane[k];
        const tl_wide y =
            p->normal[0] * x[0] + p->normal[1] * x[1] + p->normal[2] * x[2] - p->offset;
        if (m->planes >> k & 1)
            volume = tl_select_less(zero, y, volume, zero);
    }
    return volume;
}

/* Eight neighbours that may be seen in a mirror: d, r² and V; no volume: they are not. A particle
 * is not nearer to an image than to what it is of. */
typedef struct seen {
    tl_wide d[3], r2, volume;
} seen;

TL_INLINE seen look(const tl_strain *s, const tl_mirror *m, size_t i, const uint32_t *row) {
    const float *self = s->motion[i].x, tiny = 1e-12f * s->support * s->support;
    const tl_wide zero = tl_splat(0.0f), reach2 = tl_splat(s->support * s->support);
    tl_wide x[4], u[4], near2 = zero;
    seen out = {.r2 = zero};
    TL_GATHER4(s->motion, x, row, x);
    TL_GATHER4(s->motion, u, row, u);
    for (int k = 0; k < 3; k++) {
        const tl_wide way = x[k] - self[k];
        out.d[k] = m->Q[k][0] * x[0] + m->Q[k][1] * x[1] + m->Q[k][2] * x[2] + m->Q[k][3] - self[k];
        out.r2 += out.d[k] * out.d[k];
        near2 += way * way;
    }
    /* Not what lies on top of it, and itself. */
    const tl_wide other = tl_select_less(tl_splat(tiny), near2, u[3], zero);
    out.volume = tl_select_less(out.r2, reach2, in_front(&s->mirrors, m, x, other), zero);
    return out;
}

/* A row that is being filled. */
typedef struct filling {
    tl_image_pairs *pairs;
    size_t found;
    float full, filling;
} filling;

static void keep(const tl_strain *s, const seen *image, uint32_t mirror, const uint32_t *row,
                 filling *f) {
    const tl_mirror *m = &s->mirrors.items[mirror];
    const float R = s->support, unit = (float)tl_kernel_norm(s->kernel) / (R * R * R);
    const tl_wide q = tl_sqrt(image->r2) * (1 / R);
    const tl_wide w = unit / (R * R) * image->volume * -tl_kernel_slope(s->kernel, q) / image->r2;
    float d[3][TL_LANES], weight[TL_LANES], full[TL_LANES], part[TL_LANES];
    for (int k = 0; k < 3; k++)
        tl_store(d[k], image->d[k]);
    tl_store(weight, w);
    tl_store(full, w * image->r2 * image->r2);
    tl_store(part, unit * image->volume * tl_kernel_shape(s->kernel, q));
    for (size_t l = 0; l < TL_LANES; l++) {
        if (!(weight[l] > 0))
            continue;
        tl_image_pairs *p = &f->pairs[f->found / TL_LANES];
        const size_t at = f->found++ % TL_LANES;
        for (int c = 0; c < 3; c++) {
            p->d[c][at] = d[c][l];
            p->e[c][at] = m->Q[0][c] * d[0][l] + m->Q[1][c] * d[1][l] + m->Q[2][c] * d[2][l];
        }
        p->weight[at] = weight[l];
        p->index[at] = row[l];
        p->mirror[at] = mirror;
        f->full += full[l];
        f->filling += part[l];
    }
}

/* The images that particle i sees: how many, and who unless `f` is NULL. */
static size_t see_images(const tl_strain *s, const tl_neighbor_list *list, size_t i, filling *f) {
    uint32_t near[TL_MOST_MIRRORS];
    size_t size, count = 0;
    const uint32_t *row = tl_neighbor_row(list, i, &size);
    const size_t mirrors = tl_strain_is_held(s, i)
                               ? 0
                               : tl_mirrors_near(&s->mirrors, s->motion[i].x, s->support, near);
    for (size_t m = 0; m < mirrors; m++)
        for (size_t k = 0; k < size; k += TL_LANES) {
            const seen found = look(s, &s->mirrors.items[near[m]], i, row + k);
            count += (size_t)__builtin_popcount(tl_mask_less(tl_splat(0.0f), found.volume));
            if (f)
                keep(s, &found, near[m], row + k, f);
        }
    return count;
}

typedef struct making {
    tl_strain *s;
    const tl_neighbor_list *list;
} making;

static void count_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const making *c = context;
    for (size_t i = begin; i < end; i++)
        c->s->mirrors.first[i + 1] = tl_pad_lanes(see_images(c->s, c->list, i, NULL)) / TL_LANES;
}

/* What is not needed of the last eight names the particle itself, with no weight. */
static void fill_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const making *c = context;
    tl_mirrors *m = &c->s->mirrors;
    for (size_t i = begin; i < end; i++) {
        filling f = {.pairs = m->pairs + m->first[i]};
        if (m->first[i] < m->first[i + 1]) {
            tl_image_pairs *last = &m->pairs[m->first[i + 1] - 1];
            *last = (tl_image_pairs){.weight = {0}};
            for (size_t l = 0; l < TL_LANES; l++)
                last->index[l] = (uint32_t)i;
            see_images(c->s, c->list, i, &f);
        }
        m->full[i] = f.full;
        m->filling[i] = f.filling;
    }
}

tl_status tl_mirrors_make(tl_strain *s, const tl_neighbor_list *list, tl_error *error) {
    tl_mirrors *m = &s->mirrors;
    const size_t n = s->particles;
    making c = {s, list};
    if (m->plane_count == 0)
        return TL_OK;
    TL_TRY(make_mirrors(m, error));
    TL_TRY(TL_ARRAY_RESERVE(m->first, 0, n + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(m->full, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(m->filling, 0, n, error));
    m->first[0] = 0;
    tl_parallel_for(s->parallel, n, TL_BLOCK, count_range, &c);
    for (size_t i = 0; i < n; i++)
        m->first[i + 1] += m->first[i];
    TL_TRY(TL_ARRAY_RESERVE(m->pairs, 0, m->first[n], error));
    tl_parallel_for(s->parallel, n, TL_BLOCK, fill_range, &c);
    return TL_OK;
}
