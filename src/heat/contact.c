/* See contact.h. */
#include "heat/contact.h"

/* A particle that touches the wall is taken to be this part of a spacing away from it. */
static const double nearest = 0.2;

/* No more than this part of a fit is on the wall's side in matter of several layers. */
static const double usual_part = 0.7;

/* Surfaces that one particle feels at the same time: more than meet in any corner. */
enum { MOST_SHAPES = 8 };

typedef struct contact_context {
    tl_heat_contact *contact;
    tl_conduction *c;
    const tl_heat_place *place;
} contact_context;

/* What a particle needs to see samples, or a lattice of this spacing that stands for them. */
typedef struct sight {
    float support;
    double unit; /* of ω: norm / support⁵ * spacing³ */
} sight;

static sight sight_of(const contact_context *k, size_t i, double spacing) {
    const tl_conduction *c = k->c;
    const float support = c->graded ? (float)tl_support_of(&c->sizes, i) : c->support;
    const double R = (double)support, dx = spacing;
    return (sight){support, tl_kernel_norm(c->kernel) / (R * R * R * R * R) * dx * dx * dx};
}

/* A pair of a particle and a wall sample, or a point of the lattice that stands for samples. */
typedef struct pair {
    float d[3], weight; /* ω */
    float self[3];      /* where the particle is, seen from the sample: that may be of an image */
    float normal[3];    /* of the surface */
    double depth;       /* m, below the surface */
    uint32_t shape;
} pair;

/* The sample that a record stands for, with an open wall; NULL: none. */
static const tl_sample *sample_of(const contact_context *k, uint32_t j) {
    const tl_records *r = k->c->records;
    if (!tl_records_is_sample(r, j))
        return NULL;
    const tl_sample *s = &k->place->samples->items[tl_source_of(r, j) - r->particles];
    return k->place->walls[k->place->shapes->items[s->shape].wall].open ? s : NULL;
}

/* ω of a pair that stands for this share of a spacing³. */
static float weight_of(const contact_context *k, const sight *by, const float d[3], float share) {
    const float r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const tl_wide q = tl_splat(__builtin_sqrtf(r2) / by->support);
    const float slope = -tl_lane(tl_kernel_slope(k->c->kernel, q), 0);
    return r2 > 0 ? (float)by->unit * share * slope / r2 : 0;
}

/* False when the record is no sample of an open wall within reach. */
static bool find_pair(const contact_context *k, const sight *by, size_t i, uint32_t j, pair *out) {
    const tl_sample *s = sample_of(k, j);
    if (!s)
        return false;
    const float *self = k->c->node[i].x, *x = k->c->node[j].x;
    const float d[3] = {x[0] - self[0], x[1] - self[1], x[2] - self[2]}, *at = s->position;
    *out = (pair){.d = {d[0], d[1], d[2]},
                  .self = {at[0] - d[0], at[1] - d[1], at[2] - d[2]},
                  .normal = {s->normal[0], s->normal[1], s->normal[2]},
                  .depth = fmax((double)s->depth, 0),
                  .shape = s->shape};
    out->weight = weight_of(k, by, out->d, s->share);
    return out->weight > 0;
}

/* Index of the shape among those found so far; adds it. */
static int slot_of(uint32_t shape, uint32_t shapes[MOST_SHAPES], int *count) {
    int s = 0;
    while (s < *count && shapes[s] != shape)
        s++;
    if (s == *count && s < MOST_SHAPES)
        shapes[(*count)++] = shape;
    return s;
}

static tl_vec3 world_place(const tl_heat_place *p, const float *x) {
    return (tl_vec3){(double)x[0] + p->origin.x, (double)x[1] + p->origin.y,
                     (double)x[2] + p->origin.z};
}

/* False where no open wall can be felt: most rows need not be searched for samples. Copies of walls
 * in a periodic world are not asked for their distance. */
static bool may_touch(const contact_context *k, size_t i) {
    const tl_shapes *shapes = k->place->shapes;
    const tl_vec3 x = world_place(k->place, k->c->node[i].x);
    const float support = (float)tl_support_of(&k->c->sizes, i);
    bool near = k->c->records->sample_images > 0;
    for (size_t s = 0; s < shapes->count && !near; s++) {
        tl_vec3 normal;
        near = k->place->walls[shapes->items[s].wall].open &&
               tl_shape_distance(&shapes->items[s], x, &normal) < (double)support;
    }
    return near;
}

static void add_moments(const contact_context *k, size_t i, const pair *p) {
    float fourth[TL_FOURTHS];
    tl_fourths_of(p->d, fourth);
    for (int m = 0; m < TL_FOURTHS; m++)
        k->c->moments[i][m] += p->weight * fourth[m];
}

/* What a particle and one surface have with each other. */
typedef struct touch {
    double sum;   /* Σ 2 ω (d·C_i d) s */
    double below; /* Σ ω (d·C_i d) (d·n)²: the part of the fit that is on the wall's side */
} touch;

static void add_touch(const contact_context *k, size_t i, const pair *p, double distance,
                      touch *out) {
    const tl_heat_place *place = k->place;
    const float stretch = tl_conduction_stretch(k->c, i, p->d);
    const double room = fmax(distance, nearest * tl_spacing_of(&k->c->sizes, i));
    const double conductivity = (double)k->c->node[i].conductivity;
    const double h = place->walls[place->shapes->items[p->shape].wall].conductance;
    const double film = h > 0 ? conductivity / (h * room) : 0;
    const double part = (double)(p->weight * fmaxf(stretch, 0));
    const double along =
        (double)(p->d[0] * p->normal[0] + p->d[1] * p->normal[1] + p->d[2] * p->normal[2]);
    out->sum += 2 * part * (1 + p->depth / room) / (1 + film);
    out->below += part * along * along;
}

/* ---- Rigid bodies ------------------------------------------------------------------------------
 */

static bool is_rigid(const contact_context *k, size_t i) {
    return k->place->rigid && k->place->rigid[i];
}

/* The lattice behind a surface at this distance, beneath the particle: its moments, or what it does
 * to the particle. */
static void visit_lattice(const contact_context *k, size_t i, pair p, double distance,
                          touch *touch_or_null) {
    const tl_vec3 n = {(double)p.normal[0], (double)p.normal[1], (double)p.normal[2]};
    const tl_vec3 other = fabs(n.z) < 0.9 ? (tl_vec3){0, 0, 1} : (tl_vec3){1, 0, 0};
    const tl_vec3 a = tl_vec3_unit(tl_vec3_cross(n, other)), b = tl_vec3_cross(n, a);
    const double dx = k->place->spacing;
    const sight by = sight_of(k, i, dx);
    const double support = (double)by.support;
    const int reach = (int)(support / dx);
    for (p.depth = 0.5 * dx; distance + p.depth < support; p.depth += dx)
        for (int u = -reach; u <= reach; u++)
            for (int v = -reach; v <= reach; v++) {
                const tl_vec3 d = tl_vec3_mad(
                    tl_vec3_mad(tl_vec3_scale(n, -distance - p.depth), u * dx, a), v * dx, b);
                p.d[0] = (float)d.x, p.d[1] = (float)d.y, p.d[2] = (float)d.z;
                p.weight = weight_of(k, &by, p.d, 1);
                if (p.weight > 0 && touch_or_null)
                    add_touch(k, i, &p, distance, touch_or_null);
                else if (p.weight > 0)
                    add_moments(k, i, &p);
            }
}

/* The open walls that a particle of a rigid body feels; `touches` NULL: adds their moments. */
static int visit_walls(const contact_context *k, size_t i, uint32_t shapes[MOST_SHAPES],
                       touch *touches) {
    const tl_heat_place *place = k->place;
    const tl_vec3 x = world_place(place, k->c->node[i].x);
    int count = 0;
    for (uint32_t s = 0; s < place->shapes->count && count < MOST_SHAPES; s++) {
        tl_vec3 n;
        if (!place->walls[place->shapes->items[s].wall].open)
            continue;
        const double distance = tl_shape_distance(&place->shapes->items[s], x, &n);
        if (distance + 0.5 * place->spacing >= (double)sight_of(k, i, place->spacing).support)
            continue;
        const pair p = {.normal = {(float)n.x, (float)n.y, (float)n.z}, .shape = s};
        shapes[count] = s;
        visit_lattice(k, i, p, fmax(distance, 0), touches ? &touches[count] : NULL);
        count++;
    }
    return count;
}

/* ---- All --------------------------------------------------------------------------------------
 */

/* Counts the surfaces near each particle and adds the moments of their samples. */
static void find_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const contact_context *k = context;
    for (size_t i = begin; i < end; i++) {
        size_t size;
        const uint32_t *row = tl_neighbor_row(k->place->list, i, &size);
        const sight by = sight_of(k, i, k->place->samples->spacing);
        uint32_t shapes[MOST_SHAPES];
        int count = is_rigid(k, i) ? visit_walls(k, i, shapes, NULL) : 0;
        size = !is_rigid(k, i) && may_touch(k, i) ? size : 0;
        for (size_t e = 0; e < size; e++) {
            pair p;
            if (row[e] < k->c->count || !find_pair(k, &by, i, row[e], &p))
                continue;
            slot_of(p.shape, shapes, &count);
            add_moments(k, i, &p);
        }
        k->contact->first[i] = (uint32_t)count;
    }
}

static contact_context make_context(tl_heat_contact *contact, tl_conduction *c,
                                    const tl_heat_place *place) {
    return (contact_context){contact, c, place};
}

tl_status tl_heat_contact_find(tl_heat_contact *contact, tl_conduction *c,
                               const tl_heat_place *place, tl_error *error) {
    contact_context k = make_context(contact, c, place);
    TL_TRY(TL_ARRAY_RESERVE(contact->first, 0, c->count + 1, error));
    tl_parallel_for(c->parallel, c->count, TL_BLOCK, find_range, &k);
    uint32_t total = 0;
    for (size_t i = 0; i <= c->count; i++) {
        const uint32_t count = i < c->count ? contact->first[i] : 0;
        contact->first[i] = total;
        total += count;
    }
    contact->count = total;
    return TL_ARRAY_RESERVE(contact->link, 0, total, error);
}

/* The conductance of a link. In matter about half of the fit is on the wall's side. A single layer
 * on a wall has all of it there, which would have it conduct twice as well as the matter between
 * its middle and the wall can. */
static float link_conductance(const contact_context *k, size_t i, const touch *t) {
    const tl_node *node = &k->c->node[i];
    const double thin = fmin(fmax((t->below - usual_part) / (1 - usual_part), 0), 1);
    return (float)((double)(node->conductivity * node->volume) * t->sum * (1 - 0.48 * thin));
}

static void weigh_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const contact_context *k = context;
    for (size_t i = begin; i < end; i++) {
        const uint32_t first = k->contact->first[i], last = k->contact->first[i + 1];
        if (first == last)
            continue;
        size_t size;
        const uint32_t *row = tl_neighbor_row(k->place->list, i, &size);
        const sight by = sight_of(k, i, k->place->samples->spacing);
        uint32_t shapes[MOST_SHAPES];
        touch touches[MOST_SHAPES] = {{0}};
        int count = is_rigid(k, i) ? visit_walls(k, i, shapes, touches) : 0;
        for (size_t e = 0; e < size && !is_rigid(k, i); e++) {
            pair p;
            tl_vec3 normal;
            if (row[e] < k->c->count || !find_pair(k, &by, i, row[e], &p))
                continue;
            const int slot = slot_of(p.shape, shapes, &count);
            if (slot < MOST_SHAPES)
                add_touch(k, i, &p,
                          tl_shape_distance(&k->place->shapes->items[p.shape],
                                            world_place(k->place, p.self), &normal),
                          &touches[slot]);
        }
        for (uint32_t l = first; l < last; l++)
            k->contact->link[l] = (tl_heat_link){
                (uint32_t)i, (uint32_t)k->place->shapes->items[shapes[l - first]].wall,
                link_conductance(k, i, &touches[l - first])};
    }
}

void tl_heat_contact_weigh(tl_heat_contact *contact, tl_conduction *c, const tl_heat_place *place) {
    if (contact->count == 0)
        return;
    contact_context k = make_context(contact, c, place);
    tl_parallel_for(c->parallel, c->count, TL_BLOCK, weigh_range, &k);
}

void tl_heat_contact_free(tl_heat_contact *contact) {
    TL_ARRAYS_FREE(contact->link, contact->first);
    *contact = (tl_heat_contact){0};
}
