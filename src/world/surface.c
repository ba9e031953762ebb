/* The surface of a world's matter: what is open to the air, what sources shine on, and the heat
 * that comes and goes there. Areas and light are found anew only when matter or a source has moved
 * by a part of a spacing; they are fields, so that a resumed world goes on with the very same. */
#include "world/state.h"

#include "heat/loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far matter or a source may move before the surface is found anew, in spacings. */
static const double longest_way = 0.25;

/* By how much a source's share of all power may change before light is found anew. */
static const double largest_change = 1e-3;

/* From a particle to its surface, in spacings: a half, and what the outermost layer conducts too
 * well, since its fit (conduction.h) takes a surface for insulating: 0.83 in all on a flat lattice
 * at a support of 2, by solving for it, 0.6 to 0.75 on balls and in disorder, by the results. */
static const double way_to_surface = 0.7;

bool tl_world_wants_surface(const tl_world_def *def) {
    return def->with_heat && (def->heat.has_ambient || def->source_count > 0);
}

static float *areas(const tl_world *w) { return tl_field_data(&w->fields, w->handle.exposed_area); }
static float *lit_parts(const tl_world *w) { return tl_field_data(&w->fields, w->handle.lit_part); }

/* W: the light of a source. */
static double light_of(const tl_world *w, size_t source, double time) {
    const tl_source_def *def = &w->def.sources[source];
    return def->has_wick ? def->wick.radiant * w->surface.flames[source].power
                         : tl_schedule_at(&def->power, time);
}

static double power_at(const tl_world *w, double time) {
    double power = 0;
    for (size_t s = 0; s < w->def.source_count; s++)
        power += light_of(w, s, time);
    return power;
}

/* A source's share of all power. Where there is none, all have the same: a lamp that is off is
 * ready to be switched on. */
static double share_at(const tl_world *w, size_t source, double time) {
    const double all = power_at(w, time);
    return all > 0 ? light_of(w, source, time) / all : 1 / (double)w->def.source_count;
}

static tl_vec3 place_of(const tl_world *w, size_t source, double time) {
    const tl_source_def *def = &w->def.sources[source];
    return def->has_wick ? tl_wick_flame(&def->wick, w->surface.flames[source].top)
                         : tl_source_place(def, time);
}

static bool sources_changed(const tl_world *w, double time) {
    const bool shines = power_at(w, time) > 0;
    for (size_t s = 0; s < w->def.source_count; s++) {
        const tl_flame *seen = &w->surface.flames[s];
        const tl_vec3 way = tl_vec3_sub(place_of(w, s, time), tl_vec3_of(seen->seen));
        if (tl_vec3_length(way) > longest_way * tl_least_spacing(&w->sizes) ||
            (shines && fabs(share_at(w, s, time) - seen->share) > largest_change))
            return true;
    }
    return false;
}

/* Notes where light comes from. */
static void note_source(tl_world *w, size_t source, double time) {
    tl_flame *flame = &w->surface.flames[source];
    const tl_vec3 place = place_of(w, source, time);
    memcpy(flame->seen, (const double[]){place.x, place.y, place.z}, sizeof flame->seen);
    flame->share = share_at(w, source, time);
}

static tl_status find_light(tl_world *w, double time, tl_error *error) {
    tl_world_surface *f = &w->surface;
    const size_t n = w->fields.count;
    const tl_sight sight = {.records = &w->records,
                            .exposed = &f->exposed,
                            .shapes = &w->shapes,
                            .origin = w->origin,
                            .sizes = w->sizes,
                            .spacing = tl_least_spacing(&w->sizes)};
    TL_TRY(TL_ARRAY_RESERVE(f->parts, 0, n, error));
    memset(f->parts, 0, n * sizeof *f->parts);
    for (size_t s = 0; s < w->def.source_count; s++) {
        note_source(w, s, time);
        TL_TRY(tl_radiation_add(&f->radiation, &w->parallel, &sight, &w->def.sources[s],
                                place_of(w, s, time), f->flames[s].share, f->parts, error));
    }
    for (size_t i = 0; i < n; i++)
        lit_parts(w)[i] = (float)f->parts[i];
    return TL_OK;
}

tl_status tl_world_find_surface(tl_world *w, double time, tl_error *error) {
    tl_world_surface *f = &w->surface;
    f->power = power_at(w, time);
    f->ambient = w->def.heat.has_ambient ? tl_schedule_at(&w->def.heat.ambient, time) : 0;
    if (w->state.surface_time >= 0 &&
        w->state.surface_travel <= longest_way * tl_least_spacing(&w->sizes) &&
        !sources_changed(w, time))
        return TL_OK;
    TL_TRY(tl_exposed_find(&f->exposed, &w->parallel, &w->records, &w->list,
                           w->rigids.count ? &w->rigids.touching : NULL, &w->sizes,
                           tl_world_sample_spacing(w), error));
    for (size_t i = 0; i < w->fields.count; i++)
        areas(w)[i] = (float)tl_exposed_area(&f->exposed, i);
    if (w->def.source_count > 0)
        TL_TRY(find_light(w, time, error));
    w->state.surface_time = fmax(time, 0);
    w->state.surface_travel = 0;
    return TL_OK;
}

/* ---- Channels ----------------------------------------------------------------------------------
 */

static const tl_material *material_of(const tl_world *w, size_t i) {
    return &w->materials[tl_material_of(w)[i]];
}

/* What a particle absorbs of the sources' light (W). */
static double absorbed_by(const tl_world *w, size_t i) {
    return material_of(w, i)->absorptivity * (double)lit_parts(w)[i] * w->surface.power;
}

/* [Chao12 eq. 3.21]: a whole particle, at its own temperature. */
static tl_loss loss_of_particle(const tl_world *w, size_t i, double temperature) {
    const double support = tl_support_of(&w->sizes, i), spacing = tl_spacing_of(&w->sizes, i);
    const tl_open_surface surface = {
        .area = tl_loss_area_of_particle((double)areas(w)[i], support, spacing),
        .emissivity = material_of(w, i)->emissivity,
        .convection = w->def.heat.convection,
        .ambient = w->surface.ambient};
    return tl_loss_at(&surface, temperature);
}

static tl_loss loss_of(const tl_world *w, size_t i, double temperature) {
    const double area = (double)areas(w)[i];
    if (w->def.heat.loss == TL_LOSS_PARTICLES)
        return loss_of_particle(w, i, temperature);
    const tl_open_surface surface = {.area = area,
                                     .emissivity = material_of(w, i)->emissivity,
                                     .convection = w->def.heat.convection,
                                     .ambient = w->surface.ambient,
                                     .conductance = (double)w->heat.conductivity[i] * area /
                                                    (way_to_surface * tl_spacing_of(&w->sizes, i)),
                                     .absorbed = absorbed_by(w, i)};
    return tl_loss_at(&surface, temperature);
}

void tl_world_add_radiation(void *context, const double *temperature, double *power, double *slope,
                            size_t begin, size_t end) {
    (void)temperature, (void)slope;
    const tl_world *w = context;
    for (size_t i = begin; i < end; i++)
        if (lit_parts(w)[i] > 0)
            power[i - begin] += absorbed_by(w, i);
}

void tl_world_add_lost_radiation(void *context, const double *temperature, double *power,
                                 double *slope, size_t begin, size_t end) {
    const tl_world *w = context;
    for (size_t i = begin; i < end && w->def.heat.has_ambient; i++) {
        if (!(areas(w)[i] > 0) || material_of(w, i)->emissivity == 0)
            continue;
        const tl_loss loss = loss_of(w, i, temperature[i]);
        power[i - begin] -= loss.radiation;
        slope[i - begin] -= loss.radiation_slope;
    }
}

void tl_world_add_lost_convection(void *context, const double *temperature, double *power,
                                  double *slope, size_t begin, size_t end) {
    const tl_world *w = context;
    if (!w->def.heat.has_ambient || w->def.heat.convection == 0)
        return;
    for (size_t i = begin; i < end; i++) {
        if (!(areas(w)[i] > 0))
            continue;
        const tl_loss loss = loss_of(w, i, temperature[i]);
        power[i - begin] -= loss.convection;
        slope[i - begin] -= loss.convection_slope;
    }
}

void tl_world_free_surface(tl_world *w) {
    tl_exposed_free(&w->surface.exposed);
    tl_radiation_free(&w->surface.radiation);
    tl_array_free(w->surface.parts);
    tl_array_free(w->surface.warmed);
    free(w->surface.flames);
    w->surface = (tl_world_surface){0};
}
