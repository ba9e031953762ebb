/* See params.h. */
#include "measure/params.h"

static const tl_param line_params[] = {
    {.name = "from",
     .type = TL_PARAM_VECTOR,
     .offset = offsetof(tl_probe_line_def, from),
     .unit = TL_UNIT_LENGTH,
     .flags = TL_PARAM_REQUIRED,
     .doc = "The first point"},
    {.name = "to",
     .type = TL_PARAM_VECTOR,
     .offset = offsetof(tl_probe_line_def, to),
     .unit = TL_UNIT_LENGTH,
     .flags = TL_PARAM_REQUIRED,
     .doc = "The last point"},
    {.name = "points",
     .type = TL_PARAM_INTEGER,
     .offset = offsetof(tl_probe_line_def, points),
     .default_value = "11",
     .min = 2,
     .max = 1000,
     .doc = "How many points, evenly spread, the ends included"},
};

const tl_param_table tl_probe_line_table =
    TL_PARAM_TABLE(tl_probe_line_def, "line", "Points on a line that is measured at", line_params);

static const tl_param plane_params[] = {
    {.name = "through",
     .type = TL_PARAM_VECTOR,
     .offset = offsetof(tl_probe_plane_def, through),
     .unit = TL_UNIT_LENGTH,
     .flags = TL_PARAM_REQUIRED,
     .doc = "A point of the plane; the middle of the disc"},
    {.name = "normal",
     .type = TL_PARAM_VECTOR,
     .offset = offsetof(tl_probe_plane_def, normal),
     .default_value = "[0, 0, 1]",
     .doc = "Direction in which what passes counts; what comes back counts against it"},
    {.name = "radius",
     .type = TL_PARAM_NUMBER,
     .offset = offsetof(tl_probe_plane_def, radius),
     .unit = TL_UNIT_LENGTH,
     .default_value = "0",
     .min = 0,
     .max = 1e6,
     .doc = "Of a disc of the plane that alone counts; 0: all of the plane"},
};

const tl_param_table tl_probe_plane_table =
    TL_PARAM_TABLE(tl_probe_plane_def, "plane", "A plane that matter flows through", plane_params);

#define NAMED(member, what)                                                                        \
    {                                                                                              \
        .name = #member, .type = TL_PARAM_TEXT, .offset = offsetof(tl_measure_def, member),        \
        .flags = TL_PARAM_OPTIONAL, .present = offsetof(tl_measure_def, has_##member), .doc = what \
    }
#define PLACE(member, table_, what)                                                                \
    {                                                                                              \
        .name = #member, .type = TL_PARAM_SECTION, .offset = offsetof(tl_measure_def, member),     \
        .flags = TL_PARAM_OPTIONAL, .table = table_,                                               \
        .present = offsetof(tl_measure_def, has_##member), .doc = what                             \
    }

static const tl_param measure_params[] = {
    {.name = "name",
     .type = TL_PARAM_TEXT,
     .offset = offsetof(tl_measure_def, name),
     .doc = "Name of its columns; measure-1, measure-2 and so on when absent"},
    {.name = "field",
     .type = TL_PARAM_TEXT,
     .offset = offsetof(tl_measure_def, field),
     .doc = "A field of the particles, such as temperature; of a vector its length, or with _x, _y "
            "or _z a component. Points and lines need one; elsewhere mean, least and largest"},
    {.name = "point",
     .type = TL_PARAM_VECTOR,
     .offset = offsetof(tl_measure_def, point),
     .unit = TL_UNIT_LENGTH,
     .flags = TL_PARAM_OPTIONAL,
     .present = offsetof(tl_measure_def, has_point),
     .doc = "The field at a point"},
    PLACE(line, &tl_probe_line_table, "The field at points of a line"),
    PLACE(plane, &tl_probe_plane_table, "What flows through a plane, and the field near it"),
    NAMED(body, "Matter that was a body at the start, by its name"),
    NAMED(material, "All matter of a material, by its name"),
    NAMED(wall, "What a wall feels, and the field of what touches it"),
    PLACE(box, &tl_box_table, "Matter in a box"),
    PLACE(sphere, &tl_sphere_table, "Matter in a ball"),
};

const tl_param_table tl_measure_table =
    TL_PARAM_TABLE(tl_measure_def, "measure",
                   "Something to be measured; without a place, of all matter", measure_params);
