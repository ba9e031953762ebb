/* See overlap.h. */
#include "mesh/overlap.h"

#include "mesh/scan.h"

#include <stdlib.h>

/* Points along the longest side of the box around a mesh; prime, since faces at simple fractions of
 * it are common. */
enum { FINEST = 211 };

/* ∫ 1, x, x xᵀ, from one corner of the lattice on. */
typedef struct sums {
    double volume, first[3], second[3][3];
} sums;

static sums sums_of(const tl_mesh_moments *m, tl_vec3 origin) {
    const tl_vec3 c = tl_vec3_sub(m->centroid, origin);
    const double x[3] = {c.x, c.y, c.z};
    const double half = (m->inertia[0][0] + m->inertia[1][1] + m->inertia[2][2]) / 2;
    sums s = {.volume = m->volume};
    for (int k = 0; k < 3; k++) {
        s.first[k] = m->volume * x[k];
        for (int l = 0; l < 3; l++)
            s.second[k][l] = (k == l ? half : 0) - m->inertia[k][l] + m->volume * x[k] * x[l];
    }
    return s;
}

static tl_mesh_moments moments_of(const sums *s, tl_vec3 origin) {
    tl_mesh_moments m = {.volume = s->volume};
    double central[3][3], trace = 0;
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++)
            central[k][l] = s->second[k][l] - s->first[k] * s->first[l] / s->volume;
        trace += central[k][k];
    }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            m.inertia[k][l] = (k == l ? trace : 0) - central[k][l];
    m.centroid = tl_vec3_mad(origin, 1 / s->volume, tl_vec3_of(s->first));
    return m;
}

/* Takes the cells of the marked points away. False: there are none. */
static bool take_away(const tl_lattice *l, const uint8_t *marked, sums *s) {
    const double cell = l->step[0] * l->step[1] * l->step[2];
    bool any = false;
    for (size_t i = 0; i < l->n[0] * l->n[1] * l->n[2]; i++) {
        if (!marked[i])
            continue;
        const size_t at[3] = {i % l->n[0], i / l->n[0] % l->n[1], i / l->n[0] / l->n[1]};
        any = true;
        s->volume -= cell;
        for (int k = 0; k < 3; k++) {
            const double x = ((double)at[k] + 0.5) * l->step[k];
            s->first[k] -= cell * x;
            s->second[k][k] -= cell * l->step[k] * l->step[k] / 12;
            for (int m = 0; m < 3; m++)
                s->second[k][m] -= cell * x * ((double)at[m] + 0.5) * l->step[m];
        }
    }
    return any;
}

static tl_lattice lattice_of(tl_vec3 low, tl_vec3 high) {
    const double from[3] = {low.x, low.y, low.z};
    const double size[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
    const double longest = fmax(fmax(size[0], size[1]), size[2]);
    tl_lattice l;
    for (int k = 0; k < 3; k++) {
        l.n[k] = (size_t)ceil(fmax(FINEST * size[k] / longest, 1));
        l.step[k] = size[k] / (double)l.n[k];
        l.start[k] = from[k] + 0.5 * l.step[k];
    }
    return l;
}

tl_status tl_mesh_find_union(const tl_mesh *mesh, tl_mesh_moments *out, tl_error *error) {
    *out = tl_mesh_find_moments(mesh);
    if (!(out->volume > 0))
        return TL_OK;
    tl_vec3 low, high;
    tl_mesh_bounds(mesh, &low, &high);
    const tl_lattice l = lattice_of(low, high);
    uint8_t *marked = tl_allocate(l.n[0] * l.n[1] * l.n[2], sizeof *marked);
    if (!marked)
        return tl_fail_memory(error, l.n[0] * l.n[1] * l.n[2], sizeof *marked);
    const tl_parallel parallel = {.threads = 1};
    sums s = sums_of(out, low);
    tl_status status = TL_OK;
    for (int shells = 1; status == TL_OK; shells++) {
        status = tl_mesh_scan_shells(mesh, &l, shells, &parallel, marked, error);
        if (status == TL_OK && !take_away(&l, marked, &s))
            break;
        *out = moments_of(&s, low);
    }
    free(marked);
    return status;
}
