/* Parameters of emitters, and what follows from time alone. See emitter.h; nozzle.c has the
 * geometry. */
#include "boundary/emitter.h"

#include "math/kernels.h"

#include <math.h>

#define AT(member) offsetof(tl_emitter_def, member)

#define MOUTH(of)                                                                                  \
    {.name = "center",                                                                             \
     .type = TL_PARAM_VECTOR,                                                                      \
     .offset = offsetof(of, center),                                                               \
     .unit = TL_UNIT_LENGTH,                                                                       \
     .flags = TL_PARAM_REQUIRED,                                                                   \
     .doc = "Its middle at the start"},                                                            \
    {                                                                                              \
        .name = "direction", .type = TL_PARAM_VECTOR, .offset = offsetof(of, direction),           \
        .flags = TL_PARAM_REQUIRED, .doc = "The way matter comes out; any length"                  \
    }

#define SIZE(of, member)                                                                           \
    .type = TL_PARAM_NUMBER, .offset = offsetof(of, member), .unit = TL_UNIT_LENGTH, .min = 0,     \
    .max = 1e6, .flags = TL_PARAM_REQUIRED | TL_PARAM_MIN_EXCLUSIVE

static const tl_param disc_params[] = {
    MOUTH(tl_disc_def),
    {.name = "radius", SIZE(tl_disc_def, radius), .doc = "Radius"},
};

const tl_param_table tl_disc_table =
    TL_PARAM_TABLE(tl_disc_def, "disc", "A round mouth", disc_params);

static const tl_param rectangle_params[] = {
    MOUTH(tl_rectangle_def),
    {.name = "width",
     SIZE(tl_rectangle_def, width),
     .doc = "The edge that is level; along x where matter comes out up or down"},
    {.name = "height", SIZE(tl_rectangle_def, height), .doc = "The other edge"},
};

const tl_param_table tl_rectangle_table =
    TL_PARAM_TABLE(tl_rectangle_def, "rectangle", "A mouth with four corners", rectangle_params);

static const tl_param params[] = {
    {.name = "name",
     .type = TL_PARAM_TEXT,
     .offset = AT(name),
     .flags = TL_PARAM_IDLE,
     .doc = "Name, for messages"},
    {.name = "material",
     .type = TL_PARAM_TEXT,
     .offset = AT(material),
     .flags = TL_PARAM_REQUIRED,
     .doc = "A name in materials, or a material of the library"},
    {.name = "disc",
     .type = TL_PARAM_SECTION,
     .offset = AT(disc),
     .flags = TL_PARAM_OPTIONAL,
     .table = &tl_disc_table,
     .present = AT(has_disc),
     .doc = "A round mouth"},
    {.name = "rectangle",
     .type = TL_PARAM_SECTION,
     .offset = AT(rectangle),
     .flags = TL_PARAM_OPTIONAL,
     .table = &tl_rectangle_table,
     .present = AT(has_rectangle),
     .doc = "A mouth with four corners"},
    TL_FORM_SECTION(tl_emitter_def, form, mesh, "file", "A mouth of any outline: a flat mesh"),
    TL_FORM_PLACE_PARAMS(tl_emitter_def, form),
    {.name = "speed",
     .type = TL_PARAM_SCHEDULE,
     .offset = AT(speed),
     .unit = TL_UNIT_SPEED,
     .min = 0,
     .max = 1e4,
     .flags = TL_PARAM_LIVE | TL_PARAM_OPTIONAL,
     .present = AT(has_speed),
     .doc = "How fast matter comes out; may be a table over time"},
    {.name = "flow_rate",
     .type = TL_PARAM_SCHEDULE,
     .offset = AT(flow_rate),
     .unit = TL_UNIT_FLOW_RATE,
     .min = 0,
     .max = 1e6,
     .flags = TL_PARAM_LIVE | TL_PARAM_OPTIONAL,
     .present = AT(has_flow_rate),
     .doc = "How much comes out, instead of speed; may be a table over time"},
    {.name = "temperature",
     .type = TL_PARAM_SCHEDULE,
     .offset = AT(temperature),
     .unit = TL_UNIT_TEMPERATURE,
     .default_value = "20 °C",
     .min = -273.15,
     .max = 1e5,
     .flags = TL_PARAM_LIVE,
     .doc = "Of what comes out; may be a table over time"},
    {.name = "from",
     .type = TL_PARAM_NUMBER,
     .offset = AT(from),
     .unit = TL_UNIT_TIME,
     .default_value = "0",
     .min = 0,
     .max = 1e9,
     .doc = "When it opens"},
    {.name = "until",
     .type = TL_PARAM_NUMBER,
     .offset = AT(until),
     .unit = TL_UNIT_TIME,
     .min = 0,
     .max = 1e9,
     .flags = TL_PARAM_OPTIONAL,
     .present = AT(has_until),
     .doc = "When it closes; never unless given"},
    {.name = "limit",
     .type = TL_PARAM_NUMBER,
     .offset = AT(limit),
     .unit = TL_UNIT_VOLUME,
     .min = 0,
     .max = 1e12,
     .flags = TL_PARAM_OPTIONAL,
     .present = AT(has_limit),
     .doc = "It closes when so much has come out"},
    {.name = "length",
     .type = TL_PARAM_NUMBER,
     .offset = AT(length),
     .unit = TL_UNIT_LENGTH,
     .min = 0,
     .max = 1e6,
     .flags = TL_PARAM_OPTIONAL | TL_PARAM_MIN_EXCLUSIVE,
     .present = AT(has_length),
     .doc = "Of the nozzle, in which matter is led; 3 spacings unless given"},
    {.name = "velocity",
     .type = TL_PARAM_VECTOR,
     .offset = AT(velocity),
     .unit = TL_UNIT_SPEED,
     .default_value = "[0, 0, 0]",
     .doc = "How the nozzle moves"},
    {.name = "hidden",
     .type = TL_PARAM_SWITCH,
     .offset = AT(hidden),
     .default_value = "false",
     .flags = TL_PARAM_IDLE,
     .doc = "Leave its spout out of pictures"},
};

const tl_param_table tl_emitter_table =
    TL_PARAM_TABLE(tl_emitter_def, "emitter",
                   "A nozzle that matter comes out of: a disc, rectangle or mesh", params);

/* Middle and area vector of all triangles. */
static tl_mouth mouth_of_mesh(const tl_mesh *m) {
    tl_mouth mouth = {0};
    double sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const tl_vec3 a = tl_mesh_corner(m, t, 0), b = tl_mesh_corner(m, t, 1),
                      c = tl_mesh_corner(m, t, 2);
        const tl_vec3 twice = tl_vec3_cross(tl_vec3_sub(b, a), tl_vec3_sub(c, a));
        const double part = tl_vec3_length(twice);
        mouth.direction = tl_vec3_mad(mouth.direction, 0.5, twice);
        mouth.center = tl_vec3_mad(mouth.center, part / 3, tl_vec3_add(a, tl_vec3_add(b, c)));
        sum += part;
    }
    mouth.area = tl_vec3_length(mouth.direction);
    mouth.center = tl_vec3_scale(mouth.center, sum > 0 ? 1 / sum : 0);
    for (size_t i = 0; i < 3 * m->triangle_count; i++)
        mouth.reach =
            fmax(mouth.reach,
                 tl_vec3_length(tl_vec3_sub(tl_mesh_corner(m, i / 3, (int)(i % 3)), mouth.center)));
    return mouth;
}

tl_mouth tl_emitter_mouth(const tl_emitter_def *e) {
    if (e->form.has_mesh)
        return mouth_of_mesh(&e->mesh);
    if (e->has_disc)
        return (tl_mouth){tl_vec3_of(e->disc.center), tl_vec3_of(e->disc.direction),
                          TL_PI * e->disc.radius * e->disc.radius, e->disc.radius};
    const tl_rectangle_def *r = &e->rectangle;
    return (tl_mouth){tl_vec3_of(r->center), tl_vec3_of(r->direction), r->width * r->height,
                      0.5 * hypot(r->width, r->height)};
}

double tl_emitter_area(const tl_emitter_def *e) { return tl_emitter_mouth(e).area; }

double tl_emitter_way(const tl_emitter_def *e, double area, double from, double to) {
    const double begin = fmax(from, e->from), end = e->has_until ? fmin(to, e->until) : to;
    if (!(begin < end))
        return 0;
    return e->has_speed ? tl_schedule_integral(&e->speed, begin, end)
                        : tl_schedule_integral(&e->flow_rate, begin, end) / area;
}

double tl_emitter_peak(const tl_emitter_def *e, double area) {
    return e->has_speed ? tl_schedule_peak(&e->speed) : tl_schedule_peak(&e->flow_rate) / area;
}
