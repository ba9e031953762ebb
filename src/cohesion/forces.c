/* Forces between thermal particles, and on them. See cohesive.h. */
#include "base/blocks.h"
#include "cohesion/cohesive.h"

#include <math.h>

/* ---- Records -----------------------------------------------------------------------------------
 */

/* J: the heat that weakens the bonds of particle i [Ton91 eq. 14]. */
static double heat_of(const tl_cohesive_matter *m, size_t i) {
    const double mass = (double)m->mass[i];
    if (m->enthalpy)
        return mass * m->enthalpy[i];
    return mass * m->materials[m->material[i]].specific_heat * (double)m->temperature[i];
}

static void fill_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_cohesive_work *c = context;
    const tl_cohesive *t = c->cohesive;
    const tl_cohesive_matter *m = c->matter;
    const double *x = m->position, origin[3] = {m->origin.x, m->origin.y, m->origin.z};
    for (size_t i = begin; i < end; i++) {
        const tl_potential *p = &t->potentials[m->material[i]];
        double *record = t->bonds.record + 4 * i;
        for (size_t k = 0; k < 3; k++)
            record[k] = (x[3 * i + k] - origin[k]) * p->stretch[k];
        record[3] = tl_potential_depth(p, heat_of(m, i));
    }
}

/* How far an image stands from its particle, exactly: records know it in single precision. */
static double shift_of(const tl_cohesive_matter *m, size_t image, size_t k) {
    const double period = m->period[k];
    const float *shift = tl_image_shift(m->records, image);
    return period > 0 ? period * round((double)shift[k] / period) : 0;
}

static void fill_images(const tl_cohesive *t, const tl_cohesive_matter *m) {
    const tl_records *r = m->records;
    double *record = t->bonds.record;
    tl_images_share(r, TL_SHARED_GROUP(record, 4));
    for (size_t j = tl_images_begin(r); j < tl_images_end(r); j++) {
        const tl_potential *p = &t->potentials[m->material[tl_source_of(r, j)]];
        for (size_t k = 0; k < 3; k++)
            record[4 * j + k] += shift_of(m, j, k) * p->stretch[k];
    }
}

tl_status tl_cohesive_bind(tl_cohesive *t, const tl_cohesive_matter *m, tl_neighbor_list *list,
                           tl_error *error) {
    if (!t->rows_cut) {
        const tl_bond_matter matter = {m->body, m->records, t->bodies > 1};
        TL_TRY(tl_bonds_make(&t->bonds, m->parallel, list, &matter, error));
        t->rows_cut = true;
    }
    tl_cohesive_work c = {t, m, NULL};
    tl_parallel_for(m->parallel, m->count, TL_BLOCK, fill_range, &c);
    fill_images(t, m);
    return TL_OK;
}

/* ---- Forces ------------------------------------------------------------------------------------
 */

tl_vec3 tl_cohesive_from_stranger(const tl_cohesive_matter *m, size_t i, size_t record) {
    const bool image = tl_is_image(m->records, record);
    const double *x = m->position + 3 * i;
    const double *y = m->position + 3 * tl_source_of(m->records, record);
    double d[3];
    for (size_t k = 0; k < 3; k++)
        d[k] = x[k] - y[k] - (image ? shift_of(m, record, k) : 0);
    return tl_vec3_of(d);
}

/* Collisions with other bodies; each of a pair keeps half of the energy. */
static void meet_strangers(const tl_cohesive *t, const tl_cohesive_matter *m, size_t i,
                           double force[3], tl_cohesive_sums *sums) {
    const tl_strangers *s = &t->bonds.strangers;
    for (size_t k = s->begin[i]; k < s->begin[i + 1]; k++) {
        const tl_vec3 d = tl_cohesive_from_stranger(m, i, s->index[k]);
        const double r = tl_vec3_length(d);
        double f;
        if (r >= t->collision.distance)
            continue;
        sums->contact_energy += 0.5 * tl_collision_at(&t->collision, r, &f);
        force[0] += f * d.x / r;
        force[1] += f * d.y / r;
        force[2] += f * d.z / r;
    }
}

static void meet_obstacles(const tl_cohesive *t, const tl_cohesive_matter *m, size_t i,
                           double force[3], tl_cohesive_sums *sums) {
    const tl_obstacle_sum o =
        tl_obstacles_at(&t->collision, m->shapes, tl_vec3_of(m->position + 3 * i));
    sums->contact_energy += o.energy;
    for (int k = 0; k < 3; k++) {
        force[k] += o.force[k];
        sums->wall_force[k] += o.force[k];
    }
}

static void finish(void *context, const tl_bond_sum *bonds, size_t begin, size_t end) {
    const tl_cohesive_work *c = context;
    const tl_cohesive *t = c->cohesive;
    const tl_cohesive_matter *m = c->matter;
    tl_cohesive_sums *partial = c->partial;
    double *a = m->acceleration;
    const bool others = !t->bonds_only;
    tl_cohesive_sums sums = {.acceleration2 = -1, .worst = begin};
    for (size_t i = begin; i < end; i++) {
        const tl_bond_sum *b = &bonds[i - begin];
        const double *stretch = t->potentials[m->material[i]].stretch;
        const double inverse = 1 / (double)m->mass[i];
        double force[3], a2 = 0;
        for (int k = 0; k < 3; k++)
            force[k] = b->force[k] * stretch[k];
        sums.bond_energy += 0.5 * t->bonds.record[4 * i + 3] * b->shape;
        if (others && t->bodies > 1)
            meet_strangers(t, m, i, force, &sums);
        if (others && m->shapes->count > 0)
            meet_obstacles(t, m, i, force, &sums);
        for (size_t k = 0; k < 3; k++) {
            const double inner = force[k] * inverse;
            a[3 * i + k] = inner + (others ? tl_body_force_along(&m->force, i, k) : 0);
            a2 += inner * inner;
        }
        if (!isfinite(a2)) {
            if (!sums.broken)
                sums.worst = i;
            sums.broken = true;
        } else if (!sums.broken && a2 > sums.acceleration2) {
            sums.acceleration2 = a2;
            sums.worst = i;
        }
    }
    partial[begin / TL_BLOCK] = sums;
}

static void join_sums(void *total, const void *partial) {
    tl_cohesive_sums *out = total;
    const tl_cohesive_sums *p = partial;
    out->bond_energy += p->bond_energy;
    out->contact_energy += p->contact_energy;
    for (int k = 0; k < 3; k++)
        out->wall_force[k] += p->wall_force[k];
    if (!out->broken && (p->broken || p->acceleration2 > out->acceleration2)) {
        out->broken = p->broken;
        out->worst = p->worst;
        out->acceleration2 = p->acceleration2;
    }
}

void tl_cohesive_forces(tl_cohesive *t, const tl_cohesive_matter *m, tl_cohesive_sums *partial,
                        tl_cohesive_sums *out) {
    tl_cohesive_work c = {t, m, partial};
    tl_bonds_sweep(&t->bonds, m->parallel, t->potentials, m->material, finish, &c);
    *out = (tl_cohesive_sums){.acceleration2 = -1};
    tl_join_blocks(out, partial, sizeof *partial, m->count, join_sums);
}
