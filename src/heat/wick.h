/* Wicks: what a flame stands on, and what it burns.
 *
 * A wick goes up from its foot through the matter and stands out of it. The flame sits on its tip
 * and sets free
 *
 *     P = P_full · min(e/e₀, 1) · min(2 m/m₀, 1)        e what stands out, m the fuel it is soaked
 * with
 *
 * (a longer wick burns more, one that runs dry less), for which it burns P/H of fuel, H the heat of
 * combustion. Of P the part `radiant` shines on the matter as the light of any source does
 * (radiation.h), and the part `conducted` comes down the wick to what is beside it at the surface:
 * these melt the fuel, and the rest goes up with the hot gas. The wick soaks up what is molten
 * beside it, and burns off at its tip where more of it than e₀ stands out. A flame that drowns or
 * runs dry is out for good.
 *
 * Its gas rises by w, whichever way the wick points, and goes with air that moves by u:
 *
 *     l = (w z + u) / |w z + u|
 *
 * so that in a level draught tan θ = u/w. The middle of the flame, from where it shines, stands
 * along l from the tip. */
#ifndef TL_HEAT_WICK_H
#define TL_HEAT_WICK_H

#include "base/param.h"
#include "math/vec3.h"

typedef struct tl_wick_def {
    double foot[3], tip[3];    /* m: at the start */
    double radius;             /* m */
    double flame_height;       /* m: from the tip to the middle of the flame */
    double draught[3];         /* m/s: u, of the air */
    double rise;               /* m/s: w, of the flame's gas */
    double store;              /* kg: of fuel, that it is soaked with; m₀ */
    double heat_of_combustion; /* J/kg: H */
    double radiant, conducted; /* parts of the power: light; and what comes down the wick */
} tl_wick_def;

extern const tl_param_table tl_wick_table;

/* The way up; of length one. */
static inline tl_vec3 tl_wick_axis(const tl_wick_def *wick) {
    return tl_vec3_unit(tl_vec3_sub(tl_vec3_of(wick->tip), tl_vec3_of(wick->foot)));
}

/* m: from its foot to its tip, at the start. */
static inline double tl_wick_reach(const tl_wick_def *wick) {
    return tl_vec3_length(tl_vec3_sub(tl_vec3_of(wick->tip), tl_vec3_of(wick->foot)));
}

/* The way of the flame, l; of length one. */
static inline tl_vec3 tl_wick_lean(const tl_wick_def *wick) {
    return tl_vec3_unit(tl_vec3_mad(tl_vec3_of(wick->draught), wick->rise, (tl_vec3){0, 0, 1}));
}

/* Where the middle of the flame is when the tip is `top` above the foot. */
static inline tl_vec3 tl_wick_flame(const tl_wick_def *wick, double top) {
    const tl_vec3 foot = tl_vec3_of(wick->foot), axis = tl_wick_axis(wick);
    if (axis.z == 1 && tl_vec3_dot(tl_vec3_of(wick->draught), tl_vec3_of(wick->draught)) == 0)
        return tl_vec3_mad(foot, top + wick->flame_height, axis);
    return tl_vec3_mad(tl_vec3_mad(foot, top, axis), wick->flame_height, tl_wick_lean(wick));
}

/* W: what the flame sets free, of the power of a whole one. exposed, whole  e and e₀, m
 * fuel  m, kg */
double tl_wick_power(const tl_wick_def *wick, double full, double exposed, double whole,
                     double fuel);

#endif
