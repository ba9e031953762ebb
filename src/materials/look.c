/* The parameters of a look. See look.h. */
#include "materials/look.h"

#define AT(member) offsetof(tl_look, member)

static const tl_param params[] = {
    {.name = "roughness",
     .type = TL_PARAM_NUMBER,
     .offset = AT(roughness),
     .default_value = "0.4",
     .min = 0,
     .max = 1,
     .doc = "From 0, a mirror, to 1, chalk"},
    {.name = "translucency",
     .type = TL_PARAM_NUMBER,
     .offset = AT(translucency),
     .unit = TL_UNIT_LENGTH,
     .default_value = "0",
     .min = 0,
     .max = 1e3,
     .doc = "How far light goes in before it turns; wax has some mm, 0 is opaque"},
    {.name = "clarity",
     .type = TL_PARAM_NUMBER,
     .offset = AT(clarity),
     .default_value = "0",
     .min = 0,
     .max = 1,
     .doc = "The part of the light that goes straight through; 1: water, glass"},
    {.name = "refraction",
     .type = TL_PARAM_NUMBER,
     .offset = AT(refraction),
     .default_value = "1.45",
     .min = 1,
     .max = 4,
     .doc = "Index of refraction: how strongly a surface reflects and bends light"},
    {.name = "metal",
     .type = TL_PARAM_NUMBER,
     .offset = AT(metal),
     .default_value = "0",
     .min = 0,
     .max = 1,
     .doc = "1: a metal, which reflects in its own colour and nothing else"},
    {.name = "glows",
     .type = TL_PARAM_SWITCH,
     .offset = AT(glows),
     .default_value = "true",
     .doc = "Shines by itself when it is hot enough, in the colour of a black body"},
};

const tl_param_table tl_look_table =
    TL_PARAM_TABLE(tl_look, "look", "How a material looks in pictures, beside its colour", params);
