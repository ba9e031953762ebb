/* Matter that yields [Mises 1913]: what its stress s = √(½ S:S) has beyond τ flows off in the time
 * λ, or at once without one,
 *
 *   ds/dt = G γ̇ - (s - τ)/λ   for s > τ,      τ = τ₀ + H γ_p,   γ_p: what has flowed, a shear.
 *
 * In simple shear s is the shear stress, in a bar that is drawn 1/√3 of the tension. Mao06 4-23
 * has the same law with |S| = √(S:S), so that his γ_y is √2 τ.
 *
 * A step first strains the matter as if it did not yield, to the stress q; then S is drawn back
 * along itself. That is exact where matter is loaded along the stress that it has. */
#ifndef TL_MATERIALS_YIELD_H
#define TL_MATERIALS_YIELD_H

typedef struct tl_yield {
    double stress;    /* Pa: τ at the start of a step; HUGE_VAL: it does not yield */
    double hardening; /* Pa: H */
    double steps;     /* dt/λ; HUGE_VAL: it flows at once */
} tl_yield;

/* Pa: s at the end of a step, from `start` at its beginning and q = `trial`. */
double tl_yield_end(const tl_yield *yield, double modulus, double start, double trial);

#endif
