/* See wick.h. */
#include "heat/wick.h"

#include <math.h>

#define AT(member) offsetof(tl_wick_def, member)

static const tl_param params[] = {
    {.name = "foot",
     .type = TL_PARAM_VECTOR,
     .offset = AT(foot),
     .unit = TL_UNIT_LENGTH,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Its lower end, in the matter"},
    {.name = "tip",
     .type = TL_PARAM_VECTOR,
     .offset = AT(tip),
     .unit = TL_UNIT_LENGTH,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Its upper end at the start; never more of it stands out than then"},
    {.name = "radius",
     .type = TL_PARAM_NUMBER,
     .offset = AT(radius),
     .unit = TL_UNIT_LENGTH,
     .default_value = "0.75 mm",
     .min = 0,
     .max = 1,
     .flags = TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Half its thickness; what is molten within a spacing of it is soaked up"},
    {.name = "flame_height",
     .type = TL_PARAM_NUMBER,
     .offset = AT(flame_height),
     .unit = TL_UNIT_LENGTH,
     .default_value = "5 mm",
     .min = 0,
     .max = 10,
     .doc = "From its tip to the middle of the flame, from where it shines"},
    {.name = "draught",
     .type = TL_PARAM_VECTOR,
     .offset = AT(draught),
     .unit = TL_UNIT_SPEED,
     .default_value = "[0, 0, 0]",
     .doc = "Velocity of the air, which leans the flame and its light by atan(draught / rise)"},
    {.name = "rise",
     .type = TL_PARAM_NUMBER,
     .offset = AT(rise),
     .unit = TL_UNIT_SPEED,
     .default_value = "0.6 m/s",
     .min = 0,
     .max = 1e3,
     .flags = TL_PARAM_MIN_EXCLUSIVE,
     .doc = "How fast the gas of the flame rises in still air"},
    {.name = "store",
     .type = TL_PARAM_NUMBER,
     .offset = AT(store),
     .unit = TL_UNIT_MASS,
     .default_value = "15 mg",
     .min = 0,
     .max = 1e6,
     .flags = TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Fuel that it is soaked with at the start, and at most but for a particle"},
    {.name = "heat_of_combustion",
     .type = TL_PARAM_NUMBER,
     .offset = AT(heat_of_combustion),
     .unit = TL_UNIT_LATENT_HEAT,
     .default_value = "43 MJ/kg",
     .min = 1,
     .max = 1e12,
     .doc = "Of the fuel; paraffin has 43 MJ/kg"},
    {.name = "radiant",
     .type = TL_PARAM_NUMBER,
     .offset = AT(radiant),
     .default_value = "0.2",
     .min = 0,
     .max = 1,
     .doc = "Part of the flame's power that shines; what is left rises with the hot gas"},
    {.name = "conducted",
     .type = TL_PARAM_NUMBER,
     .offset = AT(conducted),
     .default_value = "0.02",
     .min = 0,
     .max = 1,
     .doc = "Part of it that comes down the wick, into what is beside that at the surface"},
};

const tl_param_table tl_wick_table =
    TL_PARAM_TABLE(tl_wick_def, "wick", "What a flame stands on and feeds by", params);

double tl_wick_power(const tl_wick_def *wick, double full, double exposed, double whole,
                     double fuel) {
    if (!(exposed > 0) || !(fuel > 0))
        return 0;
    return full * fmin(exposed / whole, 1) * fmin(2 * fuel / wick->store, 1);
}
