/* See fill.h. A lattice lives in the frame of its shape: a box's lowest corner, a ball's centre,
 * the start of a cylinder's axis, or the middle of a figure's foot. Balls and round sections are
 * cut from a lattice around the centre; of the two that are symmetric about it, the one that meets
 * the volume better is taken. */
#include "scene/fill.h"

#include "base/random.h"
#include "math/pi.h"
#include "math/vec3.h"
#include "scene/gable.h"
#include "scene/shapes.h"

typedef struct lattice {
    double n[3]; /* points along each axis; whole */
    double start[3], step[3];
    bool hexagonal;
    double ball, tube;         /* radius within which points stay; 0: everywhere */
    const tl_body_def *figure; /* within whose limbs points stay; NULL: none */
    tl_vec3 origin, axis[3];
} lattice;

/* Where limbs overlap, it is counted more than once. */
static double limbs_volume(const tl_body_def *b) {
    double volume = 0;
    for (size_t k = 0; k < b->limbs.count; k++) {
        const tl_limb_def *limb = (const tl_limb_def *)b->limbs.items + k;
        const double r = limb->radius, s = limb->end_radius;
        const double length =
            tl_vec3_length(tl_vec3_sub(tl_vec3_of(limb->to), tl_vec3_of(limb->from)));
        volume += TL_PI / 3 * (length * (r * r + r * s + s * s) + 2 * (r * r * r + s * s * s));
    }
    return volume;
}

static double body_volume(const tl_body_def *b) {
    if (b->has_limbs)
        return limbs_volume(b);
    if (tl_form_given(&b->form))
        return b->volume;
    if (b->has_sphere)
        return 4 * TL_PI / 3 * pow(b->sphere.radius, 3);
    if (b->has_cylinder)
        return TL_PI * b->cylinder.radius * b->cylinder.radius *
               tl_vec3_length(
                   tl_vec3_sub(tl_vec3_of(b->cylinder.to), tl_vec3_of(b->cylinder.from)));
    return (b->box.to[0] - b->box.from[0]) * (b->box.to[1] - b->box.from[1]) *
           (b->box.to[2] - b->box.from[2]);
}

double tl_fill_estimate(const tl_body_def *body, double spacing) {
    if (body->has_gable)
        return (double)tl_gable_count(&body->gable);
    if (tl_form_given(&body->form) && body->particles)
        return (double)body->particles;
    return body_volume(body) / (spacing * spacing * spacing);
}

/* Layers along a length, the first half a layer inside. */
static void lay_along(lattice *l, int k, double length) {
    l->n[k] = fmax(1, round(length / l->step[k]));
    l->start[k] = l->step[k] / 2;
}

/* Points on both sides of the middle, with one in it when `odd`. */
static void lay_around(lattice *l, int k, double radius, bool odd) {
    l->n[k] = 2 * ceil(radius / l->step[k]) + odd;
    l->start[k] = -(l->n[k] - 1) / 2 * l->step[k];
}

/* Two unit vectors across w: x and y for the axis z. */
static void make_frame(lattice *l, tl_vec3 w) {
    const tl_vec3 helper = fabs(w.x) > 0.9 ? (tl_vec3){0, 1, 0} : (tl_vec3){1, 0, 0};
    l->axis[2] = w;
    l->axis[0] = tl_vec3_unit(tl_vec3_mad(helper, -tl_vec3_dot(helper, w), w));
    l->axis[1] = tl_vec3_cross(w, l->axis[0]);
}

/* A figure is filled alike to the left and to the right, and upwards from its foot. */
static void lay_figure(lattice *l, const tl_body_def *b) {
    const tl_box_def bounds = tl_body_bounds(b);
    double half[2];
    for (int k = 0; k < 2; k++)
        half[k] = (bounds.to[k] - bounds.from[k]) / 2;
    l->figure = b;
    l->origin = (tl_vec3){bounds.from[0] + half[0], bounds.from[1] + half[1], bounds.from[2]};
    lay_around(l, 0, half[0], false);
    lay_around(l, 1, half[1], false);
    lay_along(l, 2, bounds.to[2] - bounds.from[2]);
}

static lattice make_lattice(const tl_body_def *b, double spacing, bool odd) {
    lattice l = {.step = {spacing, spacing, spacing},
                 .hexagonal = b->fill == TL_FILL_HEXAGONAL,
                 .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (l.hexagonal) { /* neighbours at d, each with the volume d³/√2 = spacing³ */
        const double d = spacing * pow(2, 1.0 / 6);
        l.step[0] = d;
        l.step[1] = d * sqrt(3.0) / 2;
        l.step[2] = d * sqrt(2.0 / 3);
    }
    if (b->has_sphere) {
        l.origin = tl_vec3_of(b->sphere.center);
        l.ball = b->sphere.radius;
        for (int k = 0; k < 3; k++)
            lay_around(&l, k, l.ball, odd);
    } else if (b->has_cylinder) {
        const tl_vec3 from = tl_vec3_of(b->cylinder.from);
        const tl_vec3 along = tl_vec3_sub(tl_vec3_of(b->cylinder.to), from);
        l.origin = from;
        l.tube = b->cylinder.radius;
        make_frame(&l, tl_vec3_unit(along));
        lay_around(&l, 0, l.tube, odd);
        lay_around(&l, 1, l.tube, odd);
        lay_along(&l, 2, tl_vec3_length(along));
    } else if (b->has_limbs) {
        lay_figure(&l, b);
    } else {
        l.origin = tl_vec3_of(b->box.from);
        for (int k = 0; k < 3; k++)
            lay_along(&l, k, b->box.to[k] - b->box.from[k]);
    }
    return l;
}

/* Point (i, j, k) in the frame of the shape. Hexagonal layers are ABAB: rows are shifted by half a
 * step against each other, layers by a third of a row; the shifts are split evenly about the
 * middle so that no face is favoured. */
static tl_vec3 lattice_point(const lattice *l, size_t i, size_t j, size_t k) {
    double x = (double)i, y = (double)j;
    if (l->hexagonal) {
        x += (j + k) % 2 ? 0.25 : -0.25;
        y += k % 2 ? 1.0 / 6 : -1.0 / 6;
    }
    return (tl_vec3){l->start[0] + x * l->step[0], l->start[1] + y * l->step[1],
                     l->start[2] + (double)k * l->step[2]};
}

static void place(const lattice *l, tl_vec3 p, double out[3]) {
    tl_vec3 x = l->origin;
    x = tl_vec3_mad(x, p.x, l->axis[0]);
    x = tl_vec3_mad(x, p.y, l->axis[1]);
    x = tl_vec3_mad(x, p.z, l->axis[2]);
    out[0] = x.x, out[1] = x.y, out[2] = x.z;
}

static bool inside(const lattice *l, tl_vec3 p) {
    if (l->figure) {
        double x[3];
        place(l, p, x);
        return tl_body_depth(l->figure, tl_vec3_of(x)) >= 0;
    }
    const double slack = 1 + 1e-9;
    const double across = p.x * p.x + p.y * p.y;
    return (l->tube == 0 || across <= l->tube * l->tube * slack) &&
           (l->ball == 0 || across + p.z * p.z <= l->ball * l->ball * slack);
}

static size_t count_points(const lattice *l) {
    const size_t n[3] = {(size_t)l->n[0], (size_t)l->n[1], (size_t)l->n[2]};
    if (l->ball == 0 && l->tube == 0 && !l->figure)
        return n[0] * n[1] * n[2];
    size_t count = 0;
    for (size_t k = 0; k < n[2]; k++)
        for (size_t j = 0; j < n[1]; j++)
            for (size_t i = 0; i < n[0]; i++)
                count += inside(l, lattice_point(l, i, j, k));
    return count;
}

static lattice choose_lattice(const tl_body_def *body, double spacing, size_t *count) {
    const lattice even = make_lattice(body, spacing, false);
    *count = count_points(&even);
    if (even.ball == 0 && even.tube == 0)
        return even;
    const lattice odd = make_lattice(body, spacing, true);
    const size_t odd_count = count_points(&odd);
    const double wanted = tl_fill_estimate(body, spacing);
    if (fabs((double)*count - wanted) <= fabs((double)odd_count - wanted) && *count > 0)
        return even;
    *count = odd_count;
    return odd;
}

size_t tl_fill_count(const tl_body_def *body, double spacing) {
    if (body->has_gable)
        return tl_gable_count(&body->gable);
    size_t count;
    choose_lattice(body, spacing, &count);
    return count;
}

void tl_fill_body(const tl_body_def *body, double spacing, uint64_t random, tl_seed *seeds) {
    if (body->has_gable) {
        tl_gable_fill(&body->gable, spacing, seeds);
        return;
    }
    size_t count, made = 0;
    const lattice l = choose_lattice(body, spacing, &count);
    const double shake = body->fill == TL_FILL_JITTERED ? body->jitter * spacing : 0;
    const size_t n[3] = {(size_t)l.n[0], (size_t)l.n[1], (size_t)l.n[2]};
    for (size_t k = 0; k < n[2]; k++)
        for (size_t j = 0; j < n[1]; j++)
            for (size_t i = 0; i < n[0]; i++) {
                const tl_vec3 p = lattice_point(&l, i, j, k);
                if (!inside(&l, p))
                    continue;
                tl_seed *seed = &seeds[made];
                place(&l, p, seed->position);
                for (uint64_t a = 0; a < 3; a++)
                    seed->position[a] += shake * (2 * tl_random_uniform(random, 3 * made + a) - 1);
                made++;
            }
}
