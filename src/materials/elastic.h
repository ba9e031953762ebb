/* Elastic matter: beside its viscosity it has a spring of modulus G that relaxes in the time λ
 * (Maxwell). Two laws say how the spring follows the matter, with the gradient L of the velocity,
 * its symmetric part e and its spin W:
 *
 *   convected      dc/dt = L c + c Lᵀ - (c - 1)/λ,         S = G dev c
 *   corotational   dS/dt = W S - S W + 2 G e - S/λ         [Mao06 4.2.2; his μ_e is 2 G]
 *
 * The first is a neo-Hookean solid without relaxation and Oldroyd's liquid B with it; c is 1 where
 * nothing is stretched. The second is the same for small strains. For large ones it is no matter's:
 * its stress swings as sin γ in simple shear, and where principal stresses differ by 2 G it has no
 * resistance left to being sheared, and breaks.
 *
 * Over a step of dt, in the frame of its start, where a finite turn is no strain, U = exp(dt e) and
 *
 *   c⁺ = k U c U + (1 - k) (1 + 2τ e + 4τ² e²)       k = exp(-dt/λ)
 *   S⁺ = k S + 2 η e                                 η = G λ (1 - k)   (G dt without relaxation)
 *
 * with the mean age τ = λ - dt k/(1 - k) of what is new; both turn with the matter when the step is
 * over, what is new by its age alone. What the solve takes for its stress is
 *
 *   S + β₁ X - β₂ C,      X = (k - 1) S + 2 η' e,  C: that of the last step,  η' = η max c,
 *
 * for β₁ = 1, β₂ = 0 backward Euler, which eats vibrations: a mode w = ω dt keeps 1/(1 + w²) of its
 * energy in a step. With β₁ = ½ and β₂ = 0.4 it keeps (1 + β₂w²)/(1 + β₁w²), and short waves still
 * die. Where dt > λ matter is viscous, and only Euler is right. Stress of the size of G stiffens
 * matter across itself (a string), which the solve does not know: it stays stable if both weights
 * grow by |S|/G.
 *
 * Heat changes G: matter that softens keeps its strain, what hardens its stress, so that neither
 * gives energy. */
#ifndef TL_MATERIALS_ELASTIC_H
#define TL_MATERIALS_ELASTIC_H

#include "materials/law.h"
#include "materials/respond.h"
#include "materials/yield.h"

typedef enum tl_elastic_law { TL_ELASTIC_CONVECTED, TL_ELASTIC_COROTATIONAL } tl_elastic_law;

typedef struct tl_elastic {
    int law;                  /* tl_elastic_law */
    tl_law modulus;           /* Pa: G */
    tl_law relaxation_time;   /* s: λ */
    bool has_relaxation_time; /* without one it is a solid */
    tl_law yield_stress;      /* Pa: τ₀ of yield.h */
    bool has_yield_stress;    /* without one it does not yield */
    double hardening;         /* Pa: by which that grows as it flows */
} tl_elastic;

/* What a particle remembers (memory.c). */
enum {
    TL_ELASTIC_STRESS,
    TL_ELASTIC_RATE,
    TL_ELASTIC_MODULUS,
    TL_ELASTIC_SHAPE,   /* c - 1 */
    TL_ELASTIC_PLASTIC, /* γ_p; NULL where nothing yields */
    TL_ELASTIC_MEMORIES
};

/* Where elastic particle i has that. */
void tl_memory_of_elastic(const tl_memory *memory, size_t i, void *out[TL_MEMORIES]);

/* The spring of a particle in a step. */
typedef struct tl_spring {
    double modulus;   /* Pa: G */
    double stiffness; /* what it is over G for the solve: c, where that is more than 1 */
    double keeps;     /* k */
    double viscosity; /* Pa·s: η, times that */
    double age; /* s: τ, of what is new in the step and not forgotten at its end, in the mean */
    double now, last; /* β₁, β₂ */
} tl_spring;

/* `stress` is √(½ S:S) over G at the start, `stiffness` as above; a relaxation time of 0 is none;
 * and G dt is no larger than `stiffest` (Pa·s). */
tl_spring tl_spring_of(double modulus, double relaxation_time, double stress, double stiffness,
                       double dt, double stiffest);

/* The mean of the stress over a step is (1 - a) S + a S⁺ with this a. */
double tl_spring_share(const tl_spring *spring);

/* J/m³: what the first particle of `memory` stores. */
double tl_elastic_energy(const tl_elastic *elastic, void *const *memory);

/* The springs of n particles of one material at the start of a step. in: temperatures and dt;
 * memory: theirs. */
void tl_elastic_springs(const tl_elastic *elastic, const tl_strained *in, double density,
                        void *const *memory, tl_spring *springs, size_t n);

/* J/m³: what of the work on the first particle of `memory` becomes heat in a step, and what heat
 * has taken from what it stored. in: as for the answer. */
double tl_elastic_heat(const tl_elastic *elastic, const tl_strained *in, double density,
                       void *const *memory);

/* What yields in a step, of the first particle of `memory`. */
typedef struct tl_flowed {
    double keeps;  /* part of its stress that is left; 1: it does not yield */
    double strain; /* what has flowed, as a shear */
} tl_flowed;
tl_flowed tl_elastic_flow(const tl_elastic *elastic, const tl_strained *in, double density,
                          void *const *memory);

/* The answer of elastic matter, as tl_model.recall gives it (model.h). */
void tl_elastic_recall(const tl_elastic *elastic, const tl_strained *in, double density,
                       void *const *memory, unsigned wanted, const tl_response *out, size_t n);

extern const tl_param_table tl_elastic_table;

#endif
