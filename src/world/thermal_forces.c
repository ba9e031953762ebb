/* Forces between thermal particles, and on them. See thermal.h. */
#include "base/timer.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

/* ---- Records -----------------------------------------------------------------------------------
 */

/* J: the heat that weakens the bonds of particle i [Ton91 eq. 14]. */
static double heat_of(const tl_world *w, size_t i) {
    const double mass = (double)tl_mass(w)[i];
    if (w->def.with_heat)
        return mass * ((const double *)tl_field_data(&w->fields, w->handle.enthalpy))[i];
    return mass * w->materials[tl_material_of(w)[i]].specific_heat * (double)tl_temperature(w)[i];
}

static void fill_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_world *w = context;
    const double *x = tl_position(w), origin[3] = {w->origin.x, w->origin.y, w->origin.z};
    for (size_t i = begin; i < end; i++) {
        const tl_potential *p = &w->thermal.potentials[tl_material_of(w)[i]];
        double *record = w->thermal.bonds.record + 4 * i;
        for (size_t k = 0; k < 3; k++)
            record[k] = (x[3 * i + k] - origin[k]) * p->stretch[k];
        record[3] = tl_potential_depth(p, heat_of(w, i));
    }
}

/* How far an image stands from its particle, exactly: records know it in single precision. */
static double image_shift(const tl_world *w, size_t image, size_t k) {
    const double period = w->period[k];
    return period > 0 ? period * round((double)w->records.image_shift[3 * image + k] / period) : 0;
}

static void fill_images(tl_world *w) {
    const tl_bonds *b = &w->thermal.bonds;
    for (size_t image = 0; image < b->total - b->particles; image++) {
        const size_t source = w->records.image_source[image];
        const tl_potential *p = &w->thermal.potentials[tl_material_of(w)[source]];
        double *record = b->record + 4 * (b->particles + image);
        memcpy(record, b->record + 4 * source, 4 * sizeof *record);
        for (size_t k = 0; k < 3; k++)
            record[k] += image_shift(w, image, k) * p->stretch[k];
    }
}

static tl_status prepare_bonds(tl_world *w, tl_error *error) {
    tl_world_thermal *t = &w->thermal;
    if (!t->rows_cut) {
        const tl_bond_matter matter = {tl_field_data(&w->fields, w->handle.body),
                                       w->records.image_source, w->fields.count,
                                       tl_records_images(&w->records), t->bodies > 1};
        TL_TRY(tl_bonds_make(&t->bonds, &w->parallel, &w->list, &matter, error));
        t->rows_cut = true;
    }
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, fill_range, w);
    fill_images(w);
    return TL_OK;
}

/* ---- Forces ------------------------------------------------------------------------------------
 */

tl_vec3 tl_world_from_stranger(const tl_world *w, size_t i, size_t record) {
    const size_t n = w->fields.count;
    const size_t source = record < n ? record : w->records.image_source[record - n];
    const double *x = tl_position(w) + 3 * i, *y = tl_position(w) + 3 * source;
    double d[3];
    for (size_t k = 0; k < 3; k++)
        d[k] = x[k] - y[k] - (record < n ? 0 : image_shift(w, record - n, k));
    return tl_vec3_of(d);
}

/* Collisions with other bodies; each of a pair keeps half of the energy. */
static void meet_strangers(const tl_world *w, size_t i, double force[3], tl_thermal_sums *sums) {
    const tl_strangers *s = &w->thermal.bonds.strangers;
    for (size_t k = s->begin[i]; k < s->begin[i + 1]; k++) {
        const tl_vec3 d = tl_world_from_stranger(w, i, s->index[k]);
        const double r = tl_vec3_length(d);
        double f;
        if (r >= w->thermal.collision.distance)
            continue;
        sums->contact_energy += 0.5 * tl_collision_at(&w->thermal.collision, r, &f);
        force[0] += f * d.x / r;
        force[1] += f * d.y / r;
        force[2] += f * d.z / r;
    }
}

static void meet_obstacles(const tl_world *w, size_t i, double force[3], tl_thermal_sums *sums) {
    const tl_obstacle_sum o =
        tl_obstacles_at(&w->thermal.collision, &w->shapes, tl_vec3_of(tl_position(w) + 3 * i));
    sums->contact_energy += o.energy;
    for (int k = 0; k < 3; k++) {
        force[k] += o.force[k];
        sums->wall_force[k] += o.force[k];
    }
}

typedef struct force_context {
    tl_world *w;
    tl_thermal_sums *partial;
} force_context;

static void finish(void *context, const tl_bond_sum *bonds, size_t begin, size_t end) {
    const force_context *c = context;
    tl_world *w = c->w;
    double *a = tl_field_data(&w->fields, w->thermal.acceleration);
    const bool others = !w->thermal.bonds_only;
    tl_thermal_sums sums = {.acceleration2 = -1, .worst = begin};
    for (size_t i = begin; i < end; i++) {
        const tl_bond_sum *b = &bonds[i - begin];
        const double *stretch = w->thermal.potentials[tl_material_of(w)[i]].stretch;
        const double inverse = 1 / (double)tl_mass(w)[i];
        double force[3], a2 = 0;
        for (int k = 0; k < 3; k++)
            force[k] = b->force[k] * stretch[k];
        sums.bond_energy += 0.5 * w->thermal.bonds.record[4 * i + 3] * b->shape;
        if (others && w->thermal.bodies > 1)
            meet_strangers(w, i, force, &sums);
        if (others && w->shapes.count > 0)
            meet_obstacles(w, i, force, &sums);
        for (size_t k = 0; k < 3; k++) {
            const double inner = force[k] * inverse;
            a[3 * i + k] = inner + (others ? w->def.gravity[k] : 0);
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
    c->partial[begin / TL_BLOCK] = sums;
}

static void keep_sums(tl_world *w, const tl_thermal_sums *partial, bool *broken, size_t *worst) {
    tl_thermal_sums all = {.acceleration2 = -1};
    for (size_t b = 0; b < tl_block_count(w->fields.count, TL_BLOCK); b++) {
        const tl_thermal_sums *p = &partial[b];
        all.bond_energy += p->bond_energy;
        all.contact_energy += p->contact_energy;
        for (int k = 0; k < 3; k++)
            all.wall_force[k] += p->wall_force[k];
        if (!all.broken && (p->broken || p->acceleration2 > all.acceleration2)) {
            all.broken = p->broken;
            all.worst = p->worst;
            all.acceleration2 = p->acceleration2;
        }
    }
    w->state.bond_energy = all.bond_energy;
    w->state.contact_energy = all.contact_energy;
    memcpy(w->state.wall_force, all.wall_force, sizeof all.wall_force);
    w->state.max_acceleration = sqrt(fmax(all.acceleration2, 0));
    *broken = all.broken;
    *worst = all.worst;
}

tl_status tl_world_thermal_forces(tl_world *w, bool *broken, size_t *worst, tl_error *error) {
    double since = tl_now();
    *worst = 0;
    TL_TRY(tl_world_find_neighbors(w, broken, worst, error));
    if (*broken)
        return TL_OK;
    TL_TRY(prepare_bonds(w, error));
    tl_world_lap(w, TL_STAGE_NEIGHBORS, &since);
    TL_TRY(tl_world_partials(w, w->fields.count, sizeof(tl_thermal_sums), error));
    force_context c = {w, w->partial};
    tl_bonds_sweep(&w->thermal.bonds, &w->parallel, w->thermal.potentials, tl_material_of(w),
                   finish, &c);
    keep_sums(w, c.partial, broken, worst);
    tl_world_lap(w, TL_STAGE_FORCES, &since);
    return TL_OK;
}
