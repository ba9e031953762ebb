/* Friction of thermal particles at walls. See cohesive.h. */
#include "base/blocks.h"
#include "cohesion/cohesive.h"

#include <math.h>

typedef struct friction_context {
    const tl_cohesive *t;
    const tl_cohesive_matter *m;
    double friction, dt;
    tl_friction_sums *partial;
} friction_context;

/* Coulomb's law over dt: a particle loses at most the speed that it has along the surface. */
static void rub(const friction_context *c, size_t i, const tl_shape *shape,
                tl_friction_sums *sums) {
    const tl_cohesive_matter *m = c->m;
    const tl_collision *collision = &c->t->collision;
    double *v = m->velocity + 3 * i, force;
    tl_vec3 n;
    const tl_vec3 x = tl_vec3_of(m->position + 3 * i);
    const double d = tl_shape_distance(shape, x, &n);
    if (d >= collision->distance)
        return;
    tl_collision_at(collision, d, &force);
    tl_vec3 slip = tl_vec3_sub(tl_vec3_of(v), tl_shape_velocity(shape, x));
    slip = tl_vec3_mad(slip, -tl_vec3_dot(slip, n), n);
    const double mass = (double)m->mass[i], speed = tl_vec3_length(slip);
    const double taken = fmin(c->friction * force * c->dt / mass, speed);
    if (!(taken > 0))
        return;
    const double unit[3] = {slip.x / speed, slip.y / speed, slip.z / speed};
    double change = 0;
    for (int k = 0; k < 3; k++) {
        change -= v[k] * v[k];
        v[k] -= taken * unit[k];
        change += v[k] * v[k];
    }
    const double loss = 0.5 * mass * taken * (2 * speed - taken);
    sums->loss += loss;
    sums->work += 0.5 * mass * change + loss;
    if (m->enthalpy)
        m->unspent_heat[i] += loss;
}

static void rub_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const friction_context *c = context;
    tl_friction_sums sums = {0};
    for (size_t i = begin; i < end; i++)
        for (size_t s = 0; s < c->m->shapes->count; s++)
            rub(c, i, &c->m->shapes->items[s], &sums);
    c->partial[begin / TL_BLOCK] = sums;
}

static void join_sums(void *total, const void *partial) {
    tl_friction_sums *books = total;
    const tl_friction_sums *p = partial;
    books->loss += p->loss;
    books->work += p->work;
}

void tl_cohesive_rub(const tl_cohesive *t, const tl_cohesive_matter *m, double friction, double dt,
                     tl_friction_sums *partial, tl_friction_sums *books) {
    friction_context c = {t, m, friction, dt, partial};
    tl_parallel_for(m->parallel, m->count, TL_BLOCK, rub_range, &c);
    tl_join_blocks(books, partial, sizeof *partial, m->count, join_sums);
}
