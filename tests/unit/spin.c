/* How far matter turns in a step: exact for affine motions, however long. */
#include "flow/spin.h"

#include "strain_sweeps.h"

#include "math/polar.h"

/* F = R U with U = exp(dt H) to second order, as spin.c has it. */
static void deform(tl_vec3 turn, const double strain[6], double F[3][3]) {
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double U[3][3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            U[a][b] = (a == b) + strain[at[a][b]];
            for (int c = 0; c < 3; c++)
                U[a][b] += 0.5 * strain[at[a][c]] * strain[at[c][b]];
        }
    for (int b = 0; b < 3; b++) {
        const tl_vec3 column =
            tl_turn_apply(tl_turn_by(turn), (tl_vec3){U[0][b], U[1][b], U[2][b]});
        F[0][b] = column.x, F[1][b] = column.y, F[2][b] = column.z;
    }
}

/* The largest error of the turn, rad, of matter that F deforms in a step. */
static double error_of_spin(const packing *p, tl_vec3 turn, const double strain[6]) {
    const double dt = 0.02;
    double F[3][3], G[3][3], worst = 0;
    deform(turn, strain, F);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            G[a][b] = (F[a][b] - (a == b)) / dt;
    packing_stir(p, (const double[]){0.3, -0.2, 0.1}, G);
    float(*rates)[6] = calloc(p->count, sizeof *rates),
    (*found)[3] = calloc(p->count, sizeof *found);
    for (size_t i = 0; i < p->count; i++)
        for (int k = 0; k < 6; k++)
            rates[i][k] = (float)(strain[k] / dt);
    tl_spin_find(&p->solver.strain, (const float(*)[6])rates, dt, found);
    for (size_t i = 0; i < p->count; i++) {
        const tl_vec3 by = {(double)found[i][0], (double)found[i][1], (double)found[i][2]};
        worst = fmax(worst, tl_vec3_length(tl_vec3_sub(by, turn)));
    }
    free(rates);
    free(found);
    return worst;
}

static void turns_are_exact(const packing_plan *plan, double most) {
    static const tl_vec3 turns[] = {{0, 0, 0}, {0, 0, 1e-3}, {0.1, -0.2, 0.1}, {0.5, 0.8, -1}};
    static const double strains[][6] = {{0, 0, 0, 0, 0, 0},
                                        {0.2, -0.1, -0.1, 0, 0, 0},
                                        {0, 0, 0, 0, 0.15, 0},
                                        {0.1, -0.3, 0.2, 0.1, -0.05, 0.2}};
    packing p;
    packing_make(&p, plan);
    for (size_t t = 0; t < 4; t++)
        for (size_t e = 0; e < 4; e++) {
            const double off = error_of_spin(&p, turns[t], strains[e]);
            cr_expect_lt(off, most, "turn %zu, strain %zu: %g", t, e, off);
        }
    packing_free(&p);
}

Test(spin, of_affine_motions_is_exact_on_a_lattice) { turns_are_exact(&lattice, 2e-5); }

Test(spin, of_affine_motions_is_exact_in_disorder) {
    turns_are_exact(&jittered, 2e-5);
    turns_are_exact(&uneven, 2e-5);
}

Test(spin, of_affine_motions_is_exact_beside_walls) { turns_are_exact(&in_a_corner, 2e-5); }

/* One particle thick: there is no pair across. */
Test(spin, of_sheets_and_threads_is_known) {
    const packing_plan sheet = {.n = {20, 20, 1}, .jitter = 0.1},
                       thread = {.n = {40, 2, 2}, .jitter = 0.1};
    turns_are_exact(&sheet, 1e-3);
    turns_are_exact(&thread, 1e-3);
}

/* A single line of particles turns with its direction, and is not twisted. */
Test(spin, of_a_line_of_particles_is_that_of_its_direction) {
    const packing_plan line = {.n = {40, 1, 1}};
    static const double none[6];
    packing p;
    packing_make(&p, &line);
    const double off = error_of_spin(&p, (tl_vec3){0, 0.2, -0.3}, none);
    cr_expect_lt(off, 1e-2, "%g", off);
    packing_free(&p);
}

/* What is alone has no neighbours to turn with. */
Test(spin, of_a_particle_alone_is_none) {
    const packing_plan one = {.n = {1, 1, 1}};
    static const double none[6];
    packing p;
    packing_make(&p, &one);
    cr_expect_eq(error_of_spin(&p, (tl_vec3){0, 0, 0}, none), 0);
    packing_free(&p);
}
