/* See params.h. */
#include "tension/params.h"

#define AT(member) offsetof(tl_interface_def, member)

static const tl_param params[] = {
    {.name = "between",
     .type = TL_PARAM_TEXT,
     .offset = AT(between),
     .flags = TL_PARAM_REQUIRED,
     .doc = "A material"},
    {.name = "and",
     .type = TL_PARAM_TEXT,
     .offset = AT(and),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Another one"},
    {.name = "surface_tension",
     .type = TL_PARAM_NUMBER,
     .offset = AT(surface_tension),
     .unit = TL_UNIT_SURFACE_TENSION,
     .min = 0,
     .max = 10,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Tension of what parts them; for implicit schemes"},
};

const tl_param_table tl_interface_table =
    TL_PARAM_TABLE(tl_interface_def, "interface", "Tension where two liquids meet", params);
