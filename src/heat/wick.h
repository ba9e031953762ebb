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
 * runs dry is out for good. */
#ifndef TL_HEAT_WICK_H
#define TL_HEAT_WICK_H

#include "base/param.h"
#include "math/vec3.h"

typedef struct tl_wick_def {
    double foot[3], tip[3];    /* m: at the start */
    double radius;             /* m */
    double flame_height;       /* m: of the middle of the flame above the tip */
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

/* Where the middle of the flame is when the tip is `top` above the foot. */
static inline tl_vec3 tl_wick_flame(const tl_wick_def *wick, double top) {
    return tl_vec3_mad(tl_vec3_of(wick->foot), top + wick->flame_height, tl_wick_axis(wick));
}

/* W: what the flame sets free, of the power of a whole one. exposed, whole  e and e₀, m
 * fuel  m, kg */
double tl_wick_power(const tl_wick_def *wick, double full, double exposed, double whole,
                     double fuel);

#endif
