/* See rigid_links.h. */
#include "boundary/rigid_links.h"

#include "boundary/bend.h"

/* A particle that touches a body is taken to be this part of a spacing away from it. */
static const double nearest = 0.2;

typedef struct links_context {
    tl_strain *strain;
    const tl_rigid_modes *modes;
    const tl_neighbor_list *list;
    const tl_shapes *surfaces;
    const tl_thin_matter *thin;
    tl_vec3 origin;
    float unit;   /* of ω: norm / support⁵ */
    size_t first; /* link to a body */
} links_context;

/* The link of particle i to a body, made if there is none. */
static tl_status want_link(tl_strain *s, tl_rigid_modes *modes, size_t i, uint32_t body,
                           tl_error *error) {
    uint32_t last = 0;
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next) {
        if (s->link[l - 1].body == body + 1)
            return TL_OK;
        last = l;
    }
    TL_TRY(TL_ARRAY_RESERVE(s->link, s->link_count, s->link_count + 1, error));
    s->link[s->link_count++] = (tl_wall_link){.particle = (uint32_t)i, .body = body + 1};
    *(last ? &s->link[last - 1].next : &s->link_of[i]) = (uint32_t)s->link_count;
    modes->items[body].links++;
    modes->items[body].bound = true;
    return TL_OK;
}

/* All that is near a particle of a body. */
static tl_status want_links(tl_strain *s, tl_rigid_modes *modes, const tl_neighbor_list *list,
                            tl_error *error) {
    const float deepest = (float)tl_largest_support(&s->sizes);
    for (size_t k = 0; k < modes->member_count; k++) {
        const tl_rigid_member *e = &modes->members[k];
        const float *self = s->motion[e->particle].x;
        size_t size;
        const uint32_t *row = tl_neighbor_row(list, e->particle, &size);
        for (size_t n = 0; e->depth < deepest && n < size; n++) {
            const tl_motion *other = &s->motion[row[n]];
            if (!tl_records_is_matter(s->records, row[n]) || !(other->volume > 0))
                continue;
            const float d[3] = {other->x[0] - self[0], other->x[1] - self[1],
                                other->x[2] - self[2]};
            const float reach = tl_strain_support(s, e->particle, row[n]);
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach * reach)
                TL_TRY(want_link(s, modes, tl_source_of(s->records, row[n]), e->body, error));
        }
    }
    return TL_OK;
}

/* The surface of a body, as its link sees it. */
typedef struct surface {
    double distance, curvature; /* m; 1/m: see bend.h */
    tl_vec3 normal;
} surface;

static const tl_rigid_member *member_at(const links_context *c, uint32_t j) {
    return &c->modes->members[c->modes->member_of[tl_source_of(c->strain->records, j)] - 1];
}

static void find_way(const links_context *c, const tl_wall_link *link, uint32_t j, float d[3]) {
    const float *self = c->strain->motion[link->particle].x;
    const float *x = c->strain->records->a[j].x;
    for (int k = 0; k < 3; k++)
        d[k] = x[k] - self[k];
}

/* Adds the member of the body that is record j. */
static void add_member(const links_context *c, uint32_t j, const surface *at, tl_wall_link *link) {
    const tl_strain *s = c->strain;
    const tl_rigid_member *e = member_at(c, j);
    const tl_record *a = &s->records->a[j];
    const float still[3] = {0};
    float d[3];
    find_way(c, link, j, d);
    const float r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const float support = tl_strain_support(s, link->particle, j);
    const tl_wide q = tl_splat(__builtin_sqrtf(r2) / support);
    const float unit =
        s->graded ? (float)(tl_kernel_norm(s->kernel) / pow((double)support, 5)) : c->unit;
    const float g =
        -unit * a->mass * a->inverse_density * tl_lane(tl_kernel_slope(s->kernel, q), 0);
    if (!(g > 0) || !(r2 > 0))
        return;
    for (int k = 0; k < 3; k++)
        link->arm[k] = (float)(e->arm[k] - (double)d[k]);
    link->fullness += g * r2;
    link->filling +=
        tl_strain_filling(s, tl_strain_own_support(s, link->particle), tl_record_volume(a), r2);
    const float factor = (float)(1 + (double)e->depth / at->distance);
    const float more = (float)tl_bend_more(at->curvature, (double)e->depth, at->distance);
    const tl_link_along along = {
        {(float)at->normal.x, (float)at->normal.y, (float)at->normal.z}, {0}, more};
    tl_link_add(link, d, g / r2, factor, still, along.normal);
    if (more > 0)
        tl_link_add_along(link, d, g / r2, factor, still, &along);
}

static surface find_surface(const links_context *c, const tl_wall_link *link, const uint32_t *row,
                            size_t size) {
    const tl_strain *s = c->strain;
    const size_t i = link->particle;
    const float *self = s->motion[i].x, support = (float)tl_support_of(&s->sizes, i);
    const double spacing = tl_spacing_of(&s->sizes, i);
    const tl_vec3 place = {(double)self[0] + c->origin.x, (double)self[1] + c->origin.y,
                           (double)self[2] + c->origin.z};
    surface at = {0};
    tl_bend bend = {0};
    at.distance = tl_shape_distance(&c->surfaces->items[link->body - 1], place, &at.normal);
    for (size_t e = 0; e < size; e++)
        if (tl_strain_body_of(s, row[e]) == link->body) {
            float d[3];
            find_way(c, link, row[e], d);
            tl_bend_add(&bend, d, (double)member_at(c, row[e])->depth, at.distance, at.normal,
                        (double)support);
        }
    at.curvature = tl_bend_curvature(&bend, spacing);
    at.distance = fmax(at.distance, nearest * spacing);
    return at;
}

static void add_members(const links_context *c, const uint32_t *row, size_t size, const surface *at,
                        tl_wall_link *link) {
    for (size_t e = 0; e < size; e++)
        if (tl_strain_body_of(c->strain, row[e]) == link->body)
            add_member(c, row[e], at, link);
}

static void link_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const links_context *c = context;
    const tl_strain *s = c->strain;
    for (size_t l = c->first + begin; l < c->first + end; l++) {
        tl_wall_link *link = &s->link[l];
        size_t size;
        const uint32_t *row = tl_neighbor_row(c->list, link->particle, &size);
        surface at = find_surface(c, link, row, size);
        link->reach2 = (float)(at.distance * at.distance);
        const tl_wall_link none = *link;
        add_members(c, row, size, &at, link);
        while (at.curvature > 0 && tl_link_must_flatten(c->thin, s, link)) {
            at.curvature = tl_bend_less(at.curvature, tl_spacing_of(&s->sizes, link->particle));
            *link = none;
            add_members(c, row, size, &at, link);
        }
    }
}

tl_status tl_rigid_links_make(tl_strain *s, tl_rigid_modes *modes, const tl_neighbor_list *list,
                              const tl_shapes *surfaces, const tl_thin_matter *thin, tl_vec3 origin,
                              tl_error *error) {
    links_context c = {.strain = s,
                       .modes = modes,
                       .list = list,
                       .surfaces = surfaces,
                       .thin = thin,
                       .origin = origin,
                       .unit = (float)(tl_kernel_norm(s->kernel) / pow((double)s->support, 5)),
                       .first = s->link_count};
    TL_TRY(want_links(s, modes, list, error));
    tl_parallel_for(s->parallel, s->link_count - c.first, TL_LINK_BLOCK, link_range, &c);
    return TL_OK;
}
