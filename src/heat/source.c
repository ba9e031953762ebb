/* The parameters of heat sources. See source.h. */
#include "heat/source.h"

#define AT(member) offsetof(tl_source_def, member)

static const char *const shapes[] = {"point", "sphere", "disc", NULL};
static const char *const fall_offs[] = {"square", "kernel", "particles", NULL};

static const tl_param params[] = {
    {.name = "name",
     .type = TL_PARAM_TEXT,
     .offset = AT(name),
     .flags = TL_PARAM_IDLE,
     .doc = "Name, for messages"},
    {.name = "shape",
     .type = TL_PARAM_CHOICE,
     .offset = AT(shape),
     .default_value = "point",
     .choices = shapes,
     .doc = "A point, a sphere that is evenly bright, or a disc that shines to one side"},
    {.name = "position",
     .type = TL_PARAM_VECTOR,
     .offset = AT(position),
     .unit = TL_UNIT_LENGTH,
     .flags = TL_PARAM_OPTIONAL,
     .present = AT(has_position),
     .doc = "Its middle at the start; a flame on a wick has none, it sits on that"},
    {.name = "velocity",
     .type = TL_PARAM_VECTOR,
     .offset = AT(velocity),
     .unit = TL_UNIT_SPEED,
     .default_value = "[0, 0, 0]",
     .doc = "How it moves"},
    {.name = "power",
     .type = TL_PARAM_SCHEDULE,
     .offset = AT(power),
     .unit = TL_UNIT_POWER,
     .flags = TL_PARAM_LIVE | TL_PARAM_REQUIRED,
     .min = 0,
     .max = 1e12,
     .doc = "All that it radiates, or on a wick all that the flame sets free; may be a table "
            "over time"},
    {.name = "radius",
     .type = TL_PARAM_NUMBER,
     .offset = AT(radius),
     .unit = TL_UNIT_LENGTH,
     .default_value = "0",
     .min = 0,
     .max = 1e6,
     .doc = "Of a sphere or disc"},
    {.name = "normal",
     .type = TL_PARAM_VECTOR,
     .offset = AT(normal),
     .default_value = "[0, 0, -1]",
     .doc = "The way a disc shines; any length"},
    {.name = "fall_off",
     .type = TL_PARAM_CHOICE,
     .offset = AT(fall_off),
     .default_value = "square",
     .choices = fall_offs,
     .doc =
         "How it weakens: with the square of the distance, or by a kernel that ends at reach: as a "
         "flux, or, as in [Chao12 eq. 3.19], to each particle that it sees by its volume"},
    {.name = "reach",
     .type = TL_PARAM_NUMBER,
     .offset = AT(reach),
     .unit = TL_UNIT_LENGTH,
     .default_value = "0",
     .min = 0,
     .max = 1e6,
     .doc = "Where the kernel ends"},
    {.name = "wick",
     .type = TL_PARAM_SECTION,
     .offset = AT(wick),
     .flags = TL_PARAM_OPTIONAL,
     .table = &tl_wick_table,
     .present = AT(has_wick),
     .doc = "It is a flame on a wick, feeds on the melt there and goes down with it"},
};

const tl_param_table tl_source_table =
    TL_PARAM_TABLE(tl_source_def, "source", "Something hot that shines on the matter", params);
