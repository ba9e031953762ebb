/* How the flow is solved: the parameters of the scene's section `flow`. */
#ifndef TL_FLOW_PARAMS_H
#define TL_FLOW_PARAMS_H

#include "base/param.h"
#include "records/tensors.h"

#include <stdint.h>

/* How pressure and viscosity are brought together in a step. */
typedef enum tl_scheme {
    TL_SCHEME_AUTOMATIC,   /* explicit or coupled, whichever is expected to cost less */
    TL_SCHEME_COUPLED,     /* one implicit solve */
    TL_SCHEME_SPLIT,       /* implicit viscosity, then pressure from nothing */
    TL_SCHEME_INCREMENTAL, /* the same, pressure going on from the last step's */
    TL_SCHEME_EXPLICIT,    /* weakly compressible, as in the papers */
    TL_SCHEME_NONE,        /* matter does not move: heat alone */
} tl_scheme;

extern const char *const tl_scheme_names[]; /* ended by NULL */

/* How the explicit scheme takes the divergence of the viscous stress (passes.h). */
typedef enum tl_viscosity_form {
    TL_VISCOSITY_AUTOMATIC, /* complete, or pairwise where viscosity is too small to matter */
    TL_VISCOSITY_COMPLETE,  /* div η(∇v + ∇vᵀ): pairs of velocities, completed by tensors */
    TL_VISCOSITY_PAIRWISE,  /* div η∇v, from pairs of velocities */
    TL_VISCOSITY_NESTED     /* div η(∇v + ∇vᵀ), the divergence of each particle's stress */
} tl_viscosity_form;

typedef enum tl_density_method { TL_DENSITY_CONTINUITY, TL_DENSITY_SUMMATION } tl_density_method;

typedef struct tl_flow_params {
    int scheme;                  /* tl_scheme */
    int viscosity;               /* tl_viscosity_form, of the explicit scheme */
    int kernel;                  /* tl_kernel */
    double support;              /* spacings; 0: by the scheme */
    int density;                 /* tl_density_method */
    double sound_speed;          /* m/s; 0: ten times the speed the scene can reach */
    double artificial_viscosity; /* α of [PPLT09 eq. 12] */
    double density_diffusion;    /* δ */
    double xsph;                 /* ε */
    double shifting;             /* κ */
    bool pulls;                  /* flow.tension: let pressure be negative */
    double cfl;                  /* C of the step rule */
    double max_step;             /* s; 0: by the scheme */
    double motion;               /* spacings a step, of the implicit schemes */
    double tolerance;            /* of the implicit solve */
    int64_t max_iterations;      /* of the implicit solve */
    double stabilization;        /* σ: of motions that look like none */
    int neighbors;               /* tl_search_method */
    double skin;                 /* of the support */
} tl_flow_params;

/* The tensors that the viscosity needs in each particle. */
tl_tensors tl_flow_tensors(const tl_flow_params *flow);

/* The radius of the kernel in spacings; the larger one as long as the scheme is not chosen. */
double tl_flow_support(const tl_flow_params *flow);

extern const tl_param_table tl_flow_table;

#endif
