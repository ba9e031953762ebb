/* The level set of fields on blocks: closed, manifold, oriented, and of the topology of the
 * trilinear interpolant, which is found here by Morse theory.
 *
 * The Euler characteristic of {g > 0} is the sum over critical points above zero of 1 - χ(U), where
 * U is the part of a small sphere around the point on which g is larger. Critical are points of the
 * grid (g is linear along the six edges there), saddles of faces, and saddles of cells. */
#include "base/random.h"
#include "surface/extract.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* A field on n³ points, n <= 8, with a rim that is outside. */
typedef struct grid {
    int n;
    double value[8][8][8]; /* [z][y][x] */
} grid;

typedef enum kind { UNIFORM, INTEGERS, NEAR_TIES, KINDS } kind;

static grid random_grid(int inner, kind k, uint64_t seed) {
    grid g = {.n = inner + 2};
    uint64_t i = 0;
    for (int z = 0; z < g.n; z++)
        for (int y = 0; y < g.n; y++)
            for (int x = 0; x < g.n; x++) {
                const double u = tl_random_uniform(seed, i++);
                const bool rim =
                    x == 0 || y == 0 || z == 0 || x == g.n - 1 || y == g.n - 1 || z == g.n - 1;
                const double v = k == UNIFORM    ? 2 * u - 1
                                 : k == INTEGERS ? floor(7 * u) - 3
                                                 : (u < 0.5 ? -1 : 1) + 0.02 * (u - 0.5);
                g.value[z][y][x] = rim ? -0.5 - u : (double)(float)v;
                g.value[z][y][x] = (double)(float)g.value[z][y][x];
            }
    return g;
}

/* ---- Morse theory -------------------------------------------------------------------------- */

/* χ of the part of an octahedron spanned by the directions in which g grows. */
static int grow_characteristic(const bool grows[6]) {
    int chi = 0;
    for (int i = 0; i < 6; i++) {
        chi += grows[i];
        for (int j = i + 1; j < 6; j++) {
            chi -= i / 2 != j / 2 && grows[i] && grows[j];
            for (int k = j + 1; k < 6; k++)
                chi += i / 2 != j / 2 && j / 2 != k / 2 && grows[i] && grows[j] && grows[k];
        }
    }
    return chi;
}

static double at(const grid *g, const int p[3]) { return g->value[p[2]][p[1]][p[0]]; }

static int morse_of_points(const grid *g) {
    int chi = 0, p[3];
    for (p[2] = 1; p[2] < g->n - 1; p[2]++)
        for (p[1] = 1; p[1] < g->n - 1; p[1]++)
            for (p[0] = 1; p[0] < g->n - 1; p[0]++) {
                bool grows[6];
                for (int d = 0; d < 6; d++) {
                    int q[3] = {p[0], p[1], p[2]};
                    q[d / 2] += d % 2 ? 1 : -1;
                    grows[d] = at(g, q) > at(g, p);
                }
                if (at(g, p) > 0)
                    chi += 1 - grow_characteristic(grows);
            }
    return chi;
}

/* Bilinear interpolation in the square at p along axes a and b. */
static double bilinear(const grid *g, const int p[3], int a, int b, double u, double v) {
    double sum = 0;
    for (int c = 0; c < 4; c++) {
        int q[3] = {p[0], p[1], p[2]};
        q[a] += c & 1, q[b] += c >> 1;
        sum += (c & 1 ? u : 1 - u) * (c >> 1 ? v : 1 - v) * at(g, q);
    }
    return sum;
}

static int morse_of_face(const grid *g, const int p[3], int normal) {
    const int a = (normal + 1) % 3, b = (normal + 2) % 3;
    int q[3] = {p[0], p[1], p[2]};
    const double v00 = at(g, q);
    q[a]++;
    const double v10 = at(g, q);
    q[b]++;
    const double v11 = at(g, q);
    q[a]--;
    const double v01 = at(g, q), twist = v00 - v10 + v11 - v01;
    const double u = (v00 - v01) / twist, v = (v00 - v10) / twist;
    if (!(u > 0 && u < 1 && v > 0 && v < 1))
        return 0;
    const double here = bilinear(g, p, a, b, u, v);
    int before[3] = {p[0], p[1], p[2]}, after[3] = {p[0], p[1], p[2]};
    before[normal]--, after[normal]++;
    const bool grows_before = bilinear(g, before, a, b, u, v) > here;
    const bool grows_after = bilinear(g, after, a, b, u, v) > here;
    return here > 0 && grows_before == grows_after ? (grows_before ? 1 : -1) : 0;
}

/* F = k + Σ a_i x_i + Σ b_i x_j x_k + c xyz = c XYZ + α X + β Y + γ Z + δ with X = x + b_x / c. */
static int morse_of_cell(const grid *g, const int p[3]) {
    double v[8];
    for (int c = 0; c < 8; c++) {
        const int q[3] = {p[0] + (c & 1), p[1] + (c >> 1 & 1), p[2] + (c >> 2)};
        v[c] = at(g, q);
    }
    const double a[3] = {v[1] - v[0], v[2] - v[0], v[4] - v[0]};
    const double b[3] = {v[6] - v[2] - v[4] + v[0], v[5] - v[1] - v[4] + v[0],
                         v[3] - v[1] - v[2] + v[0]};
    const double c = v[7] - v[6] - v[5] - v[3] + v[1] + v[2] + v[4] - v[0];
    const double alpha = a[0] - b[1] * b[2] / c, beta = a[1] - b[0] * b[2] / c,
                 gamma = a[2] - b[0] * b[1] / c;
    const double square = -beta * gamma / (c * alpha);
    int chi = 0;
    for (int sign = -1; square > 0 && sign <= 1; sign += 2) {
        const double x = sign * sqrt(square), y = -gamma / (c * x), z = -beta / (c * x);
        const double local[3] = {x - b[0] / c, y - b[1] / c, z - b[2] / c};
        double f = 0;
        bool is_inside = true;
        for (int k = 0; k < 3; k++)
            is_inside = is_inside && local[k] > 0 && local[k] < 1;
        for (int k = 0; k < 8; k++)
            f += v[k] * (k & 1 ? local[0] : 1 - local[0]) * (k & 2 ? local[1] : 1 - local[1]) *
                 (k & 4 ? local[2] : 1 - local[2]);
        /* Hessian: zeros on the diagonal, c x, c y, c z beside it; its determinant is 2 c³ xyz. */
        if (is_inside && f > 0)
            chi += c * x * y * z > 0 ? -1 : 1;
    }
    return chi;
}

static int morse(const grid *g) {
    int chi = morse_of_points(g), p[3];
    for (p[2] = 0; p[2] < g->n; p[2]++)
        for (p[1] = 0; p[1] < g->n; p[1]++)
            for (p[0] = 0; p[0] < g->n; p[0]++) {
                int room = 0;
                for (int k = 0; k < 3; k++)
                    room |= (p[k] < g->n - 1) << k;
                for (int k = 0; k < 3; k++)
                    if ((room | 1 << k) == 7 && p[k] > 0 && p[k] < g->n - 1)
                        chi += morse_of_face(g, p, k);
                chi += room == 7 ? morse_of_cell(g, p) : 0;
            }
    return chi;
}

/* ---- The mesh ------------------------------------------------------------------------------ */

/* A grid of up to 8 points a side is one block, at an odd place to make two or more of it. */
static tl_blocks blocks_of(const grid *g, const int shift[3]) {
    tl_blocks b = {.cell = 1};
    for (int32_t z = 0; z < 2; z++)
        for (int32_t y = 0; y < 2; y++)
            for (int32_t x = 0; x < 2; x++) {
                const int32_t place[3] = {x, y, z};
                float value[TL_BLOCK_POINTS];
                for (int i = 0; i < TL_BLOCK_POINTS; i++) {
                    const int local[3] = {i % 8, i / 8 % 8, i / 64};
                    int q[3];
                    bool is_there = true;
                    for (int k = 0; k < 3; k++) {
                        q[k] = TL_BLOCK_CELLS * place[k] + local[k] - shift[k];
                        is_there = is_there && q[k] >= 0 && q[k] < g->n;
                    }
                    value[i] = is_there ? (float)at(g, q) : -1;
                }
                if (tl_block_is_mixed(value))
                    cr_assert_eq(tl_blocks_add(&b, place, value, NULL), TL_OK);
            }
    return b;
}

typedef struct link {
    uint32_t from, to;
} link;

static int by_ends(const void *a, const void *b) {
    const link *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

static size_t find_root(size_t *root, size_t i) {
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

/* Each edge is there once each way; the triangles around a vertex are one fan; none is flat. */
static void check_manifold(const tl_mesh *m) {
    const size_t n = 3 * m->triangle_count;
    link *links = malloc((n + 1) * sizeof *links);
    size_t *root = malloc((n + 1) * sizeof *root);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *c = m->triangles[t];
        cr_assert(c[0] != c[1] && c[1] != c[2] && c[2] != c[0]);
        const tl_vec3 a = tl_mesh_corner(m, t, 0);
        cr_assert_gt(tl_vec3_length(tl_vec3_cross(tl_vec3_sub(tl_mesh_corner(m, t, 1), a),
                                                  tl_vec3_sub(tl_mesh_corner(m, t, 2), a))),
                     1e-9);
        for (size_t k = 0; k < 3; k++) {
            links[3 * t + k] = (link){c[k], c[(k + 1) % 3]};
            root[3 * t + k] = 3 * t + k; /* the corner of triangle t at vertex c[k] */
        }
    }
    /* Corners at one vertex are of one fan when their triangles share an edge there. */
    link *sorted = malloc((n + 1) * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = links[i];
    qsort(sorted, n, sizeof *sorted, by_ends);
    for (size_t i = 0; i + 1 < n; i++)
        cr_assert(by_ends(&sorted[i], &sorted[i + 1]) != 0, "an edge is used twice in one way");
    for (size_t i = 0; i < n; i++) {
        const link back = {links[i].to, links[i].from};
        cr_assert(bsearch(&back, sorted, n, sizeof back, by_ends) != NULL, "an edge is open");
    }
    for (size_t i = 0; i < n; i++) /* small meshes: quadratic is quick enough */
        for (size_t j = i + 1; j < n; j++)
            if (links[i].from == links[j].to && links[i].to == links[j].from) {
                const size_t i_next = i / 3 * 3 + (i + 1) % 3, j_next = j / 3 * 3 + (j + 1) % 3;
                root[find_root(root, i)] = find_root(root, j_next);
                root[find_root(root, i_next)] = find_root(root, j);
            }
    size_t fans = 0;
    for (size_t i = 0; i < n; i++)
        fans += find_root(root, i) == i;
    cr_assert_eq(fans, m->vertex_count, "%zu fans at %zu vertices", fans, m->vertex_count);
    free(sorted);
    free(root);
    free(links);
}

static int characteristic(const tl_mesh *m) {
    return (int)m->vertex_count - (int)(3 * m->triangle_count / 2) + (int)m->triangle_count;
}

static void check_grid(int inner, kind k, uint64_t seed) {
    const tl_parallel parallel = tl_parallel_create(1);
    grid g = random_grid(inner, k, seed);
    const int shift[3] = {(int)(seed % 6), (int)(seed / 6 % 6), (int)(seed / 36 % 6)};
    tl_blocks b = blocks_of(&g, shift);
    tl_mesh m = {0};
    cr_assert_eq(tl_surface_extract(&b, &parallel, &m, NULL), TL_OK);
    check_manifold(&m);
    /* What touches is joined: the oracle gets a little more everywhere, in general position. */
    const double little = k == INTEGERS ? 1e-5 : 1e-9;
    for (int i = 0; i < 512; i++)
        g.value[i / 64][i / 8 % 8][i % 8] += little * (1 + tl_random_uniform(~seed, (uint64_t)i));
    cr_assert_eq(characteristic(&m), 2 * morse(&g), "kind %d, %d points, seed %llu: %d, not %d",
                 (int)k, inner, (unsigned long long)seed, characteristic(&m), 2 * morse(&g));
    if (m.triangle_count > 0)
        cr_assert_gt(tl_mesh_find_moments(&m).volume, 0);
    tl_mesh_free(&m);
    tl_blocks_free(&b);
}

Test(surface_cells, meshes_are_closed_manifold_and_of_the_topology_of_the_trilinear_field) {
    for (uint64_t seed = 0; seed < 4000; seed++)
        for (int k = 0; k < KINDS; k++)
            check_grid(1 + (int)(seed % 4), (kind)k, seed);
}
