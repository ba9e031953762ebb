/* Light of sources on matter: how much arrives, and where shadows are. */
#include "heat/radiation.h"
#include "cloud.h"

#include <stdlib.h>

static const double origin[3] = {0};

static double *light_of(const cloud *c, const tl_source_def *source, double *total) {
    double *parts = calloc(c->count + 1, sizeof *parts);
    tl_radiation r = {0};
    tl_error error = {0};
    const tl_sight sight = {.records = &c->records,
                            .exposed = &c->exposed,
                            .shapes = &c->shapes,
                            .sizes = tl_sizes_alike(cloud_dx, 2 * cloud_dx),
                            .spacing = cloud_dx};
    cloud_ok(tl_radiation_add(&r, &c->parallel, &sight, source, tl_source_place(source, 0), 1,
                              parts, &error),
             &error);
    tl_radiation_free(&r);
    *total = 0;
    for (size_t i = 0; i < c->count; i++)
        *total += parts[i];
    return parts;
}

static cloud ball_of(double radius, double jitter) {
    cloud c = {0};
    cloud_fill_shape(&c, cloud_ball, (double[3]){radius}, origin, CLOUD_CUBIC, jitter);
    cloud_build(&c, NULL, 0, 2, 1);
    return c;
}

Test(radiation, a_sphere_takes_the_solid_angle_it_fills) {
    cloud c = ball_of(12, 0.2);
    for (double away = 0.16; away < 2; away *= 3) {
        const tl_source_def point = {.position = {0.6 * away, 0, 0.8 * away}};
        tl_source_def sphere = point;
        sphere.shape = TL_SOURCE_SPHERE, sphere.radius = 0.02;
        double of_point, of_sphere;
        free(light_of(&c, &point, &of_point));
        free(light_of(&c, &sphere, &of_sphere));
        const double exact = (1 - sqrt(1 - pow(0.12 / away, 2))) / 2;
        cr_log_info("from %g m: point %.4f, sphere %.4f of the exact part", away, of_point / exact,
                    of_sphere / exact);
        cr_expect_float_eq(of_point / exact, 1, 0.02, "%g", of_point / exact);
        cr_expect_float_eq(of_sphere / exact, 1, away < 0.3 ? 0.04 : 0.02, "%g", of_sphere / exact);
    }
    cloud_free(&c);
}

/* A ball ahead of a disc: F = ∫ cos² over the disc; a small disc is a point of the cosine law. */
Test(radiation, a_disc_shines_to_one_side) {
    cloud c = ball_of(12, 0);
    const tl_source_def disc = {
        .shape = TL_SOURCE_DISC, .position = {0, 0, 0.4}, .normal = {0, 0, -3}, .radius = 0.01};
    tl_source_def away = disc;
    away.normal[2] = 1;
    double ahead, back;
    free(light_of(&c, &disc, &ahead));
    free(light_of(&c, &away, &back));
    const double exact = pow(0.12 / 0.4, 2);
    cr_log_info("disc: %.4f of the exact part", ahead / exact);
    cr_expect_float_eq(ahead / exact, 1, 0.02, "%g", ahead / exact);
    cr_expect_eq(back, 0);
    cloud_free(&c);
}

/* Behind an edge the light of a sphere fades; that of a point ends. The part of a sphere that is
 * seen past the edge is that of its disc. */
Test(radiation, shadows_of_a_sphere_are_soft) {
    static const tl_wall_def edge[] = {
        {.box = {{-1, -1, 0.2}, {0, 1, 0.21}}, .has_box = true, .outside = true}};
    cloud c = {0};
    cloud_fill_shape(&c, cloud_box, (double[3]){40, 6, 3}, origin, CLOUD_CUBIC, 0);
    cloud_build(&c, edge, 1, 2, 1);
    tl_source_def source = {.shape = TL_SOURCE_SPHERE, .position = {0, 0, 0.4}, .radius = 0.06};
    double total, error = 0;
    double *soft = light_of(&c, &source, &total);
    cloud open = {0};
    cloud_fill_shape(&open, cloud_box, (double[3]){40, 6, 3}, origin, CLOUD_CUBIC, 0);
    cloud_build(&open, NULL, 0, 2, 1);
    double *lit = light_of(&open, &source, &total);
    for (double x = -0.15; x < 0.16; x += 0.03) {
        double with = 0, without = 0;
        for (size_t i = 0; i < c.count; i++)
            if (fabs((double)c.places[3 * i] - x) < 0.0151)
                with += soft[i], without += lit[i];
        /* Where the nearer corner of the edge cuts the disc, seen from the plate's top. */
        const double across = x < 0 ? -x * 0.2 / 0.185 : -x * 0.19 / 0.195;
        const double cut = fmin(fmax(across / 0.06, -1), 1);
        const double exact = 0.5 - (asin(cut) + cut * sqrt(1 - cut * cut)) / TL_PI;
        cr_log_info("at %5.2f m: %.2f seen, exact %.2f", x, with / without, exact);
        error = fmax(error, fabs(with / without - exact));
    }
    cr_expect_lt(error, 0.1, "%g", error);
    free(soft);
    free(lit);
    cloud_free(&c);
    cloud_free(&open);
}

Test(radiation, a_sphere_behind_another_gets_nothing) {
    cloud c = {0};
    cloud_fill_shape(&c, cloud_ball, (double[3]){5}, origin, CLOUD_CUBIC, 0.2);
    const size_t behind = c.count;
    cloud_fill_shape(&c, cloud_ball, (double[3]){9}, (double[3]){0, 0, 20}, CLOUD_CUBIC, 0.2);
    cloud_build(&c, NULL, 0, 2, 1);
    const tl_source_def source = {
        .shape = TL_SOURCE_SPHERE, .position = {0, 0, 0.6}, .radius = 0.03};
    double total, hidden = 0;
    double *parts = light_of(&c, &source, &total);
    for (size_t i = 0; i < behind; i++)
        hidden += parts[i];
    cr_expect_gt(total, 0.01);
    cr_expect_eq(hidden, 0);
    free(parts);
    cloud_free(&c);
}

/* Wherever the source is, also at a particle's very place, all stays finite and no more arrives
 * than was given. */
Test(radiation, no_more_arrives_than_was_given) {
    cloud c = ball_of(8, 0.2);
    for (int k = 0; k < 24; k++) {
        const float *x = c.places + 3 * (c.count * (size_t)k / 24);
        tl_source_def source = {.shape = k % 3,
                                .position = {(double)x[0], (double)x[1], (double)x[2]},
                                .normal = {0, 0, 1},
                                .radius = k % 2 ? 0.01 : 0.1,
                                .fall_off = k / 3 % 3,
                                .reach = 0.15};
        double total;
        double *parts = light_of(&c, &source, &total);
        cr_expect(isfinite(total) && total >= 0 && total <= 1 + 1e-12, "%g from shape %d", total,
                  source.shape);
        free(parts);
    }
    cloud_free(&c);
}

/* A plane at the source takes everything within the kernel's reach, whatever the spacing. */
Test(radiation, the_kernel_gives_a_plane_all) {
    cloud c = {0};
    cloud_fill_shape(&c, cloud_box, (double[3]){40, 40, 3}, origin, CLOUD_CUBIC, 0.2);
    cloud_build(&c, NULL, 0, 2, 1);
    tl_source_def source = {
        .position = {0, 0, 0.04}, .fall_off = TL_FALL_OFF_KERNEL, .reach = 0.18};
    double total, exact = 0;
    free(light_of(&c, &source, &total));
    /* ∫ 2π ρ q dρ over the plane that lies 2.5 spacings below, r² = ρ² + h². */
    for (double r = 0.025; r < 0.18; r += 1e-5)
        exact += 2 * TL_PI * r * 1e-5 * 10 / (TL_PI * 0.18 * 0.18) * pow(1 - r / 0.18, 3);
    cr_log_info("kernel: %.3f, exact %.3f", total, exact);
    cr_expect_float_eq(total / exact, 1, 0.05, "%g", total / exact);
    cloud_free(&c);
}
