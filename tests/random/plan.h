/* What a random scene is to be, while its text grows. Places and lengths are in spacings, about the
 * z axis, until they are printed. */
#ifndef TL_TESTS_RANDOM_PLAN_H
#define TL_TESTS_RANDOM_PLAN_H

#include "base/text.h"
#include "dice.h"

enum { MOST_MATTER = 3 };

typedef struct matter {
    char name[32];
    double cold, hot;      /* °C that it is used at */
    double density, stiff; /* kg/m³; Pa·s at most */
    double specific_heat;  /* J/(kg·K), by order */
} matter;

typedef enum stage_kind {
    STAGE_FLOOR,
    STAGE_SLOPE,
    STAGE_TERRAIN,
    STAGE_PERIODIC,
    STAGE_TANK,
    STAGE_GLASS,
    STAGE_BOWL,
    STAGE_FUNNEL,
    STAGE_AIR, /* nothing below but drains */
    STAGE_CLOSED_CYLINDER,
    STAGE_CLOSED_SPHERE,
    STAGE_CLOSED_CAPSULE,
    STAGE_CLOSED_BOX,
    STAGES
} stage_kind;

typedef struct plan {
    dice dice;
    double dx;       /* m */
    double gravity;  /* m/s² */
    double duration; /* s */
    double particles;
    stage_kind stage;
    bool heat, rigid, weightless;
    matter matter[MOST_MATTER];
    size_t matters;
    double radius, top; /* of all that is laid so far: a cylinder from 0 up */
    double bottom;      /* of what is laid on nothing */
    tl_text materials, bodies, walls, emitters, drains, sources;
} plan;

static inline bool stage_is_closed(stage_kind stage) { return stage >= STAGE_CLOSED_CYLINDER; }
static inline bool stage_is_vessel(stage_kind stage) {
    return stage >= STAGE_TANK && stage != STAGE_AIR;
}

/* Chooses materials and prints them. materials.c */
void plan_materials(plan *p);

/* Lays bodies one above the other, from `top` on. bodies.c */
void plan_bodies(plan *p);

/* An obstacle below what is to come. walls.c */
void plan_obstacle(plan *p);

/* What holds all that was laid; after that nothing more can be. walls.c */
void plan_walls(plan *p);

/* Prints a wall's temperature and how matter moves along it, with a comma before each. walls.c */
void print_traits(plan *p, bool may_move);

#endif
