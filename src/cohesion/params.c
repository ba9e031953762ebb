/* The parameters of thermal particles. See params.h. */
#include "cohesion/params.h"

#include "neighbors/neighbors.h"

#define AT(member) offsetof(tl_cohesive_params, member)

static const char *const integrators[] = {"leap-frog", "midpoint", NULL};

static const tl_param collision_params[] = {
    {.name = "force",
     .type = TL_PARAM_NUMBER,
     .offset = offsetof(tl_collision_params, force),
     .unit = TL_UNIT_FORCE,
     .default_value = "25 N",
     .min = 0,
     .max = 1e15,
     .flags = TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Scale of the repulsion (beta of the paper)"},
    {.name = "exponent",
     .type = TL_PARAM_NUMBER,
     .offset = offsetof(tl_collision_params, exponent),
     .default_value = "4",
     .min = 0,
     .max = 64,
     .flags = TL_PARAM_MIN_EXCLUSIVE,
     .doc = "How steeply its energy rises towards the surface (eta)"},
    {.name = "distance",
     .type = TL_PARAM_NUMBER,
     .offset = offsetof(tl_collision_params, distance),
     .unit = TL_UNIT_LENGTH,
     .min = 0,
     .max = 1e6,
     .flags = TL_PARAM_OPTIONAL | TL_PARAM_MIN_EXCLUSIVE,
     .present = offsetof(tl_collision_params, has_distance),
     .doc = "Distance from a wall, or from a particle of another body, at which it begins (d0); a "
            "spacing unless given"},
};

const tl_param_table tl_collision_table = TL_PARAM_TABLE(
    tl_collision_params, "collision",
    "How thermal particles are kept out of walls and of other bodies", collision_params);

static const tl_param params[] = {
    {.name = "integrator",
     .type = TL_PARAM_CHOICE,
     .offset = AT(integrator),
     .default_value = "leap-frog",
     .choices = integrators,
     .doc = "How time is stepped: leap-frog, which keeps energy, or the paper's modified midpoint"},
    {.name = "substeps",
     .type = TL_PARAM_INTEGER,
     .offset = AT(substeps),
     .default_value = "4",
     .min = 1,
     .max = 1000,
     .doc = "Sub-steps in a step of the modified midpoint method"},
    {.name = "step",
     .type = TL_PARAM_NUMBER,
     .offset = AT(step),
     .default_value = "0.2",
     .min = 1e-6,
     .max = 0.9,
     .doc = "Step, or sub-step, as a part of the longest stable one"},
    {.name = "max_step",
     .type = TL_PARAM_NUMBER,
     .offset = AT(max_step),
     .unit = TL_UNIT_TIME,
     .default_value = "0",
     .min = 0,
     .max = 1e9,
     .doc = "Longest step; 0: none but the stable one"},
    {.name = "damping",
     .type = TL_PARAM_NUMBER,
     .offset = AT(damping),
     .unit = TL_UNIT_FREQUENCY,
     .default_value = "0",
     .min = 0,
     .max = 1e9,
     .doc = "Drag of the surroundings, per mass: velocities fall off at this rate (b of the paper "
            "over the mass)"},
    {.name = "friction",
     .type = TL_PARAM_NUMBER,
     .offset = AT(friction),
     .default_value = "0",
     .min = 0,
     .max = 100,
     .doc = "Coefficient of friction on walls; what it takes warms the particle, where there is "
            "heat"},
    {.name = "relax",
     .type = TL_PARAM_SWITCH,
     .offset = AT(relax),
     .default_value = "false",
     .doc = "Let bodies find their packing of least energy before the start"},
    {.name = "skin",
     .type = TL_PARAM_NUMBER,
     .offset = AT(skin),
     .default_value = "0.1",
     .min = 0,
     .max = 1,
     .doc = "Margin of the neighbour lists as a part of the range; they live until it is used up"},
    {.name = "neighbors",
     .type = TL_PARAM_CHOICE,
     .offset = AT(neighbors),
     .default_value = "grid",
     .choices = tl_search_method_names,
     .doc = "Neighbour search"},
    {.name = "collision",
     .type = TL_PARAM_SECTION,
     .offset = AT(collision),
     .table = &tl_collision_table,
     .doc = "How particles are kept out of walls and of other bodies"},
};

const tl_param_table tl_cohesive_table =
    TL_PARAM_TABLE(tl_cohesive_params, "thermal_particles", "How thermal particles move", params);
