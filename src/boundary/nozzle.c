/* The geometry of emitters: the places of a layer and where it stands. See emitter.h. */
#include "boundary/emitter.h"

#include "math/pi.h"

#include <math.h>
#include <stdlib.h>

/* Spacings that a nozzle is long unless the scene says otherwise: as far as kernels reach. */
static const double default_length = 3;

/* A mesh may be this part of a spacing off its plane. */
static const double flat = 0.01;

/* A lattice in a mesh may have this part more or fewer points than the area asks for. */
static const double most_missed = 0.25;

/* Particles in a layer: more is a mistake of units. */
static const double most_sites = 1e6;

/* Places of a lattice times triangles of a mesh that are looked at, for a mouth of any form. */
static const double most_looks = 1e9;

/* Particles around a ring of a radius in spacings: as many as have room without coming nearer than
 * that part of a spacing to each other. */
static size_t count_ring(double radius) {
    const double nearest = 0.86;
    const double room = nearest < 2 * radius ? TL_PI / asin(0.5 * nearest / radius) : 1;
    const double wanted = fmax(round(2 * TL_PI * radius), 1);
    return (size_t)fmax(fmin(wanted, floor(room)), 1);
}

/* Rings a spacing apart, the outermost half a spacing inside the rim, so that a strand is round.
 * The next layer is the same: turned against each other layers would pack worse, and what is filled
 * by a tap would stand too high for long. */
static size_t fill_rings(double radius, double (*sites)[2]) {
    size_t count = 0;
    for (double r = radius - 0.5; r > -0.5; r -= 1) {
        const double at = r < 0.45 ? 0 : r;
        const size_t around = at > 0 ? count_ring(at) : 1;
        if (r < 0 && count > 0 && r + 1 < 0.9)
            break; /* no room in the middle */
        for (size_t k = 0; k < around; k++, count++)
            if (sites) {
                const double angle = 2 * TL_PI * (double)k / (double)around + r;
                sites[count][0] = at * cos(angle), sites[count][1] = at * sin(angle);
            }
    }
    return count;
}

/* What the rings miss of the area, or have too much, the thickness of a layer makes good. */
static tl_status fill_disc(const tl_disc_def *disc, double spacing, tl_nozzle *out,
                           tl_error *error) {
    const double radius = disc->radius / spacing;
    out->count = fill_rings(radius, NULL);
    out->sites = tl_allocate(out->count, sizeof *out->sites);
    if (!out->sites)
        return tl_fail_memory(error, out->count, sizeof *out->sites);
    fill_rings(radius, out->sites);
    for (size_t k = 0; k < out->count; k++)
        out->sites[k][0] *= spacing, out->sites[k][1] *= spacing;
    return TL_OK;
}

static tl_status fill_rectangle(const tl_rectangle_def *r, double spacing, tl_nozzle *out,
                                tl_error *error) {
    const long nx = lround(fmax(r->width / spacing, 1)), ny = lround(fmax(r->height / spacing, 1));
    out->sites = tl_allocate((size_t)(nx * ny), sizeof *out->sites);
    if (!out->sites)
        return tl_fail_memory(error, (size_t)(nx * ny), sizeof *out->sites);
    for (long j = 0; j < ny; j++)
        for (long i = 0; i < nx; i++) {
            double *site = out->sites[out->count++];
            site[0] = (((double)i + 0.5) / (double)nx - 0.5) * r->width;
            site[1] = (((double)j + 0.5) / (double)ny - 0.5) * r->height;
        }
    return TL_OK;
}

/* ---- Meshes ------------------------------------------------------------------------------------
 */

/* All triangles lie in the plane of the mouth and face the way matter comes out. */
static bool is_flat(const tl_mesh *m, const tl_nozzle *n, double spacing) {
    for (size_t t = 0; t < m->triangle_count; t++) {
        tl_vec3 corner[3];
        for (int k = 0; k < 3; k++) {
            corner[k] = tl_vec3_sub(tl_mesh_corner(m, t, k), n->center);
            if (!(fabs(tl_vec3_dot(corner[k], n->direction)) < flat * spacing))
                return false;
        }
        const tl_vec3 normal =
            tl_vec3_cross(tl_vec3_sub(corner[1], corner[0]), tl_vec3_sub(corner[2], corner[0]));
        if (tl_vec3_dot(normal, n->direction) < 0)
            return false;
    }
    return true;
}

/* The place x, y of the mouth is in a triangle; on its rim as well. */
static bool is_in_mesh(const tl_mesh *m, const tl_nozzle *n, double x, double y) {
    for (size_t t = 0; t < m->triangle_count; t++) {
        double u[3], v[3];
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            const tl_vec3 d = tl_vec3_sub(tl_mesh_corner(m, t, k), n->center);
            u[k] = tl_vec3_dot(d, n->across) - x;
            v[k] = tl_vec3_dot(d, n->along) - y;
        }
        for (int k = 0; k < 3; k++)
            inside = inside && u[k] * v[(k + 1) % 3] - v[k] * u[(k + 1) % 3] >= 0;
        if (inside)
            return true;
    }
    return false;
}

/* Points of a lattice, moved by `shift` spacings off the centre, in the mesh; kept in `sites`
 * unless that is NULL. */
static size_t points_in_mesh(const tl_mesh *m, const tl_nozzle *n, double spacing,
                             const double shift[2], double (*sites)[2]) {
    const long reach = (long)ceil(n->reach / spacing) + 1;
    size_t count = 0;
    for (long j = -reach; j <= reach; j++)
        for (long i = -reach; i <= reach; i++) {
            const double x = ((double)i + shift[0]) * spacing, y = ((double)j + shift[1]) * spacing;
            if (!is_in_mesh(m, n, x, y))
                continue;
            if (sites)
                sites[count][0] = x, sites[count][1] = y;
            count++;
        }
    return count;
}

/* Of some lattices the one whose points come nearest to the area of the mesh. What they miss of it
 * the thickness of a layer makes good. */
static tl_status fill_mesh(const tl_emitter_def *e, double spacing, tl_nozzle *out,
                           tl_error *error) {
    enum { TRIALS = 16 };
    const double wanted = out->area / (spacing * spacing);
    double best[2] = {0, 0};
    if (!is_flat(&e->mesh, out, spacing))
        return tl_fail(error, TL_BAD_INPUT, e->name, "use a mesh that is a piece of a plane",
                       "the mouth of emitter \"%.60s\" is not flat", e->name);
    const double across = 2 * out->reach / spacing + 3;
    if (TRIALS * across * across * (double)e->mesh.triangle_count > most_looks)
        return tl_fail(error, TL_BAD_INPUT, e->name, "use a coarser mesh, or a larger spacing",
                       "the mouth of emitter \"%.60s\" has %zu triangles and is %.3g spacings wide",
                       e->name, e->mesh.triangle_count, across);
    for (int s = 0; s < TRIALS; s++) {
        const double shift[2] = {s % 4 / 4.0, s / 4 / 4.0};
        const size_t count = points_in_mesh(&e->mesh, out, spacing, shift, NULL);
        if (fabs((double)count - wanted) < fabs((double)out->count - wanted)) {
            out->count = count;
            best[0] = shift[0], best[1] = shift[1];
        }
    }
    if (fabs((double)out->count / wanted - 1) > most_missed)
        return tl_fail(error, TL_BAD_INPUT, e->name, "make it wider, or the spacing smaller",
                       "the mouth of emitter \"%.60s\" is too narrow: it has room for %.3g "
                       "particles of %g m, and %zu of a lattice are in it",
                       e->name, wanted, spacing, out->count);
    out->sites = tl_allocate(out->count, sizeof *out->sites);
    if (!out->sites)
        return tl_fail_memory(error, out->count, sizeof *out->sites);
    points_in_mesh(&e->mesh, out, spacing, best, out->sites);
    return TL_OK;
}

tl_status tl_nozzle_make(const tl_emitter_def *e, double spacing, tl_nozzle *out, tl_error *error) {
    const tl_mouth mouth = tl_emitter_mouth(e);
    const double area = mouth.area;
    const tl_vec3 d = tl_vec3_unit(mouth.direction);
    *out = (tl_nozzle){0};
    if (!(tl_vec3_length(d) > 0.5) || !(area >= spacing * spacing))
        return tl_fail(error, TL_BAD_INPUT, e->name, "give it a direction and a larger mouth",
                       "an emitter without a direction, or thinner than a particle");
    if (area > most_sites * spacing * spacing)
        return tl_fail(error, TL_BAD_INPUT, e->name, "use a smaller mouth, or a larger spacing",
                       "a layer of an emitter would have %.3g particles", area / spacing / spacing);
    const tl_vec3 level = tl_vec3_cross((tl_vec3){0, 0, 1}, d);
    *out = (tl_nozzle){.center = mouth.center,
                       .direction = d,
                       .across = tl_vec3_length(level) > 1e-6
                                     ? tl_vec3_unit(level)
                                     : tl_vec3_unit(tl_vec3_mad((tl_vec3){1, 0, 0}, -d.x, d)),
                       .velocity = tl_vec3_of(e->velocity),
                       .area = area,
                       .reach = mouth.reach,
                       .length = e->has_length ? e->length : default_length * spacing};
    out->along = tl_vec3_cross(d, out->across);
    const tl_status status = e->form.has_mesh ? fill_mesh(e, spacing, out, error)
                             : e->has_disc    ? fill_disc(&e->disc, spacing, out, error)
                                              : fill_rectangle(&e->rectangle, spacing, out, error);
    out->layer = (double)out->count * spacing * spacing * spacing / area;
    return status;
}

void tl_nozzle_free(tl_nozzle *nozzle) {
    free(nozzle->sites);
    *nozzle = (tl_nozzle){0};
}

static tl_vec3 center_at(const tl_nozzle *n, double time) {
    return tl_vec3_mad(n->center, time, n->velocity);
}

double tl_nozzle_depth(const tl_nozzle *n, double time, tl_vec3 x) {
    return tl_vec3_dot(n->direction, tl_vec3_sub(x, center_at(n, time)));
}

tl_vec3 tl_nozzle_place(const tl_nozzle *n, double time, double depth, size_t site) {
    const tl_vec3 middle = tl_vec3_mad(center_at(n, time), depth, n->direction);
    return tl_vec3_mad(tl_vec3_mad(middle, n->sites[site][0], n->across), n->sites[site][1],
                       n->along);
}

void tl_nozzle_bounds(const tl_nozzle *n, double time, double low[3], double high[3]) {
    const tl_vec3 c = center_at(n, time), end = tl_vec3_mad(c, n->length, n->direction);
    const double from[3] = {c.x, c.y, c.z}, to[3] = {end.x, end.y, end.z};
    const double along[3] = {n->direction.x, n->direction.y, n->direction.z};
    for (int k = 0; k < 3; k++) {
        const double wide = n->reach * sqrt(fmax(1 - along[k] * along[k], 0));
        low[k] = fmin(from[k], to[k]) - wide;
        high[k] = fmax(from[k], to[k]) + wide;
    }
}
