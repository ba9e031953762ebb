/* Visibility: matter gets the light of the solid angle that it fills, and shadows fall. */
#include "heat/visibility.h"
#include "cloud.h"

#include <stdlib.h>

static const double origin[3] = {0};

static double *light_on(const cloud *c, tl_vec3 at, tl_vec3 normal, double detail, double *total) {
    double *parts = calloc(c->count + 1, sizeof *parts);
    tl_visibility v = {0};
    tl_error error = {0};
    const tl_sight sight = {.records = &c->records,
                            .exposed = &c->exposed,
                            .shapes = &c->shapes,
                            .sizes = tl_sizes_alike(cloud_dx, 2 * cloud_dx),
                            .spacing = cloud_dx,
                            .detail = detail};
    const tl_emitter emitter = {at, normal};
    cloud_ok(tl_visibility_gather(&v, &sight, &error), &error);
    cloud_ok(tl_visibility_add(&v, &c->parallel, &sight, &emitter, 1, parts, &error), &error);
    tl_visibility_free(&v);
    *total = 0;
    for (size_t i = 0; i < c->count; i++)
        *total += parts[i];
    return parts;
}

static cloud ball(double radius, const double middle[3], cloud_fill fill, double jitter) {
    cloud c = {0};
    cloud_fill_shape(&c, cloud_ball, (double[3]){radius}, middle, fill, jitter);
    return c;
}

Test(visibility, a_sphere_gets_the_light_of_its_solid_angle) {
    for (int fill = 0; fill < 3; fill++)
        for (int shaken = 0; shaken < 2; shaken++)
            for (double away = 1.3; away < 21; away *= 4) {
                const double r = 12;
                cloud c = ball(r, origin, (cloud_fill)fill, 0.2 * shaken);
                cloud_build(&c, NULL, 0, 2, 1);
                double total;
                const double far = away * r * cloud_dx;
                free(light_on(&c, (tl_vec3){0.36 * far, 0.48 * far, 0.8 * far}, (tl_vec3){0}, 3,
                              &total));
                const double exact = (1 - sqrt(1 - 1 / (away * away))) / 2;
                cr_log_info("fill %d, jitter %g, %g radii: %.4f of the exact part", fill,
                            0.2 * shaken, away, total / exact);
                cr_expect_float_eq(total / exact, 1, 0.02, "%g", total / exact);
                cloud_free(&c);
            }
}

Test(visibility, what_is_behind_gets_nothing) {
    const double front[3] = {0, 0, 20};
    cloud c = ball(6, origin, CLOUD_CUBIC, 0.2);
    const size_t behind = c.count;
    cloud_fill_shape(&c, cloud_ball, (double[3]){8}, front, CLOUD_CUBIC, 0.2);
    cloud_build(&c, NULL, 0, 2, 1);
    double total, hidden = 0;
    double *parts = light_on(&c, (tl_vec3){0, 0, 0.5}, (tl_vec3){0}, 3, &total);
    for (size_t i = 0; i < behind; i++)
        hidden += parts[i];
    cr_expect_gt(total, 0);
    cr_expect_eq(hidden, 0, "%g of %g", hidden, total);
    free(parts);
    cloud_free(&c);
}

/* The far side of a body, and its inside, are dark. */
Test(visibility, a_body_shadows_itself) {
    for (int fill = 0; fill < 3; fill++) {
        cloud c = ball(12, origin, (cloud_fill)fill, 0.2);
        cloud_build(&c, NULL, 0, 2, 1);
        double total, dark = 0, lit = 0;
        double *parts = light_on(&c, (tl_vec3){0, 0, 0.3}, (tl_vec3){0}, 3, &total);
        for (size_t i = 0; i < c.count; i++) {
            const float *x = c.places + 3 * i;
            const double r = sqrt((double)(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
            dark += r < 9.5 * cloud_dx || x[2] < 0 ? parts[i] : 0;
            /* Every particle on top is lit. */
            lit += r > 11.2 * cloud_dx && (double)x[2] > 0.8 * r && parts[i] == 0;
        }
        cr_log_info("fill %d: %.2g of the light below two layers or behind", fill, dark / total);
        cr_expect_lt(dark / total, 2e-3);
        cr_expect_eq(lit, 0, "%g particles on top are dark", lit);
        free(parts);
        cloud_free(&c);
    }
}

Test(visibility, boxes_hide_and_planes_do_not) {
    static const tl_wall_def walls[] = {
        {.plane = TL_SIDE_Z, .at = -0.2},
        {.box = {{-0.3, -0.3, 0.15}, {0.3, 0.3, 0.2}}, .has_box = true, .outside = true}};
    cloud c = ball(8, origin, CLOUD_CUBIC, 0);
    cloud_build(&c, walls, 2, 2, 1);
    double above, below, within, buried;
    free(light_on(&c, (tl_vec3){0, 0, 0.4}, (tl_vec3){0}, 3, &above));
    free(light_on(&c, (tl_vec3){0.2, 0, -0.1}, (tl_vec3){0}, 3, &below));
    free(light_on(&c, (tl_vec3){0.2, 0, 0.17}, (tl_vec3){0}, 3, &within));
    free(light_on(&c, (tl_vec3){0.2, 0, -0.3}, (tl_vec3){0}, 3, &buried));
    cr_expect_eq(above, 0);
    cr_expect_gt(below, 0.03);
    cr_expect_eq(within, 0);
    cr_expect_eq(buried, 0);
    cloud_free(&c);
}

/* The same plate as a box and as a mesh, over one half of the ball, throws the same shadow. */
Test(visibility, meshes_hide_as_boxes_do) {
    tl_wall_def box = {.box = {{0, -0.3, 0.15}, {0.3, 0.3, 0.2}}, .has_box = true, .outside = true};
    tl_wall_def mesh = {.form = {.has_rounded_box = true,
                                 .scale = 1,
                                 .rounded_box = {{0, -0.3, 0.15}, {0.3, 0.3, 0.2}, 1e-5}}};
    tl_error error = {0};
    cr_assert_eq(tl_form_make(&mesh.form, cloud_dx, &mesh.mesh, &error), TL_OK);
    cr_assert_eq(tl_solid_make(&mesh.mesh, &mesh.solid, &error), TL_OK);
    double total[3];
    for (int k = 0; k < 3; k++) {
        cloud c = ball(8, origin, CLOUD_CUBIC, 0);
        cloud_build(&c, k == 1 ? &box : &mesh, k > 0, 2, 1);
        free(light_on(&c, (tl_vec3){0, 0, 0.4}, (tl_vec3){0}, 3, &total[k]));
        cloud_free(&c);
    }
    cr_expect(total[1] > 0.4 * total[0] && total[1] < 0.6 * total[0], "%g %g", total[0], total[1]);
    cr_expect_float_eq(total[2], total[1], 1e-3 * total[1], "%g %g", total[1], total[2]);
    tl_solid_free(mesh.solid);
    tl_mesh_free(&mesh.mesh);
}

/* A source in the matter, at a particle's very place, or at its surface. */
Test(visibility, a_source_in_the_matter_gives_all_and_no_more) {
    cloud c = ball(8, origin, CLOUD_CUBIC, 0.2);
    cloud_build(&c, NULL, 0, 2, 1);
    const float *x = c.places;
    const tl_vec3 places[] = {
        {0, 0, 0}, {0.003, 0.002, 0.001}, {(double)x[0], (double)x[1], (double)x[2]}};
    for (size_t k = 0; k < 3; k++) {
        double total;
        double *parts = light_on(&c, places[k], (tl_vec3){0}, 3, &total);
        cr_expect_leq(total, 1 + 1e-12);
        cr_expect(isfinite(total));
        if (k < 2)
            cr_expect_gt(total, 0.995, "%g", total);
        free(parts);
    }
    cloud_free(&c);
}

/* Light by the cosine law: a sphere straight ahead gets sin² of its half angle, one behind
 * nothing. */
Test(visibility, a_surface_gives_light_by_the_cosine_law) {
    cloud c = ball(12, origin, CLOUD_TURNED, 0);
    cloud_build(&c, NULL, 0, 2, 1);
    double ahead, back;
    free(light_on(&c, (tl_vec3){0, 0, 0.2}, (tl_vec3){0, 0, -1}, 3, &ahead));
    free(light_on(&c, (tl_vec3){0, 0, 0.2}, (tl_vec3){0, 0, 1}, 3, &back));
    const double exact = 0.12 * 0.12 / (0.2 * 0.2);
    cr_log_info("straight ahead: %.4f of the exact part", ahead / exact);
    cr_expect_float_eq(ahead / exact, 1, 0.02);
    cr_expect_eq(back, 0);
    cloud_free(&c);
}

/* Solid angle of a rectangle from straight above one of its corners. */
static double corner_angle(double a, double b, double height) {
    return atan(a * b / (height * sqrt(a * a + b * b + height * height)));
}

/* A plate of n x n particles, seen from a height of its own width: the part of the exact light on
 * it as a whole, and on each particle in its middle as mean and spread. */
static void light_plate(int n, double *whole, double *mean, double *spread) {
    cloud c = {0};
    cloud_fill_shape(&c, cloud_box, (double[3]){n, n, 4}, origin, CLOUD_CUBIC, 0);
    cloud_build(&c, NULL, 0, 2, 1);
    const double size = n * cloud_dx, at[2] = {0.043 * size, 0.023 * size};
    double total, square = 0, sum = 0, count = 0;
    double *parts = light_on(&c, (tl_vec3){at[0], at[1], 0.02 + size}, (tl_vec3){0}, 3, &total);
    for (size_t i = 0; i < c.count; i++) {
        const float *x = c.places + 3 * i;
        const double dx = (double)x[0] - at[0], dy = (double)x[1] - at[1];
        if (fabs(dx) > 0.3 * size || fabs(dy) > 0.3 * size || x[2] < 0.01f)
            continue;
        const double r2 = dx * dx + dy * dy + size * size;
        const double exact = cloud_dx * cloud_dx * size / (4 * TL_PI * r2 * sqrt(r2));
        sum += parts[i] / exact;
        square += pow(parts[i] / exact - 1, 2), count++;
    }
    const double a[2] = {size / 2 - at[0], size / 2 + at[0]},
                 b[2] = {size / 2 - at[1], size / 2 + at[1]};
    double exact = 0;
    for (int k = 0; k < 4; k++)
        exact += corner_angle(a[k & 1], b[k >> 1], size) / (4 * TL_PI);
    *whole = total / exact, *mean = sum / count, *spread = sqrt(square / count);
    free(parts);
    cloud_free(&c);
}

/* Sharp edges are rounded off by a quarter of a spacing, and the face between them is found a sixth
 * of a spacing too low, at the mean height of its balls: errors of first order. */
Test(visibility, a_flat_face_is_lit_evenly) {
    double error[2];
    for (int k = 0; k < 2; k++) {
        double whole, mean, spread;
        light_plate(30 << k, &whole, &mean, &spread);
        cr_log_info("%d wide: %.4f of the exact light; a particle gets %.3f, spread %.3f", 30 << k,
                    whole, mean, spread);
        error[k] = 1 - whole;
        cr_expect_float_eq(mean, 1, 0.04, "%g", mean);
        cr_expect_lt(spread, 0.2, "%g", spread);
    }
    cr_expect_lt(fabs(error[1]), 0.025, "%g", error[1]);
    cr_expect_lt(fabs(error[1]), 0.6 * fabs(error[0]), "%g after %g", error[1], error[0]);
}

Test(visibility, any_number_of_threads_gives_the_same_bits) {
    cloud c = ball(14, origin, CLOUD_CLOSE, 0.2);
    cloud_build(&c, NULL, 0, 2, 1);
    double total;
    double *one = light_on(&c, (tl_vec3){0, 0.1, 0.16}, (tl_vec3){0}, 3, &total);
    c.parallel = tl_parallel_adverse(4);
    double *four = light_on(&c, (tl_vec3){0, 0.1, 0.16}, (tl_vec3){0}, 3, &total);
    cr_expect_eq(memcmp(one, four, c.count * sizeof *one), 0);
    free(one);
    free(four);
    cloud_free(&c);
}

/* Rounding of edges and gaps between balls are parts of a spacing: they fade as a body has more. */
Test(visibility, a_hundred_thousand_are_lit_better_than_a_thousand) {
    static const double radii[] = {6, 29};
    double error[2] = {0};
    for (int k = 0; k < 2; k++) {
        cloud c = ball(radii[k], origin, CLOUD_CUBIC, 0.2);
        cloud_build(&c, NULL, 0, 2, 1);
        for (double away = 1.2; away < 20; away *= 4) {
            double total;
            free(
                light_on(&c, (tl_vec3){0, 0, away * radii[k] * cloud_dx}, (tl_vec3){0}, 3, &total));
            const double exact = (1 - sqrt(1 - 1 / (away * away))) / 2;
            error[k] = fmax(error[k], fabs(total / exact - 1));
        }
        cr_log_info("%zu particles: %.4f off at most", c.count, error[k]);
        cloud_free(&c);
    }
    cr_expect_lt(error[1], 0.01, "%g", error[1]);
    cr_expect_lt(error[1], 0.7 * error[0], "%g after %g", error[1], error[0]);
}
