/* The parameters of heat. See params.h. */
#include "heat/params.h"

#define AT(member) offsetof(tl_heat_params, member)

static const char *const schemes[] = {"automatic", "explicit", "implicit", NULL};
static const char *const conductions[] = {"fitted", "laplacian", NULL};
static const char *const losses[] = {"surface", "particles", NULL};

static const tl_param params[] = {
    {.name = "scheme",
     .type = TL_PARAM_CHOICE,
     .offset = AT(scheme),
     .default_value = "automatic",
     .choices = schemes,
     .flags = TL_PARAM_LIVE,
     .doc = "How heat is advanced in a step: in explicit sub-steps, or by an implicit solve; "
            "automatic is explicit while that takes few sub-steps"},
    {.name = "conduction",
     .type = TL_PARAM_CHOICE,
     .offset = AT(conduction),
     .default_value = "fitted",
     .choices = conductions,
     .doc = "How heat goes from particle to particle: by a fit that is exact in any packing, or by "
            "the Laplacian of a kernel, as in [Chao12 eq. 3.24]"},
    {.name = "loss",
     .type = TL_PARAM_CHOICE,
     .offset = AT(loss),
     .default_value = "surface",
     .choices = losses,
     .doc = "What loses heat to the air: the exposed area, at the temperature there, or 4π h² of "
            "each particle at a surface, h its support, as in [Chao12 eq. 3.21]"},
    {.name = "tolerance",
     .type = TL_PARAM_NUMBER,
     .offset = AT(tolerance),
     .default_value = "1e-6",
     .min = 1e-12,
     .max = 0.1,
     .flags = TL_PARAM_LIVE,
     .doc =
         "Error of the implicit solve, as a part of the range of temperatures; energy is kept to "
         "rounding whatever it is"},
    {.name = "accuracy",
     .type = TL_PARAM_NUMBER,
     .offset = AT(accuracy),
     .default_value = "0.05",
     .min = 1e-4,
     .max = 1e3,
     .flags = TL_PARAM_LIVE,
     .doc =
         "How much an implicit step and two of half its length may differ, as a part of the heat "
         "that moves; steps are halved until they do. What is kept is of second order, and better"},
    {.name = "max_step",
     .type = TL_PARAM_NUMBER,
     .offset = AT(max_step),
     .unit = TL_UNIT_TIME,
     .default_value = "0",
     .min = 0,
     .max = 1e9,
     .flags = TL_PARAM_LIVE,
     .doc = "Longest time between two exchanges of heat; 0: chosen by itself"},
    {.name = "speed",
     .type = TL_PARAM_NUMBER,
     .offset = AT(speed),
     .default_value = "1",
     .min = 0,
     .max = 1e9,
     .flags = TL_PARAM_LIVE | TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Seconds of conduction, radiation, losses and heating in a second of motion: above 1, "
            "heat that is too slow to be watched beside the flow is sped up. Friction is not; "
            "pictures tell it"},
    {.name = "ambient",
     .type = TL_PARAM_SCHEDULE,
     .offset = AT(ambient),
     .unit = TL_UNIT_TEMPERATURE,
     .min = -273.15,
     .max = 1e5,
     .flags = TL_PARAM_LIVE | TL_PARAM_OPTIONAL,
     .present = AT(has_ambient),
     .doc = "Temperature of the air and the room; without it no heat is lost to them; may be a "
            "table over time"},
    {.name = "convection",
     .type = TL_PARAM_NUMBER,
     .offset = AT(convection),
     .unit = TL_UNIT_CONDUCTANCE,
     .default_value = "0",
     .min = 0,
     .max = 1e9,
     .flags = TL_PARAM_LIVE,
     .doc = "Heat that still or moving air takes from a surface: 5 to 25 W/(m²·K) in a room; what "
            "is radiated comes from the material's emissivity"},
    {.name = "viscous_heating",
     .type = TL_PARAM_SWITCH,
     .offset = AT(viscous_heating),
     .default_value = "false",
     .doc = "Warm the matter by what viscosity takes from its motion"},
};

const tl_param_table tl_heat_table =
    TL_PARAM_TABLE(tl_heat_params, "heat", "How heat is exchanged", params);
