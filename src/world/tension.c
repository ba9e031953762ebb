/* Surface tension in implicit steps: what is asked for and what becomes of it. See
 * tension/tension.h. */
#include "math/mat3.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

/* Pressure that tension makes, in units of γ/dx: that of a drop of so many spacings has to be held
 * by the bulk stiffness. */
static const double pressure_part = 0.3;

/* Pull that matter with tension bears, in units of γ/dx: it has to hold where a surface is as
 * hollow as particles tell. */
static const double bearing_part = 1;

tl_status tl_world_begin_tension(tl_world *w, tl_error *error) {
    tl_world_tension *t = &w->tension;
    for (size_t m = 0; m < w->def.material_count && w->dynamics->solves; m++) {
        t->wanted = t->wanted || w->materials[m].has_surface_tension;
        t->bears = t->bears || t->wanted || w->materials[m].tensile_strength > 0;
    }
    TL_TRY(tl_world_begin_interfaces(w, error));
    t->bears = t->bears || t->parted;
    return TL_OK;
}

/* N/m: γ of particle i against the air. */
static double tension_of(const tl_world *w, size_t i) {
    const tl_material *m = &w->materials[tl_material_of(w)[i]];
    return m->has_surface_tension && !tl_rigid_of(w, i)
               ? fmax(tl_law_at(&m->surface_tension, (double)tl_temperature(w)[i]), 0)
               : 0;
}

/* The larger one of that and those against other liquids. */
static double most_tension_of(const tl_world *w, size_t i) {
    return fmax(tension_of(w, i), tl_world_parting_tension(w, i));
}

/* ---- Momenta -----------------------------------------------------------------------------------
 */

/* Of the force on a lump. */
typedef struct lump_force {
    double area;
    bool leans; /* on what may hold it: nothing is known of its momenta */
    tl_vec3 centre, force, torque, along, about; /* what is taken off: a (along + about × y) */
    double spread[3][3];
} lump_force;

static tl_vec3 force_on(const tl_world *w, size_t i) {
    const float *f = w->solver.tension[i];
    const double V = (double)w->solver.strain.motion[i].volume;
    return (tl_vec3){V * (double)f[0], V * (double)f[1], V * (double)f[2]};
}

/* m²: what particle i has to say where forces are made good. */
static double weight_of(const tl_world *w, size_t i) {
    const tl_tension *t = &w->tension.surface;
    const float *G = t->push[i], size = sqrtf(G[0] * G[0] + G[1] * G[1] + G[2] * G[2]);
    return (double)(t->bent[i].part * size * w->solver.strain.motion[i].volume);
}

static bool leans(const tl_world *w, size_t i) {
    return w->solver.strain.link_of[i] || tl_rigid_of(w, i) || tl_world_led_velocity(w, i) ||
           tl_strain_is_held(&w->solver.strain, i);
}

static lump_force *force_of(const tl_world *w, lump_force *lumps, size_t i) {
    return &lumps[tl_group_get(w->lump_of, i)];
}

static void add_forces(const tl_world *w, lump_force *lumps, size_t count) {
    for (size_t i = 0; i < w->fields.count; i++) {
        lump_force *l = force_of(w, lumps, i);
        const double a = weight_of(w, i);
        l->leans = l->leans || leans(w, i);
        l->area += a;
        l->centre = tl_vec3_mad(l->centre, a, tl_vec3_of(tl_position(w) + 3 * i));
        l->force = tl_vec3_add(l->force, force_on(w, i));
    }
    for (size_t k = 0; k < count; k++)
        if (lumps[k].area > 0)
            lumps[k].centre = tl_vec3_scale(lumps[k].centre, 1 / lumps[k].area);
}

static void add_torques(const tl_world *w, lump_force *lumps) {
    for (size_t i = 0; i < w->fields.count; i++) {
        lump_force *l = force_of(w, lumps, i);
        const tl_vec3 y = tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), l->centre);
        const double a = weight_of(w, i), at[3] = {y.x, y.y, y.z};
        l->torque = tl_vec3_add(l->torque, tl_vec3_cross(y, force_on(w, i)));
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                l->spread[r][c] += a * at[r] * at[c];
    }
}

static void find_excess(lump_force *l) {
    double inertia[3][3], inverse[3][3];
    if (l->leans || !(l->area > 0))
        return;
    const double trace = l->spread[0][0] + l->spread[1][1] + l->spread[2][2];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            inertia[r][c] = (r == c ? trace : 0) - l->spread[r][c];
    l->along = tl_vec3_scale(l->force, 1 / l->area);
    if (tl_mat3_invert((const double(*)[3])inertia, inverse))
        l->about = tl_mat3_times((const double(*)[3])inverse, l->torque);
}

/* Takes net force and torque from lumps that touch nothing, in proportion to area. */
static tl_status balance(tl_world *w, tl_error *error) {
    size_t count;
    if (w->period[0] > 0 || w->period[1] > 0 || w->period[2] > 0)
        return TL_OK;
    TL_TRY(tl_world_find_lumps(w, &count, error));
    TL_TRY(tl_world_partials(w, count * TL_BLOCK, sizeof(lump_force), error));
    lump_force *lumps = w->partial;
    memset(lumps, 0, count * sizeof *lumps);
    add_forces(w, lumps, count);
    add_torques(w, lumps);
    for (size_t k = 0; k < count; k++)
        find_excess(&lumps[k]);
    for (size_t i = 0; i < w->fields.count; i++) {
        const lump_force *l = force_of(w, lumps, i);
        const double a = weight_of(w, i), V = (double)w->solver.strain.motion[i].volume;
        if (!(a > 0))
            continue;
        const tl_vec3 y = tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), l->centre);
        const tl_vec3 off = tl_vec3_scale(tl_vec3_add(l->along, tl_vec3_cross(l->about, y)), a / V);
        float *f = w->solver.tension[i];
        f[0] -= (float)off.x, f[1] -= (float)off.y, f[2] -= (float)off.z;
    }
    return TL_OK;
}

/* ---- A step ------------------------------------------------------------------------------------
 */

static tl_status find_bearing(tl_world *w, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(w->solver.bears, 0, w->fields.count, error));
    for (size_t i = 0; i < w->fields.count; i++)
        w->solver.bears[i] =
            (float)fmax(w->materials[tl_material_of(w)[i]].tensile_strength,
                        bearing_part * most_tension_of(w, i) / tl_spacing_of(&w->sizes, i));
    return TL_OK;
}

tl_status tl_world_aim_tension(tl_world *w, tl_error *error) {
    const size_t n = w->fields.count;
    tl_world_tension *t = &w->tension;
    if (t->bears)
        TL_TRY(find_bearing(w, error));
    if (!t->wanted && !t->parted)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(w->solver.tension, 0, n, error));
    if (!t->wanted) {
        memset(w->solver.tension, 0, n * sizeof *w->solver.tension);
        return tl_world_aim_interfaces(w, error);
    }
    TL_TRY(TL_ARRAY_RESERVE(t->gamma, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(t->cosine, 0, n, error));
    for (size_t i = 0; i < n; i++) {
        t->gamma[i] = (float)tension_of(w, i);
        t->cosine[i] = (float)cos(w->materials[tl_material_of(w)[i]].contact_angle);
    }
    const tl_tension_task task = {.gamma = t->gamma,
                                  .cosine = t->cosine,
                                  .shapes = &w->shapes,
                                  .list = &w->list,
                                  .samples = &w->samples,
                                  .filling = w->lattice.filling,
                                  .full = 3 * w->lattice.moment};
    TL_TRY(tl_tension_find(&t->surface, &w->solver, &task, w->solver.tension, error));
    TL_TRY(balance(w, error));
    return tl_world_aim_interfaces(w, error);
}

void tl_world_book_tension(tl_world *w, double dt) {
    double power = 0;
    const bool any = w->tension.wanted || w->tension.parted;
    for (size_t i = 0; any && i < w->fields.count; i++)
        power += tl_vec3_dot(force_on(w, i), tl_vec3_of(tl_velocity(w) + 3 * i));
    w->state.tension_work += dt * power;
    w->state.numerical_heat += dt * power; /* the solve takes it for what stress does */
}

/* Parts of a full neighbourhood: less is spray, in which no tension acts; and more has no surface
 * beside it: the first layer of a flat lattice has 0.6. What is beside walls is left out, too:
 * these say how a contact line faces. */
static const double spray = 0.2, covered = 0.75;

/* A normal is known where a particle is one of the surface by so much; and curvature, where it is
 * less than this in units of 1/dx, of which balls of two spacings have one. */
static const float sure = 0.5f, sharp = 0.9f;

void tl_world_count_surface(const tl_world *w, double *surface, double *lost) {
    const tl_world_tension *t = &w->tension;
    *surface = *lost = 0;
    if (!t->wanted || w->solver.strain.particles != w->fields.count || w->state.steps == 0)
        return;
    for (size_t i = 0; i < w->fields.count; i++) {
        const double full =
            (double)tl_strain_around(&w->solver.strain, i)->full / (3 * w->lattice.moment);
        const tl_bent *bent = &t->surface.bent[i];
        if (!(t->gamma[i] > 0) || leans(w, i) || full < spray || full > covered)
            continue;
        *surface += 1;
        *lost += bent->part < sure ||
                 fabsf(bent->curvature) * (float)tl_spacing_of(&w->sizes, i) > sharp;
    }
}

double tl_world_tension_pressure(const tl_world *w) {
    double most = 0;
    const bool any = w->tension.wanted || w->tension.parted;
    for (size_t i = 0; any && i < w->fields.count; i++)
        most = fmax(most, most_tension_of(w, i) / tl_spacing_of(&w->sizes, i));
    return pressure_part * most;
}

double tl_world_balanced_pressure(const tl_world *w, size_t i) {
    const bool any = w->tension.wanted || w->tension.parted;
    return any ? pressure_part * most_tension_of(w, i) / tl_spacing_of(&w->sizes, i) : 0;
}

double tl_world_tension_depth(const tl_world *w) {
    tl_vec3 low, high;
    if (!w->tension.wanted && !w->tension.parted)
        return 0;
    tl_world_bounds(w, &low, &high);
    return 0.5 * fmin(high.x - low.x, fmin(high.y - low.y, high.z - low.z)) + w->def.spacing;
}

/* Before the first step nobody has asked for viscosities: it is one of a thin liquid. */
double tl_world_tension_step(const tl_world *w) {
    const float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    const bool any = w->tension.wanted || w->tension.parted;
    double longest = HUGE_VAL;
    for (size_t i = 0; any && i < w->fields.count; i++) {
        const double own = w->state.steps > 0 ? (double)viscosity[i] : 0;
        const double density = w->fluids[tl_material_of(w)[i]].rest_density;
        longest = fmin(longest, tl_tension_longest_step(most_tension_of(w, i), density, own,
                                                        tl_spacing_of(&w->sizes, i)));
    }
    return longest;
}
