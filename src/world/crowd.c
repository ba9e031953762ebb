/* How much particles crowd, for implicit steps: the compression that the divergence of the flow
 * does not see. */
#include "world/state.h"

#include <math.h>

/* How much more than on a lattice a neighbourhood may hold: disorder has its share. Lattices that
 * were stretched hold less without being thinner. A liquid so thin (ν dt < dx²) that it finds its
 * order anew all the time needs little of either. */
static const double tolerated_crowd = 0.02, thin_crowd = 0.004, stretch = 4;

/* Part of a spacing to which a particle may come near a slippery wall before that counts. */
static const double nearest_wall = 0.35;

/* Inside the matter a neighbourhood is at least so full. */
static const float full_inside = 0.85f;

/* Below this part of a full neighbourhood particles are spray and keep no compression. */
static const double spray = 0.4;

/* Part of that which counts as compression in a step. */
static const double crowd_rate = 0.1;

/* ν dt / dx²: beyond 1, particles keep their neighbours and what order they have. */
static double thickness(const tl_world *w, size_t i, double dt) {
    const float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    const double rest = w->fluids[tl_material_of(w)[i]].rest_density, dx = w->def.spacing;
    return (double)viscosity[i] / rest * dt / (dx * dx);
}

static bool is_thick(const tl_world *w, double dt) {
    bool thick = true;
    for (size_t i = 0; i < w->fields.count && thick; i++)
        thick = tl_rigid_of(w, i) || thickness(w, i, dt) >= 1;
    return thick;
}

static void fullness_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const tl_world *w = context;
    const tl_strain *s = &w->solver.strain;
    for (size_t i = begin; i < end; i++) {
        float *pair = s->tension + i * TL_TENSION + 6;
        pair[0] = s->around[4 * i + 3] / (float)(3 * w->lattice.moment);
        pair[1] = pair[0] < full_inside;
    }
}

void tl_world_find_fullness(tl_world *w, double dt) {
    tl_strain *s = &w->solver.strain;
    if (is_thick(w, dt)) {
        for (size_t i = 0; i < w->fields.count; i++)
            w->solver.z[2 * i + 1] = 1;
        return;
    }
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, fullness_range, w);
    tl_strain_share_tension(s);
    tl_strain_average(s, 0, w->solver.z);
}

/* What a particle that has come too near to a slippery wall lacks of its volume. */
static double wall_crowd(const tl_world *w, size_t i) {
    const tl_strain *s = &w->solver.strain;
    const tl_wall_link *link = s->link_of[i] ? &s->link[s->link_of[i] - 1] : NULL;
    if (!link || !link->slips)
        return 0;
    return fmax(nearest_wall - sqrt((double)link->reach2) / w->def.spacing, 0);
}

/* What the mean fullness around an inner particle says of its compression that e does not know,
 * beyond what is tolerated. */
static double unseen_crowd(const tl_world *w, size_t i, double e, double dt) {
    const double thick = thickness(w, i, dt);
    const double unseen = (double)w->solver.z[2 * i] - 1 - e + wall_crowd(w, i);
    const double most = thin_crowd + fmin(thick, 1) * (tolerated_crowd - thin_crowd);
    const double least = -thin_crowd - thick * stretch;
    return unseen > most ? unseen - most : unseen < least ? unseen - least : 0;
}

float tl_world_compression_of(const tl_world *w, size_t i, double rest, double dt) {
    const double e = tl_density(w)[i] / rest - 1;
    const double full = (double)w->solver.strain.around[4 * i + 3] / (3 * w->lattice.moment);
    if (full < spray)
        return 0;
    if (w->solver.z[2 * i + 1] < 1e-3f)
        return (float)(e + crowd_rate * unseen_crowd(w, i, e, dt));
    const double excess = full - 1 - tolerated_crowd;
    return (float)(excess > e ? e + crowd_rate * (excess - fmax(e, 0)) : e);
}
