/* Surfaces of particles: where they lie, what they enclose, and what stands on their vertices. */
#include "surface/surface.h"

#include "base/random.h"
#include "math/eigen3.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Particles at a spacing of 1, with a temperature that is linear in space and two materials. */
typedef struct matter {
    double *place;
    float *temperature;
    uint8_t *material;
    float *size; /* NULL: 1 */
    size_t count, capacity;
} matter;

static void add(matter *m, double x, double y, double z) {
    if (m->count == m->capacity) {
        m->capacity = 2 * m->capacity + 16;
        m->place = realloc(m->place, 3 * m->capacity * sizeof *m->place);
        m->temperature = realloc(m->temperature, m->capacity * sizeof *m->temperature);
        m->material = realloc(m->material, m->capacity);
    }
    double *p = m->place + 3 * m->count;
    p[0] = x, p[1] = y, p[2] = z;
    m->temperature[m->count] = (float)(20 + 2 * x - y);
    m->material[m->count++] = x > 0;
}

static matter make_box(int n, double jitter) {
    matter m = {0};
    for (int i = 0; i < n * n * n; i++) {
        double p[3] = {i % n, i / n % n, i / n / n};
        for (uint64_t k = 0; k < 3; k++)
            p[k] += 0.5 - 0.5 * n + jitter * (2 * tl_random_uniform(5, 3 * (uint64_t)i + k) - 1);
        add(&m, p[0], p[1], p[2]);
    }
    return m;
}

static matter make_ball(double radius, double shift) {
    matter m = {0};
    const int n = (int)radius + 2;
    for (int z = -n; z <= n; z++)
        for (int y = -n; y <= n; y++)
            for (int x = -n; x <= n; x++) {
                const double p[3] = {x + shift, y + 0.7 * shift, z + 0.4 * shift};
                if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < radius * radius)
                    add(&m, p[0], p[1], p[2]);
            }
    return m;
}

static tl_frame frame_of(const matter *m) {
    tl_frame frame = {.count = m->count, .array_count = 3};
    frame.array[0] = (tl_frame_array){"position", "m", "Place", TL_F64, 3, m->place};
    frame.array[1] = (tl_frame_array){"temperature", "°C", "", TL_F32, 1, m->temperature};
    frame.array[2] = (tl_frame_array){"material", "", "", TL_U8, 1, m->material};
    if (m->size)
        frame.array[frame.array_count++] = (tl_frame_array){"size", "m", "", TL_F32, 1, m->size};
    return frame;
}

static tl_surface_options usual(void) {
    return (tl_surface_options){.spacing = 1,
                                .cells = TL_SURFACE_CELLS,
                                .smooth = TL_SURFACE_SMOOTH,
                                .material = -1,
                                .threads = 1};
}

static tl_surface surface_of(const matter *m, tl_surface_options options) {
    tl_surface s = {0};
    tl_error error = {0};
    const tl_frame frame = frame_of(m);
    cr_assert_eq(tl_surface_make(&s, &frame, &options, &error), TL_OK, "%s", error.what);
    return s;
}

static void free_matter(matter *m) {
    free(m->place);
    free(m->temperature);
    free(m->material);
    free(m->size);
}

static double volume(const tl_surface *s) { return tl_mesh_find_moments(&s->mesh).volume; }

/* ---- Where it lies ------------------------------------------------------------------------- */

Test(surface, balls_have_their_area_and_volume) {
    for (int i = 0; i < 4; i++) {
        matter m = make_ball(9.5 + i, 0.13 * i);
        const double radius = cbrt((double)m.count * 3 / (4 * 3.14159265358979)),
                     area = 4 * 3.14159265358979 * radius * radius;
        for (int round = 0; round < 2; round++) {
            tl_surface_options o = usual();
            o.round = round;
            tl_surface s = surface_of(&m, o);
            cr_expect_float_eq(volume(&s) / (double)m.count, 1, 0.02, "%g",
                               volume(&s) / (double)m.count);
            cr_expect_float_eq(tl_mesh_area(&s.mesh) / area, 1, 0.03, "%g",
                               tl_mesh_area(&s.mesh) / area);
            cr_expect_eq(s.pieces, 1);
            tl_surface_free(&s);
        }
        free_matter(&m);
    }
}

/* Faces half a spacing outside the particles, without dents; vertices near edges left out. */
static void check_faces(const tl_surface *s, double half, double mean_bound, double bump_bound) {
    double sum = 0, sum2 = 0, count = 0;
    for (size_t i = 0; i < s->mesh.vertex_count; i++) {
        const tl_vec3 v = s->mesh.vertices[i];
        const double x[3] = {fabs(v.x), fabs(v.y), fabs(v.z)};
        for (int k = 0; k < 3; k++) {
            if (x[(k + 1) % 3] > half - 3 || x[(k + 2) % 3] > half - 3)
                continue;
            sum += x[k] - half, sum2 += (x[k] - half) * (x[k] - half), count++;
            cr_expect_lt(fabs(x[k] - half), 4 * bump_bound + mean_bound);
        }
    }
    cr_expect_gt(count, 500);
    cr_expect_float_eq(sum / count, 0, mean_bound, "faces at %g", sum / count);
    const double bump = sqrt(fmax(sum2 / count - sum / count * sum / count, 0));
    cr_expect_lt(bump, bump_bound, "bumps of %g", bump);
}

Test(surface, boxes_stay_boxes) {
    const double jitters[2] = {0, 0.1}, bumps[2] = {0.005, 0.03};
    for (int i = 0; i < 2; i++) {
        matter m = make_box(16, jitters[i]);
        tl_surface s = surface_of(&m, usual());
        check_faces(&s, 8, 0.01, bumps[i]);
        tl_vec3 low, high; /* edges and corners stick out a little */
        tl_mesh_bounds(&s.mesh, &low, &high);
        cr_expect_lt(fmax(fmax(high.x, high.y), high.z), 8.13 + jitters[i]);
        cr_expect_gt(fmin(fmin(low.x, low.y), low.z), -8.13 - jitters[i]);
        cr_expect_float_eq(volume(&s) / (double)m.count, 1, 0.01);
        cr_expect_gt(tl_mesh_area(&s.mesh), 0.96 * 6 * 16 * 16);
        tl_surface_free(&s);
        free_matter(&m);
    }
}

/* A box whose upper half has particles of half the spacing. */
static matter make_graded_box(int n) {
    matter m = {0};
    for (int part = 0; part < 2; part++) {
        const int across = part ? 2 * n : n, high = across / 2;
        const double size = part ? 0.5 : 1;
        for (int i = 0; i < across * across * high; i++)
            add(&m, size * (i % across + 0.5) - 0.5 * n,
                size * (i / across % across + 0.5) - 0.5 * n,
                size * (i / across / across + 0.5) - (part ? 0 : 0.5 * n));
    }
    m.size = malloc(m.count * sizeof *m.size);
    for (size_t i = 0; i < m.count; i++)
        m.size[i] = i < (size_t)(n * n * n / 2) ? 1 : 0.5f;
    return m;
}

Test(surface, boxes_of_two_sizes_stay_boxes_too) {
    matter m = make_graded_box(16);
    tl_surface s = surface_of(&m, usual());
    check_faces(&s, 8, 0.02, 0.05);
    cr_expect_float_eq(volume(&s) / (16 * 16 * 16), 1, 0.01, "%g", volume(&s) / (16 * 16 * 16));
    cr_expect_eq(s.pieces, 1);
    tl_surface_free(&s);
    free_matter(&m);
}

Test(surface, small_particles_alone_are_small_balls) {
    matter m = {0};
    add(&m, 0, 0, 0);
    add(&m, 5, 0, 0);
    m.size = malloc(2 * sizeof *m.size);
    m.size[0] = 1, m.size[1] = 0.5f;
    tl_surface s = surface_of(&m, usual());
    cr_expect_eq(s.pieces, 2);
    cr_expect_float_eq(volume(&s), 1.125, 0.03, "%g", volume(&s));
    tl_surface_free(&s);
    free_matter(&m);
}

Test(surface, a_particle_alone_is_a_ball_of_its_volume) {
    for (int i = 0; i < 5; i++) {
        matter m = {0};
        add(&m, 0.11 * i, 0.07 * i, 0.2 * i);
        add(&m, 5, 0, 0);
        add(&m, 5, 0, 7);
        tl_surface s = surface_of(&m, usual());
        cr_expect_eq(s.pieces, 3);
        cr_expect_float_eq(volume(&s), 3, 0.06, "%g", volume(&s));
        for (size_t v = 0; v < s.mesh.vertex_count; v++) {
            double nearest = HUGE_VAL;
            for (size_t p = 0; p < m.count; p++)
                nearest = fmin(nearest, tl_vec3_length(tl_vec3_sub(s.mesh.vertices[v],
                                                                   tl_vec3_of(m.place + 3 * p))));
            cr_expect_float_eq(nearest, 0.7, 0.07, "%g", nearest);
        }
        tl_surface_free(&s);
        free_matter(&m);
    }
}

/* Along a circle, so that every direction of the grid is met. */
Test(surface, a_thread_one_particle_thick_stays_one_piece) {
    const double stretches[3] = {0.9, 1, 1.2};
    for (int i = 0; i < 3; i++) {
        matter m = {0};
        const double radius = 20, step = stretches[i] / radius;
        for (double angle = 0; angle < 6; angle += step)
            add(&m, radius * cos(angle), radius * sin(angle), 3 * angle);
        tl_surface s = surface_of(&m, usual());
        cr_expect_eq(s.pieces, 1, "%zu pieces at %g", s.pieces, stretches[i]);
        cr_expect_float_eq(volume(&s) / (double)m.count, stretches[i], 0.25);
        tl_surface_free(&s);
        free_matter(&m);
    }
}

Test(surface, a_sheet_one_particle_thick_has_no_holes) {
    matter m = {0};
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 20; x++)
            add(&m, x + 0.2 * tl_random_uniform(9, (uint64_t)(20 * y + x)), y, 0.2 * x);
    tl_surface s = surface_of(&m, usual());
    const long chi = (long)s.mesh.vertex_count - (long)s.mesh.triangle_count / 2;
    cr_expect_eq(s.pieces, 1);
    cr_expect_eq(chi, 2);
    tl_surface_free(&s);
    free_matter(&m);
}

/* What moves through the grid keeps its shape: no popping between frames. */
Test(surface, shapes_do_not_depend_on_where_the_grid_is) {
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < 8; i++) {
        matter m = make_ball(6, 0);
        for (size_t p = 0; p < m.count; p++)
            for (size_t k = 0; k < 3; k++)
                m.place[3 * p + k] += 0.0625 * i * (double)(k + 1);
        add(&m, 40, 0, 0); /* and the middle of all is not the ball's */
        tl_surface s = surface_of(&m, usual());
        least = fmin(least, volume(&s)), most = fmax(most, volume(&s));
        tl_surface_free(&s);
        free_matter(&m);
    }
    cr_expect_lt(most / least, 1.002, "%g", most / least);
}

/* ---- What it is like ----------------------------------------------------------------------- */

static void expect_same(const tl_surface *a, const tl_surface *b) {
    cr_assert_eq(a->mesh.vertex_count, b->mesh.vertex_count);
    cr_assert_eq(a->mesh.triangle_count, b->mesh.triangle_count);
    cr_expect_eq(
        memcmp(a->mesh.vertices, b->mesh.vertices, a->mesh.vertex_count * sizeof *a->mesh.vertices),
        0);
    cr_expect_eq(memcmp(a->mesh.triangles, b->mesh.triangles,
                        a->mesh.triangle_count * sizeof *a->mesh.triangles),
                 0);
    for (size_t c = 1; c < a->vertices.array_count; c++) {
        const tl_frame_array *x = &a->vertices.array[c], *y = &b->vertices.array[c];
        cr_expect_eq(memcmp(x->data, y->data,
                            a->vertices.count * (size_t)x->components * tl_type_size(x->type)),
                     0, "%s", x->name);
    }
}

/* A box with bubbles of all sizes in it. */
static matter make_sponge(void) {
    matter box = make_box(24, 0.15), m = {0};
    for (size_t i = 0; i < box.count; i++) {
        bool is_in_bubble = false;
        for (uint64_t b = 0; b < 12; b++) {
            double d2 = 0;
            for (uint64_t k = 0; k < 3; k++) {
                const double d =
                    box.place[3 * i + k] - 20 * (tl_random_uniform(8, 3 * b + k) - 0.5);
                d2 += d * d;
            }
            is_in_bubble = is_in_bubble || d2 < pow(0.4 + 0.25 * (double)b, 2);
        }
        if (!is_in_bubble)
            add(&m, box.place[3 * i], box.place[3 * i + 1], box.place[3 * i + 2]);
    }
    free_matter(&box);
    return m;
}

Test(surface, meshes_do_not_depend_on_threads_or_on_what_is_passed_over) {
    matter m = make_sponge();
    tl_surface_options o = usual();
    tl_surface a = surface_of(&m, o);
    cr_expect_gt(a.pieces, 4);
    o.threads = 3;
    tl_surface b = surface_of(&m, o);
    expect_same(&a, &b);
    o.everywhere = true;
    tl_surface c = surface_of(&m, o);
    expect_same(&a, &c);
    tl_surface_free(&a);
    tl_surface_free(&b);
    tl_surface_free(&c);
    free_matter(&m);
}

Test(surface, memory_of_the_field_grows_with_the_surface) {
    matter small = make_box(16, 0), large = make_box(48, 0);
    tl_surface a = surface_of(&small, usual()), b = surface_of(&large, usual());
    cr_expect_lt((double)b.blocks.count, 1.2 * 9 * (double)a.blocks.count);
    tl_surface_free(&a);
    tl_surface_free(&b);
    free_matter(&small);
    free_matter(&large);
}

Test(surface, smoothing_keeps_the_volume_of_every_piece) {
    matter m = make_box(10, 0.15);
    for (int i = 0; i < 12; i++)
        add(&m, 12, i, 0);
    tl_surface_options o = usual();
    o.smooth = 0;
    tl_surface rough = surface_of(&m, o);
    o.smooth = 40;
    tl_surface smooth = surface_of(&m, o);
    cr_assert_eq(rough.pieces, 2);
    cr_assert_eq(smooth.pieces, 2);
    double before[2][2], after[2][2];
    tl_mesh_measure(&rough.mesh, &rough.links, before);
    tl_mesh_measure(&smooth.mesh, &smooth.links, after);
    for (int p = 0; p < 2; p++) {
        cr_expect_float_eq(after[p][0] / before[p][0], 1, 1e-3);
        cr_expect_lt(after[p][1], before[p][1]);
    }
    tl_surface_free(&rough);
    tl_surface_free(&smooth);
    free_matter(&m);
}

Test(surface, fields_stand_on_the_vertices) {
    matter m = make_box(14, 0.05);
    tl_surface s = surface_of(&m, usual());
    const float *temperature = tl_frame_find(&s.vertices, "temperature")->data;
    const float *normal = tl_frame_find(&s.vertices, "normal")->data;
    const uint8_t *material = tl_frame_find(&s.vertices, "material")->data;
    size_t on_face = 0;
    for (size_t i = 0; i < s.vertices.count; i++) {
        const tl_vec3 v = s.mesh.vertices[i];
        /* Neighbours lie to one side of a face, half a spacing from it in the mean and more. */
        cr_expect_float_eq((double)temperature[i], 20 + 2 * v.x - v.y, 3.3);
        if (fabs(v.x) > 0.6)
            cr_expect_eq(material[i], v.x > 0);
        const tl_vec3 n = {(double)normal[3 * i], (double)normal[3 * i + 1],
                           (double)normal[3 * i + 2]};
        cr_expect_float_eq(tl_vec3_length(n), 1, 1e-5);
        const bool is_on_face = v.x > 6 && fabs(v.y) < 4 && fabs(v.z) < 4;
        on_face += is_on_face;
        if (is_on_face)
            cr_expect_gt(n.x, 0.98);
    }
    cr_expect_gt(on_face, 100);
    tl_surface_free(&s);
    for (size_t i = 0; i < m.count; i++)
        m.temperature[i] = 37;
    s = surface_of(&m, usual());
    temperature = tl_frame_find(&s.vertices, "temperature")->data;
    for (size_t i = 0; i < s.vertices.count; i++)
        cr_expect_float_eq((double)temperature[i], 37, 1e-4);
    tl_surface_free(&s);
    free_matter(&m);
}

Test(surface, one_material_alone_has_a_surface) {
    matter m = make_box(14, 0);
    tl_surface_options o = usual();
    o.material = 1;
    tl_surface s = surface_of(&m, o);
    cr_expect_float_eq(volume(&s), (double)m.count / 2, 0.02 * (double)m.count);
    size_t cut = 0;
    for (size_t i = 0; i < s.mesh.vertex_count; i++) {
        const tl_vec3 v = s.mesh.vertices[i];
        if (!(v.x < 3 && fabs(v.y) < 4 && fabs(v.z) < 4))
            continue;
        cr_expect_float_eq(v.x, 0, 0.02, "%g", v.x);
        cut++;
    }
    cr_expect_gt(cut, 100);
    tl_surface_free(&s);
    free_matter(&m);
}

/* ---- What is odd --------------------------------------------------------------------------- */

Test(surface, odd_frames_are_no_trouble) {
    matter m = {0};
    tl_surface s = surface_of(&m, usual());
    cr_expect_eq(s.mesh.triangle_count, 0);
    tl_surface_free(&s);

    add(&m, 0, 0, 0);
    add(&m, 0, 0, 0); /* two at one place */
    for (int i = 0; i < 100; i++)
        add(&m, 3, 0, 0.5 * i);
    add(&m, 1e8, 0, 0);
    s = surface_of(&m, usual());
    cr_expect_eq(s.left_out, 1);
    cr_expect_eq(s.pieces, 2);
    tl_surface_free(&s);

    tl_error error;
    m.place[3] = (double)NAN;
    const tl_frame frame = frame_of(&m);
    tl_surface_options o = usual();
    tl_surface none = {0};
    cr_expect_eq(tl_surface_make(&none, &frame, &o, &error), TL_BAD_INPUT);
    o.spacing = 0;
    cr_expect_eq(tl_surface_make(&none, &frame, &o, &error), TL_BAD_INPUT);
    o.spacing = 1, o.cells = 3;
    cr_expect_eq(tl_surface_make(&none, &frame, &o, &error), TL_BAD_INPUT);
    tl_surface_free(&none);
    free_matter(&m);
}

Test(surface, eigenvectors_make_up_their_matrix) {
    for (uint64_t seed = 0; seed < 1000; seed++) {
        double A[3][3], kept[3][3], value[3], vector[3][3];
        const double flat = seed % 3 == 0 ? 0 : 1, even = seed % 5 == 0 ? 0 : 1;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c <= r; c++)
                A[r][c] = A[c][r] = (r == 2 ? flat : 1) *
                                    (r == c ? 1 + even * tl_random_uniform(seed, (uint64_t)r)
                                            : tl_random_uniform(seed, (uint64_t)(3 + r + c)) - 0.5);
        memcpy(kept, A, sizeof A);
        tl_eigen3(A, value, vector);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                double sum = 0, dot = 0;
                for (int k = 0; k < 3; k++) {
                    sum += value[k] * vector[k][r] * vector[k][c];
                    dot += vector[r][k] * vector[c][k];
                }
                cr_assert_float_eq(sum, kept[r][c], 1e-13);
                cr_assert_float_eq(dot, r == c, 1e-13);
            }
    }
}
