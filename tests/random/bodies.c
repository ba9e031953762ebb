/* Bodies of random scenes, of every shape and fill, laid one above the other. */
#include "plan.h"

typedef struct size {
    double across, half; /* spacings: radius about the vertical, and half the height */
} size;

/* Prints a shape of about `volume` cubic spacings with its middle at x, y, z. */
typedef struct place {
    double x, y, z;
} place;

static void print_point(plan *p, const char *key, double x, double y, double z) {
    tl_text_print(&p->bodies, "%s: [%.6g, %.6g, %.6g]", key, p->dx * x, p->dx * y, p->dx * z);
}

/* Half the edges of a box, mostly such that those are whole. */
static void draw_edges(plan *p, double volume, double half[3]) {
    dice *d = &p->dice;
    const double flat = spread(d, 0.4, 2.5), wide = spread(d, 0.6, 1.7);
    const double edge = cbrt(volume);
    const double edges[3] = {edge * wide / sqrt(flat), edge / wide / sqrt(flat), edge * flat};
    const bool whole = chance(d, 0.7);
    for (int k = 0; k < 3; k++)
        half[k] = 0.5 * fmax(2, whole ? round(edges[k]) : edges[k]);
}

/* Radius and half the length of what is drawn out along an axis. */
static void draw_bar(plan *p, double volume, double *radius, double *half) {
    const double slender = spread(&p->dice, 0.5, 3);
    *radius = fmax(1.2, cbrt(volume / (2 * M_PI * slender)));
    *half = slender * *radius;
}

typedef struct shape {
    enum { BOX, SPHERE, CYLINDER, LIMBS, CONE, CAPSULE, TORUS, ROUNDED_BOX, TEXT, GROUND } kind;
    double half[3];
    double radius, other;
    double turn[3]; /* rad, of forms */
    bool lies;      /* its axis is x, not z */
} shape;

static size size_of_bar(const shape *s, double half) {
    return s->lies ? (size){sqrt(half * half + s->radius * s->radius), s->radius}
                   : (size){s->radius, half};
}

static size draw_shape(plan *p, double volume, bool rigid, shape *s) {
    dice *d = &p->dice;
    do
        s->kind = pick(d, 10);
    while (rigid && s->kind == LIMBS);
    s->lies = chance(d, 0.4);
    switch (s->kind) {
    case SPHERE:
        s->radius = fmax(1.5, cbrt(0.75 / M_PI * volume));
        return (size){s->radius, s->radius};
    case CYLINDER: draw_bar(p, volume, &s->radius, &s->half[2]); return size_of_bar(s, s->half[2]);
    case CAPSULE:
        draw_bar(p, 0.6 * volume, &s->radius, &s->half[2]);
        return size_of_bar(s, s->half[2] + s->radius);
    case CONE:
        draw_bar(p, 1.8 * volume, &s->radius, &s->half[2]);
        s->radius = fmax(s->radius, 2);
        s->other = chance(d, 0.5) ? 0 : between(d, 0.2, 1) * s->radius;
        return size_of_bar(s, s->half[2]);
    case LIMBS:
        draw_bar(p, 0.5 * volume, &s->radius, &s->half[2]);
        return (size){s->half[2] + 2 * s->radius, s->half[2] + s->radius};
    case TORUS:
        s->other = fmax(1.3, cbrt(volume / (2 * M_PI * M_PI * 2.5)));
        s->radius = fmax(volume / (2 * M_PI * M_PI * s->other * s->other), s->other + 1);
        return s->lies ? (size){s->radius + s->other, s->radius + s->other}
                       : (size){s->radius + s->other, s->other};
    case TEXT:
        s->half[2] = fmax(3.5, cbrt(volume / 8));
        s->other = fmax(2, volume / (2 * s->half[2] * s->half[2]));
        return (size){2.8 * s->half[2] + 0.5 * s->other, 1.2 * s->half[2]};
    default:
        draw_edges(p, volume, s->half);
        if (s->kind == ROUNDED_BOX)
            for (int k = 0; k < 3; k++)
                s->half[k] = fmax(s->half[k], 1.5);
        s->radius = between(d, 0.2, 0.9) * fmin(fmin(s->half[0], s->half[1]), s->half[2]);
        return (size){hypot(s->half[0], s->half[1]), s->half[2]};
    }
}

static void print_corners(plan *p, const shape *s, place c) {
    print_point(p, "from", c.x - s->half[0], c.y - s->half[1], c.z - s->half[2]);
    tl_text_print(&p->bodies, ", ");
    print_point(p, "to", c.x + s->half[0], c.y + s->half[1], c.z + s->half[2]);
}

static void print_ends(plan *p, const shape *s, place c) {
    const double x = s->lies ? s->half[2] : 0, z = s->lies ? 0 : s->half[2];
    print_point(p, "from", c.x - x, c.y, c.z - z);
    tl_text_print(&p->bodies, ", ");
    print_point(p, "to", c.x + x, c.y, c.z + z);
    tl_text_print(&p->bodies, ", radius: %.6g", p->dx * s->radius);
}

static void print_limbs(plan *p, const shape *s, place c) {
    tl_text_print(&p->bodies, "limbs: [{");
    print_ends(p, s, c);
    tl_text_print(&p->bodies, "}, {");
    print_point(p, "from", c.x, c.y - s->half[2], c.z);
    tl_text_print(&p->bodies, ", ");
    print_point(p, "to", c.x, c.y + s->half[2], c.z);
    tl_text_print(&p->bodies, ", radius: %.6g, end_radius: %.6g}]", p->dx * s->radius,
                  0.7 * p->dx * s->radius);
}

static void print_shape(plan *p, const shape *s, place c) {
    static const char *const words[] = {"box",     "sphere", "cylinder",    "limbs", "cone",
                                        "capsule", "torus",  "rounded_box", "text",  "terrain"};
    static const char *const letters[] = {"T", "OK", "X", "U", "I", "WAX"};
    tl_text *t = &p->bodies;
    if (s->kind == LIMBS) {
        print_limbs(p, s, c);
        return;
    }
    tl_text_print(t, "%s: {", words[s->kind]);
    switch (s->kind) {
    case SPHERE:
        print_point(p, "center", c.x, c.y, c.z);
        tl_text_print(t, ", radius: %.6g", p->dx * s->radius);
        break;
    case TORUS:
        print_point(p, "center", c.x, c.y, c.z);
        tl_text_print(t, ", axis: %s, radius: %.6g, tube_radius: %.6g",
                      s->lies ? "[0, 1, 0]" : "[0, 0, 1]", p->dx * s->radius, p->dx * s->other);
        break;
    case TEXT:
        tl_text_print(t, "text: %s, height: %.6g, depth: %.6g", ONE_OF(&p->dice, letters),
                      2 * p->dx * s->half[2], p->dx * s->other);
        break;
    case CYLINDER:
    case CONE:
    case CAPSULE:
        print_ends(p, s, c);
        if (s->kind == CONE)
            tl_text_print(t, ", end_radius: %.6g", p->dx * s->other);
        break;
    default:
        print_corners(p, s, c);
        if (s->kind == ROUNDED_BOX)
            tl_text_print(t, ", radius: %.6g", p->dx * s->radius);
        if (s->kind == GROUND)
            tl_text_print(t, ", thickness: %.6g, seed: %zu", 1.5 * p->dx, pick(&p->dice, 100));
    }
    tl_text_print(t, "}");
    if (s->kind == TEXT) {
        tl_text_print(t, ", ");
        print_point(p, "foot", c.x, c.y, c.z - s->half[2]);
    }
}

static void print_temperature(plan *p, const matter *m, bool has_source) {
    dice *d = &p->dice;
    tl_text *t = &p->bodies;
    const double one = between(d, m->cold, m->hot), other = between(d, m->cold, m->hot);
    switch (pick(d, 6)) {
    case 0:
        tl_text_print(t, ", temperature: {along: %c, from: %.4g, to: %.4g}", "xyz"[pick(d, 3)], one,
                      other);
        break;
    case 1:
        tl_text_print(t, ", temperature: {radius: %.4g, from: %.4g, to: %.4g}", 4 * p->dx, one,
                      other);
        break;
    case 2:
        if (has_source) {
            tl_text_print(t, ", temperature: {source: flame, from: %.4g, to: %.4g}", one, other);
            break;
        } /* fall through */
    default: tl_text_print(t, ", temperature: %.4g", one);
    }
}

static void print_motion(plan *p, double across) {
    dice *d = &p->dice;
    const double fall = sqrt(2 * 9.81 * 10 * p->dx);
    if (chance(d, 0.35))
        tl_text_print(&p->bodies, ", velocity: [%.4g, %.4g, %.4g]", fall * between(d, -0.5, 0.5),
                      fall * between(d, -0.5, 0.5), fall * between(d, -1.5, 0.3));
    if (chance(d, 0.25)) {
        const double rate = fall / (across * p->dx);
        tl_text_print(&p->bodies, ", spin: [%.4g, %.4g, %.4g]", rate * between(d, -1, 1),
                      rate * between(d, -1, 1), rate * between(d, -1, 1));
    }
}

static void lay_body(plan *p, double volume) {
    static const char *const fills[] = {"cubic", "hexagonal", "jittered", "relaxed", "conforming"};
    dice *d = &p->dice;
    const matter *m = &p->matter[pick(d, p->matters)];
    const bool rigid = p->rigid && chance(d, 0.4), touches = chance(d, 0.35);
    shape s = {0};
    const size extent = draw_shape(p, volume, rigid, &s);
    const double shift = chance(d, 0.5) ? 0 : between(d, 0, 0.4) * extent.across;
    const double gap = touches && s.kind != TEXT && s.kind != GROUND ? 0 : spread(d, 0.6, 8);
    double sole = extent.half;
    if (s.kind == GROUND)
        sole += 1.5;
    const place c = {shift, 0, p->top + gap + sole};
    tl_text_print(&p->bodies, "  - {material: %s, ", m->name);
    print_shape(p, &s, c);
    if (chance(d, 0.4))
        tl_text_print(&p->bodies, ", fill: %s", ONE_OF(d, fills));
    if (rigid)
        tl_text_print(&p->bodies, ", rigid: true, friction: %.3g, bounce: %.3g", between(d, 0, 1),
                      chance(d, 0.5) ? 0 : between(d, 0, 1));
    print_motion(p, extent.across);
    print_temperature(p, m, p->sources.length > 0);
    tl_text_print(&p->bodies, "}\n");
    p->radius = fmax(p->radius, shift + extent.across);
    p->top = c.z + extent.half;
}

void plan_bodies(plan *p) {
    const size_t count = 1 + pick(&p->dice, 3);
    double left = p->particles;
    for (size_t k = 0; k < count; k++) {
        const double volume =
            k + 1 == count ? left : fmin(left, p->particles * between(&p->dice, 0.2, 0.6));
        if (volume >= 25)
            lay_body(p, volume);
        left -= volume;
    }
}
