/* The first guess of an implicit step for matter that touches nothing: both momenta of all of it
 * are known, whatever goes on inside. Stiff matter moves rigidly, so that guess is the solution; a
 * solve in single precision could not find it where η is large enough (glass that is cold). */
#include "math/mat3.h"
#include "world/state.h"

/* Whether walls, bodies, nozzles or what is held have a part in the flow. */
static bool touches_something(const tl_world *w) {
    bool touches = w->solver.strain.link_count > 0 || w->handle.nozzle >= 0 || tl_held(w);
    for (size_t k = 0; k < w->solver.modes.count; k++)
        touches = touches || w->solver.modes.items[k].bound;
    return touches || w->period[0] > 0 || w->period[1] > 0 || w->period[2] > 0;
}

typedef struct momenta {
    double mass;
    tl_vec3 centre, linear, angular; /* of the error of the guess; angular about the centre */
    double inertia[3][3];
} momenta;

/* What forces from afar change velocities by in the step, dt g. */
typedef struct pull {
    double uniform[3]; /* m/s */
    const float *each; /* m/s², as in tl_body_force */
    double dt;
} pull;

static pull find_pull(const tl_world *w, double dt) {
    const tl_body_force force = tl_world_body_force(w);
    const double *g = force.uniform;
    return (pull){{dt * g[0], dt * g[1], dt * g[2]}, force.each, dt};
}

/* u - uⁿ - dt g, of which a right guess has no momentum. */
static tl_vec3 error_of(const tl_world *w, const pull *p, size_t i) {
    const double *u = tl_velocity(w) + 3 * i, *start = w->solver.start + 3 * i;
    const tl_vec3 error = {u[0] - start[0] - p->uniform[0], u[1] - start[1] - p->uniform[1],
                           u[2] - start[2] - p->uniform[2]};
    if (!p->each)
        return error;
    const float *own = p->each + 3 * i;
    return tl_vec3_mad(error, -p->dt, (tl_vec3){(double)own[0], (double)own[1], (double)own[2]});
}

/* Added to the inertia, relative to itself: a single row of particles has no spin about itself. */
static const double untold = 1e-9;

static momenta find_momenta(const tl_world *w, double dt) {
    const pull p = find_pull(w, dt);
    momenta m = {0};
    for (size_t i = 0; i < w->fields.count; i++) {
        const double mass = tl_rigid_of(w, i) ? 0 : (double)tl_mass(w)[i];
        m.mass += mass;
        m.centre = tl_vec3_mad(m.centre, mass, tl_vec3_of(tl_position(w) + 3 * i));
        m.linear = tl_vec3_mad(m.linear, mass, error_of(w, &p, i));
    }
    m.centre = tl_vec3_scale(m.centre, m.mass > 0 ? 1 / m.mass : 0);
    for (size_t i = 0; i < w->fields.count; i++) {
        const double mass = tl_rigid_of(w, i) ? 0 : (double)tl_mass(w)[i];
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), m.centre);
        const double arm[3] = {d.x, d.y, d.z}, square = tl_vec3_dot(d, d);
        m.angular = tl_vec3_mad(m.angular, mass, tl_vec3_cross(d, error_of(w, &p, i)));
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                m.inertia[r][c] += mass * ((r == c ? (1 + untold) * square : 0) - arm[r] * arm[c]);
    }
    return m;
}

void tl_world_guess_fall(tl_world *w, double dt) {
    if (touches_something(w))
        return;
    const momenta m = find_momenta(w, dt);
    double inverse[3][3];
    if (!(m.mass > 0))
        return;
    const tl_vec3 speed = tl_vec3_scale(m.linear, 1 / m.mass);
    const tl_vec3 spin =
        tl_mat3_invert(m.inertia, inverse) ? tl_mat3_times(inverse, m.angular) : (tl_vec3){0, 0, 0};
    for (size_t i = 0; i < w->fields.count; i++) {
        if (tl_rigid_of(w, i))
            continue;
        double *u = tl_velocity(w) + 3 * i;
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), m.centre);
        const tl_vec3 wrong = tl_vec3_add(speed, tl_vec3_cross(spin, d));
        u[0] -= wrong.x;
        u[1] -= wrong.y;
        u[2] -= wrong.z;
    }
}
