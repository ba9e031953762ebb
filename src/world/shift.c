/* Shifting: particles move from crowded to empty places as far as the flow stirs them (Skillen et
 * al. 2013), so that neighbourhoods stay round. What a fit sees of a stretch is told by pairs along
 * it. Drawn to three times its length, a lattice has none within the support, and disordered matter
 * resists with less than half of its viscosity: it parts there.
 *
 * Near free surfaces missing neighbours look like empty places. Threads and sheets are nothing but
 * surface, so there matter is shifted along the surface alone: in the directions in which a
 * neighbourhood, seen from its own centre, is as wide as in its widest. */
#include "math/eigen3.h"
#include "world/state.h"

#include <math.h>

/* No farther than this part of a spacing is a particle shifted in a step. */
static const double farthest_shift = 0.05;

/* S over that of a lattice from which on a particle begins to be inside, and is. */
static const double nearly_inside = 0.8, inside = 0.9;

/* Width, squared, over that of the widest direction, from which on a direction begins to lie in
 * the surface, and does. Across a flat surface it is a third. */
static const double across = 0.4, along = 0.8;

/* Matter that strains by less than this in a step is at rest: along its surface nothing has to be
 * made good. */
static const double least_strain = 1e-6;

/* The moments of a neighbourhood with weight ω r², about its own centre. False: there is none. */
static bool find_widths(const tl_strain *s, size_t i, double widths[3][3]) {
    double sum = 0, mean[3] = {0};
    memset(widths, 0, sizeof(double[3][3]));
    for (size_t k = s->begin[i]; k < s->begin[i] + s->size[i]; k++) {
        const tl_motion *a = &s->motion[i], *b = &s->motion[s->index[k]];
        const double d[3] = {(double)(b->x[0] - a->x[0]), (double)(b->x[1] - a->x[1]),
                             (double)(b->x[2] - a->x[2])};
        const double g = (double)s->weight[k] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        sum += g;
        for (int r = 0; r < 3; r++) {
            mean[r] += g * d[r];
            for (int c = 0; c < 3; c++)
                widths[r][c] += g * d[r] * d[c];
        }
    }
    for (int r = 0; r < 3 && sum > 0; r++)
        for (int c = 0; c < 3; c++)
            widths[r][c] -= mean[r] * mean[c] / sum;
    return sum > 0;
}

/* What lies along the surface of where the neighbours of particle i crowd, Σ g d. */
static void find_side_along(const tl_strain *s, size_t i, double out[3]) {
    double widths[3][3], value[3], direction[3][3];
    out[0] = out[1] = out[2] = 0;
    if (!find_widths(s, i, widths))
        return;
    tl_eigen3(widths, value, direction);
    const double widest = fmax(value[0], fmax(value[1], value[2]));
    const float *crowd = tl_strain_around(s, i)->side;
    const tl_vec3 side = {(double)crowd[0], (double)crowd[1], (double)crowd[2]};
    for (int k = 0; k < 3 && widest > 0; k++) {
        const double part = fmin(fmax((value[k] / widest - across) / (along - across), 0), 1);
        const double size = part * tl_vec3_dot(tl_vec3_of(direction[k]), side);
        for (int c = 0; c < 3; c++)
            out[c] += size * direction[k][c];
    }
}

/* What emitters lead, what remembers how it was, and what is beside walls is not to be shifted. */
static bool keeps_order(const tl_world *w, size_t i) {
    return w->solver.strain.link_of[i] || tl_world_led_velocity(w, i) || tl_world_is_elastic(w, i);
}

/* Thin liquids find their order by themselves, and their surfaces are not smooth enough to tell
 * what lies along them. */
void tl_world_find_shift(const tl_world *w, size_t i, double dt, float out[3]) {
    const tl_strain *s = &w->solver.strain;
    const float *rate = tl_field_data(&w->fields, w->handle.strain_rate);
    const tl_around *around = tl_strain_around(s, i);
    const double full = (double)around->full / (3 * w->lattice.moment);
    const double within = fmin(fmax((full - nearly_inside) / (inside - nearly_inside), 0), 1);
    const double beside = (1 - within) * tl_world_thickness(w, i, dt);
    const double R = tl_support_of(&w->sizes, i);
    const double strength = keeps_order(w, i) ? 0 : -w->def.flow.shifting * (double)rate[i] * R * R;
    double side[3] = {0}, shift[3], length = 0;
    if (strength < 0 && beside > 0 && (double)rate[i] * dt > least_strain)
        find_side_along(s, i, side);
    for (int k = 0; k < 3; k++) {
        shift[k] = strength * (within * (double)around->side[k] + beside * side[k]);
        length += shift[k] * shift[k];
    }
    const double limit = farthest_shift * tl_spacing_of(&w->sizes, i) / dt;
    const double scale = length > limit * limit ? limit / sqrt(length) : 1;
    for (int k = 0; k < 3; k++)
        out[k] = (float)(scale * shift[k]);
}
