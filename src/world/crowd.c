/* How much particles crowd, for implicit steps: the compression that the divergence of the flow
 * does not see.
 *
 * A neighbourhood tells its density in two ways, by S = Σ V|W'| r / 3 and by Σ V W, both over their
 * values on a lattice. Liquids that find their order anew all the time (ν dt < dx²) have the S of a
 * lattice. Thick matter keeps its order and is stretched: flattened to a half, a lattice of the
 * same density has S = 0.95 and Σ V W = 1.03, to 0.4 of its height 0.86 and 1.08 (Wendland's
 * kernel, 2.5 spacings). Their mean stays within 3 %, and tells also who has come too near to a
 * wall, which S hardly sees.
 *
 * Where sizes change, both are found by the particle's own support: then they do not know of the
 * sizes around but for how evenly these fill space. */
#include "world/state.h"

#include <math.h>

/* How much more than on a lattice a neighbourhood may hold: disorder has its share. Liquids need
 * little of that, and of holding less: the more, the less they find their order anew. */
static const double tolerated_crowd = 0.02, thin_crowd = 0.004, stretch = 4;

/* And how much less, inside of thick matter. */
static const double tolerated_gap = 0.01;

/* How much more is tolerated, of either, per part by which the sizes around differ from its own:
 * two lattices whose volumes are 3 to 1 have S within 1 % at their border. */
static const double tolerated_spread = 0.05;

/* Part of a spacing to which a particle may come near a slippery wall before that counts. */
static const double nearest_wall = 0.35;

/* Inside the matter a neighbourhood is at least so full. */
static const float full_inside = 0.85f;

/* Below this part of a full neighbourhood particles are spray and keep no compression. */
static const double spray = 0.4;

/* And no more than this is believed of what a solid says of its size. */
static const double most_unseen = 0.2;

/* What of that is not, beside walls. */
static const double beside_walls = 0.01;

/* Part of the crowding that counts as compression in a step. */
static const double crowd_rate = 0.1;

/* Strain makes thick matter crowd, so this part of it is corrected for each unit of strain, and no
 * more than a half in a step: what is at rest stays as it is. */
static const double strain_rate = 10, most_strained = 0.5;

/* Steps that were halved twice are hasty: what each step lets out of a compression, and what it
 * takes for one, shrinks with them. In as many steps as it takes otherwise, it would become speeds
 * that nothing gave, the larger the shorter the step: no length would do. */
static const double hasty = 0.25;

double tl_world_leisure(const tl_world *w, double dt) {
    const double dx = tl_least_spacing(&w->sizes), g = tl_vec3_length(tl_world_mean_force(w));
    const double speed = fmax(w->state.max_speed, sqrt(g * dx));
    return fmin(dt * speed / (hasty * w->def.flow.motion * dx), 1);
}

double tl_world_thickness(const tl_world *w, size_t i, double dt) {
    const float *viscosity = tl_field_data(&w->fields, w->handle.viscosity);
    const double rest = w->fluids[tl_material_of(w)[i]].rest_density;
    const double dx = tl_spacing_of(&w->sizes, i);
    return fmin((double)viscosity[i] / rest * dt / (dx * dx), 1);
}

/* S over that of a lattice. */
static double fullness(const tl_world *w, size_t i) {
    return (double)tl_strain_around(&w->solver.strain, i)->full / (3 * w->lattice.moment);
}

/* What the neighbourhood of a particle says of its density, over what the particle knows. */
static double density_around(const tl_world *w, size_t i, double dt) {
    const double full = fullness(w, i);
    const double filling = (double)w->solver.strain.filling[i] / w->lattice.filling;
    return full + 0.5 * tl_world_thickness(w, i, dt) * (filling - full);
}

typedef struct fullness_context {
    const tl_world *w;
    double dt;
} fullness_context;

static void fullness_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const fullness_context *c = context;
    for (size_t i = begin; i < end; i++) {
        tl_averaged *averaged = &c->w->solver.strain.traction[i].averaged;
        averaged->density = (float)density_around(c->w, i, c->dt);
        averaged->bare = (float)fullness(c->w, i) < full_inside;
    }
}

void tl_world_find_fullness(tl_world *w, double dt, tl_averaged *out) {
    fullness_context c = {w, dt};
    tl_parallel_for(&w->parallel, w->fields.count, TL_BLOCK, fullness_range, &c);
    tl_strain_share_traction(&w->solver.strain);
    tl_strain_average(&w->solver.strain, 0, out);
}

/* What a particle that has come too near to a slippery wall, or an elastic one to any, lacks of its
 * volume. */
static double wall_crowd(const tl_world *w, size_t i) {
    const tl_strain *s = &w->solver.strain;
    const tl_wall_link *link = s->link_of[i] ? &s->link[s->link_of[i] - 1] : NULL;
    if (!link || !(link->slips || tl_world_is_elastic(w, i)))
        return 0;
    return fmax(nearest_wall - sqrt((double)link->reach2) / tl_spacing_of(&w->sizes, i), 0);
}

/* The same of one that has come too near to another solid: each has half of the way. */
static double stranger_crowd(const tl_world *w, size_t i) {
    const double near = 0.5 * (double)w->springs.near[i] / tl_spacing_of(&w->sizes, i);
    return fmax(nearest_wall - near, 0);
}

/* What the sizes around a particle may make of its density. */
static double size_slack(const tl_world *w, size_t i) {
    const tl_strain *s = &w->solver.strain;
    return s->graded ? tolerated_spread * (double)s->spread[i] : 0;
}

/* What x has above `most` or, negative, below -`least`. */
static double beyond(double x, double least, double most) {
    return x > most ? x - most : x < -least ? x + least : 0;
}

/* Inside of a liquid. */
static double liquid_crowd(const tl_world *w, size_t i, double mean, double e, double thick) {
    const double unseen = mean - 1 - e + wall_crowd(w, i);
    const double most = thin_crowd + thick * (tolerated_crowd - thin_crowd),
                 slack = size_slack(w, i);
    return crowd_rate * beyond(unseen, thin_crowd + thick * stretch + slack, most + slack);
}

/* What is too much anyway. */
static double plain_crowd(const tl_world *w, size_t i, double e) {
    const double excess = fullness(w, i) - 1 - tolerated_crowd - size_slack(w, i);
    return excess > e ? crowd_rate * (excess - fmax(e, 0)) : 0;
}

/* What strain has done. Near free surfaces only what is too much is known. */
static double strained_crowd(const tl_world *w, size_t i, double mean, bool inside, double dt) {
    const float *rate = tl_field_data(&w->fields, w->handle.strain_rate);
    const double part = fmin(strain_rate * (double)rate[i] * dt, most_strained);
    const double around = inside ? mean : density_around(w, i, dt);
    const double slack = size_slack(w, i);
    return part * beyond(around - 1, inside ? tolerated_gap + slack : 1, tolerated_crowd + slack);
}

/* A solid keeps its order, however it is stretched, and knows how large it was. Beside a wall or
 * another solid that is not all: what is pressed on them is compressed by what matter does not see,
 * and only what is far off is made good. (If all were, pressure would rise for ever in what has
 * been lifted by less than it sees: blocks that stood burst after some thousand steps.) */
static double solid_crowd(const tl_world *w, size_t i, double e) {
    const double J = 1 + tl_ties_growth(&w->solver.strain, i), known = 1 / fmax(J, 0.5) - 1;
    const bool beside = w->solver.strain.link_of[i] || (double)w->springs.near[i] < HUGE_VAL;
    const bool pressed = (w->solver.strain.link_of[i] || tl_world_touches(w, i)) && e > 0;
    const double off = beside ? beyond(known - e, beside_walls, beside_walls) : known - e;
    const double unseen = pressed && known < e ? 0 : off;
    return fmin(fmax(unseen, -most_unseen), most_unseen) + wall_crowd(w, i) + stranger_crowd(w, i);
}

float tl_world_compression_of(const tl_world *w, size_t i, tl_averaged around, double rest,
                              double dt) {
    const double e = tl_density(w)[i] / rest - 1;
    const tl_ties *ties = tl_world_ties(w);
    if (ties && ties->places[i].body > 0)
        return (float)(e + tl_world_leisure(w, dt) * crowd_rate * solid_crowd(w, i, e));
    if (fullness(w, i) < spray)
        return 0;
    const bool inside = around.bare < 1e-3f;
    const double mean = (double)around.density;
    const double thick = tl_world_thickness(w, i, dt), leisure = tl_world_leisure(w, dt);
    const double plain = leisure * plain_crowd(w, i, e);
    const double thin_part = inside ? leisure * liquid_crowd(w, i, mean, e, thick) : plain;
    const double thick_part = plain + strained_crowd(w, i, mean, inside, dt);
    return (float)(e + (1 - thick) * thin_part + thick * thick_part);
}
