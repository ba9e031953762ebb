/* The guard: rules that tell when a world has reason to doubt its own results. A rule looks at one
 * number, a part of 1, and warns where that is beyond its limit; each is told once, in the log, and
 * remembered in the state with the time of the first, the worst and how often it was found. So a
 * run that is resumed knows what it was warned of. */
#ifndef TL_WORLD_GUARD_H
#define TL_WORLD_GUARD_H

#include "tallow/tallow.h"

typedef enum tl_guard_rule {
    TL_GUARD_CROWDING, /* matter is compressed to the cap of what is remembered, again and again */
    TL_GUARD_ENERGY,   /* the books do not explain where energy went or came from */
    TL_GUARD_WALLS,    /* particles stand in walls or bodies, or nearly so */
    TL_GUARD_REFUSALS, /* many steps are refused */
    TL_GUARD_SURFACE,  /* surfaces with tension are too thin or too sharp to be found */
    TL_GUARD_RULES
} tl_guard_rule;

/* A compression like this, or more, counts as crowding: implicit steps remember no more. A step is
 * crowded when one particle in a thousand is, and three at least: spray does that now and then. */
#define TL_GUARD_COMPRESSION 0.0999
#define TL_GUARD_CROWD       1e-3

/* Spacings: what is nearer to a wall than the first is near it, than the second too near. Matter
 * at rest stands half a spacing away, and where it is thinner than a spacing, half of that. */
#define TL_GUARD_NEAR     1.0
#define TL_GUARD_TOO_NEAR 0.15

/* What the rules look at. */
typedef struct tl_guard_view {
    double steps, rejected;     /* so far */
    double crowded;             /* steps with crowding so far */
    double unexplained;         /* J */
    double moved;               /* J: the largest of all energies exchanged so far */
    double slight;              /* J: with less than this moved, nothing has happened yet */
    double near_wall, too_near; /* particles */
    double at_surface, lost;    /* particles with tension; those whose surface is not found */
} tl_guard_view;

/* The number a rule looks at; 0 while there is too little to judge by. */
double tl_guard_value(tl_guard_rule rule, const tl_guard_view *view);

/* Beyond this it warns. */
double tl_guard_limit(tl_guard_rule rule);

/* Looks at a world after a step: at what costs something only now and then, and when a stop time is
 * reached. */
void tl_world_watch(tl_world *world);

#endif
