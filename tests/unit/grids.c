/* The background grids against sums over particles in double precision. */
#include "base/random.h"
#include "flow/grid_levels.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 };

static const double cell = 0.04;
static const tl_parallel one_thread = {.threads = 1},
                         two_threads = {.threads = 2, .least = 1, .backwards = true};

/* ---- Matter ------------------------------------------------------------------------------------
 */

typedef struct heap {
    float place[MOST][4], mass[MOST], walls[MOST][6];
    tl_stiffness stiffness[MOST];
    uint32_t wall_of[MOST];
    size_t count;
} heap;

static double draw(size_t counter) { return tl_random_uniform(12, counter); }

static heap *new_heap(void) {
    heap *h = calloc(1, sizeof *h);
    cr_assert_not_null(h);
    return h;
}

/* Adds a particle with random mass, μ about `shear`, κ about `bulk` and, for one in four, a wall.
 */
static void add(heap *h, double x, double y, double z, double shear, double bulk) {
    const size_t i = h->count++;
    cr_assert_lt(i, MOST);
    const double place[3] = {x, y, z};
    for (size_t k = 0; k < 3; k++)
        h->place[i][k] = (float)place[k];
    h->mass[i] = (float)(0.5 + draw(20 * i));
    h->stiffness[i].shear = (float)(shear * (0.1 + draw(20 * i + 1)));
    h->stiffness[i].bulk = (float)(bulk * (0.1 + draw(20 * i + 2)));
    if (draw(20 * i + 3) > 0.25)
        return;
    h->wall_of[i] = (uint32_t)i + 1;
    for (size_t k = 0; k < 3; k++) { /* a sum of squares is positive */
        const double v[3] = {draw(20 * i + 4 + k) - 0.5, draw(20 * i + 7 + k) - 0.5,
                             draw(20 * i + 10 + k) - 0.5};
        const double block[6] = {v[0] * v[0], v[1] * v[1], v[2] * v[2],
                                 v[0] * v[1], v[0] * v[2], v[1] * v[2]};
        for (int e = 0; e < 6; e++)
            h->walls[i][e] += (float)(shear / cell / cell * block[e]);
    }
}

/* A cloud around the origin, `wide` cells across. */
static heap *make_cloud(size_t count, double wide, double shear, double bulk) {
    heap *h = new_heap();
    for (size_t i = 0; i < count; i++)
        add(h, wide * cell * (draw(3 * i + 9000) - 0.5), wide * cell * (draw(3 * i + 9001) - 0.4),
            wide * cell * (draw(3 * i + 9002) - 0.6), shear, bulk);
    return h;
}

static tl_grid_matter matter_of(const heap *h) {
    return (tl_grid_matter){.count = h->count,
                            .place = &h->place[0][0],
                            .stride = 4,
                            .mass = h->mass,
                            .stiffness = h->stiffness,
                            .wall_of = h->wall_of,
                            .walls = h->walls};
}

static void fill_grids(tl_grids *g, const heap *h, const tl_parallel *parallel) {
    const tl_grid_matter matter = matter_of(h);
    cr_assert_eq(tl_grids_place(g, parallel, &matter, cell, NULL), TL_OK);
    tl_grids_assemble(g, parallel, &matter);
}

static tl_grids *grids_of(const heap *h) {
    tl_grids *g = tl_grids_create();
    cr_assert_not_null(g);
    fill_grids(g, h, &one_thread);
    return g;
}

/* ---- Operators as matrices ---------------------------------------------------------------------
 */

/* Square, of three rows a node. */
typedef struct matrix {
    size_t size;
    double *a;
} matrix;

static matrix new_matrix(size_t nodes) {
    matrix m = {3 * nodes, calloc(9 * nodes * nodes, sizeof(double))};
    cr_assert_not_null(m.a);
    return m;
}

static size_t find_node(const tl_grid_level *v, const int at[3]) {
    for (size_t n = 0; n < v->nodes; n++)
        if (v->node_at[n][0] == at[0] && v->node_at[n][1] == at[1] && v->node_at[n][2] == at[2])
            return n;
    cr_assert_fail("no node at %d %d %d", at[0], at[1], at[2]);
    return 0;
}

static matrix matrix_of(const tl_grid_level *v) {
    matrix m = new_matrix(v->nodes);
    for (size_t n = 0; n < v->nodes; n++)
        for (int k = 0; k < TL_GRID_STENCIL; k++) {
            const size_t other = v->around[n][k];
            if (other == v->nodes)
                continue;
            for (size_t p = 0; p < 3; p++)
                for (size_t q = 0; q < 3; q++)
                    m.a[(3 * n + p) * m.size + 3 * other + q] +=
                        (double)v->stencil[n][k][4 * q + p];
        }
    return m;
}

/* The trilinear weights of the corners of a particle's cell, their gradients, and the nodes. */
typedef struct corners {
    size_t node[8];
    double N[8], slope[8][3];
} corners;

static corners corners_of(const tl_grid_level *v, const float *place) {
    corners c;
    int low[3];
    double f[3];
    for (int k = 0; k < 3; k++) {
        low[k] = (int)floor((double)place[k] / cell);
        f[k] = (double)place[k] / cell - low[k];
    }
    for (int a = 0; a < 8; a++) {
        const int upper[3] = {a & 1, a >> 1 & 1, a >> 2};
        double w[3];
        for (int k = 0; k < 3; k++)
            w[k] = upper[k] ? f[k] : 1 - f[k];
        c.node[a] = find_node(v, (int[]){low[0] + upper[0], low[1] + upper[1], low[2] + upper[2]});
        c.N[a] = w[0] * w[1] * w[2];
        for (int k = 0; k < 3; k++)
            c.slope[a][k] = (upper[k] ? 1 : -1) / cell * w[(k + 1) % 3] * w[(k + 2) % 3];
    }
    return c;
}

/* a(N_a e_p, N_b e_q) of particle i: mass, 2 μ E:E + (κ - 2/3 μ) (tr E)², wall. */
static double form(const heap *h, size_t i, const corners *c, int a, int b, int p, int q) {
    static const int packed[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const double mu = (double)h->stiffness[i].shear;
    const double lambda = (double)h->stiffness[i].bulk - 2 * mu / 3;
    const double *A = c->slope[a], *B = c->slope[b];
    double sum = mu * A[q] * B[p] + lambda * A[p] * B[q];
    if (p == q)
        sum +=
            mu * (A[0] * B[0] + A[1] * B[1] + A[2] * B[2]) + (double)h->mass[i] * c->N[a] * c->N[b];
    if (h->wall_of[i])
        sum += (double)h->walls[h->wall_of[i] - 1][packed[p][q]] * c->N[a] * c->N[b];
    return sum;
}

static matrix sum_over_particles(const tl_grid_level *v, const heap *h) {
    matrix m = new_matrix(v->nodes);
    for (size_t i = 0; i < h->count; i++) {
        const corners c = corners_of(v, h->place[i]);
        for (int a = 0; a < 8; a++)
            for (int b = 0; b < 8; b++)
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        m.a[(3 * c.node[a] + (size_t)p) * m.size + 3 * c.node[b] + (size_t)q] +=
                            form(h, i, &c, a, b, p, q);
    }
    return m;
}

/* Pᵀ A P, where P is trilinear from the nodes of `up` to those of `v`. */
static matrix restricted(const tl_grid_level *v, const tl_grid_level *up, const matrix *A) {
    double *P = calloc(v->nodes * up->nodes, sizeof *P);
    for (size_t n = 0; n < v->nodes; n++)
        for (int k = 0; k < 8; k++) {
            int at[3];
            double w = 1;
            for (int axis = 0; axis < 3; axis++) {
                const int x = v->node_at[n][axis], odd = x & 1, upper = k >> axis & 1;
                at[axis] = (x - odd) / 2 + upper;
                w *= odd ? 0.5 : upper ? 0 : 1;
            }
            if (w > 0)
                P[n * up->nodes + find_node(up, at)] += w;
        }
    matrix m = new_matrix(up->nodes);
    for (size_t i = 0; i < A->size; i++)
        for (size_t j = 0; j < A->size; j++) {
            const double a = A->a[i * A->size + j];
            for (size_t r = 0; r < up->nodes && a != 0; r++)
                for (size_t c = 0; c < up->nodes && P[i / 3 * up->nodes + r] != 0; c++)
                    m.a[(3 * r + i % 3) * m.size + 3 * c + j % 3] +=
                        P[i / 3 * up->nodes + r] * a * P[j / 3 * up->nodes + c];
        }
    free(P);
    return m;
}

/* The largest difference, relative to the largest number. */
static double difference(const matrix *a, const matrix *b) {
    double worst = 0, largest = 0;
    cr_assert_eq(a->size, b->size);
    for (size_t k = 0; k < a->size * a->size; k++) {
        worst = fmax(worst, fabs(a->a[k] - b->a[k]));
        largest = fmax(largest, fabs(b->a[k]));
    }
    return worst / largest;
}

/* How bulk and shear compare to each other and to mass. */
static const double mixtures[][2] = {{1, 1}, {1e-4, 1}, {1, 1e-4}, {1e-7, 1e-7}, {1e3, 1e6}};
enum { MIXTURES = sizeof mixtures / sizeof mixtures[0] };

/* Particles on faces, edges and nodes of cells, at negative places too. */
static heap *make_on_faces(double shear, double bulk) {
    heap *h = new_heap();
    for (int i = 0; i < 27; i++)
        add(h, cell * (i % 3 - 1), cell * (i / 3 % 3 - 1), cell * (i / 9 - 1), shear, bulk);
    for (int i = 0; i < 27; i++)
        add(h, cell * (0.5 * (i % 3) - 2), cell * (0.5 * (i / 3 % 3) + 1),
            cell * (0.25 * (i / 9) - 1), shear, bulk);
    return h;
}

/* A cloud, and particles that have nothing near them. */
static heap *make_spray(double shear, double bulk) {
    heap *h = make_cloud(60, 3, shear, bulk);
    const double far[][3] = {{7.5, 0.5, 0.5}, {-9.001, 3, 2.999}, {40.1, 40.2, -40.3}, {-30, 5, 0}};
    for (int k = 0; k < 4; k++)
        add(h, cell * far[k][0], cell * far[k][1], cell * far[k][2], shear, bulk);
    return h;
}

static heap *heap_of(int kind, const double mix[2]) {
    switch (kind) {
    case 0: return make_cloud(200, 4, mix[0], mix[1]);
    case 1: return make_on_faces(mix[0], mix[1]);
    default: return make_spray(mix[0], mix[1]);
    }
}

Test(grids, the_finest_operator_is_the_sum_over_the_particles) {
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < MIXTURES; k++) {
            heap *h = heap_of(kind, mixtures[k]);
            tl_grids *g = grids_of(h);
            matrix found = matrix_of(&g->level[0]), exact = sum_over_particles(&g->level[0], h);
            cr_expect_lt(difference(&found, &exact), 1e-6, "kind %d, mixture %d: %g", kind, k,
                         difference(&found, &exact));
            free(found.a), free(exact.a), free(h);
            tl_grids_destroy(g);
        }
}

Test(grids, each_operator_is_the_restriction_of_the_finer_one) {
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < MIXTURES; k++) {
            heap *h = heap_of(kind, mixtures[k]);
            tl_grids *g = grids_of(h);
            cr_assert_geq(g->levels, 2);
            for (int l = 1; l < g->levels; l++) {
                const tl_grid_level *v = &g->level[l - 1];
                matrix fine = matrix_of(v), found = matrix_of(v + 1),
                       exact = restricted(v, v + 1, &fine);
                cr_expect_lt(difference(&found, &exact), 1e-5, "kind %d, mixture %d, level %d: %g",
                             kind, k, l, difference(&found, &exact));
                free(fine.a), free(found.a), free(exact.a);
            }
            free(h);
            tl_grids_destroy(g);
        }
}

/* ---- The cycle ---------------------------------------------------------------------------------
 */

/* C r for random r, and r. */
static void cycle_of(tl_grids *g, const heap *h, const tl_parallel *parallel, size_t seed,
                     float (*r)[4], float (*z)[4]) {
    for (size_t i = 0; i < h->count; i++)
        for (size_t k = 0; k < 4; k++) {
            r[i][k] = k < 3 ? (float)(draw(100000 * seed + 3 * i + k) - 0.5) : 0;
            z[i][k] = 0;
        }
    tl_grids_correct(g, parallel, &r[0][0], &z[0][0]);
}

static double dot(const heap *h, float (*a)[4], float (*b)[4]) {
    double sum = 0;
    for (size_t i = 0; i < h->count; i++)
        for (int k = 0; k < 3; k++)
            sum += (double)a[i][k] * (double)b[i][k];
    return sum;
}

/* r·P A⁻¹ Pᵀ r in double. */
static double exact_energy(const heap *h, const tl_grid_level *v, float (*r)[4]) {
    matrix A = sum_over_particles(v, h);
    const size_t size = A.size;
    double *y = calloc(size, sizeof *y), energy = 0;
    for (size_t i = 0; i < h->count; i++) {
        const corners c = corners_of(v, h->place[i]);
        for (int a = 0; a < 8; a++)
            for (size_t k = 0; k < 3; k++)
                y[3 * c.node[a] + k] += c.N[a] * (double)r[i][k];
    }
    double largest = 0;
    for (size_t j = 0; j < size; j++)
        largest = fmax(largest, A.a[j * size + j]);
    for (size_t j = 0; j < size; j++) { /* L Lᵀ, and L⁻¹ y as it goes */
        double d = A.a[j * size + j], s = y[j];
        for (size_t k = 0; k < j; k++) {
            d -= A.a[j * size + k] * A.a[j * size + k];
            s -= A.a[j * size + k] * y[k];
        }
        d = sqrt(fmax(d, 1e-13 * largest));
        A.a[j * size + j] = d;
        y[j] = s / d;
        energy += y[j] * y[j];
        for (size_t i = j + 1; i < size; i++) {
            double e = A.a[i * size + j];
            for (size_t k = 0; k < j; k++)
                e -= A.a[i * size + k] * A.a[j * size + k];
            A.a[i * size + j] = e / d;
        }
    }
    free(A.a);
    free(y);
    return energy;
}

Test(grids, the_cycle_is_symmetric_and_positive) {
    float r[2][MOST][4], z[2][MOST][4];
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < MIXTURES; k++) {
            heap *h = heap_of(kind, mixtures[k]);
            tl_grids *g = grids_of(h);
            for (size_t s = 0; s < 2; s++)
                cycle_of(g, h, &one_thread, s, r[s], z[s]);
            const double own = dot(h, r[0], z[0]), other = dot(h, r[1], z[1]);
            cr_expect(own > 0 && other > 0, "kind %d, mixture %d: %g, %g", kind, k, own, other);
            const double skew = (dot(h, r[0], z[1]) - dot(h, r[1], z[0])) / sqrt(own * other);
            cr_expect_lt(fabs(skew), 1e-5, "kind %d, mixture %d: %g", kind, k, skew);
            /* Smoothing that overshoots would give more than the inverse does. */
            cr_expect_lt(own, 1.001 * exact_energy(h, &g->level[0], r[0]));
            free(h);
            tl_grids_destroy(g);
        }
}

/* Four particles along the edge of a cell, as in a solve. */
static heap *make_block(int cells, double shear, double bulk) {
    heap *h = new_heap();
    const int n = 4 * cells;
    for (int i = 0; i < n * n * n; i++)
        add(h, cell / 4 * (i % n + 0.5), cell / 4 * (i / n % n + 0.5), cell / 4 * (i / n / n + 0.5),
            shear, bulk);
    return h;
}

Test(grids, a_single_level_is_solved_exactly) {
    float r[MOST][4], z[MOST][4];
    for (int k = 0; k < MIXTURES; k++) {
        heap *h = make_block(2, mixtures[k][0], mixtures[k][1]);
        tl_grids *g = grids_of(h);
        cr_assert(g->levels == 1 && tl_grids_nodes(g) == 27);
        cycle_of(g, h, &one_thread, 0, r, z);
        const double part = dot(h, r, z) / exact_energy(h, &g->level[0], r);
        cr_expect_float_eq(part, 1, 1e-3, "mixture %d: %g", k, part);
        free(h);
        tl_grids_destroy(g);
    }
}

/* A bar that touches nothing: without its inertia, which single precision does not see, the
 * operator is singular. */
static heap *make_free_bar(size_t place, double shear) {
    heap *h = new_heap();
    const double x = cell * draw(3 * place), y = cell * draw(3 * place + 1);
    for (int i = 0; i < 2 * 2 * 9; i++) {
        add(h, x + cell / 4 * (i % 2), y + cell / 4 * (i / 2 % 2), cell / 4 * (i / 4), shear,
            3 * shear);
        h->wall_of[h->count - 1] = 0;
    }
    return h;
}

Test(grids, matter_as_stiff_as_numbers_tell_is_corrected_within_bounds) {
    float r[MOST][4], z[MOST][4];
    for (size_t place = 0; place < 200; place++) {
        heap *h = make_free_bar(place, 1e7 * cell * cell / 16);
        tl_grids *g = grids_of(h);
        cycle_of(g, h, &one_thread, place, r, z);
        /* Exact corrections are smaller than those of inertia alone. */
        double most = 0;
        for (size_t i = 0; i < h->count; i++)
            for (size_t k = 0; k < 3; k++)
                most += (double)(r[i][k] * r[i][k] / h->mass[i]);
        const double given = dot(h, r, z);
        cr_expect(given >= 0 && given < 10 * most, "place %zu: %g of %g", place, given, most);
        free(h);
        tl_grids_destroy(g);
    }
}

/* Smooth motions: what the grids are for. */
Test(grids, the_cycle_gives_most_of_what_the_inverse_does) {
    static float r[MOST][4], z[MOST][4];
    for (int k = 0; k < MIXTURES; k++) {
        heap *h = new_heap();
        for (int i = 0; i < 5 * 5 * 40; i++)
            add(h, cell * 0.4 * (i % 5 + 0.5), cell * 0.4 * (i / 5 % 5 + 0.5),
                cell * 0.4 * (i / 25 + 0.5), mixtures[k][0], mixtures[k][1]);
        tl_grids *g = grids_of(h);
        cr_assert_geq(g->levels, 3);
        memset(z, 0, sizeof z);
        for (size_t i = 0; i < h->count; i++)
            for (size_t q = 0; q < 3; q++)
                r[i][q] = sinf(20 * h->place[i][2] + (float)q) + 0.3f * cosf(60 * h->place[i][0]);
        tl_grids_correct(g, &one_thread, &r[0][0], &z[0][0]);
        const double part = dot(h, r, z) / exact_energy(h, &g->level[0], r);
        cr_expect(part > 0.2 && part < 1.001, "mixture %d: %g", k, part);
        free(h);
        tl_grids_destroy(g);
    }
}

/* ---- Use --------------------------------------------------------------------------------------
 */

Test(grids, the_cycle_does_not_depend_on_the_number_of_threads) {
    static float r[MOST][4], one[MOST][4], two[MOST][4];
    heap *h = make_cloud(900, 9, 1, 3);
    tl_grids *g = grids_of(h), *twin = tl_grids_create();
    cr_assert_gt(tl_grids_nodes(g), 4 * TL_GRID_GRAIN);
    fill_grids(twin, h, &two_threads);
    cycle_of(g, h, &one_thread, 5, r, one);
    cycle_of(twin, h, &two_threads, 5, r, two);
    cr_assert_eq(memcmp(one, two, h->count * sizeof *one), 0);
    free(h);
    tl_grids_destroy(g);
    tl_grids_destroy(twin);
}

Test(grids, placed_again_they_are_as_new) {
    float r[MOST][4], used[MOST][4], fresh[MOST][4];
    heap *large = make_cloud(600, 8, 1, 10), *small = make_spray(2, 1);
    tl_grids *g = grids_of(large), *twin = grids_of(small);
    cycle_of(g, large, &one_thread, 1, r, used);
    fill_grids(g, small, &one_thread);
    cr_assert_eq(tl_grids_nodes(g), tl_grids_nodes(twin));
    cycle_of(g, small, &one_thread, 2, r, used);
    cycle_of(twin, small, &one_thread, 2, r, fresh);
    cr_assert_eq(memcmp(used, fresh, small->count * sizeof *used), 0);
    free(large);
    free(small);
    tl_grids_destroy(g);
    tl_grids_destroy(twin);
}

Test(grids, of_nothing_do_nothing) {
    heap *h = new_heap();
    tl_grids *g = grids_of(h);
    tl_grids_correct(g, &one_thread, &h->place[0][0], &h->place[0][0]);
    cr_assert_eq(tl_grids_nodes(g), 0);
    free(h);
    tl_grids_destroy(g);
    tl_grids_destroy(NULL);
}
