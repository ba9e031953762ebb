/* The parameters of walls. See wall.h. */
#include "boundary/wall.h"

#define AT(member) offsetof(tl_wall_def, member)

const char *const tl_side_names[] = {"none", "x", "y", "z", "-x", "-y", "-z", NULL};
static const char *const contacts[] = {"no-slip", "free-slip", NULL};

static const tl_param box_params[] = {
    {.name = "from",
     .type = TL_PARAM_VECTOR,
     .offset = offsetof(tl_box_def, from),
     .unit = TL_UNIT_LENGTH,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Lowest corner"},
    {.name = "to",
     .type = TL_PARAM_VECTOR,
     .offset = offsetof(tl_box_def, to),
     .unit = TL_UNIT_LENGTH,
     .flags = TL_PARAM_REQUIRED,
     .doc = "Highest corner"},
};

const tl_param_table tl_box_table =
    TL_PARAM_TABLE(tl_box_def, "box", "A box along the axes", box_params);

static const tl_param wall_params[] = {
    {.name = "name", .type = TL_PARAM_TEXT, .offset = AT(name), .doc = "Name, for messages"},
    {.name = "plane",
     .type = TL_PARAM_CHOICE,
     .offset = AT(plane),
     .default_value = "none",
     .choices = tl_side_names,
     .doc = "A plane whose normal points this way, into the matter"},
    {.name = "at",
     .type = TL_PARAM_NUMBER,
     .offset = AT(at),
     .unit = TL_UNIT_LENGTH,
     .default_value = "0",
     .doc = "Where the plane cuts that axis"},
    {.name = "normal",
     .type = TL_PARAM_VECTOR,
     .offset = AT(normal),
     .default_value = "[0, 0, 0]",
     .doc = "Normal of an oblique plane, into the matter; any length"},
    {.name = "through",
     .type = TL_PARAM_VECTOR,
     .offset = AT(through),
     .unit = TL_UNIT_LENGTH,
     .default_value = "[0, 0, 0]",
     .doc = "A point of the oblique plane"},
    {.name = "box",
     .type = TL_PARAM_SECTION,
     .offset = AT(box),
     .flags = TL_PARAM_OPTIONAL,
     .table = &tl_box_table,
     .present = AT(has_box),
     .doc = "A box: a tank, or an obstacle"},
    {.name = "outside",
     .type = TL_PARAM_SWITCH,
     .offset = AT(outside),
     .default_value = "false",
     .doc = "The matter is outside of the box: an obstacle"},
    {.name = "open",
     .type = TL_PARAM_CHOICE,
     .offset = AT(open),
     .default_value = "none",
     .choices = tl_side_names,
     .doc = "The face of a tank that is missing: z is the lid"},
    {.name = "contact",
     .type = TL_PARAM_CHOICE,
     .offset = AT(contact),
     .default_value = "no-slip",
     .choices = contacts,
     .doc = "How matter moves along the wall"},
    {.name = "velocity",
     .type = TL_PARAM_VECTOR,
     .offset = AT(velocity),
     .unit = TL_UNIT_SPEED,
     .default_value = "[0, 0, 0]",
     .doc = "Speed of the wall's surface along itself (a belt)"},
    {.name = "hidden",
     .type = TL_PARAM_SWITCH,
     .offset = AT(hidden),
     .default_value = "false",
     .doc = "Leave the wall out of pictures"},
    {.name = "colour",
     .type = TL_PARAM_COLOUR,
     .offset = AT(colour),
     .default_value = "#8a8f98",
     .doc = "Colour in pictures"},
};

const tl_param_table tl_wall_table =
    TL_PARAM_TABLE(tl_wall_def, "wall", "A surface that matter does not pass", wall_params);
