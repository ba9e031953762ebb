/* Walls of random scenes: what stands in the way, and what holds all that was laid. */
#include "plan.h"

#include <stdio.h>

/* Spacings of air between what was laid and the vessel around it. */
static const double air = 0.7;

static void print_point(plan *p, const char *key, double x, double y, double z) {
    tl_text_print(&p->walls, "%s: [%.6g, %.6g, %.6g]", key, p->dx * x, p->dx * y, p->dx * z);
}

static void print_box(plan *p, double x, double y, double low, double high) {
    tl_text_print(&p->walls, "box: {");
    print_point(p, "from", -x, -y, low);
    tl_text_print(&p->walls, ", ");
    print_point(p, "to", x, y, high);
    tl_text_print(&p->walls, "}");
}

static void print_ends(plan *p, const char *word, double low, double high, double radius) {
    tl_text_print(&p->walls, "%s: {", word);
    print_point(p, "from", 0, 0, low);
    tl_text_print(&p->walls, ", ");
    print_point(p, "to", 0, 0, high);
    tl_text_print(&p->walls, ", radius: %.6g", p->dx * radius);
}

/* Small moves, to and fro or about the middle: nothing is squeezed between two walls. */
static void print_motion(plan *p) {
    dice *d = &p->dice;
    tl_text *t = &p->walls;
    const double times = spread(d, 0.5, 4) / p->duration;
    tl_text_print(t, ", motion: [{");
    switch (pick(d, 5)) {
    case 0:
        tl_text_print(t, "shake: %.4g, along: %c, frequency: %.4g", p->dx * between(d, 0.3, 2),
                      "xyz"[pick(d, 3)], times);
        break;
    case 1:
        tl_text_print(t, "rock: %.4g, about: %c, frequency: %.4g", between(d, 0.05, 0.4),
                      "xyz"[pick(d, 3)], times);
        break;
    case 2: tl_text_print(t, "spin: %.4g, about: z", 2 * M_PI * times * between(d, -1, 1)); break;
    case 3:
        tl_text_print(t, "angle: [[0, 0], [%.4g, %.4g]], about: %c", 0.7 * p->duration,
                      between(d, -0.8, 0.8), "xy"[pick(d, 2)]);
        break;
    default:
        tl_text_print(t, "displacement: [[0, 0], [%.4g, %.4g]], along: %c, from: %.4g",
                      0.3 * p->duration, p->dx * between(d, -2, 2), "xyz"[pick(d, 3)],
                      0.2 * p -> duration);
    }
    tl_text_print(t, "}]");
}

static void print_contact(plan *p) {
    dice *d = &p->dice;
    tl_text *t = &p->walls;
    switch (pick(d, 7)) {
    case 0: tl_text_print(t, ", contact: free-slip"); break;
    case 1: tl_text_print(t, ", slip: %.3g", between(d, 0, 1)); break;
    case 2: tl_text_print(t, ", slip_length: %.4g", p->dx * spread(d, 0.05, 20)); break;
    case 3:
        tl_text_print(t, ", contact: free-slip, roughness: {height: %.4g, period: %.4g}",
                      0.01 * p->dx, 0.3 * p->dx);
        break;
    default: break;
    }
    if (chance(d, 0.15))
        tl_text_print(t, ", stickiness: %.4g",
                      chance(d, 0.4) ? 0 : spread(d, 0.1, 10) * 9810 * 5 * p->dx);
    if (chance(d, 0.15))
        tl_text_print(t, ", bounce: %.3g", between(d, 0, 1));
}

static void print_warmth(plan *p) {
    dice *d = &p->dice;
    tl_text *t = &p->walls;
    const matter *m = &p->matter[0];
    const double one = between(d, m->cold, m->hot), other = between(d, m->cold, m->hot);
    const bool follows = chance(d, 0.2);
    if (follows)
        tl_text_print(t, ", temperature: [[0, %.4g], [%.4g, %.4g]]", one, p->duration, other);
    else
        tl_text_print(t, ", temperature: %.4g", one);
    if (chance(d, 0.4))
        tl_text_print(t, ", conductance: %.4g", spread(d, 10, 1e4));
    if (!follows && chance(d, 0.2))
        tl_text_print(t, ", heat_capacity: %.4g",
                      m->density * m->specific_heat * pow(p->dx, 3) * 300);
}

void print_traits(plan *p, bool may_move) {
    print_contact(p);
    if (p->heat && chance(&p->dice, 0.6))
        print_warmth(p);
    if (may_move && chance(&p->dice, 0.25))
        print_motion(p);
    tl_text_print(&p->walls, "}\n");
}

/* ---- In the way --------------------------------------------------------------------------------
 */

void plan_obstacle(plan *p) {
    dice *d = &p->dice;
    tl_text *t = &p->walls;
    const double r = between(d, 2, 5), h = between(d, 2, 6), foot = p->top + between(d, 0, 3);
    double high = foot + 2 * r;
    tl_text_print(t, "  - {name: obstacle, ");
    switch (pick(d, 7)) {
    case 0:
        print_box(p, r, r, foot, high = foot + h);
        tl_text_print(t, ", outside: true");
        break;
    case 1:
        tl_text_print(t, "sphere: {");
        print_point(p, "center", 0, 0, foot + r);
        tl_text_print(t, ", radius: %.6g}", p->dx * r);
        break;
    case 2:
        print_ends(p, "cylinder", foot, high = foot + h, r);
        tl_text_print(t, "}");
        break;
    case 3:
        print_ends(p, "cone", foot, high = foot + h, r);
        tl_text_print(t, ", end_radius: %.6g}", chance(d, 0.5) ? 0 : 0.5 * p->dx * r);
        break;
    case 4:
        tl_text_print(t, "capsule: {");
        print_point(p, "from", -h, 0, foot + r);
        tl_text_print(t, ", ");
        print_point(p, "to", h, 0, foot + r);
        tl_text_print(t, ", radius: %.6g}", p->dx * r);
        break;
    case 5:
        tl_text_print(t, "torus: {");
        print_point(p, "center", 0, 0, foot + 2);
        tl_text_print(t, ", radius: %.6g, tube_radius: %.6g}", p->dx * (r + 2.5), p->dx * 2);
        high = foot + 4;
        break;
    default:
        tl_text_print(t, "rounded_box: {");
        print_point(p, "from", -r, -r, foot);
        tl_text_print(t, ", ");
        print_point(p, "to", r, r, high = foot + 4);
        tl_text_print(t, ", radius: %.6g}", p->dx * 1.2);
    }
    print_traits(p, true);
    p->radius = fmax(p->radius, r + h + 2);
    p->top = high + between(d, 1.5, 4);
}

/* ---- Around ------------------------------------------------------------------------------------
 */

static void print_slope(plan *p) {
    const double tilt = between(&p->dice, 0.1, 0.7);
    tl_text_print(&p->walls, "  - {name: slope, normal: [%.4g, 0, 1], ", -tilt);
    print_point(p, "through", 0, 0, -(p->radius + air) * tilt);
    print_traits(p, false);
}

static void print_terrain(plan *p) {
    const double r = p->radius + 8;
    tl_text_print(&p->walls, "  - {name: ground, terrain: {");
    print_point(p, "from", -r, -r, -5);
    tl_text_print(&p->walls, ", ");
    print_point(p, "to", r, r, -air);
    tl_text_print(&p->walls, ", thickness: %.6g, hill: %.6g, seed: %zu}", 3 * p->dx,
                  p->dx * between(&p->dice, 6, 20), pick(&p->dice, 1000));
    print_traits(p, false);
    tl_text_print(&p->drains, "  - {name: below, plane: z, at: %.6g}\n", -p->dx * 25);
}

static void print_floor(plan *p, const char *belt) {
    tl_text_print(&p->walls, "  - {name: floor, plane: z, at: 0%s", belt);
    print_traits(p, p->stage == STAGE_FLOOR && !*belt);
}

static void print_tank(plan *p) {
    const bool open = chance(&p->dice, 0.7);
    const double r = p->radius + air;
    tl_text_print(&p->walls, "  - {name: tank, ");
    print_box(p, r, r, p->bottom, p->top + air);
    tl_text_print(&p->walls, "%s", open ? ", open: z" : "");
    print_traits(p, true);
}

/* A half sphere, in whose mouth the lowest edge of what was laid has room. */
static void print_bowl(plan *p) {
    const double r = p->radius + air, radius = r * between(&p->dice, 1.15, 1.8);
    const double center = sqrt(radius * radius - r * r) - air;
    tl_text_print(&p->walls, "  - {name: bowl, sphere: {");
    print_point(p, "center", 0, 0, center);
    tl_text_print(&p->walls, ", radius: %.6g}, open: z", p->dx * radius);
    print_traits(p, true);
}

static void print_funnel(plan *p) {
    const double r = p->radius + air, h = p->top * between(&p->dice, 0.5, 1.2);
    tl_text_print(&p->walls, "  - {name: funnel, ");
    print_ends(p, "cone", -between(&p->dice, 0, 0.5) * r, h, 0.9 * r);
    tl_text_print(&p->walls, ", end_radius: %.6g}, open: z", p->dx * (r + h));
    print_traits(p, true);
}

/* What was laid stands in it with air all around. */
static void print_closed(plan *p) {
    const double r = p->radius + air, half = 0.5 * p->top, middle = half;
    static const char *const names[] = {"drum", "ball", "pill", "case"};
    tl_text_print(&p->walls, "  - {name: %s, ", names[p->stage - STAGE_CLOSED_CYLINDER]);
    switch (p->stage) {
    case STAGE_CLOSED_SPHERE:
        tl_text_print(&p->walls, "sphere: {");
        print_point(p, "center", 0, 0, middle);
        tl_text_print(&p->walls, ", radius: %.6g}", p->dx * (hypot(r, half) + air));
        break;
    case STAGE_CLOSED_CAPSULE:
        print_ends(p, "capsule", 0, 2 * half, r + air);
        tl_text_print(&p->walls, "}");
        break;
    case STAGE_CLOSED_BOX:
        tl_text_print(&p->walls, "rounded_box: {");
        print_point(p, "from", -r - 1, -r - 1, -air);
        tl_text_print(&p->walls, ", ");
        print_point(p, "to", r + 1, r + 1, p->top + air);
        tl_text_print(&p->walls, ", radius: %.6g}", 0.6 * p->dx);
        break;
    default: print_ends(p, "cylinder", -air, p->top + air, r + air); tl_text_print(&p->walls, "}");
    }
    tl_text_print(&p->walls, ", hollow: true");
    print_traits(p, true);
}

void plan_walls(plan *p) {
    dice *d = &p->dice;
    char belt[64] = "";
    switch (p->stage) {
    case STAGE_SLOPE: print_slope(p); break;
    case STAGE_TERRAIN: print_terrain(p); break;
    case STAGE_TANK: print_tank(p); break;
    case STAGE_GLASS:
        tl_text_print(&p->walls, "  - {name: glass, ");
        print_ends(p, "cylinder", -air, p->top * between(d, 0.6, 1.2), p->radius + 2 * air);
        tl_text_print(&p->walls, "}, open: z");
        print_traits(p, true);
        break;
    case STAGE_BOWL: print_bowl(p); break;
    case STAGE_FUNNEL: print_funnel(p); break;
    case STAGE_AIR:
        tl_text_print(&p->drains, "  - {name: below, plane: z, at: %.6g}\n",
                      -p->dx * between(d, 5, 30));
        break;
    case STAGE_FLOOR:
    case STAGE_PERIODIC:
        if (chance(d, 0.15))
            snprintf(belt, sizeof belt, ", velocity: [%.4g, 0, 0]",
                     10 * p->dx / p->duration * between(d, -2, 2));
        print_floor(p, belt);
        break;
    default: print_closed(p);
    }
}
