/* What a scene will ask of the flow, from its numbers alone: the speed it can reach, how stiff and
 * how thin its matter gets, how many steps either scheme takes and what they cost. `automatic`
 * takes the cheaper one, and the coupled one for elastic matter. All are estimates: of steps within
 * a factor of three or so.
 *
 *   explicit  dt = C min(R / (c + v), R² / 6ν), the stiffest ν counts
 *   coupled   dt by motion (docs/flow.md): u dt + g dt² = motion dx, at most 20 ms. Of the speed v
 *             that the scene can reach, viscosity leaves u = v Re / (Re + 100), Re = v H / ν with
 *             the thinnest ν, and no less than what drives the flow; u lasts for
 *             2 v / g + 0.4 H² / ν, or as long as something drives the flow. A free fall over h
 * takes h / (motion dx) steps more. Each step takes 12 iterations, up to 45 in matter that is thin
 * for it, ν dt < dx². */
#ifndef TL_WORLD_CHOICE_H
#define TL_WORLD_CHOICE_H

#include "base/text.h"
#include "flow/params.h"

/* What the estimates are made from. */
typedef struct tl_choice_facts {
    tl_flow_params flow;
    double spacing, duration;  /* m, s; 0: not known, and one second is taken */
    double stop_every;         /* s: steps end at frames; 0: not known */
    double gravity, depth;     /* m/s², m: of all matter along gravity */
    double fall;               /* m: how far it falls freely */
    double sound_speed, speed; /* m/s: of the state equation, that the scene can reach */
    double driving;            /* m/s: of emitters, belts and walls that move, at most */
    double thinnest, stiffest; /* m²/s: kinematic viscosities of the matter that flows */
    bool elastic;              /* some of it is: explicit steps do not know how */
    bool tension;              /* some of it has surface tension: the same */
    bool slips;                /* nor how what flows slips over what is held */
    bool sizes_differ;         /* nor how particles of different sizes meet */
} tl_choice_facts;

/* One scheme: what it would take. */
typedef struct tl_scheme_cost {
    double steps;   /* of the scene, or of a second of it */
    double seconds; /* of one core, for one particle and all steps */
} tl_scheme_cost;

typedef struct tl_choice {
    int asked, taken; /* tl_scheme: what the scene says, and what is done */
    tl_choice_facts facts;
    double support; /* spacings */
    tl_scheme_cost by_explicit, by_coupled;
} tl_choice;

/* Of either scheme. */
tl_scheme_cost tl_cost_of_explicit(const tl_choice_facts *facts);
tl_scheme_cost tl_cost_of_coupled(const tl_choice_facts *facts);

/* The scheme that was taken; zero where matter does not flow. */
tl_scheme_cost tl_choice_cost(const tl_choice *choice);

/* What was chosen and why: lines that begin with `before`. */
void tl_choice_explain(const tl_choice *choice, const char *before, tl_text *out);

#endif
