/* The parameters of the flow. See params.h. */
#include "flow/params.h"

#include "math/kernels.h"
#include "neighbors/neighbors.h"

#include <math.h>

#define AT(member) offsetof(tl_flow_params, member)

static const char *const density_methods[] = {"continuity", "summation", NULL};

const char *const tl_scheme_names[] = {"automatic", "coupled", "split", "incremental",
                                       "explicit",  "none",    NULL};

static const char *const viscosity_forms[] = {"automatic", "complete", "pairwise", "nested", NULL};

static const tl_param params[] = {
    {.name = "scheme",
     .type = TL_PARAM_CHOICE,
     .offset = AT(scheme),
     .default_value = "automatic",
     .choices = tl_scheme_names,
     .doc =
         "How pressure and viscosity are solved: together (coupled), one after the other (split, "
         "incremental), or explicitly; automatic is explicit or coupled, by what they are expected "
         "to cost; with none matter does not move"},
    {.name = "viscosity",
     .type = TL_PARAM_CHOICE,
     .offset = AT(viscosity),
     .default_value = "automatic",
     .choices = viscosity_forms,
     .doc =
         "Viscous force of the explicit scheme: complete, free of traction at free surfaces; "
         "pairwise, straight from pairs of velocities, which is not; or nested, the divergence of "
         "each particle's stress as in the papers, which spares short waves. Automatic is "
         "complete, or pairwise for liquids so thin that it does not matter"},
    {.name = "kernel",
     .type = TL_PARAM_CHOICE,
     .offset = AT(kernel),
     .default_value = "wendland",
     .choices = tl_kernel_names,
     .doc = "Smoothing kernel"},
    {.name = "support",
     .type = TL_PARAM_NUMBER,
     .offset = AT(support),
     .default_value = "0",
     .min = 0,
     .max = 6,
     .doc =
         "Radius of the kernel in spacings, at least 1.2: 2 is fast, 3 is smoother; 0 takes 2 for "
         "the explicit scheme and 2.5 for the others"},
    {.name = "density",
     .type = TL_PARAM_CHOICE,
     .offset = AT(density),
     .default_value = "continuity",
     .choices = density_methods,
     .doc = "Density from the flow's divergence, or by summing over neighbours"},
    {.name = "sound_speed",
     .type = TL_PARAM_NUMBER,
     .offset = AT(sound_speed),
     .unit = TL_UNIT_SPEED,
     .default_value = "0",
     .min = 0,
     .max = 1e6,
     .doc = "Stiffness of the state equation; 0 takes ten times the speed the scene can reach"},
    {.name = "artificial_viscosity",
     .type = TL_PARAM_NUMBER,
     .offset = AT(artificial_viscosity),
     .default_value = "0.05",
     .min = 0,
     .max = 10,
     .flags = TL_PARAM_LIVE,
     .doc = "Damping of colliding particles (alpha of Monaghan)"},
    {.name = "density_diffusion",
     .type = TL_PARAM_NUMBER,
     .offset = AT(density_diffusion),
     .default_value = "0.1",
     .min = 0,
     .max = 1,
     .flags = TL_PARAM_LIVE,
     .doc = "Smoothing of the density that quiets pressure noise (delta)"},
    {.name = "xsph",
     .type = TL_PARAM_NUMBER,
     .offset = AT(xsph),
     .default_value = "0",
     .min = 0,
     .max = 1,
     .flags = TL_PARAM_LIVE,
     .doc = "How much a particle takes on the mean velocity of its neighbours"},
    {.name = "shifting",
     .type = TL_PARAM_NUMBER,
     .offset = AT(shifting),
     .default_value = "0.5",
     .min = 0,
     .max = 5,
     .flags = TL_PARAM_LIVE,
     .doc = "How strongly particles are moved from crowded to empty places inside the flow"},
    {.name = "tension",
     .type = TL_PARAM_SWITCH,
     .offset = AT(pulls),
     .default_value = "false",
     .doc = "Let pressure be negative; for flows without a free surface"},
    {.name = "cfl",
     .type = TL_PARAM_NUMBER,
     .offset = AT(cfl),
     .default_value = "0.3",
     .min = 0.001,
     .max = 1,
     .flags = TL_PARAM_LIVE,
     .doc = "Step size as a part of the stable one"},
    {.name = "max_step",
     .type = TL_PARAM_NUMBER,
     .offset = AT(max_step),
     .unit = TL_UNIT_TIME,
     .default_value = "0",
     .min = 0,
     .max = 1e3,
     .flags = TL_PARAM_LIVE,
     .doc = "Largest step; 0 takes 10 ms for the explicit scheme and 100 ms for the others"},
    {.name = "motion",
     .type = TL_PARAM_NUMBER,
     .offset = AT(motion),
     .default_value = "0.4",
     .min = 0.01,
     .max = 1,
     .flags = TL_PARAM_LIVE,
     .doc = "How far a particle may go in an implicit step, in spacings"},
    {.name = "tolerance",
     .type = TL_PARAM_NUMBER,
     .offset = AT(tolerance),
     .default_value = "0.05",
     .min = 1e-6,
     .max = 0.5,
     .flags = TL_PARAM_LIVE,
     .doc = "Error of an implicit solve, as a part of the momentum that gravity gives in a step"},
    {.name = "max_iterations",
     .type = TL_PARAM_INTEGER,
     .offset = AT(max_iterations),
     .default_value = "200",
     .min = 1,
     .max = 100000,
     .flags = TL_PARAM_LIVE,
     .doc = "Iterations after which an implicit solve is given up and the step made smaller"},
    {.name = "stabilization",
     .type = TL_PARAM_NUMBER,
     .offset = AT(stabilization),
     .default_value = "1",
     .min = 0.01,
     .max = 10,
     .flags = TL_PARAM_LIVE,
     .doc = "Viscosity of motions within a neighbourhood that have no strain rate, relative"},
    {.name = "neighbors",
     .type = TL_PARAM_CHOICE,
     .offset = AT(neighbors),
     .default_value = "grid",
     .choices = tl_search_method_names,
     .doc = "Neighbour search"},
    {.name = "skin",
     .type = TL_PARAM_NUMBER,
     .offset = AT(skin),
     .default_value = "0.05",
     .min = 0,
     .max = 1,
     .doc =
         "Margin of the neighbour lists as a part of the support; they live until it is used up"},
};

tl_tensors tl_flow_tensors(const tl_flow_params *flow) {
    if (flow->scheme != TL_SCHEME_EXPLICIT)
        return TL_TENSORS_NONE;
    if (flow->viscosity == TL_VISCOSITY_PAIRWISE)
        return TL_TENSORS_PRESSURE;
    return flow->viscosity == TL_VISCOSITY_NESTED ? TL_TENSORS_SYMMETRIC : TL_TENSORS_TRACELESS;
}

double tl_flow_support(const tl_flow_params *flow) {
    if (flow->support > 0)
        return fmax(flow->support, 1.2);
    return flow->scheme == TL_SCHEME_EXPLICIT ? 2 : 2.5;
}

const tl_param_table tl_flow_table =
    TL_PARAM_TABLE(tl_flow_params, "flow", "How the flow is solved", params);
