/* See measure.h. */
#include "measure/measure.h"

#include "measure/look.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tl_measure_fields[] = {"velocity",
                                         "velocity_x",
                                         "velocity_y",
                                         "velocity_z",
                                         "density",
                                         "pressure",
                                         "strain_rate",
                                         "temperature",
                                         "viscosity",
                                         "acceleration",
                                         "acceleration_x",
                                         "acceleration_y",
                                         "acceleration_z",
                                         "enthalpy",
                                         "liquid_fraction",
                                         "phase",
                                         "exposed_area",
                                         "lit_part",
                                         "held",
                                         "elastic_stress",
                                         "elastic_strain",
                                         "elastic_modulus",
                                         "plastic_strain",
                                         "position_x",
                                         "position_y",
                                         "position_z",
                                         "mass",
                                         "size",
                                         NULL};

/* ---- Fields ------------------------------------------------------------------------------------
 */

bool tl_measured_find(const tl_fields *fields, const char *name, tl_measured *out,
                      const char **unit) {
    char base[64];
    snprintf(base, sizeof base, "%s", name);
    const size_t length = strlen(base);
    int handle = tl_fields_find(fields, base), component = -1;
    if (handle < 0 && length > 2 && base[length - 2] == '_') {
        static const char axes[] = "xyz";
        const char *axis = strchr(axes, base[length - 1]);
        base[length - 2] = 0;
        handle = axis ? tl_fields_find(fields, base) : -1;
        component = axis ? (int)(axis - axes) : -1;
    }
    if (handle < 0)
        return false;
    const tl_field_desc *desc = fields->field[handle].desc;
    if (component >= 0 && desc->components != 3)
        return false;
    *out = (tl_measured){fields->field[handle].data, desc->type, (size_t)desc->components,
                         desc->components == 1 ? 0 : component};
    if (unit)
        *unit = desc->unit;
    return true;
}

static double number(const tl_measured *f, size_t element) {
    switch (f->type) {
    case TL_F32: return (double)((const float *)f->data)[element];
    case TL_F64: return ((const double *)f->data)[element];
    case TL_U8: return ((const uint8_t *)f->data)[element];
    case TL_U32: return ((const uint32_t *)f->data)[element];
    case TL_U64: return (double)((const uint64_t *)f->data)[element];
    }
    return (double)NAN;
}

/* Of symmetric tensors √(½ S:S), which is the stress of a simple shear. */
double tl_measured_of(const tl_measured *f, size_t i) {
    if (f->component >= 0)
        return number(f, f->components * i + (size_t)f->component);
    double sum = 0;
    for (size_t c = 0; c < f->components; c++) {
        const double x = number(f, f->components * i + c);
        sum += (f->components == 6 && c < 3 ? 0.5 : 1) * x * x;
    }
    return sqrt(sum);
}

static const void *data_of(const tl_fields *fields, const char *name) {
    const int handle = tl_fields_find(fields, name);
    return handle < 0 ? NULL : tl_field_data(fields, handle);
}

tl_matter tl_matter_of(const tl_world *world) {
    const tl_fields *fields = tl_world_fields(world);
    return (tl_matter){.world = world,
                       .def = tl_world_definition(world),
                       .count = fields->count,
                       .position = data_of(fields, "position"),
                       .velocity = data_of(fields, "velocity"),
                       .density = data_of(fields, "density"),
                       .enthalpy = data_of(fields, "enthalpy"),
                       .mass = data_of(fields, "mass"),
                       .size = data_of(fields, "size"),
                       .material = data_of(fields, "material"),
                       .body = data_of(fields, "body")};
}

/* ---- Columns -----------------------------------------------------------------------------------
 */

static tl_status add_column(tl_measures *m, const char *measure, const char *what,
                            const char *suffix, const char *unit, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(m->columns, m->column_count, m->column_count + 1, error));
    tl_measure_column *c = &m->columns[m->column_count++];
    snprintf(c->name, sizeof c->name, "%.48s.%s%s%s", measure, what, *suffix ? "_" : "", suffix);
    c->unit = unit;
    return TL_OK;
}

/* Columns that only heat has end the lists of their kinds. */
static size_t heat_columns(int kind) { return kind == TL_MEASURE_WALL ? 2 : 1; }

/* What a kind writes before its field. */
static const char *const (*list_of(const tl_measure_def *def))[2] {
    return def->kind == TL_MEASURE_PLANE  ? tl_plane_columns
           : def->kind == TL_MEASURE_WALL ? tl_wall_columns
                                          : tl_matter_columns;
}

static size_t list_length(const tl_measure_def *def, bool with_heat) {
    size_t count = 0;
    while (list_of(def)[count][0])
        count++;
    return count - (with_heat ? 0 : heat_columns(def->kind));
}

static tl_status add_kind(tl_measures *m, const tl_measure_def *def, bool with_heat,
                          tl_error *error) {
    const char *const(*list)[2] = list_of(def);
    for (size_t k = 0; k < list_length(def, with_heat); k++)
        TL_TRY(add_column(m, def->name, list[k][0], "", list[k][1], error));
    return TL_OK;
}

static tl_status add_points(tl_measures *m, const tl_measure_def *def, const char *unit,
                            tl_error *error) {
    for (int64_t p = 1; p <= def->line.points; p++) {
        char name[64];
        snprintf(name, sizeof name, "%lld.%.40s", (long long)p, def->field);
        TL_TRY(add_column(m, def->name, name, "", unit, error));
    }
    return TL_OK;
}

static tl_status add_columns(tl_measures *m, const tl_measure_def *def, const tl_world *world,
                             tl_error *error) {
    const bool heat = tl_world_definition(world)->with_heat;
    const char *unit = "";
    tl_measured field = {0};
    if (def->field && !tl_measured_find(tl_world_fields(world), def->field, &field, &unit))
        return tl_fail(error, TL_BAD_INPUT, def->name,
                       "measure another field, or leave it out; fields of heat need heat: {}",
                       "this world has no field called %s", def->field);
    if (def->kind == TL_MEASURE_POINT)
        return add_column(m, def->name, def->field, "", unit, error);
    if (def->kind == TL_MEASURE_LINE)
        return add_points(m, def, unit, error);
    TL_TRY(add_kind(m, def, heat, error));
    for (size_t k = 0; def->field && tl_field_columns[k]; k++)
        TL_TRY(add_column(m, def->name, def->field, tl_field_columns[k], unit, error));
    return TL_OK;
}

tl_status tl_measures_make(const tl_measure_def *defs, size_t count, const tl_world *world,
                           tl_measures *out, tl_error *error) {
    *out = (tl_measures){.defs = defs, .count = count};
    tl_status status = TL_OK;
    for (size_t i = 0; i < count && status == TL_OK; i++)
        status = add_columns(out, &defs[i], world, error);
    if (status == TL_OK) {
        out->values = tl_allocate(out->column_count + 1, sizeof *out->values);
        if (!out->values)
            status = tl_fail_memory(error, out->column_count, sizeof *out->values);
    }
    if (status != TL_OK)
        tl_measures_free(out);
    return status;
}

void tl_measures_free(tl_measures *m) {
    tl_array_free(m->columns);
    tl_array_free(m->moments);
    free(m->values);
    *m = (tl_measures){0};
}

/* ---- Values ------------------------------------------------------------------------------------
 */

static size_t columns_of(const tl_measure_def *def, bool with_heat) {
    return def->kind == TL_MEASURE_POINT  ? 1
           : def->kind == TL_MEASURE_LINE ? (size_t)def->line.points
                                          : list_length(def, with_heat) + (def->field ? 3 : 0);
}

static tl_status look(tl_measures *m, const tl_measure_def *def, const tl_matter *matter,
                      double *out, tl_error *error) {
    tl_measured field = {0};
    if (def->field)
        (void)tl_measured_find(tl_world_fields(matter->world), def->field, &field, NULL);
    const tl_vec3 point = tl_vec3_of(def->point);
    switch ((tl_measure_kind)def->kind) {
    case TL_MEASURE_POINT:
        return tl_look_at_points(matter, &field, point, point, 1, &m->moments, out, error);
    case TL_MEASURE_LINE:
        return tl_look_at_points(matter, &field, tl_vec3_of(def->line.from),
                                 tl_vec3_of(def->line.to), (size_t)def->line.points, &m->moments,
                                 out, error);
    case TL_MEASURE_PLANE: tl_look_at_plane(matter, def, &field, out); return TL_OK;
    case TL_MEASURE_WALL: tl_look_at_wall(matter, def, &field, out); return TL_OK;
    default: tl_look_at_matter(matter, def, &field, out); return TL_OK;
    }
}

tl_status tl_measures_look(tl_measures *m, const tl_world *world, tl_error *error) {
    const tl_matter matter = tl_matter_of(world);
    double *out = m->values;
    for (size_t i = 0; i < m->count; i++) {
        TL_TRY(look(m, &m->defs[i], &matter, out, error));
        out += columns_of(&m->defs[i], matter.def->with_heat);
    }
    return TL_OK;
}
