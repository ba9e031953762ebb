/* How flow along no-slip walls grows where it changes along them (flow/wall_level.h). */
#include "strain_sweeps.h"

static const tl_wall_def floor_at_0[] = {{.plane = TL_SIDE_Z}};

enum { MOST = 2048 };

typedef struct growth {
    double first, first_plain; /* mean of the first layer, of what it is; with the plain fit */
    double above;              /* of the third layer */
    size_t levels;             /* particles with a level of their own */
} growth;

/* The flow u = (x, 0, 0) over a floor at z = 0, about the middle of the first layers, all of which
 * grow by 1: what a layer would that slides. */
static growth growth_of(const packing_plan *plan, double viscosity) {
    static float viscosities[MOST];
    static const uint8_t materials[MOST];
    packing p;
    tl_error error = {0};
    growth g = {0};
    double count[2] = {0};
    packing_make(&p, plan);
    for (size_t i = 0; i < p.count; i++)
        viscosities[i] = (float)viscosity;
    tl_pairs_plan pairs = packing_pairs(&p);
    pairs.viscosity = viscosities;
    pairs.material = materials;
    pairs.dt = 0.01;
    packing_ok(tl_pairs_make(&p.solver, &pairs, &error), &error);
    for (size_t i = 0; i < p.count; i++) {
        tl_motion *m = packing_motion(&p, i);
        m->u[0] = m->x[0] - 0.5f * (float)(plan->n[0] * packing_dx);
        m->u[1] = m->u[2] = 0;
    }
    tl_strain_share_motion(&p.solver.strain);
    tl_fit *fits = fits_of(&p, false, 0);
    for (size_t i = 0; i < p.count; i++) {
        const tl_strain *s = &p.solver.strain;
        const float *x = packing_motion(&p, i)->x;
        const int layer = (int)((double)x[2] / packing_dx);
        bool inside = layer == 0 || layer == 2;
        for (int k = 0; k < 2; k++)
            inside = inside && (double)x[k] > 3 * packing_dx &&
                     (double)x[k] < (plan->n[k] - 3) * packing_dx;
        if (!inside)
            continue;
        double E[6], own = 0;
        strain_rate(&p, fits, i, E);
        for (int k = 0; k < 6 && s->uneven; k++)
            own += (double)(s->side[i].level[k] * fits[i].b[k]);
        const double plain = E[0] + E[1] + E[2], found = s->uneven ? own : plain;
        count[layer > 0]++;
        g.levels += s->uneven && s->side[i].at_border > 0;
        *(layer ? &g.above : &g.first) += found;
        g.first_plain += layer ? 0 : plain;
    }
    free(fits);
    packing_free(&p);
    g.first /= count[0];
    g.first_plain /= count[0];
    g.above /= count[1];
    return g;
}

Test(wall_level, thin_matter_knows_how_it_grows_along_a_wall) {
    for (int k = 0; k < 2; k++) {
        const packing_plan plan = {
            .n = {12, 12, 7}, .jitter = 0.1 * k, .walls = floor_at_0, .wall_count = 1};
        const growth g = growth_of(&plan, 0);
        cr_log_info("jitter %g: first layer %.4f, plain %.4f, third %.4f", plan.jitter, g.first,
                    g.first_plain, g.above);
        cr_expect_gt(g.levels, 0);
        cr_expect_lt(g.first_plain, 0.85, "the plain fit takes the wall at its word");
        cr_expect_lt(fabs(g.first - 1), 0.03);
        cr_expect_lt(fabs(g.above - 1), 0.03);
    }
}

/* ν dt > dx² */
Test(wall_level, thick_matter_keeps_the_plain_fit) {
    const packing_plan plan = {.n = {12, 12, 7}, .walls = floor_at_0, .wall_count = 1};
    const growth g = growth_of(&plan, 20);
    cr_expect_eq(g.levels, 0);
    cr_expect_eq(g.first, g.first_plain);
}
