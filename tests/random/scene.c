/* See scene.h. */
#include "scene.h"

#include "plan.h"

#include <stdlib.h>

/* ---- Flow --------------------------------------------------------------------------------------
 */

/* Steps that the explicit scheme needs for the stiffest matter there is. */
static double explicit_steps(const plan *p) {
    double steps = 0;
    for (size_t k = 0; k < p->matters; k++)
        steps = fmax(steps, p->matter[k].stiff / p->matter[k].density * p->duration * 8.2 /
                                (1.2 * p->dx * p->dx));
    return steps;
}

/* Mostly as it comes: few scenes say how they are to be solved. */
static void print_flow(plan *p, tl_text *t) {
    dice *d = &p->dice;
    static const char *const kernels[] = {"wendland", "quintic", "quartic", "cubic"};
    static const char *const forms[] = {"automatic", "complete", "pairwise"};
    static const char *const searches[] = {"octree", "kdtree", "brute"};
    const bool thin = explicit_steps(p) < 2000;
    const double kind = between(d, 0, 1);
    if (kind < 0.5)
        return;
    if (kind < 0.75)
        tl_text_print(t, "flow: {scheme: coupled");
    else if (kind < 0.8)
        tl_text_print(t, "flow: {scheme: split");
    else if (kind < 0.85)
        tl_text_print(t, "flow: {scheme: incremental");
    else if (thin)
        tl_text_print(t, "flow: {scheme: explicit, viscosity: %s", ONE_OF(d, forms));
    else
        tl_text_print(t, "flow: {scheme: automatic");
    switch (pick(d, 10)) {
    case 0: tl_text_print(t, ", kernel: %s", ONE_OF(d, kernels)); break;
    case 1: tl_text_print(t, ", support: %.3g", between(d, 2, 3)); break;
    case 2: tl_text_print(t, ", neighbors: %s", ONE_OF(d, searches)); break;
    case 3: tl_text_print(t, ", xsph: %.3g", between(d, 0, 0.2)); break;
    case 4: tl_text_print(t, ", motion: %.3g", between(d, 0.1, 0.5)); break;
    case 5: tl_text_print(t, ", tolerance: %.3g", spread(d, 1e-3, 0.05)); break;
    default: break;
    }
    tl_text_print(t, "}\n");
}

/* ---- Heat, emitters, drains --------------------------------------------------------------------
 */

static void print_heat(plan *p, tl_text *t) {
    dice *d = &p->dice;
    static const char *const schemes[] = {"automatic", "explicit", "implicit"};
    tl_text_print(t, "heat: {speed: %.4g", chance(d, 0.3) ? 1 : spread(d, 1, 1000));
    if (chance(d, 0.3))
        tl_text_print(t, ", scheme: %s", ONE_OF(d, schemes));
    if (chance(d, 0.5)) {
        tl_text_print(t, ", ambient: %.4g", between(d, p->matter[0].cold - 20, p->matter[0].hot));
        if (chance(d, 0.7))
            tl_text_print(t, ", convection: %.4g", spread(d, 2, 200));
    }
    if (chance(d, 0.2))
        tl_text_print(t, ", viscous_heating: true");
    tl_text_print(t, "}\n");
}

/* A flame beside what there will be, that can warm all of it by some ten degrees. */
static void plan_source(plan *p) {
    dice *d = &p->dice;
    const matter *m = &p->matter[0];
    static const char *const shapes[] = {"",
                                         ", shape: sphere, radius: ", ", shape: disc, radius: "};
    const double mass = p->particles * m->density * pow(p->dx, 3);
    const double power = mass * m->specific_heat * spread(d, 5, 200) / p->duration;
    const size_t shape = pick(d, 3);
    tl_text_print(&p->sources, "  - {name: flame, position: [%.6g, 0, %.6g], power: %.4g",
                  p->dx * between(d, 28, 40), p->dx * between(d, 3, 12), power);
    tl_text_print(&p->sources, "%s", shapes[shape]);
    if (shape > 0)
        tl_text_print(&p->sources, "%.4g", p->dx * between(d, 0.5, 2));
    if (shape == 2)
        tl_text_print(&p->sources, ", normal: [-1, 0, 0]");
    if (shape == 0 && chance(d, 0.2))
        tl_text_print(&p->sources, ", fall_off: kernel, reach: %.4g", 100 * p->dx);
    tl_text_print(&p->sources, "}\n");
}

/* A nozzle over all that was laid. */
static void plan_emitter(plan *p) {
    dice *d = &p->dice;
    const matter *m = &p->matter[pick(d, p->matters)];
    const double r = between(d, 1.2, 3), speed = spread(d, 3, 40) * p->dx / p->duration;
    const double mouth = p->top + between(d, 5, 8), tilt = chance(d, 0.6) ? 0 : between(d, -1, 1);
    tl_text *t = &p->emitters;
    tl_text_print(t, "  - {material: %s, ", m->name);
    if (chance(d, 0.6))
        tl_text_print(t, "disc: {center: [0, 0, %.6g], direction: [%.3g, 0, -1], radius: %.6g}",
                      p->dx * mouth, tilt, p->dx * r);
    else
        tl_text_print(t,
                      "rectangle: {center: [0, 0, %.6g], direction: [%.3g, 0, -1], width: %.6g, "
                      "height: %.6g}",
                      p->dx * mouth, tilt, 2 * p->dx * r, 1.5 * p->dx * r);
    if (chance(d, 0.3))
        tl_text_print(t, ", speed: [[0, 0], [%.4g, %.4g]]", 0.5 * p->duration, speed);
    else
        tl_text_print(t, ", speed: %.4g", speed);
    if (chance(d, 0.4))
        tl_text_print(t, ", until: %.4g", p->duration * between(d, 0.2, 0.9));
    tl_text_print(t, ", limit: %.4g, temperature: %.4g}\n", 400 * pow(p->dx, 3),
                  between(d, m->cold, m->hot));
    p->radius = fmax(p->radius, 1.5 * r + 4);
    p->top = mouth + 1 + 1.5 * r;
}

static void plan_drain(plan *p) {
    dice *d = &p->dice;
    tl_text *t = &p->drains;
    const double r = p->radius;
    if (chance(d, 0.5))
        tl_text_print(t, "  - {name: sink, sphere: {center: [%.6g, 0, 0], radius: %.6g}}\n",
                      p->dx * between(d, 0, r), p->dx * between(d, 1, 3));
    else
        tl_text_print(t,
                      "  - {name: far, outside: true, box: {from: [%.6g, %.6g, %.6g], to: [%.6g, "
                      "%.6g, %.6g]}}\n",
                      -p->dx * (r + 3), -p->dx * (r + 3), -p->dx * 50, p->dx * (r + 3),
                      p->dx * (r + 3), p->dx * (p->top + 20));
}

/* ---- Putting together --------------------------------------------------------------------------
 */

static void print_list(tl_text *t, const char *key, tl_text *items) {
    if (items->length > 0)
        tl_text_print(t, "%s:\n%s", key, items->bytes);
    t->failed = t->failed || items->failed;
    free(items->bytes);
}

/* The text, or NULL if there was not enough memory for it. */
static char *whole(tl_text *t) {
    if (t->failed)
        free(t->bytes);
    return t->failed ? NULL : t->bytes;
}

static void print_head(plan *p, tl_text *t, uint64_t seed) {
    dice *d = &p->dice;
    tl_text_print(t, "title: Random scene %llu\n", (unsigned long long)seed);
    tl_text_print(t, "spacing: %.6g\nduration: %.4g\nframe_rate: %.4g\nseed: %llu\n", p->dx,
                  p->duration, between(d, 3, 12) / p->duration, (unsigned long long)seed);
    if (p->weightless)
        tl_text_print(t, "gravity: [0, 0, 0]\n");
    else if (chance(d, 0.1))
        tl_text_print(t, "gravity: [%.3g, %.3g, -%.3g]\n", between(d, -4, 4), between(d, -4, 4),
                      between(d, 1.6, 9));
    if (p->stage == STAGE_PERIODIC) {
        const double r = fmax(p->radius + 1, 4);
        tl_text_print(t,
                      "periodic: {x: true%s, box: {from: [%.6g, %.6g, 0], to: [%.6g, %.6g, "
                      "%.6g]}}\n",
                      chance(d, 0.5) ? ", y: true" : "", -p->dx * r, -p->dx * r, p->dx * r,
                      p->dx * r, p->dx * (p->top + 10));
    }
}

static void draw_plan(plan *p) {
    dice *d = &p->dice;
    p->dx = chance(d, 0.1) ? spread(d, 0.02, 0.3) : spread(d, 5e-4, 0.02);
    p->particles = spread(d, 80, 700);
    p->duration = sqrt(2 * 25 * p->dx / 9.81) * between(d, 0.8, 3);
    p->stage = pick(d, STAGES);
    p->heat = chance(d, 0.45);
    p->rigid = p->stage != STAGE_PERIODIC && chance(d, 0.3);
    p->weightless = chance(d, 0.05);
}

/* What stands in the way is laid first, what holds all of it last. */
static char *random_flow(uint64_t seed, dice d) {
    plan p = {.dice = d};
    tl_text head = {0};
    draw_plan(&p);
    plan_materials(&p);
    if (p.heat && !stage_is_vessel(p.stage) && p.stage != STAGE_SLOPE && chance(&p.dice, 0.6))
        plan_source(&p);
    const bool still =
        p.heat && p.stage != STAGE_AIR && p.stage != STAGE_TERRAIN && chance(&p.dice, 0.08);
    if (p.stage == STAGE_AIR || (p.stage != STAGE_PERIODIC && chance(&p.dice, 0.3)))
        plan_obstacle(&p);
    plan_bodies(&p);
    if (!still && !stage_is_closed(p.stage) && chance(&p.dice, 0.25))
        plan_emitter(&p);
    if (!still && chance(&p.dice, 0.12))
        plan_drain(&p);
    plan_walls(&p);
    print_head(&p, &head, seed);
    if (still)
        tl_text_print(&head, "flow: {scheme: none}\n");
    else
        print_flow(&p, &head);
    if (p.heat)
        print_heat(&p, &head);
    print_list(&head, "materials", &p.materials);
    print_list(&head, "bodies", &p.bodies);
    print_list(&head, "walls", &p.walls);
    print_list(&head, "sources", &p.sources);
    print_list(&head, "emitters", &p.emitters);
    print_list(&head, "drains", &p.drains);
    return whole(&head);
}

/* ---- Thermal particles -------------------------------------------------------------------------
 */

/* Bonds that carry some layers of particles, cold enough to hold. */
typedef struct bonds {
    dice dice;
    double dx, gravity, density, energy, duration, half; /* half the width in spacings */
    int repulsion, attraction;
} bonds;

static bonds draw_bonds(dice d) {
    static const int exponents[][2] = {{4, 2}, {8, 6}, {12, 6}, {9, 5}};
    bonds b = {.dx = spread(&d, 0.01, 1), .gravity = spread(&d, 0.5, 10)};
    b.density = spread(&d, 1, 2000);
    const double mass = b.density * pow(b.dx, 3);
    b.energy = mass * b.gravity * b.dx * spread(&d, 10, 500);
    const size_t e = pick(&d, COUNT_OF(exponents));
    b.repulsion = exponents[e][0];
    b.attraction = exponents[e][1];
    const double curvature = 8.0 * b.repulsion * b.attraction * b.energy / (b.dx * b.dx);
    b.duration = 0.4 * sqrt(mass / curvature) * between(&d, 300, 2000);
    b.half = between(&d, 2, 5);
    b.dice = d;
    return b;
}

static void print_bonds(bonds *b, tl_text *t) {
    dice *d = &b->dice;
    const double heat = b->energy / (b->density * pow(b->dx, 3)) / 100;
    tl_text_print(t, "dynamics: thermal-particles\nspacing: %.6g\nduration: %.4g\n", b->dx,
                  b->duration);
    tl_text_print(t, "frame_rate: %.4g\ngravity: [0, 0, %.4g]\n", 8 / b->duration, -b->gravity);
    tl_text_print(t, "thermal_particles: {damping: %.4g, relax: %s, friction: %.3g, integrator: %s",
                  chance(d, 0.5) ? 0 : spread(d, 0.1, 10) / b->duration,
                  chance(d, 0.7) ? "true" : "false", between(d, 0, 1),
                  chance(d, 0.8) ? "leap-frog" : "midpoint");
    tl_text_print(t, ", collision: {force: %.4g, exponent: %.3g}}\nheat: {}\n",
                  b->energy / b->dx * between(d, 0.1, 1), between(d, 2, 6));
    tl_text_print(t,
                  "materials:\n  soft: {density: %.4g, specific_heat: %.4g, conductivity: %.4g, "
                  "cohesion: {repulsion: %d, attraction: %d, energy: %.4g}}\n",
                  b->density, heat, heat * b->density * b->dx * b->dx / b->duration, b->repulsion,
                  b->attraction, b->energy);
}

static char *random_bonds(uint64_t seed, dice dice_now) {
    bonds b = draw_bonds(dice_now);
    dice *d = &b.dice;
    const double h = b.half;
    tl_text t = {0};
    tl_text_print(&t, "title: Random thermal particles %llu\n", (unsigned long long)seed);
    print_bonds(&b, &t);
    tl_text_print(&t,
                  "bodies:\n  - {material: soft, fill: hexagonal, temperature: %.3g, box: {from: "
                  "[%.6g, %.6g, %.6g], to: [%.6g, %.6g, %.6g]}}\n",
                  between(d, 0, 50), -b.dx * h, -b.dx * h, b.dx * (h + 2), b.dx * h, b.dx * h,
                  b.dx * (h + 2 + between(d, 3, 8)));
    if (chance(d, 0.4))
        tl_text_print(&t,
                      "  - {material: soft, temperature: %.3g, gable: {rows: 8, foot: [%.6g, 0, "
                      "%.6g]}}\n",
                      between(d, 0, 30), b.dx * (h + 14), b.dx);
    tl_text_print(&t, "walls:\n  - {name: floor, plane: z, at: 0, temperature: %.4g}\n",
                  between(d, 0, 120));
    if (chance(d, 0.5))
        tl_text_print(&t, "  - {name: ball, sphere: {center: [%.6g, 0, 0], radius: %.6g}}\n",
                      b.dx * between(d, 0, h), b.dx * between(d, 1.5, h));
    return whole(&t);
}

char *random_scene(uint64_t seed) {
    dice d = {.seed = seed};
    return chance(&d, 0.07) ? random_bonds(seed, d) : random_flow(seed, d);
}
