/* A kind of dynamics: how matter moves in a step. step.c drives one, without knowing which; the
 * rest of the world asks for the facts below, never for a scheme. To add one: a file with its
 * table, and a line in tl_dynamics_of. */
#ifndef TL_WORLD_DYNAMICS_H
#define TL_WORLD_DYNAMICS_H

#include "world/world.h"

struct tl_world_state;

typedef struct tl_dynamics {
    bool moves;        /* matter moves at all */
    bool flows;        /* as a liquid does: it may be emitted, drained, held while solid */
    bool accelerates;  /* a step begins with the accelerations of the last evaluation */
    bool compresses;   /* volumes change, and store energy */
    bool solves;       /* velocities are solved for: there are links to walls, and volumes last */
    bool heats;        /* heat goes its own way, in `after`, instead of heat.c's */
    bool meets_depths; /* walls act by their distance alone, and need no samples */

    /* Fields of its own, and constants that follow from the definition; may be NULL. */
    tl_status (*declare)(tl_world *, tl_error *);
    tl_status (*derive)(tl_world *, tl_error *);
    /* What must be known before the first step, once the seeds are placed. *broken is set when that
     * is not finite. */
    tl_status (*begin)(tl_world *, bool *broken, tl_error *);
    /* The same for a world read from a snapshot, whose lists are built; may be NULL. */
    tl_status (*resume)(tl_world *, tl_error *);

    double (*step_size)(const tl_world *);
    /* One attempt at a step of dt. *fine tells whether it may be accepted; if not, *worst is the
     * particle to blame. */
    tl_status (*attempt)(tl_world *, double dt, bool *fine, size_t *worst, tl_error *);
    /* Goes back to before an attempt that was not fine. */
    tl_status (*take_back)(tl_world *, const struct tl_world_state *kept, tl_error *);
    /* What follows once a step is accepted; may be NULL. */
    tl_status (*after)(tl_world *, double dt, tl_error *);
    /* The error of steps down to dt that all were refused for the particle `worst`. */
    tl_status (*explain)(const tl_world *, double dt, const char *where, size_t worst, tl_error *);

    /* Bytes that it alone holds; and gives them back. May be NULL. */
    size_t (*bytes)(const tl_world *);
    void (*free)(tl_world *);
} tl_dynamics;

/* cohesive.c, explicit.c, implicit.c, still.c */
extern const tl_dynamics tl_explicit_dynamics, tl_implicit_dynamics, tl_still_dynamics,
    tl_cohesive_dynamics;

/* The one of a definition whose scheme is chosen. step.c */
const tl_dynamics *tl_dynamics_of(const tl_world_def *def);

#endif
