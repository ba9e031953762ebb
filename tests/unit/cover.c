/* Samples that cover meshes: their volumes, distances and what matter feels of them. */
#include "boundary/cover.h"
#include "math/kernels.h"
#include "meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double spacing = 0.1;
static const tl_parallel one_thread = {.threads = 1};

static tl_cover cover_of(const tl_solid *solid, double depth) {
    tl_cover cover;
    tl_error error = {0};
    cr_assert_eq(tl_cover_make(solid, spacing, depth, &one_thread, &cover, &error), TL_OK, "%s",
                 error.what);
    return cover;
}

static tl_vec3 place_of(const tl_cover_sample *s) {
    return (tl_vec3){(double)s->position[0], (double)s->position[1], (double)s->position[2]};
}

static double volume_of(const tl_cover *cover) {
    double sum = 0;
    for (size_t i = 0; i < cover->count; i++)
        sum += (double)cover->items[i].volume;
    return sum;
}

static double least_distance(const tl_cover *cover) {
    double least = HUGE_VAL;
    for (size_t i = 0; i < cover->count; i++)
        for (size_t j = 0; j < i; j++)
            least = fmin(least, tl_vec3_length(tl_vec3_sub(place_of(&cover->items[i]),
                                                           place_of(&cover->items[j]))));
    return least / spacing;
}

/* What every cover keeps: depths and normals are those of the mesh, samples are apart and share the
 * exact volume. */
static void is_a_cover(tl_mesh mesh, double depth, double exact, double apart) {
    tl_solid *solid = solid_of(mesh);
    tl_cover cover = cover_of(solid, depth);
    double smallest = HUGE_VAL, largest = 0;
    for (size_t i = 0; i < cover.count; i++) {
        const tl_cover_sample *s = &cover.items[i];
        tl_nearest near;
        cr_assert(tl_solid_nearest(solid, place_of(s), HUGE_VAL, &near));
        cr_assert_float_eq(-near.distance, (double)s->depth, 1e-5 * spacing);
        const tl_vec3 n = {(double)s->normal[0], (double)s->normal[1], (double)s->normal[2]};
        cr_assert_float_eq(tl_vec3_length(n), 1, 1e-5);
        const tl_vec3 foot = tl_vec3_mad(place_of(s), (double)s->depth, n);
        cr_assert(tl_solid_nearest(solid, foot, 1e-5 * spacing, &near));
        cr_assert(s->depth > 0 && (double)s->depth <= depth + 0.06 * spacing);
        smallest = fmin(smallest, (double)s->volume), largest = fmax(largest, (double)s->volume);
    }
    const double unit = spacing * spacing * spacing;
    cr_log_info("%zu samples, volume %.4f of exact, each %.2f to %.2f, apart %.3f", cover.count,
                volume_of(&cover) / exact, smallest / unit, largest / unit, least_distance(&cover));
    cr_assert_float_eq(volume_of(&cover) / exact, 1, 0.03);
    cr_assert_gt(least_distance(&cover), apart);
    tl_cover_free(&cover);
    tl_solid_free(solid);
}

static double ball(double r) { return 4 * M_PI / 3 * r * r * r; }

Test(cover, volumes_sum_to_that_of_the_shell) {
    const double depth = 2 * spacing;
    is_a_cover(mesh_of_box((tl_vec3){0, 0, 0}, (tl_vec3){1, 1.2, 0.8}), depth,
               1.0 * 1.2 * 0.8 - 0.6 * 0.8 * 0.4, 0.99);
    is_a_cover(mesh_of_box((tl_vec3){0.013, 0, 0}, (tl_vec3){0.941, 1.187, 0.873}), depth,
               0.928 * 1.187 * 0.873 - 0.528 * 0.787 * 0.473, 0.68);
    is_a_cover(mesh_of_box((tl_vec3){0, 0, 0}, (tl_vec3){2, 2, 0.45}), depth,
               2 * 2 * 0.45 - 1.6 * 1.6 * 0.05, 0.95);
    is_a_cover(mesh_of_ball(0.8, 40, 0, 1), depth, ball(0.8) - ball(0.6), 0.7);
    is_a_cover(mesh_of_torus(0.8, 0.4, 60, 30), depth,
               2 * M_PI * M_PI * 0.8 * (0.4 * 0.4 - 0.2 * 0.2), 0.7);
}

Test(cover, of_a_box_of_whole_spacings_is_the_plain_lattice) {
    tl_solid *solid = solid_of(mesh_of_box((tl_vec3){0, 0, 0}, (tl_vec3){1, 1.2, 0.8}));
    tl_cover cover = cover_of(solid, 2 * spacing);
    cr_assert_eq(cover.count, 10 * 12 * 8 - 6 * 8 * 4);
    for (size_t i = 0; i < cover.count; i++) {
        for (int k = 0; k < 3; k++) {
            const double at = (double)cover.items[i].position[k] / spacing - 0.5;
            cr_assert_float_eq(at, round(at), 1e-5);
        }
        cr_assert_float_eq((double)cover.items[i].volume, 1e-3, 1e-7);
    }
    tl_cover_free(&cover);
    tl_solid_free(solid);
}

Test(cover, layers_have_a_sample_a_spacing_squared) {
    tl_solid *solid = solid_of(mesh_of_ball(1, 40, 0, 1));
    tl_cover cover = cover_of(solid, 2 * spacing);
    size_t count[2] = {0};
    for (size_t i = 0; i < cover.count; i++)
        count[(double)cover.items[i].depth > spacing]++;
    for (int k = 0; k < 2; k++) {
        const double r = 1 - (k + 0.5) * spacing, area = 4 * M_PI * r * r;
        cr_log_info("layer %d: %.3f a spacing²", k, (double)count[k] * spacing * spacing / area);
        cr_assert_float_eq((double)count[k] * spacing * spacing / area, 1, 0.05);
    }
    tl_cover_free(&cover);
    tl_solid_free(solid);
}

Test(cover, of_a_sheet_is_one_layer_with_its_area) {
    tl_mesh m = mesh_of_box((tl_vec3){0, 0, 0}, (tl_vec3){1, 1, 1});
    m.triangle_count = 2; /* the bottom */
    m.closed = false;
    tl_solid *solid = solid_of(m);
    tl_cover cover = cover_of(solid, 2 * spacing);
    cr_assert_float_eq(volume_of(&cover), spacing, 1e-6);
    cr_assert_eq(cover.count, 100);
    for (size_t i = 0; i < cover.count; i++) {
        const tl_cover_sample *s = &cover.items[i];
        cr_assert_eq(s->depth, 0);
        cr_assert(s->position[2] == 0 && s->normal[0] == 0 && s->normal[1] == 0 &&
                  s->normal[2] == 0);
    }
    tl_cover_free(&cover);
    tl_solid_free(solid);
}

Test(cover, of_a_plate_thinner_than_the_spacing_is_one_layer) {
    for (double thickness = 0.9; thickness > 0.01; thickness /= 2) {
        tl_solid *solid =
            solid_of(mesh_of_box((tl_vec3){0, 0, 0}, (tl_vec3){1, 1.2, thickness * spacing}));
        tl_cover cover = cover_of(solid, 2 * spacing);
        cr_log_info("%g: %zu samples, volume %g of exact, apart %g", thickness, cover.count,
                    volume_of(&cover) / (1.2 * thickness * spacing), least_distance(&cover));
        cr_assert_float_eq((double)cover.count, 120, 5);
        cr_assert_float_eq(volume_of(&cover) / (1.2 * thickness * spacing), 1, 0.07);
        cr_assert_gt(least_distance(&cover), 0.7);
        for (size_t i = 0; i < cover.count; i++) {
            const float z = cover.items[i].position[2];
            cr_assert(z > -1e-6f && (double)z < thickness * spacing + 1e-6);
        }
        tl_cover_free(&cover);
        tl_solid_free(solid);
    }
}

Test(cover, is_the_same_for_any_number_of_threads) {
    tl_solid *solid = solid_of(mesh_of_torus(0.8, 0.3, 40, 20));
    tl_cover a = cover_of(solid, 2 * spacing), b;
    const tl_parallel four = tl_parallel_adverse(4);
    cr_assert_eq(tl_cover_make(solid, spacing, 2 * spacing, &four, &b, NULL), TL_OK);
    cr_assert_eq(a.count, b.count);
    cr_assert_eq(memcmp(a.items, b.items, a.count * sizeof *a.items), 0);
    tl_cover_free(&a);
    tl_cover_free(&b);
    tl_solid_free(solid);
}

/* Σ V W at x over the samples and over matter on a lattice wherever the solid is not. */
static double filling_at(const tl_solid *solid, const tl_cover *cover, tl_vec3 x, double support) {
    const double norm = tl_kernel_norm(TL_KERNEL_WENDLAND) / (support * support * support);
    double sum = 0;
    for (size_t i = 0; i < cover->count; i++) {
        const double r = tl_vec3_length(tl_vec3_sub(place_of(&cover->items[i]), x));
        sum +=
            (double)cover->items[i].volume *
            (double)tl_lane(tl_kernel_shape(TL_KERNEL_WENDLAND, tl_splat((float)(r / support))), 0);
    }
    const int n = (int)ceil(support / spacing) + 1;
    const double at[3] = {floor(x.x / spacing), floor(x.y / spacing), floor(x.z / spacing)};
    for (int k = 0; k < (2 * n + 1) * (2 * n + 1) * (2 * n + 1); k++) {
        const tl_vec3 y = {(at[0] + k % (2 * n + 1) - n + 0.5) * spacing,
                           (at[1] + k / (2 * n + 1) % (2 * n + 1) - n + 0.5) * spacing,
                           (at[2] + k / (2 * n + 1) / (2 * n + 1) - n + 0.5) * spacing};
        const double r = tl_vec3_length(tl_vec3_sub(y, x));
        if (r < support && !tl_solid_inside(solid, y))
            sum += spacing * spacing * spacing *
                   (double)tl_lane(
                       tl_kernel_shape(TL_KERNEL_WENDLAND, tl_splat((float)(r / support))), 0);
    }
    return norm * sum;
}

/* Matter on a lattice around a ball, from half a spacing off the surface. */
Test(cover, matter_beside_a_curved_wall_feels_full) {
    const double supports[] = {2, 3}, spreads[] = {0.05, 0.04};
    for (int k = 0; k < 2; k++) {
        const double support = supports[k] * spacing;
        tl_solid *solid = solid_of(mesh_of_ball(1, 50, 0, 1));
        tl_cover cover = cover_of(solid, support);
        const double middle =
            filling_at(solid, &(tl_cover){0}, (tl_vec3){5.05, 0.05, 0.05}, support);
        dice d = {4, 0};
        double sum = 0, square = 0, worst = 0;
        enum { POINTS = 400 };
        for (int i = 0; i < POINTS; i++) {
            tl_vec3 x;
            do { /* a place of the lattice */
                const tl_vec3 y =
                    tl_vec3_scale(roll_direction(&d), 1 + spacing * roll(&d, 0.3, 1.5));
                x = (tl_vec3){(floor(y.x / spacing) + 0.5) * spacing,
                              (floor(y.y / spacing) + 0.5) * spacing,
                              (floor(y.z / spacing) + 0.5) * spacing};
            } while (tl_vec3_length(x) < 1 + 0.3 * spacing);
            const double off = filling_at(solid, &cover, x, support) / middle - 1;
            sum += off, square += off * off, worst = fmax(worst, fabs(off));
        }
        const double mean = sum / POINTS, spread = sqrt(square / POINTS - mean * mean);
        cr_log_info("support %g: mean %+.4f, spread %.4f, worst %.3f", supports[k], mean, spread,
                    worst);
        cr_assert_lt(fabs(mean), 0.03);
        cr_assert_lt(spread, spreads[k]);
        tl_cover_free(&cover);
        tl_solid_free(solid);
    }
}
