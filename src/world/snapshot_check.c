/* See snapshot_check.h. */
#include "world/snapshot_check.h"

#include <math.h>

/* A place more than this many supports from the origin is beyond the precision of the records. */
static const double farthest = 1e6;

/* Masses of the particles of a rigid body are single numbers and add up to its mass so well. */
static const double mass_slack = 1e-3;

/* Sizes are single numbers. */
static const double rounding = 1e-6;

static tl_status refuse(const char *path, const tl_field_desc *desc, size_t i, double value,
                        tl_error *error) {
    return tl_fail(error, TL_BAD_INPUT, path, "go on from an older snapshot",
                   "the snapshot is damaged: field \"%s\" of its particle %zu is %g", desc->name, i,
                   value);
}

static double number_at(const tl_field *field, size_t i) {
    switch (field->desc->type) {
    case TL_F32: return (double)((const float *)field->data)[i];
    case TL_F64: return ((const double *)field->data)[i];
    case TL_U8: return ((const uint8_t *)field->data)[i];
    case TL_U32: return ((const uint32_t *)field->data)[i];
    case TL_U64: return (double)((const uint64_t *)field->data)[i];
    }
    return (double)NAN;
}

/* All numbers of a field lie between two bounds, both included; none is a NaN. */
static tl_status check_range(const tl_world *w, const char *path, int handle, double least,
                             double most, tl_error *error) {
    if (handle < 0)
        return TL_OK;
    const tl_field *field = &w->fields.field[handle];
    const size_t components = (size_t)field->desc->components;
    for (size_t i = 0; i < w->fields.count * components; i++) {
        const double value = number_at(field, i);
        if (!(value >= least && value <= most))
            return refuse(path, field->desc, i / components, value, error);
    }
    return TL_OK;
}

/* Places in the world, whose records have another origin. */
static tl_status check_places(const tl_world *w, const char *path, tl_error *error) {
    const double most = farthest * tl_least_support(&w->sizes),
                 middle[3] = {w->origin.x, w->origin.y, w->origin.z};
    const double *x = tl_position(w);
    for (size_t i = 0; i < 3 * w->fields.count; i++)
        if (!(fabs(x[i] - middle[i % 3]) < most))
            return refuse(path, w->fields.field[w->handle.position].desc, i / 3, x[i], error);
    return check_range(w, path, w->handle.list_position, -most, most, error);
}

/* The particles of a rigid body do not come and go. */
static tl_status check_rigids(const tl_world *w, const char *path, tl_error *error) {
    for (size_t k = 0; k < w->rigids.count; k++) {
        double mass = 0;
        for (size_t i = 0; i < w->fields.count; i++)
            mass += tl_rigid_of(w, i) == k + 1 ? (double)tl_mass(w)[i] : 0;
        if (!(fabs(mass / w->rigids.items[k].mass - 1) < mass_slack))
            return tl_fail(error, TL_BAD_INPUT, path, "go on from an older snapshot",
                           "the snapshot is damaged: rigid body %zu has %g kg of its %g kg", k,
                           mass, w->rigids.items[k].mass);
    }
    return TL_OK;
}

uint32_t tl_world_count_bodies(const tl_world *w) {
    const uint32_t *body = tl_field_data(&w->fields, w->handle.body);
    uint32_t count = 1;
    for (size_t i = 0; i < w->fields.count; i++)
        count = body[i] >= count ? body[i] + 1 : count;
    for (size_t e = 0; e < w->def.emitter_count; e++)
        count = w->def.emitters[e].body >= count ? w->def.emitters[e].body + 1 : count;
    return count;
}

tl_status tl_world_check_fields(const tl_world *w, uint32_t bodies, const char *path,
                                tl_error *error) {
    const double largest = 1e300, least = 1e-300;
    for (size_t f = 0; f < w->fields.field_count; f++) {
        const tl_field_desc *desc = w->fields.field[f].desc;
        if ((desc->flags & TL_FIELD_SAVED) && (desc->type == TL_F32 || desc->type == TL_F64))
            TL_TRY(check_range(w, path, (int)f, -largest, largest, error));
    }
    TL_TRY(check_range(w, path, w->handle.mass, least, largest, error));
    TL_TRY(check_range(w, path, w->handle.density, least, largest, error));
    TL_TRY(check_range(w, path, w->handle.material, 0, (double)w->def.material_count - 1, error));
    TL_TRY(check_range(w, path, w->handle.body, 0, (double)bodies - 1, error));
    TL_TRY(check_range(w, path, w->handle.nozzle, 0, (double)w->def.emitter_count, error));
    TL_TRY(check_range(w, path, w->handle.held, 0, 1, error));
    TL_TRY(check_range(w, path, w->handle.size, (1 - rounding) * w->def.least_size,
                       (1 + rounding) * w->def.most_size, error));
    TL_TRY(check_places(w, path, error));
    return check_rigids(w, path, error);
}
