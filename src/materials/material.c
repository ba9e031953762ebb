/* The parameters of a material. See material.h. */
#include "materials/material.h"

#define AT(member) offsetof(tl_material, member)

static const tl_param params[] = {
    {.name = "like",
     .type = TL_PARAM_TEXT,
     .offset = AT(like),
     .doc = "A material of the library to start from; the keys beside it change it"},
    {.name = "source",
     .type = TL_PARAM_TEXT,
     .offset = AT(source),
     .doc = "Where the numbers come from"},
    {.name = "density",
     .type = TL_PARAM_NUMBER,
     .offset = AT(density),
     .unit = TL_UNIT_DENSITY,
     .default_value = "1000 kg/m³",
     .min = 1e-3,
     .max = 1e6,
     .doc = "Mass per volume at rest"},
    {.name = "viscosity",
     .type = TL_PARAM_NUMBER,
     .offset = AT(viscosity),
     .unit = TL_UNIT_VISCOSITY,
     .default_value = "1 mPa·s",
     .min = 0,
     .max = 1e15,
     .doc = "Dynamic viscosity"},
    {.name = "colour",
     .type = TL_PARAM_COLOUR,
     .offset = AT(colour),
     .default_value = "#d9c9a3",
     .doc = "Colour in pictures: #rrggbb or [r, g, b] from 0 to 1"},
};

const tl_param_table tl_material_table =
    TL_PARAM_TABLE(tl_material, "material", "What a body is made of", params);
