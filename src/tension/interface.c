/* See interface.h. */
#include "tension/interface.h"

#include "flow/lanes.h"
#include "math/mat3.h"
#include "tension/curvature.h"
#include "tension/facing.h"

#include <math.h>
#include <string.h>

/* Parts of a full neighbourhood: up to the first the air is near, and from the second on it is far.
 * The first layer of a flat lattice has 0.6, the second 0.9. */
static const float airy = 0.7f, inner = 0.85f;

typedef struct interface_job {
    tl_tension *out;
    tl_solver *solver;
    const tl_interface_task *task;
    size_t colour;
    float usual;                         /* N/m: γ of what is in the liquid and meets no other */
    bool enclosed[TL_INTERFACE_LIQUIDS]; /* they touch nothing but other liquids */
} interface_job;

/* N/m: the part of γ that is found from the liquid at hand, against another one. */
static float gamma_of(const interface_job *c, size_t other) {
    const float gamma = (float)c->task->gamma[c->colour * c->task->materials + other];
    const int shares = c->enclosed[c->colour] - c->enclosed[other];
    return shares > 0 ? gamma : shares < 0 ? 0 : 0.5f * gamma;
}

/* ---- γ -----------------------------------------------------------------------------------------
 */

/* Σ ω r² γ and Σ ω r² over the neighbours of particle i, which is in the liquid, that are not. */
static void meet(const interface_job *c, size_t i, float *sum, float *all) {
    const tl_strain *s = &c->solver->strain;
    const tl_motion *self = &s->motion[i];
    *sum = *all = 0;
    for (size_t k = s->begin[i]; k < s->begin[i] + s->size[i]; k++) {
        const size_t j = tl_source_of(s->records, s->index[k]);
        const float *x = s->motion[s->index[k]].x;
        float r2 = 0;
        for (int a = 0; a < 3; a++)
            r2 += (x[a] - self->x[a]) * (x[a] - self->x[a]);
        if (c->task->material[j] == c->colour)
            continue;
        *sum += s->weight[k] * r2 * gamma_of(c, c->task->material[j]);
        *all += s->weight[k] * r2;
    }
}

static void gamma_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const interface_job *c = context;
    for (size_t i = begin; i < end; i++) {
        float sum, all;
        if (c->task->material[i] != c->colour) {
            c->out->gamma[i] = gamma_of(c, c->task->material[i]);
            continue;
        }
        meet(c, i, &sum, &all);
        c->out->gamma[i] = all > 0 ? sum / all : c->usual;
    }
}

/* The largest γ of a liquid: that of most, if there is one. */
static float usual_of(const interface_job *c) {
    float most = 0;
    for (size_t m = 0; m < c->task->materials; m++)
        most = fmaxf(most, gamma_of(c, m));
    return most;
}

/* ---- The force ---------------------------------------------------------------------------------
 */

/* A⁻¹ of a stress of 1 in the liquid. */
static void unit_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const interface_job *c = context;
    const tl_strain *s = &c->solver->strain;
    const tl_wide zero = tl_splat(0.0f), none[6] = {zero, zero, zero, zero, zero, zero};
    for (size_t first = begin; first < end; first += TL_LANES) {
        uint32_t index[TL_LANES];
        const size_t count = tl_group(first, end, index);
        float lanes[TL_LANES] = {0};
        for (size_t l = 0; l < count; l++)
            lanes[l] = c->task->material[first + l] == c->colour;
        const tl_wide one = tl_load(lanes), round[6] = {one, one, one, zero, zero, zero};
        tl_wide inverse[TL_SYM6];
        tl_load_inverse(s, first, inverse);
        if (s->uneven)
            tl_store_uneven_traction(s, first, count, index, inverse, none, one, none, zero);
        else
            tl_store_traction(s, first, count, inverse, round, none, zero);
    }
}

static float away_from_air(const interface_job *c, size_t i) {
    const float full = tl_strain_around(&c->solver->strain, i)->full / (float)c->task->full;
    return fminf(fmaxf((full - airy) / (inner - airy), 0), 1);
}

static void push_range(void *context, const float (*force)[4], size_t begin, size_t end) {
    const interface_job *c = context;
    const tl_strain *s = &c->solver->strain;
    for (size_t i = begin; i < end; i++) {
        const float most = 2 / (TL_SHARPEST * (float)tl_spacing_of(&s->sizes, i));
        const float curvature = fminf(fmaxf(c->out->bent[i].curvature, -most), most);
        const float part = tl_strain_is_held(s, i) ? 0 : away_from_air(c, i);
        const float *G = force[i - begin];
        c->out->area[i] = part * c->out->gamma[i] * sqrtf(G[0] * G[0] + G[1] * G[1] + G[2] * G[2]);
        for (int k = 0; k < 3; k++)
            c->out->push[i][k] = part * c->out->gamma[i] * curvature * G[k];
    }
}

/* ---- Momenta -----------------------------------------------------------------------------------
 */

static void find_enclosed(interface_job *c) {
    const tl_strain *s = &c->solver->strain;
    for (size_t m = 0; m < c->task->materials; m++)
        c->enclosed[m] = tl_records_images(s->records) == 0;
    for (size_t i = 0; i < s->particles; i++)
        if (s->link_of[i] || away_from_air(c, i) < 1 || tl_strain_is_held(s, i))
            c->enclosed[c->task->material[i]] = false;
}

/* N: of that per volume. */
static tl_vec3 force_on(const interface_job *c, size_t i) {
    const float *f = c->out->push[i], V = c->solver->strain.motion[i].volume;
    return (tl_vec3){(double)(V * f[0]), (double)(V * f[1]), (double)(V * f[2])};
}

static double weight_of(const interface_job *c, size_t i) {
    return (double)(c->out->area[i] * c->solver->strain.motion[i].volume);
}

static tl_vec3 place_of(const interface_job *c, size_t i, tl_vec3 from) {
    const float *x = c->solver->strain.motion[i].x;
    return tl_vec3_sub((tl_vec3){(double)x[0], (double)x[1], (double)x[2]}, from);
}

static void take_excess(const interface_job *c) {
    const size_t n = c->solver->strain.particles;
    tl_vec3 centre = {0, 0, 0}, force = centre, torque = centre;
    double all = 0, spread[3][3] = {{0}}, inertia[3][3], inverse[3][3];
    for (size_t i = 0; i < n; i++) {
        all += weight_of(c, i);
        centre = tl_vec3_mad(centre, weight_of(c, i), place_of(c, i, (tl_vec3){0, 0, 0}));
        force = tl_vec3_add(force, force_on(c, i));
    }
    if (!(all > 0))
        return;
    centre = tl_vec3_scale(centre, 1 / all);
    for (size_t i = 0; i < n; i++) {
        const tl_vec3 y = place_of(c, i, centre);
        const double at[3] = {y.x, y.y, y.z};
        torque = tl_vec3_add(torque, tl_vec3_cross(y, force_on(c, i)));
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++)
                spread[r][k] += weight_of(c, i) * at[r] * at[k];
    }
    const double trace = spread[0][0] + spread[1][1] + spread[2][2];
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            inertia[r][k] = (r == k ? trace : 0) - spread[r][k];
    const bool turns = tl_mat3_invert((const double(*)[3])inertia, inverse);
    const tl_vec3 along = tl_vec3_scale(force, 1 / all),
                  about = turns ? tl_mat3_times((const double(*)[3])inverse, torque)
                                : (tl_vec3){0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        const tl_vec3 y = place_of(c, i, centre);
        const tl_vec3 off =
            tl_vec3_scale(tl_vec3_add(along, tl_vec3_cross(about, y)), (double)c->out->area[i]);
        float *f = c->out->push[i];
        f[0] -= (float)off.x, f[1] -= (float)off.y, f[2] -= (float)off.z;
    }
}

/* ------------------------------------------------------------------------------------------------
 */

static void find_colour(interface_job *c, float (*force)[3]) {
    const tl_strain *s = &c->solver->strain;
    const tl_interface_task *t = c->task;
    const tl_tension_task seen = {.shapes = t->shapes,
                                  .list = t->list,
                                  .samples = t->samples,
                                  .filling = t->filling,
                                  .full = t->full,
                                  .material = t->material,
                                  .colour = (uint8_t)c->colour};
    c->usual = usual_of(c);
    tl_facing_find(c->out, s, &seen);
    tl_curvature_find(c->out, s);
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, gamma_range, c);
    tl_parallel_for(s->parallel, s->particles, TL_BLOCK, unit_range, c);
    tl_strain_share_traction(s);
    tl_strain_share_motion(s);
    tl_strain_force(s, NULL, 0, push_range, c);
    if (c->enclosed[c->colour])
        take_excess(c);
    for (size_t i = 0; i < s->particles; i++)
        for (int k = 0; k < 3; k++)
            force[i][k] += c->out->push[i][k];
}

tl_status tl_interfaces_find(tl_tension *tension, tl_solver *solver, const tl_interface_task *task,
                             float (*force)[3], tl_error *error) {
    interface_job c = {.out = tension, .solver = solver, .task = task};
    TL_TRY(tl_tension_begin(tension, &solver->strain, error));
    find_enclosed(&c);
    for (; c.colour < task->materials; c.colour++)
        if (usual_of(&c) > 0)
            find_colour(&c, force);
    return TL_OK;
}
