/* Sums over matter: of a body, a material or a region; near a plane; beside a wall. See look.h. */
#include "measure/look.h"

#include <math.h>
#include <string.h>

/* In the order in which the functions below write them. Those of heat come last. */
const char *const tl_matter_columns[][2] = {{"particles", ""},
                                            {"mass", "kg"},
                                            {"volume", "m³"},
                                            {"momentum_x", "kg m/s"},
                                            {"momentum_y", "kg m/s"},
                                            {"momentum_z", "kg m/s"},
                                            {"angular_momentum_x", "kg m²/s"},
                                            {"angular_momentum_y", "kg m²/s"},
                                            {"angular_momentum_z", "kg m²/s"},
                                            {"kinetic_energy", "J"},
                                            {"center_x", "m"},
                                            {"center_y", "m"},
                                            {"center_z", "m"},
                                            {"low_x", "m"},
                                            {"low_y", "m"},
                                            {"low_z", "m"},
                                            {"high_x", "m"},
                                            {"high_y", "m"},
                                            {"high_z", "m"},
                                            {"height", "m"},
                                            {"spread", "m"},
                                            {"thermal_energy", "J"},
                                            {NULL, NULL}};
const char *const tl_plane_columns[][2] = {
    {"mass_flow", "kg/s"},        {"volume_flow", "m³/s"},      {"momentum_flow_x", "N"},
    {"momentum_flow_y", "N"},     {"momentum_flow_z", "N"},     {"mass_passed", "kg"},
    {"volume_passed", "m³"},      {"momentum_passed_x", "N s"}, {"momentum_passed_y", "N s"},
    {"momentum_passed_z", "N s"}, {"heat_passed", "J"},         {NULL, NULL}};
const char *const tl_wall_columns[][2] = {
    {"force_x", "N"},     {"force_y", "N"},       {"force_z", "N"},     {"torque_x", "N m"},
    {"torque_y", "N m"},  {"torque_z", "N m"},    {"impulse_x", "N s"}, {"impulse_y", "N s"},
    {"impulse_z", "N s"}, {"contact_area", "m²"}, {"heat", "J"},        {"temperature", "°C"},
    {NULL, NULL}};
const char *const tl_field_columns[] = {"mean", "min", "max", NULL};

/* ---- A field -----------------------------------------------------------------------------------
 */

typedef struct statistics {
    double weight, sum, low, high;
} statistics;

static statistics nothing(void) { return (statistics){0, 0, HUGE_VAL, -HUGE_VAL}; }

static void add_value(statistics *s, const tl_measured *field, size_t i, double weight) {
    if (!field->data || !(weight > 0))
        return;
    const double value = tl_measured_of(field, i);
    s->weight += weight;
    s->sum += weight * value;
    s->low = fmin(s->low, value);
    s->high = fmax(s->high, value);
}

static void write_statistics(const statistics *s, const tl_measured *field, double *out) {
    if (!field->data)
        return;
    out[0] = s->weight > 0 ? s->sum / s->weight : (double)NAN;
    out[1] = s->weight > 0 ? s->low : (double)NAN;
    out[2] = s->weight > 0 ? s->high : (double)NAN;
}

/* ---- Bodies, materials, regions ----------------------------------------------------------------
 */

static bool is_in(const tl_matter *m, const tl_measure_def *def, size_t i) {
    const double *x = m->position + 3 * i;
    bool inside = true;
    switch ((tl_measure_kind)def->kind) {
    case TL_MEASURE_BODY: return m->body[i] == def->index;
    case TL_MEASURE_MATERIAL: return m->material[i] == def->index;
    case TL_MEASURE_BOX:
        for (int k = 0; k < 3; k++)
            inside = inside && x[k] >= def->box.from[k] && x[k] <= def->box.to[k];
        return inside;
    case TL_MEASURE_SPHERE:
        return tl_vec3_length(tl_vec3_sub(tl_vec3_of(x), tl_vec3_of(def->sphere.center))) <=
               def->sphere.radius;
    default: return true;
    }
}

typedef struct matter_sums {
    double count, mass, volume, kinetic, thermal;
    double momentum[3], spin[3], moment[3], low[3], high[3];
    double bottom, top; /* m: along what is up */
} matter_sums;

/* Up is against gravity; z without it. */
static tl_vec3 up_of(const tl_matter *m) {
    const tl_vec3 g = tl_vec3_of(m->def->gravity);
    const double length = tl_vec3_length(g);
    return length > 0 ? tl_vec3_scale(g, -1 / length) : (tl_vec3){0, 0, 1};
}

/* A particle reaches half its spacing farther than its middle. */
static void add_particle(const tl_matter *m, size_t i, tl_vec3 up, matter_sums *s) {
    const double *x = m->position + 3 * i, *v = m->velocity + 3 * i, mass = (double)m->mass[i];
    const double height = tl_vec3_dot(up, tl_vec3_of(x)), half = 0.5 * tl_matter_spacing(m, i);
    double spin[3];
    tl_cross(x, v, spin);
    s->count += 1;
    s->mass += mass;
    s->volume += mass / m->density[i];
    s->kinetic += 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    s->thermal += m->enthalpy ? mass * m->enthalpy[i] : 0;
    s->bottom = fmin(s->bottom, height - half);
    s->top = fmax(s->top, height + half);
    for (int k = 0; k < 3; k++) {
        s->momentum[k] += mass * v[k];
        s->spin[k] += mass * spin[k];
        s->moment[k] += mass * x[k];
        s->low[k] = fmin(s->low[k], x[k] - half);
        s->high[k] = fmax(s->high[k], x[k] + half);
    }
}

/* Farthest from the vertical through the centre. */
static double spread_of(const tl_matter *m, const tl_measure_def *def, tl_vec3 center, tl_vec3 up) {
    double farthest = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (!is_in(m, def, i))
            continue;
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(m->position + 3 * i), center);
        const double along = tl_vec3_dot(d, up), across2 = tl_vec3_dot(d, d) - along * along;
        farthest = fmax(farthest, sqrt(fmax(across2, 0)) + 0.5 * tl_matter_spacing(m, i));
    }
    return farthest;
}

void tl_look_at_matter(const tl_matter *m, const tl_measure_def *def, const tl_measured *field,
                       double *out) {
    const tl_vec3 up = up_of(m);
    matter_sums s = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                     .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                     .bottom = HUGE_VAL,
                     .top = -HUGE_VAL};
    statistics values = nothing();
    for (size_t i = 0; i < m->count; i++)
        if (is_in(m, def, i)) {
            add_particle(m, i, up, &s);
            add_value(&values, field, i, (double)m->mass[i]);
        }
    const bool any = s.count > 0;
    const double center[3] = {s.moment[0] / s.mass, s.moment[1] / s.mass, s.moment[2] / s.mass};
    double own[3];
    tl_cross(center, s.momentum, own);
    *out++ = s.count;
    *out++ = s.mass;
    *out++ = s.volume;
    for (int k = 0; k < 3; k++)
        *out++ = s.momentum[k];
    for (int k = 0; k < 3; k++)
        *out++ = any ? s.spin[k] - own[k] : 0; /* about the centre */
    *out++ = s.kinetic;
    for (int k = 0; k < 3; k++)
        *out++ = any ? center[k] : (double)NAN;
    for (int k = 0; k < 3; k++)
        *out++ = any ? s.low[k] : (double)NAN;
    for (int k = 0; k < 3; k++)
        *out++ = any ? s.high[k] : (double)NAN;
    *out++ = any ? s.top - s.bottom : 0;
    *out++ = any ? spread_of(m, def, tl_vec3_of(center), up) : 0;
    if (m->enthalpy)
        *out++ = s.thermal;
    write_statistics(&values, field, out);
}

/* ---- Planes ------------------------------------------------------------------------------------
 */

/* 1/m: how much a particle counts at a plane at this distance. On a lattice the sum over its layers
 * is one, wherever the plane is. */
static double nearness(double distance, double spacing) {
    const double wide = 2 * spacing;
    return fmax(1 - fabs(distance) / wide, 0) / wide;
}

/* What flows now is that of the matter near the plane; what has passed was counted. */
void tl_look_at_plane(const tl_matter *m, const tl_measure_def *def, const tl_measured *field,
                      double *out) {
    const tl_gate_def *gate = &m->def->gates[def->index];
    const tl_gate *passed = tl_world_gate(m->world, def->index);
    double flow[5] = {0};
    statistics values = nothing();
    for (size_t i = 0; i < m->count; i++) {
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(m->position + 3 * i), gate->through);
        const double height = tl_vec3_dot(d, gate->normal), mass = (double)m->mass[i];
        const double near = nearness(height, tl_matter_spacing(m, i));
        const double across2 = tl_vec3_dot(d, d) - height * height;
        if (!(near > 0) || (gate->radius > 0 && across2 > gate->radius * gate->radius))
            continue;
        const double *v = m->velocity + 3 * i;
        const double rate = mass * near * tl_vec3_dot(tl_vec3_of(v), gate->normal);
        flow[0] += rate;
        flow[1] += rate / m->density[i];
        for (int k = 0; k < 3; k++)
            flow[2 + k] += rate * v[k];
        add_value(&values, field, i, mass * near);
    }
    for (int k = 0; k < 5; k++)
        *out++ = flow[k];
    *out++ = passed->mass;
    *out++ = passed->volume;
    for (int k = 0; k < 3; k++)
        *out++ = passed->momentum[k];
    if (m->enthalpy)
        *out++ = passed->heat;
    write_statistics(&values, field, out);
}

/* ---- Walls -------------------------------------------------------------------------------------
 */

/* What is nearer than a spacing touches; the layer beside a wall is that thick, and its volume is
 * that much of the area. */
void tl_look_at_wall(const tl_matter *m, const tl_measure_def *def, const tl_measured *field,
                     double *out) {
    const tl_wall_books *books = tl_world_wall_books(m->world, def->index);
    double area = 0;
    statistics values = nothing();
    for (size_t i = 0; i < m->count; i++) {
        const double spacing = tl_matter_spacing(m, i);
        const size_t faces =
            tl_world_faces_near(m->world, def->index, tl_vec3_of(m->position + 3 * i), spacing);
        if (faces == 0)
            continue;
        area += (double)faces * (double)m->mass[i] / m->density[i] / spacing;
        add_value(&values, field, i, (double)m->mass[i]);
    }
    for (int k = 0; k < 3; k++)
        *out++ = books->force[k];
    for (int k = 0; k < 3; k++)
        *out++ = books->torque[k];
    for (int k = 0; k < 3; k++)
        *out++ = books->impulse[k];
    *out++ = area;
    if (m->enthalpy) {
        *out++ = books->heat;
        *out++ = tl_world_wall_temperature(m->world, def->index);
    }
    write_statistics(&values, field, out);
}
