/* Making rigid bodies from their shapes and the particles in them. See rigid.h. */
#include "math/mat3.h"
#include "rigid/rigid.h"

#include <stdlib.h>
#include <string.h>

static const tl_field_desc field_frame_place = {
    "frame_place", TL_F64, 3, "m", "Place in the frame of its rigid body", TL_FIELD_SAVED};
static const tl_field_desc field_depth = {
    "depth", TL_F32, 1, "m", "Depth below the surface of its rigid body", TL_FIELD_SAVED};

/* How deep the particles of body k are. Those on the way out of a staircase are at the surface. */
static void sound(const tl_rigids *all, size_t k, const tl_rigid_matter *m) {
    const tl_rigid *r = &all->items[k];
    const double far = 2 * tl_largest_support(&m->sizes);
    for (size_t i = 0; i < m->count; i++) {
        if (tl_rigid_owner(all, m, i) != k + 1)
            continue;
        const tl_vec3 place = tl_vec3_add(r->start, tl_vec3_of(m->frame_place + 3 * i));
        tl_nearest nearest;
        const bool found = tl_solid_nearest(r->def->solid, place, far, &nearest);
        m->depth[i] = (float)(found ? fmax(-nearest.distance, 0) : far);
    }
}

/* Mass, centre and inertia of body k, from its shape. Its particles are as many as the spacing lets
 * them be; each has its part of the volume, so that the body displaces and stores what it should.
 */
static tl_status weigh(tl_rigids *all, size_t k, const tl_rigid_matter *m, tl_error *error) {
    tl_rigid *r = &all->items[k];
    const tl_mesh_moments shape =
        r->def->moments.volume > 0 ? r->def->moments : tl_mesh_find_moments(r->def->mesh);
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++)
        count += tl_rigid_owner(all, m, i) == k + 1;
    r->start = shape.centroid;
    r->pose = (tl_pose){r->start, tl_turn_none()};
    r->part = shape.volume / ((double)count * tl_volume_of_spacing(m->spacing));
    for (size_t i = 0; i < m->count; i++) {
        if (tl_rigid_owner(all, m, i) != k + 1)
            continue;
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(m->position + 3 * i), r->start);
        memcpy(m->frame_place + 3 * i, (const double[3]){d.x, d.y, d.z}, 3 * sizeof(double));
        m->mass[i] = (float)((double)m->mass[i] * r->part);
        r->mass += (double)m->mass[i];
    }
    for (int e = 0; e < 9; e++)
        r->inertia[e / 3][e % 3] = r->mass / shape.volume * shape.inertia[e / 3][e % 3];
    sound(all, k, m);
    if (count == 0 || !(shape.volume > 0) || !tl_mat3_invert(r->inertia, r->inverse))
        return tl_fail(error, TL_BAD_INPUT, "bodies", "make it thicker, or the spacing smaller",
                       "a rigid body needs a volume, and particles in it");
    return TL_OK;
}

/* What the particles cannot tell, such as the spin of a single row of them about itself, is none.
 */
static const double untold = 1e-12;

/* The motion of body k that is nearest to the velocities of its particles. */
static void find_motion(tl_rigids *all, size_t k, const tl_rigid_matter *m) {
    tl_rigid *r = &all->items[k];
    tl_vec3 middle = {0, 0, 0}, velocity = middle, moment = middle;
    double inertia[3][3], inverse[3][3];
    for (int e = 0; e < 9; e++)
        inertia[e / 3][e % 3] = untold * r->inertia[e / 3][e % 3];
    for (size_t i = 0; i < m->count; i++) {
        const double part = (double)m->mass[i] / r->mass;
        if (tl_rigid_owner(all, m, i) != k + 1)
            continue;
        middle = tl_vec3_mad(middle, part, tl_vec3_of(m->frame_place + 3 * i));
        velocity = tl_vec3_mad(velocity, part, tl_vec3_of(m->velocity + 3 * i));
    }
    for (size_t i = 0; i < m->count; i++) {
        if (tl_rigid_owner(all, m, i) != k + 1)
            continue;
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(m->frame_place + 3 * i), middle);
        const double mass = (double)m->mass[i], p[3] = {d.x, d.y, d.z};
        moment = tl_vec3_mad(moment, mass, tl_vec3_cross(d, tl_vec3_of(m->velocity + 3 * i)));
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                inertia[a][b] += mass * ((a == b ? tl_vec3_dot(d, d) : 0) - p[a] * p[b]);
    }
    tl_mat3_invert(inertia, inverse);
    r->spin = tl_mat3_times(inverse, moment);
    r->velocity = tl_vec3_sub(velocity, tl_vec3_cross(r->spin, middle));
    r->angular_momentum = tl_rigid_moment(r, r->spin);
}

/* Corners of the surface, and points along its edges: no gap between them is larger than a spacing.
 */
static tl_status place_points(tl_rigid *r, double spacing, tl_error *error) {
    const tl_mesh *mesh = r->def->mesh;
    TL_TRY(TL_ARRAY_RESERVE(r->points, 0, mesh->vertex_count, error));
    for (size_t i = 0; i < mesh->vertex_count; i++)
        r->points[r->point_count++] = tl_vec3_sub(mesh->vertices[i], r->start);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t from = mesh->triangles[t][k], to = mesh->triangles[t][(k + 1) % 3];
            const tl_vec3 a = mesh->vertices[from], d = tl_vec3_sub(mesh->vertices[to], a);
            const size_t pieces = (size_t)ceil(tl_vec3_length(d) / spacing);
            for (size_t p = 1; from < to && p < pieces; p++) {
                TL_TRY(TL_ARRAY_RESERVE(r->points, r->point_count, r->point_count + 1, error));
                r->points[r->point_count++] =
                    tl_vec3_sub(tl_vec3_mad(a, (double)p / (double)pieces, d), r->start);
            }
        }
    return TL_OK;
}

static tl_status add_surface(tl_rigids *all, const tl_rigid *r, double reach, tl_error *error) {
    tl_shapes *s = &all->shapes;
    TL_TRY(TL_ARRAY_RESERVE(s->items, s->count, s->count + 1, error));
    s->items[s->count++] = (tl_shape){.solid = r->def->solid,
                                      .moves = true,
                                      .reach = reach,
                                      .pose = tl_pose_none(),
                                      .other = tl_pose_none()};
    return TL_OK;
}

tl_status tl_rigids_declare(tl_rigids *all, tl_fields *fields, tl_error *error) {
    all->frame_place = tl_fields_declare(fields, &field_frame_place);
    all->depth = tl_fields_declare(fields, &field_depth);
    if (all->frame_place < 0 || all->depth < 0)
        return tl_fail_memory(error, fields->count, 3 * sizeof(double));
    return TL_OK;
}

static tl_status number_bodies(tl_rigids *all, const tl_rigid_def *defs, size_t count,
                               tl_error *error) {
    for (size_t k = 0; k < count; k++)
        all->body_count = defs[k].body >= all->body_count ? defs[k].body + 1 : all->body_count;
    all->count = count;
    all->items = tl_allocate(count, sizeof *all->items);
    all->kept = tl_allocate(count, sizeof *all->kept);
    all->of_body = tl_allocate(all->body_count, sizeof *all->of_body);
    if (!all->items || !all->kept || !all->of_body)
        return tl_fail_memory(error, count, sizeof *all->items);
    for (size_t k = 0; k < count; k++) {
        all->items[k].def = &defs[k];
        all->of_body[defs[k].body] = (uint32_t)k + 1;
    }
    return TL_OK;
}

tl_status tl_rigids_make(tl_rigids *all, const tl_rigid_def *defs, size_t count,
                         const tl_rigid_matter *m, tl_error *error) {
    TL_TRY(number_bodies(all, defs, count, error));
    for (size_t k = 0; k < count; k++) {
        TL_TRY(weigh(all, k, m, error));
        find_motion(all, k, m);
        TL_TRY(place_points(&all->items[k], m->spacing, error));
        TL_TRY(add_surface(all, &all->items[k], 2 * tl_largest_support(&m->sizes), error));
    }
    return TL_OK;
}

#define ARRAYS(all) (all)->contacts, (all)->near_first, (all)->near, (all)->near_touches

size_t tl_rigids_bytes(const tl_rigids *all) {
    size_t bytes = TL_ARRAYS_BYTES(ARRAYS(all)) + tl_settling_bytes(&all->settling) +
                   tl_neighbor_list_bytes(&all->touching) + tl_shapes_bytes(&all->shapes) +
                   all->count * (sizeof *all->items + sizeof *all->kept) +
                   all->body_count * sizeof *all->of_body;
    for (size_t k = 0; k < all->count; k++)
        bytes += tl_array_bytes(all->items[k].points);
    return bytes;
}

void tl_rigids_free(tl_rigids *all) {
    for (size_t k = 0; all->items && k < all->count; k++)
        tl_array_free(all->items[k].points);
    free(all->items);
    free(all->kept);
    free(all->of_body);
    TL_ARRAYS_FREE(ARRAYS(all));
    tl_settling_free(&all->settling);
    tl_neighbor_list_free(&all->touching);
    tl_shapes_free(&all->shapes);
    *all = (tl_rigids){0};
}
