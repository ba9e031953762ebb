/* See facing.h. */
#include "tension/facing.h"

#include <math.h>
#include <string.h>

/* Slopes of Σ V W, per support, of what is no surface and of what is one: on a flat lattice they
 * are 1.1, 0.6 and 0.2 in the first three layers. And the least before means are taken. */
static const float slope_inside = 0.4f, slope_outside = 0.9f, least_slope = 0.1f;

/* Spacings from a wall up to which the wall alone says how a surface faces, and from which on it
 * has no say; and how much that may change by the curvature of the surface. */
static const float touches = 0.75f, apart = 2.25f, most_turned = 0.3f;

typedef struct facing_job {
    tl_tension *out;
    const tl_strain *s;
    const tl_tension_task *task;
} facing_job;

/* ---- Walls -------------------------------------------------------------------------------------
 */

/* Whether record j is something that particle i wets: a wall, what is held, or a rigid body. */
static bool is_wetted(const tl_strain *s, size_t j) {
    if (tl_records_is_sample(s->records, j))
        return true;
    return tl_records_is_matter(s->records, j) && !(s->motion[j].volume > 0);
}

static float cosine_of(const facing_job *c, size_t i, size_t j) {
    const tl_records *r = c->s->records;
    if (c->task->material)
        return 0; /* between liquids */
    if (tl_records_is_sample(r, j)) {
        const size_t k = tl_source_of(r, j) - r->particles;
        const float own = c->task->shapes->items[c->task->samples->items[k].shape].contact_cosine;
        if (!isnan(own))
            return own;
    }
    return c->task->cosine[i];
}

static float volume_of(const facing_job *c, size_t j) {
    const tl_records *r = c->s->records;
    if (!tl_records_is_sample(r, j))
        return tl_record_volume(&r->a[j]);
    const double spacing = c->task->samples->spacing;
    return (float)(spacing * spacing * spacing);
}

/* What the particle of a link wets. Its side is Σ g d. */
static void find_wetting(const facing_job *c, size_t i, tl_wetting *out, float side[3]) {
    const tl_strain *s = c->s;
    const float h = tl_strain_own_support(s, i), *self = s->motion[i].x;
    const float unit = (float)tl_kernel_norm(s->kernel) / (h * h * h);
    float size2 = 0, all = 0;
    size_t size;
    const uint32_t *row = tl_neighbor_row(c->task->list, i, &size);
    *out = (tl_wetting){.distance = h};
    side[0] = side[1] = side[2] = 0;
    for (size_t e = 0; e < size; e++) {
        const size_t j = row[e];
        if (j == i || !is_wetted(s, j))
            continue;
        const float *x = s->motion[j].x, d[3] = {x[0] - self[0], x[1] - self[1], x[2] - self[2]};
        const float q = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / h;
        if (!(q < 1))
            continue;
        const float V = volume_of(c, j);
        const float g = -V * unit / (h * h) * tl_lane(tl_kernel_slope(s->kernel, tl_splat(q)), 0);
        out->filling += V * unit * tl_lane(tl_kernel_shape(s->kernel, tl_splat(q)), 0);
        out->cosine += g * cosine_of(c, i, j);
        all += g;
        for (int k = 0; k < 3; k++)
            side[k] += g * d[k];
    }
    if (!(all > 0))
        return;
    out->cosine /= all;
    for (int k = 0; k < 3; k++)
        size2 += side[k] * side[k];
    for (int k = 0; k < 3 && size2 > 0; k++)
        out->normal[k] = -side[k] / sqrtf(size2);
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next)
        out->distance = fminf(out->distance, sqrtf(s->link[l - 1].reach2));
}

static const tl_wetting *wetting_of(const facing_job *c, size_t i) {
    return c->s->link_of[i] ? &c->out->wetting[c->s->link_of[i] - 1] : NULL;
}

/* ---- Sides -------------------------------------------------------------------------------------
 */

/* The part of the space beside walls that is full of matter. */
static float own_filling(const facing_job *c, size_t i) {
    const bool one = c->task->material;
    const float all = (one ? c->out->filling[i] : c->s->filling[i]) / (float)c->task->filling;
    const tl_wetting *w = wetting_of(c, i);
    if (!w || !(w->filling > 0))
        return all;
    return (all - w->filling) / fmaxf(1 - w->filling, 0.1f);
}

/* Where the neighbours of the liquid of particle i are, Σ g d, and how they fill its neighbourhood
 * with itself and what it wets. */
static void find_own(const facing_job *c, size_t i, float side[3]) {
    const tl_strain *s = c->s;
    const float *self = s->motion[i].x, h = tl_strain_own_support(s, i);
    float filling = tl_strain_filling(s, h, s->motion[i].volume, 0);
    side[0] = side[1] = side[2] = 0;
    for (size_t k = s->begin[i]; k < s->begin[i] + s->size[i]; k++) {
        const uint32_t j = s->index[k];
        const float *x = s->motion[j].x, d[3] = {x[0] - self[0], x[1] - self[1], x[2] - self[2]};
        const float r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (!(s->weight[k] > 0) ||
            c->task->material[tl_source_of(s->records, j)] != c->task->colour)
            continue;
        for (int a = 0; a < 3; a++)
            side[a] += s->weight[k] * r2 * d[a];
        filling += tl_strain_filling(s, h, s->motion[j].volume, r2);
    }
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next)
        filling += s->link[l - 1].filling;
    c->out->filling[i] = filling;
}

/* Whether particle i is none of what is seen. */
static bool is_other(const facing_job *c, size_t i) {
    return c->task->material && c->task->material[i] != c->task->colour;
}

static void side_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const facing_job *c = context;
    const tl_strain *s = c->s;
    for (size_t i = begin; i < end; i++) {
        const float *matter = tl_strain_around(s, i)->side;
        float own[3], wall[3] = {0}, part = 0;
        c->out->bent[i] = (tl_bent){0};
        if (is_other(c, i)) {
            memset(c->out->side[i], 0, sizeof c->out->side[i]);
            continue;
        }
        if (c->task->material) {
            find_own(c, i, own);
            matter = own;
        }
        if (s->link_of[i]) {
            find_wetting(c, i, &c->out->wetting[s->link_of[i] - 1], wall);
            part = fminf(fmaxf(own_filling(c, i), 0), 1);
        }
        for (int k = 0; k < 3; k++)
            c->out->side[i][k] = -(matter[k] + part * wall[k]);
        c->out->side[i][3] = 1;
    }
}

/* ---- Facing ------------------------------------------------------------------------------------
 */

/* The mean of sides about particle i. */
static void mean_side(const facing_job *c, size_t i, float h, float out[4]) {
    const tl_strain *s = c->s;
    const tl_motion *self = &s->motion[i];
    const float *own = c->out->side[i];
    const tl_wide zero = tl_splat(0.0f);
    tl_wide sums[4] = {zero, zero, zero, zero};
    for (size_t k = 0; k < s->size[i]; k += TL_LANES) {
        const uint32_t *index = s->index + s->begin[i] + k;
        tl_wide x[4], side[4], q2 = zero;
        TL_GATHER4(s->motion, x, index, x);
        tl_gather4((const float *)c->out->side, 4, index, side);
        for (int a = 0; a < 3; a++)
            q2 += (x[a] - self->x[a]) * (x[a] - self->x[a]);
        const tl_wide w = tl_select_less(zero, tl_load(s->weight + s->begin[i] + k),
                                         tl_facing_weight(q2 * (1 / (h * h))), zero);
        for (int a = 0; a < 3; a++)
            sums[a] += w * side[a];
        sums[3] += w * side[3];
    }
    tl_store_sum4(out, sums[0], sums[1], sums[2], sums[3]);
    for (int a = 0; a < 3; a++)
        out[a] = (out[a] + own[a]) / (1 + out[3]);
}

static float length_of(const float v[3]) { return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Turns the normal of what is near a wall. At the wall its part across that is cos θ, and grows by
 * half of κ, the mean of both curvatures, with the distance: on a ball exactly. */
static void wet(const tl_wetting *w, float spacing, float curvature, float normal[3]) {
    const float part = fminf(fmaxf((apart - w->distance / spacing) / (apart - touches), 0), 1);
    const float grown = fminf(fmaxf(0.5f * curvature * w->distance, -most_turned), most_turned);
    const float cosine = fminf(fmaxf(w->cosine + grown, -1), 1);
    float across = 0, along[3];
    for (int k = 0; k < 3; k++)
        across += w->plain[k] * w->normal[k];
    for (int k = 0; k < 3; k++)
        along[k] = w->plain[k] - across * w->normal[k];
    const float size = length_of(along), sine = sqrtf(fmaxf(1 - cosine * cosine, 0));
    if (!(part > 0) || !(size > 0.01f))
        return;
    for (int k = 0; k < 3; k++) {
        const float young = cosine * w->normal[k] + sine * along[k] / size;
        normal[k] = w->plain[k] + part * (young - w->plain[k]);
    }
    const float now = length_of(normal);
    for (int k = 0; k < 3 && now > 0; k++)
        normal[k] /= now;
}

static void wet_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const facing_job *c = context;
    for (size_t i = begin; i < end; i++) {
        const tl_wetting *w = wetting_of(c, i);
        const tl_bent *b = &c->out->bent[i];
        if (w && b->part > 0)
            wet(w, (float)tl_spacing_of(&c->s->sizes, i), b->curvature, c->out->facing[i].normal);
    }
}

void tl_facing_wet(tl_tension *t, const tl_strain *s) {
    facing_job c = {t, s, NULL};
    if (s->link_count == 0)
        return;
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, wet_range, &c);
    tl_images_share(s->records, TL_SHARED(t->facing));
}

static void facing_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const facing_job *c = context;
    const tl_strain *s = c->s;
    for (size_t i = begin; i < end; i++) {
        const float h = tl_strain_own_support(s, i);
        tl_facing *f = &c->out->facing[i];
        float mean[4];
        *f = (tl_facing){.depth = h};
        if (tl_strain_is_held(s, i) || is_other(c, i) ||
            length_of(c->out->side[i]) * h < least_slope)
            continue;
        mean_side(c, i, h, mean);
        const float slope = length_of(mean) * h;
        const float part = (slope - slope_inside) / (slope_outside - slope_inside);
        if (!(part > 0))
            continue;
        for (int k = 0; k < 3; k++)
            f->normal[k] = mean[k] * h / slope;
        f->depth = h * (float)tl_depth_at(&c->out->depths, (double)own_filling(c, i));
        c->out->bent[i].part = fminf(part, 1);
        if (s->link_of[i])
            memcpy(c->out->wetting[s->link_of[i] - 1].plain, f->normal, sizeof f->normal);
    }
}

void tl_facing_find(tl_tension *t, const tl_strain *s, const tl_tension_task *task) {
    facing_job c = {t, s, task};
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, side_range, &c);
    tl_images_share(s->records, TL_SHARED(t->side));
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, facing_range, &c);
    tl_images_share(s->records, TL_SHARED(t->facing));
    tl_images_share(s->records, TL_SHARED(t->bent));
}
