/* The pair potential of thermal particles, its sweep, collisions and conduction. */
#include "cohesion/bonds.h"
#include "cohesion/conduction.h"
#include "cohesion/obstacles.h"

#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tl_cohesion cohesion(double n, double m) {
    return (tl_cohesion){.repulsion = n,
                         .attraction = m,
                         .energy = 200,
                         .separation = 1.192,
                         .range = 1.9,
                         .smoothing = 0.75,
                         .least = 0.01,
                         .stretch = {1, 1, 1}};
}

static tl_potential make(const tl_cohesion *c) {
    tl_potential p;
    tl_error error = {0};
    cr_assert_eq(tl_potential_make(c, 1, "test", &p, &error), TL_OK, "%s", error.what);
    return p;
}

static const double exponents[][2] = {{4, 2}, {8, 6}, {12, 6}, {9, 5}, {9.5, 3.5}};
enum { PAIRS = sizeof exponents / sizeof exponents[0] };

Test(potential, is_deepest_at_the_separation_and_has_the_energy_there) {
    for (int e = 0; e < PAIRS; e++) {
        const tl_cohesion c = cohesion(exponents[e][0], exponents[e][1]);
        const tl_potential p = make(&c);
        double force;
        const double u = tl_potential_at(&p, 1.192 * 1.192, &force);
        cr_expect_float_eq(u, -1, 1e-14);
        cr_expect_float_eq(force, 0, 1e-12);
        cr_expect_gt(tl_potential_at(&p, 1.1 * 1.1, &force), u);
        cr_expect_gt(force, 0);
        cr_expect_gt(tl_potential_at(&p, 1.3 * 1.3, &force), u);
        cr_expect_lt(force, 0);
    }
}

Test(potential, gives_a_force_that_is_its_slope_also_where_it_fades) {
    for (int e = 0; e < PAIRS; e++) {
        tl_cohesion c = cohesion(exponents[e][0], exponents[e][1]);
        c.offset = e % 2 ? 0.1 : 0;
        const tl_potential p = make(&c);
        double worst = 0;
        for (double r = 0.7; r < 2.3; r += 0.01) {
            const double h = 1e-5;
            double force, unused;
            tl_potential_at(&p, r * r, &force);
            const double slope = (tl_potential_at(&p, (r + h) * (r + h), &unused) -
                                  tl_potential_at(&p, (r - h) * (r - h), &unused)) /
                                 (2 * h);
            worst = fmax(worst, fabs(force * r + slope) / (1 + fabs(slope)));
        }
        cr_log_info("(%g, %g): force against slope %.2g", c.repulsion, c.attraction, worst);
        cr_expect_lt(worst, 1e-7);
    }
}

Test(potential, wide_and_plain_agree) {
    for (int e = 0; e < PAIRS; e++) {
        const tl_cohesion c = cohesion(exponents[e][0], exponents[e][1]);
        const tl_potential p = make(&c);
        for (double r2 = 0.4; r2 < 6; r2 += 0.013) {
            double force;
            const double u = tl_potential_at(&p, r2, &force);
            tl_wide_double wide_force, wide_u;
            const tl_wide_double wide = tl_splat_double(r2);
            switch (p.exponents) {
            case TL_EXPONENTS_4_2:
                wide_u = tl_potential_wide(TL_EXPONENTS_4_2, &p, wide, &wide_force);
                break;
            case TL_EXPONENTS_8_6:
                wide_u = tl_potential_wide(TL_EXPONENTS_8_6, &p, wide, &wide_force);
                break;
            case TL_EXPONENTS_12_6:
                wide_u = tl_potential_wide(TL_EXPONENTS_12_6, &p, wide, &wide_force);
                break;
            case TL_EXPONENTS_WHOLE:
                wide_u = tl_potential_wide(TL_EXPONENTS_WHOLE, &p, wide, &wide_force);
                break;
            default: wide_u = tl_potential_wide(TL_EXPONENTS_ANY, &p, wide, &wide_force); break;
            }
            for (int l = 0; l < TL_DOUBLE_LANES; l++) {
                cr_expect_float_eq(tl_lane_double(wide_u, l), u, 1e-13 * (1 + fabs(u)));
                cr_expect_float_eq(tl_lane_double(wide_force, l), force, 1e-12 * (1 + fabs(force)));
            }
        }
    }
}

Test(potential, stays_finite_where_particles_meet_when_there_is_an_offset) {
    tl_cohesion c = cohesion(12, 6);
    c.offset = 0.2;
    const tl_potential p = make(&c);
    double force;
    cr_expect(isfinite(tl_potential_at(&p, 0, &force)));
    cr_expect(isfinite(force));
    cr_expect_float_eq(tl_potential_at(&p, 1.192 * 1.192, &force), -1, 1e-13,
                       "and r0 stays where it was");
}

Test(potential, refuses_exponents_that_do_not_repel) {
    tl_error error = {0};
    tl_potential p;
    const tl_cohesion same = cohesion(6, 6), turned = cohesion(6, 8);
    cr_expect_eq(tl_potential_make(&same, 1, "wax", &p, &error), TL_BAD_INPUT);
    cr_expect_eq(tl_potential_make(&turned, 1, "wax", &p, &error), TL_BAD_INPUT);
    cr_expect(strstr(error.what, "repulsion"), "%s", error.what);
}

Test(potential, leaves_a_part_of_the_depth_however_hot) {
    const tl_cohesion c = cohesion(8, 6);
    const tl_potential p = make(&c);
    cr_expect_eq(tl_potential_depth(&p, 0), 200);
    cr_expect_eq(tl_potential_depth(&p, 50), 150);
    cr_expect_eq(tl_potential_depth(&p, 1e9), 2);
}

/* ---- The sweep ---- */

typedef struct heap {
    size_t count;
    float *places;
    uint32_t *body;
    uint8_t *material;
    tl_search *search;
    tl_neighbor_list list;
    tl_bonds bonds;
    tl_bond_sum *sums;
} heap;

static void keep_sums(void *context, const tl_bond_sum *sums, size_t begin, size_t end) {
    heap *h = context;
    memcpy(h->sums + begin, sums, (end - begin) * sizeof *sums);
}

/* Places xyz and depths of `count` particles of one body. */
static void make_heap(heap *out, const double *xyzd, size_t count, double range) {
    *out = (heap){.count = count,
                  .places = tl_allocate(3 * count + 3, sizeof(float)),
                  .body = tl_allocate(count, sizeof(uint32_t)),
                  .material = tl_allocate(count, 1),
                  .search = tl_search_create(TL_SEARCH_GRID),
                  .sums = tl_allocate(count, sizeof(tl_bond_sum))};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
            out->places[3 * i + k] = (float)xyzd[4 * i + k];
    const tl_parallel one = tl_parallel_create(1);
    const tl_points points = {
        .xyz = out->places, .stride = 3, .count = count, .radius = (float)(1.01 * range)};
    const tl_records records = {.particles = count};
    const tl_bond_matter matter = {out->body, &records, false};
    cr_assert_eq(tl_search_build(out->search, &one, &points, count, &out->list, NULL), TL_OK);
    cr_assert_eq(tl_bonds_make(&out->bonds, &one, &out->list, &matter, NULL), TL_OK);
    memcpy(out->bonds.record, xyzd, 4 * count * sizeof *xyzd);
}

static void sweep(heap *h, const tl_potential *p) {
    const tl_parallel one = tl_parallel_create(1);
    tl_bonds_sweep(&h->bonds, &one, p, h->material, keep_sums, h);
}

static void free_heap(heap *h) {
    free(h->places);
    free(h->body);
    free(h->material);
    free(h->sums);
    tl_search_destroy(h->search);
    tl_neighbor_list_free(&h->list);
    tl_bonds_free(&h->bonds);
}

/* One case of the file: ten particles, their depths, and what LAMMPS says of them. */
static bool read_case(FILE *file, tl_cohesion *c, double *energy, double atoms[40],
                      double forces[30]) {
    double r0;
    if (fscanf(file, " case %lf %lf %lf %lf", &c->repulsion, &c->attraction, &r0, energy) != 4)
        return false;
    *c = (tl_cohesion){.repulsion = c->repulsion,
                       .attraction = c->attraction,
                       .energy = 200,
                       .separation = r0,
                       .range = 10,
                       .smoothing = 0.9,
                       .stretch = {1, 1, 1}};
    for (int i = 0; i < 10; i++) {
        double *a = atoms + 4 * i, *f = forces + 3 * i;
        cr_assert_eq(
            fscanf(file, "%lf %lf %lf %lf %lf %lf %lf", a, a + 1, a + 2, a + 3, f, f + 1, f + 2),
            7);
    }
    return true;
}

Test(bonds, have_the_forces_and_energies_of_lammps) {
    FILE *file = fopen(TL_ORACLES "/mie.txt", "r");
    cr_assert(file, "no reference");
    tl_cohesion c;
    double energy, atoms[40], forces[30];
    int cases = 0;
    for (; read_case(file, &c, &energy, atoms, forces); cases++) {
        const tl_potential p = make(&c);
        heap h;
        make_heap(&h, atoms, 10, p.range);
        sweep(&h, &p);
        double sum = 0, worst = 0, largest = 0;
        for (int i = 0; i < 10; i++) {
            sum += 0.5 * atoms[4 * i + 3] * h.sums[i].shape;
            for (int k = 0; k < 3; k++) {
                largest = fmax(largest, fabs(forces[3 * i + k]));
                worst = fmax(worst, fabs(h.sums[i].force[k] - forces[3 * i + k]) /
                                        (1 + fabs(forces[3 * i + k])));
            }
        }
        cr_log_info("(%g, %g): forces up to %.4g, error %.2g; energy %.10g, error %.2g",
                    c.repulsion, c.attraction, largest, worst, sum, fabs(sum / energy - 1));
        cr_expect_lt(worst, 1e-6);
        cr_expect_lt(fabs(sum / energy - 1), 1e-6);
        free_heap(&h);
    }
    cr_expect_eq(cases, 4);
    fclose(file);
}

/* A shaken cube of n³ particles, with depths from 50 to 200. */
static double *shaken(size_t n) {
    double *xyzd = tl_allocate(4 * n * n * n, sizeof *xyzd);
    for (size_t i = 0; i < n * n * n; i++) {
        const size_t at[3] = {i % n, i / n % n, i / n / n};
        for (size_t k = 0; k < 3; k++)
            xyzd[4 * i + k] = 1.1 * (double)at[k] + 0.2 * tl_random_uniform(5, 3 * i + k);
        xyzd[4 * i + 3] = 50 + 150 * tl_random_uniform(6, i);
    }
    return xyzd;
}

static void compare_sweep(double n, double m) {
    const tl_cohesion c = cohesion(n, m);
    const tl_potential p = make(&c);
    double *x = shaken(6);
    heap h;
    make_heap(&h, x, 216, p.range);
    sweep(&h, &p);
    double worst = 0, total[3] = {0}, largest = 0;
    for (size_t i = 0; i < h.count; i++) {
        double force[3] = {0}, shape = 0;
        for (size_t j = 0; j < h.count; j++) {
            if (j == i)
                continue;
            double d[3], r2 = 0, f;
            for (size_t k = 0; k < 3; k++) {
                d[k] = x[4 * i + k] - x[4 * j + k];
                r2 += d[k] * d[k];
            }
            shape += tl_potential_at(&p, r2, &f);
            for (size_t k = 0; k < 3; k++)
                force[k] += 0.5 * (x[4 * i + 3] + x[4 * j + 3]) * f * d[k];
        }
        worst = fmax(worst, fabs(shape - h.sums[i].shape) / (1 + fabs(shape)));
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(force[k] - h.sums[i].force[k]) / (1 + fabs(force[k])));
            largest = fmax(largest, fabs(force[k]));
            total[k] += h.sums[i].force[k];
        }
    }
    cr_log_info("largest difference %.2g; sum of forces %.2g of %.3g", worst,
                fmax(fabs(total[0]), fmax(fabs(total[1]), fabs(total[2]))), largest);
    cr_expect_lt(worst, 1e-10);
    for (int k = 0; k < 3; k++)
        cr_expect_lt(fabs(total[k]), 1e-11 * largest);
    free_heap(&h);
    free(x);
}

Test(bonds, are_what_all_pairs_give_one_by_one) {
    for (int e = 0; e < PAIRS; e++)
        compare_sweep(exponents[e][0], exponents[e][1]);
}

/* ---- Conduction ---- */

Test(bond_heat, gives_exactly_what_it_takes) {
    const tl_cohesion c = cohesion(8, 6);
    const tl_potential p = make(&c);
    const tl_parallel one = tl_parallel_create(1);
    const double two[8] = {0, 0, 0, 200, 1.1, 0.3, -0.2, 150};
    heap h;
    make_heap(&h, two, 2, p.range);
    tl_bond_heat heat = {0};
    cr_assert_eq(tl_bond_heat_reserve(&heat, &h.bonds, NULL), TL_OK);
    const double records[8] = {17.3, 0.7, 1.1, 0, -4.1, 0.2, 0.9, 0};
    memcpy(heat.record, records, sizeof records);
    tl_bond_heat_weigh(&heat, &h.bonds, &one, &p, h.material);
    double power[2], weight[2];
    tl_bond_heat_conduct(&heat, &h.bonds, &one, &p, h.material, power, weight);
    cr_expect_lt(power[0], 0);
    cr_expect_eq(power[0], -power[1], "%.17g and %.17g", power[0], power[1]);
    tl_bond_heat_free(&heat);
    free_heap(&h);
}

Test(bond_heat, has_the_laplacian_inside_a_lattice) {
    tl_cohesion c = cohesion(8, 6);
    const tl_potential p = make(&c);
    const tl_parallel one = tl_parallel_create(1);
    enum { N = 9, ALL = N * N * N };
    double *x = tl_allocate(4 * ALL, sizeof *x);
    for (size_t i = 0; i < ALL; i++) {
        x[4 * i] = (double)(i % N), x[4 * i + 1] = (double)(i / N % N);
        x[4 * i + 2] = (double)(i / N / N), x[4 * i + 3] = 100;
    }
    heap h;
    make_heap(&h, x, ALL, p.range);
    tl_bond_heat heat = {0};
    cr_assert_eq(tl_bond_heat_reserve(&heat, &h.bonds, NULL), TL_OK);
    for (size_t i = 0; i < ALL; i++) {
        const double a = x[4 * i], b = x[4 * i + 1], d = x[4 * i + 2];
        const double record[4] = {a * a + 2 * b * b - 0.5 * d * d + 3 * a, 2, 1, 0};
        memcpy(heat.record + 4 * i, record, sizeof record);
    }
    tl_bond_heat_weigh(&heat, &h.bonds, &one, &p, h.material);
    double *power = tl_allocate(2 * ALL, sizeof *power), sum = 0;
    tl_bond_heat_conduct(&heat, &h.bonds, &one, &p, h.material, power, power + ALL);
    const size_t middle = ALL / 2;
    cr_log_info("k V ∇²θ: %.15g", power[middle]);
    cr_expect_float_eq(power[middle], 2 * (2 + 4 - 1), 1e-10);
    for (size_t i = 0; i < ALL; i++)
        sum += power[i];
    cr_expect_float_eq(sum, 0, 1e-9);
    free(power);
    tl_bond_heat_free(&heat);
    free_heap(&h);
    free(x);
}

/* ---- Collisions ---- */

Test(collision, begins_without_a_jump_and_has_the_papers_constants) {
    const tl_collision_params params = {25, 4, 1, true};
    tl_collision c;
    double force, unused;
    cr_assert_eq(tl_collision_make(&params, 0.3, &c, NULL), TL_OK);
    cr_expect_float_eq(c.alpha, 6.25, 1e-14);
    cr_expect_float_eq(tl_collision_at(&c, 1 - 1e-9, &force), 0, 1e-12);
    cr_expect_float_eq(force, 0, 1e-6);
    cr_expect_eq(tl_collision_at(&c, 1.1, &force), 0);
    for (double d = 0.2; d < 1; d += 0.05) {
        const double h = 1e-6, e = tl_collision_at(&c, d, &force);
        const double slope =
            (tl_collision_at(&c, d + h, &unused) - tl_collision_at(&c, d - h, &unused)) / (2 * h);
        cr_expect_gt(e, 0);
        cr_expect_float_eq(force, -slope, 1e-6 * (1 + fabs(slope)));
    }
}

Test(collision, refuses_a_distance_that_is_not_above_zero) {
    tl_collision c;
    tl_error error = {0};
    const tl_collision_params none = {25, 4, 0, true};
    cr_expect_eq(tl_collision_make(&none, 1, &c, &error), TL_BAD_INPUT);
    cr_expect(strstr(error.what, "distance"), "%s", error.what);
}
