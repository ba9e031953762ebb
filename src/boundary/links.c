/* See links.h. */
#include "boundary/links.h"

#include "boundary/bend.h"
#include "boundary/friction.h"
#include "boundary/mirrors.h"
#include "flow/border.h"
#include "flow/wall_level.h"

#include <string.h>

/* A particle that touches the wall is taken to be this part of a spacing away from it. */
static const double nearest = 0.2;

static bool is_sample(const tl_records *r, uint32_t j, size_t *sample) {
    if (!tl_records_is_sample(r, j))
        return false;
    *sample = tl_source_of(r, j) - r->particles;
    return true;
}

/* Adds the pair with direction d, weight w, factor s and wall velocity v. */
static void add_pair(tl_wall_link *link, const float d[3], float w, float s, const float v[3]) {
    const float x = d[0], y = d[1], z = d[2];
    const float xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    const float third[TL_THIRDS] = {xx * x, yy * y, zz * z, xx * y, xx * z,
                                    yy * x, yy * z, zz * x, zz * y, xy * z};
    const float m[6] = {xx, yy, zz, 2 * xy, 2 * xz, 2 * yz};
    const float second[6] = {xx, yy, zz, xy, xz, yz};
    float fourth[TL_FOURTHS];
    tl_fourths_of(d, fourth);
    const float along = x * v[0] + y * v[1] + z * v[2];
    for (int k = 0; k < TL_FOURTHS; k++)
        link->moments[k] += w * fourth[k];
    for (int k = 0; k < TL_THIRDS; k++)
        link->thirds.all[k] += w * s * third[k];
    for (int k = 0; k < 6; k++) {
        link->drive[k] += w * s * along * m[k];
        link->drag[k] += w * s * s * second[k];
    }
    for (int k = 0; k < 3; k++)
        link->pull[k] += w * s * s * along * d[k];
    link->stir += w * s * s * along * along;
}

/* Adds what curved paths need of the pair. Along free-slip walls nothing is known of them. */
static void add_bend(tl_wall_link *link, const float d[3], float w, float s, const float v[3]) {
    const float m[6] = {d[0] * d[0],     d[1] * d[1],     d[2] * d[2],
                        2 * d[0] * d[1], 2 * d[0] * d[2], 2 * d[1] * d[2]};
    for (int k = 0; k < 6; k++)
        link->bend[k] += w * s * s * m[k];
    for (int k = 0; k < 3; k++)
        link->lift[k] += w * s * s * s * d[k];
    const float part = w * s * s * (m[0] + m[1] + m[2]);
    const float total = link->bend[0] + link->bend[1] + link->bend[2];
    for (int k = 0; k < 3; k++)
        link->velocity[k] += part / total * (v[k] - link->velocity[k]);
}

void tl_link_add_across(tl_wall_link *link, const float d[3], float w, float s, const float v[3]) {
    add_pair(link, d, w, s, v);
}

void tl_link_add(tl_wall_link *link, const float d[3], float w, float s, const float v[3],
                 const float n[3]) {
    add_pair(link, d, w, s, v);
    add_bend(link, d, w, s, v);
    tl_wall_level_add(link, d, w, n);
}

/* Places of the symmetric third moments, as add_pair has them. */
static const int third_axes[TL_THIRDS][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 0, 1}, {0, 0, 2},
                                             {1, 1, 0}, {1, 1, 2}, {2, 2, 0}, {2, 2, 1}, {0, 1, 2}};
static const int second_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void tl_link_add_along(tl_wall_link *link, const float d[3], float w, float s, const float v[3],
                       const tl_link_along *a) {
    const float *n = a->normal, *u = a->velocity, across = dot(d, n);
    const float t[3] = {d[0] - across * n[0], d[1] - across * n[1], d[2] - across * n[2]};
    const float part = w * a->more * across, t2 = dot(t, t), tu = dot(t, u), nu = dot(n, u);
    const float plain = s * dot(d, v), whole = plain + a->more * tu;
    for (int k = 0; k < TL_THIRDS; k++) {
        const int x = third_axes[k][0], y = third_axes[k][1], z = third_axes[k][2];
        link->thirds.all[k] += part * (t[x] * t[y] * n[z] + t[x] * n[y] * t[z] +
                                       n[x] * t[y] * t[z] - t2 * n[x] * n[y] * n[z]);
    }
    for (int k = 0; k < 6; k++) {
        const int x = second_axes[k][0], y = second_axes[k][1];
        const float e[2] = {s * d[x] + a->more * t[x], s * d[y] + a->more * t[y]};
        link->drive[k] +=
            (x == y ? 1 : 2) * part *
            (tu * (t[x] * n[y] + n[x] * t[y]) + nu * (t[x] * t[y] - t2 * n[x] * n[y]));
        link->drag[k] += w * (e[0] * e[1] - s * s * d[x] * d[y]);
    }
    for (int k = 0; k < 3; k++)
        link->pull[k] += w * (whole * (s * d[k] + a->more * t[k]) - plain * s * d[k]);
    link->stir += w * (whole * whole - plain * plain);
}

/* Whether a symmetric matrix is positive, by its factors; its lower triangle is overwritten. */
static bool is_positive(double A[9][9]) {
    for (int j = 0; j < 9; j++) {
        if (!(A[j][j] > 0))
            return false;
        for (int i = j + 1; i < 9; i++) {
            const double l = A[i][j] / A[j][j];
            for (int k = j + 1; k <= i; k++)
                A[i][k] -= l * A[k][j];
        }
    }
    return true;
}

bool tl_link_dissipates(const tl_wall_link *link) {
    tl_wide moments[TL_FOURTHS], A[TL_SYM6];
    float lever[6][3];
    double all[9][9] = {{0}}; /* A B; Bᵀ D */
    for (int k = 0; k < TL_FOURTHS; k++)
        moments[k] = tl_splat(link->moments[k]);
    tl_fourths_matrix(moments, A);
    tl_moments_round(A, tl_splat(link->fullness));
    tl_strain_lever(&link->thirds, lever);
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c <= r; c++)
            all[r][c] = (double)tl_lane(A[tl_sym6_at(r, c)], 0);
        for (int c = 0; c < 3; c++)
            all[6 + c][r] = (double)lever[r][c];
    }
    for (int k = 0; k < 6; k++)
        all[6 + second_axes[k][1]][6 + second_axes[k][0]] = (double)link->drag[k];
    return is_positive(all);
}

bool tl_link_must_flatten(const tl_thin_matter *thin, const tl_strain *s,
                          const tl_wall_link *link) {
    const size_t i = link->particle;
    const double inverse_density = (double)s->records->a[i].inverse_density;
    return thin && (double)thin->viscosity[i] * inverse_density < thin->least &&
           !tl_link_dissipates(link);
}

typedef struct links_context {
    tl_strain *strain;
    const tl_neighbor_list *list;
    const tl_shapes *shapes;
    const tl_samples *samples;
    const tl_pulling *pulling;
    const tl_thin_matter *thin;
    tl_vec3 origin;
    double spacing; /* of the scene: slip is measured by it */
    double weight;  /* norm times the volume of a sample */
    float unit;     /* of ω for a sample: weight / support⁵; unless pairs are graded */
    float full;     /* of V W for a sample: weight / support³; unless pairs are graded */
    float matter;   /* of ω for matter, the same */
    bool rubs;      /* some wall is slippery, and rubs */
    tl_friction friction;
    tl_held_profile profile;
} links_context;

static tl_vec3 world_place(const links_context *c, const float *x) {
    return (tl_vec3){(double)x[0] + c->origin.x, (double)x[1] + c->origin.y,
                     (double)x[2] + c->origin.z};
}

/* From where a particle feels its walls: from where it is, and if it is tied to one (flow/ties.h)
 * as much from where it was. */
typedef struct viewpoint {
    float place[3];
    float apart[3]; /* m: how far it has moved since */
    float part;     /* of all that it feels */
} viewpoint;

static size_t viewpoints_of(const links_context *c, size_t i, viewpoint out[2]) {
    const float *x = c->strain->motion[i].x;
    const float *apart = c->strain->ties ? c->strain->ties->apart[i] : NULL;
    out[0] = (viewpoint){.place = {x[0], x[1], x[2]}, .part = 1};
    if (!apart || (apart[0] == 0 && apart[1] == 0 && apart[2] == 0))
        return 1;
    out[1] = (viewpoint){.part = 0.5f};
    out[0].part = 0.5f;
    for (int k = 0; k < 3; k++) {
        out[1].apart[k] = apart[k];
        out[1].place[k] = x[k] - apart[k];
    }
    return 2;
}

/* What a particle knows of a shape that it feels. */
typedef struct contact {
    uint32_t shape;
    bool grips; /* or else it has let the particle go */
    double distance;
    double curvature;  /* 1/m: see bend.h */
    float velocity[3]; /* of a wall that has one, where the particle is */
    tl_vec3 normal;
} contact;

/* Each shape is asked once. */
enum { MOST_SHAPES = 8 };
typedef struct contacts {
    contact items[MOST_SHAPES];
    size_t count;
} contacts;

/* The spacing of particle i. */
static double own_spacing(const links_context *c, size_t i) {
    return tl_spacing_of(&c->strain->sizes, i);
}

/* What a particle needs to see samples: the inverse of its support, and the units of the context.
 */
typedef struct sight {
    float inverse_support, unit, full;
    tl_friction friction;
} sight;

static sight sight_of(const links_context *c, size_t i) {
    const tl_strain *s = c->strain;
    if (!s->graded)
        return (sight){1 / s->support, c->unit, c->full, c->friction};
    const double R = tl_support_of(&s->sizes, i);
    sight out = {(float)(1 / R), (float)(c->weight / pow(R, 5)), (float)(c->weight / pow(R, 3)),
                 c->friction};
    if (c->rubs)
        tl_friction_make(&out.friction, s->kernel, R, c->samples->spacing);
    return out;
}

/* n·S n, Pa. */
static double along(const float S[6], tl_vec3 n) {
    return (double)S[0] * n.x * n.x + (double)S[1] * n.y * n.y + (double)S[2] * n.z * n.z +
           2 * ((double)S[3] * n.x * n.y + (double)S[4] * n.x * n.z + (double)S[5] * n.y * n.z);
}

static bool grips_matter(const links_context *c, size_t i, const tl_shape *shape, tl_vec3 x,
                         const contact *k) {
    if (!c->pulling || !(shape->stickiness < HUGE_VAL))
        return true;
    const tl_vec3 away =
        tl_vec3_sub(tl_vec3_of(c->pulling->velocity + 3 * i), tl_shape_velocity(shape, x));
    const double rate =
        tl_vec3_dot(away, k->normal) / fmax(k->distance, nearest * own_spacing(c, i));
    const double spring = c->pulling->elastic ? along(c->pulling->elastic + 6 * i, k->normal) : 0;
    const double pull =
        2 * (double)c->pulling->viscosity[i] * rate + spring - (double)c->pulling->pressure[i];
    return !(pull > shape->stickiness);
}

/* Mean curvature of a mesh, by the samples in the row of a particle. */
static double curvature_of(const links_context *c, size_t i, const contact *at) {
    const tl_strain *s = c->strain;
    const float *self = s->motion[i].x, support = (float)tl_support_of(&s->sizes, i);
    tl_bend bend = {0};
    size_t size, k;
    const uint32_t *row = tl_neighbor_row(c->list, i, &size);
    for (size_t e = 0; e < size; e++) {
        if (!is_sample(s->records, row[e], &k) || c->samples->items[k].shape != at->shape)
            continue;
        const float *x = s->motion[row[e]].x;
        const float d[3] = {x[0] - self[0], x[1] - self[1], x[2] - self[2]};
        tl_bend_add(&bend, d, (double)c->samples->items[k].depth, at->distance, at->normal,
                    (double)support);
    }
    return tl_bend_curvature(&bend, own_spacing(c, i));
}

static contact contact_with(const links_context *c, size_t i, const viewpoint *from, uint32_t shape,
                            contacts *known) {
    for (size_t k = 0; k < known->count; k++)
        if (known->items[k].shape == shape)
            return known->items[k];
    const tl_vec3 x = world_place(c, from->place);
    contact found = {.shape = shape};
    found.distance = tl_shape_distance(&c->shapes->items[shape], x, &found.normal);
    if (c->shapes->items[shape].solid && !(c->shapes->items[shape].slip > 0)) {
        const tl_vec3 v = tl_shape_velocity(&c->shapes->items[shape], x);
        found.curvature = curvature_of(c, i, &found);
        found.velocity[0] = (float)v.x, found.velocity[1] = (float)v.y;
        found.velocity[2] = (float)v.z;
    }
    found.grips = grips_matter(c, i, &c->shapes->items[shape], x, &found);
    if (known->count < MOST_SHAPES)
        known->items[known->count++] = found;
    return found;
}

/* Samples in the row of a particle, as many as are looked at together. */
typedef struct batch {
    sight by;
    size_t count, sample[TL_LANES];
    float d[3][TL_LANES], r2[TL_LANES], slope[TL_LANES], height[TL_LANES]; /* W' and W, of norm 1 */
} batch;

/* Adds sample l of the batch, seen from particle i. */
static void add_sample(const links_context *c, size_t i, const batch *b, size_t l,
                       const viewpoint *from, contacts *known, tl_wall_link *link) {
    const tl_sample *sample = &c->samples->items[b->sample[l]];
    const tl_shape *shape = &c->shapes->items[sample->shape];
    const float r2 = b->r2[l];
    const float w = -b->by.unit * from->part * sample->share * b->slope[l] / r2;
    if (!(w > 0) || r2 <= 0)
        return;
    const contact touched = contact_with(c, i, from, sample->shape, known);
    if (!touched.grips)
        return;
    const tl_vec3 normal = touched.normal;
    const double reach = fmax(touched.distance, nearest * own_spacing(c, i));
    const double depth = fmax((double)sample->depth, 0);
    const float factor = (float)(1 + depth / reach);
    /* Matter that would be there has moved on as velocities go on. */
    const float d[3] = {b->d[0][l] - factor * from->apart[0], b->d[1][l] - factor * from->apart[1],
                        b->d[2][l] - factor * from->apart[2]};
    if (link->reach2 <= 0 || reach * reach < (double)link->reach2)
        link->reach2 = (float)(reach * reach);
    const tl_vec3 own = tl_sample_velocity(shape, sample, c->origin);
    const float v[3] = {(float)own.x, (float)own.y, (float)own.z};
    const float n[3] = {(float)normal.x, (float)normal.y, (float)normal.z};
    const bool mirrored = c->strain->mirrors.plane_count > 0 && tl_is_mirror(shape);
    if (!mirrored) {
        link->fullness += w * r2 * r2;
        link->filling += b->by.full * from->part * sample->share * b->height[l];
    }
    if (!(shape->slip > 0)) {
        tl_link_add(link, d, w, factor, v, sample->normal);
        if (touched.curvature > 0)
            tl_link_add_along(
                link, d, w, factor, v,
                &(tl_link_along){{n[0], n[1], n[2]},
                                 {touched.velocity[0], touched.velocity[1], touched.velocity[2]},
                                 (float)tl_bend_more(touched.curvature, depth, reach)});
        return;
    }
    link->slips = true;
    const float along = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
    const float normal_part[3] = {along * n[0], along * n[1], along * n[2]};
    if (mirrored) /* images are there instead */
        return;
    tl_link_add_across(link, normal_part, w, factor, v);
    const double length = tl_slip_length((double)shape->slip, c->spacing);
    if (shape->slip < 1 && along < 0)
        tl_friction_add(&b->by.friction, link, n, -w * r2 * along, reach + length,
                        own_spacing(c, i), v);
}

static void add_batch(const links_context *c, size_t i, batch *b, const viewpoint *from,
                      contacts *known, tl_wall_link *link) {
    const tl_wide x = tl_load(b->d[0]), y = tl_load(b->d[1]), z = tl_load(b->d[2]);
    const tl_wide r2 = x * x + y * y + z * z, q = tl_sqrt(r2) * b->by.inverse_support;
    tl_store(b->r2, r2);
    tl_store(b->slope, tl_kernel_slope(c->strain->kernel, q));
    tl_store(b->height, tl_kernel_shape(c->strain->kernel, q));
    for (size_t l = 0; l < b->count; l++)
        add_sample(c, i, b, l, from, known, link);
    b->count = 0;
}

/* False where no row need be searched: samples lie below the surfaces. Images may be anywhere. */
static bool is_near_walls(const links_context *c, size_t i) {
    const tl_vec3 x = world_place(c, c->strain->motion[i].x);
    const float support = (float)tl_support_of(&c->strain->sizes, i);
    bool near = c->strain->holds || c->strain->records->sample_images > 0;
    for (size_t k = 0; k < c->shapes->count && !near; k++)
        near = tl_shape_distance(&c->shapes->items[k], x, &(tl_vec3){0, 0, 0}) < (double)support;
    return near;
}

/* Marks the particles that have samples or held matter in their rows. */
static void mark_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const links_context *c = context;
    for (size_t i = begin; i < end; i++) {
        size_t size, k;
        const uint32_t *row = tl_neighbor_row(c->list, i, &size);
        bool found = false;
        const bool searched = !tl_strain_is_held(c->strain, i) && is_near_walls(c, i);
        for (size_t e = searched ? 0 : size; e < size && !found; e++)
            found = is_sample(c->strain->records, row[e], &k) ||
                    (c->strain->holds && tl_is_held(c->strain, row[e]));
        c->strain->link_of[i] = found;
    }
}

/* The sums over all samples in a row. */
static void add_samples(const links_context *c, size_t i, const viewpoint *from,
                        const uint32_t *row, size_t size, contacts *known, tl_wall_link *link) {
    const tl_strain *s = c->strain;
    const float *self = from->place;
    batch near = {.by = sight_of(c, i)};
    for (size_t e = 0, k; e < size; e++) {
        if (!is_sample(s->records, row[e], &k))
            continue;
        const float *x = s->motion[row[e]].x;
        for (int axis = 0; axis < 3; axis++)
            near.d[axis][near.count] = x[axis] - self[axis];
        near.sample[near.count++] = k;
        if (near.count == TL_LANES)
            add_batch(c, i, &near, from, known, link);
    }
    add_batch(c, i, &near, from, known, link);
}

/* Takes the surfaces for less curved than they are. False: they are plane already. */
static bool flatten(const links_context *c, size_t i, contacts *known) {
    bool bent = false;
    for (size_t k = 0; k < known->count; k++) {
        bent = bent || known->items[k].curvature > 0;
        known->items[k].curvature = tl_bend_less(known->items[k].curvature, own_spacing(c, i));
    }
    return bent;
}

static void link_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const links_context *c = context;
    const tl_strain *s = c->strain;
    for (size_t w = begin; w < end; w++) {
        const size_t i = s->link[w].particle;
        const tl_wall_link none = {.particle = (uint32_t)i};
        tl_wall_link link = none;
        contacts known[2] = {{.count = 0}, {.count = 0}};
        viewpoint from[2];
        const size_t views = viewpoints_of(c, i, from);
        size_t size;
        const uint32_t *row = tl_neighbor_row(c->list, i, &size);
        for (size_t v = 0; v < views; v++)
            add_samples(c, i, &from[v], row, size, &known[v], &link);
        while (views == 1 && tl_link_must_flatten(c->thin, s, &link) && flatten(c, i, known)) {
            link = none;
            add_samples(c, i, from, row, size, known, &link);
        }
        tl_mirrors_link(s, c->matter, &link);
        if (s->holds)
            tl_held_add(&c->profile, s, i, row, size, &link);
        s->link[w] = link;
    }
}

tl_status tl_links_make(tl_strain *s, const tl_neighbor_list *list, const tl_shapes *shapes,
                        const tl_samples *samples, const tl_pulling *pulling,
                        const tl_thin_matter *thin, tl_held_matter held, tl_vec3 origin,
                        double spacing, tl_error *error) {
    const double R = (double)s->support, grain = samples->spacing;
    const double weight = tl_kernel_norm(s->kernel) * grain * grain * grain;
    links_context c = {.strain = s,
                       .list = list,
                       .shapes = shapes,
                       .samples = samples,
                       .pulling = pulling,
                       .thin = thin,
                       .origin = origin,
                       .spacing = spacing,
                       .weight = weight,
                       .unit = (float)(weight / pow(R, 5)),
                       .full = (float)(weight / pow(R, 3)),
                       .matter = (float)(tl_kernel_norm(s->kernel) / pow(R, 5))};
    s->link_count = 0;
    if (samples->count == 0 && !s->holds)
        return TL_OK;
    if (s->holds)
        tl_held_profile_make(&c.profile, s->kernel, R, spacing, held);
    for (size_t k = 0; k < shapes->count; k++)
        c.rubs = c.rubs || (shapes->items[k].slip > 0 && shapes->items[k].slip < 1);
    if (c.rubs)
        tl_friction_make(&c.friction, s->kernel, R, grain);
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, mark_range, &c);
    for (size_t i = 0; i < s->particles; i++) {
        if (!s->link_of[i])
            continue;
        TL_TRY(TL_ARRAY_RESERVE(s->link, s->link_count, s->link_count + 1, error));
        s->link[s->link_count++].particle = (uint32_t)i;
        s->link_of[i] = (uint32_t)s->link_count;
    }
    tl_parallel_for(s->parallel, s->link_count, TL_LINK_BLOCK, link_range, &c);
    return TL_OK;
}
