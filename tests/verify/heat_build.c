/* See heat_build.h. */
#include "heat_build.h"

#include "base/random.h"
#include "scene/schema.h"

#include <criterion/criterion.h>
#include <math.h>

plate plate_make(double spacing) {
    plate p = {0};
    p.materials[0] = (tl_material){.name = (char *)"first",
                                   .density = 1,
                                   .viscosity.value = 1,
                                   .specific_heat = 1,
                                   .conductivity = 1};
    p.materials[1] = p.materials[0];
    p.materials[1].name = (char *)"second";
    p.def.spacing = spacing;
    p.def.with_heat = true;
    cr_assert(tl_schema_defaults(&tl_flow_table, &p.def.flow));
    cr_assert(tl_schema_defaults(&tl_heat_table, &p.def.heat));
    p.def.flow.scheme = TL_SCHEME_NONE;
    return p;
}

void plate_add_box(plate *p, const double from[3], const double to[3], uint32_t material,
                   double temperature) {
    long n[3];
    for (int k = 0; k < 3; k++)
        n[k] = lround((to[k] - from[k]) / p->def.spacing);
    for (long z = 0; z < n[2]; z++)
        for (long y = 0; y < n[1]; y++)
            for (long x = 0; x < n[0]; x++) {
                cr_assert_eq(TL_ARRAY_RESERVE(p->seeds, p->count, p->count + 1, NULL), TL_OK);
                const long at[3] = {x, y, z};
                tl_seed *seed = &p->seeds[p->count++];
                *seed = (tl_seed){.material = material, .temperature = (float)temperature};
                for (int k = 0; k < 3; k++)
                    seed->position[k] =
                        from[k] + ((double)at[k] + 0.5) * (to[k] - from[k]) / (double)n[k];
            }
}

void plate_add_sized_box(plate *p, double size, const double from[3], const double to[3],
                         double temperature) {
    const double spacing = p->def.spacing;
    const size_t before = p->count;
    p->def.spacing = size;
    plate_add_box(p, from, to, 0, temperature);
    p->def.spacing = spacing;
    for (size_t i = before; i < p->count; i++)
        p->seeds[i].size = size;
    p->def.least_size = p->def.least_size > 0 ? fmin(p->def.least_size, size) : size;
    p->def.most_size = fmax(p->def.most_size, size);
}

void plate_jitter(plate *p, double amount) {
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < 3; k++)
            p->seeds[i].position[k] +=
                (2 * tl_random_uniform(11, 3 * i + k) - 1) * amount * p->def.spacing;
}

void plate_keep(plate *p, bool (*keep)(const double x[3], void *context), void *context) {
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++)
        if (keep(p->seeds[i].position, context))
            p->seeds[kept++] = p->seeds[i];
    p->count = kept;
}

void plate_periodic(plate *p, int axis, double from, double to) {
    p->def.period_from[axis] = from;
    p->def.period_to[axis] = to;
}

tl_wall_def *plate_add_plane(plate *p, int side, double at, double temperature) {
    tl_wall_def *wall = &p->walls[p->def.wall_count++];
    *wall = (tl_wall_def){
        .plane = side, .at = at, .temperature.value = temperature, .has_temperature = true};
    return wall;
}

tl_world *plate_world(plate *p) {
    p->def.materials = p->materials;
    p->def.material_count = 2;
    p->def.walls = p->walls;
    p->def.seeds = p->seeds;
    p->def.seed_count = p->count;
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_world_make(&p->def, &(tl_world_options){.threads = 1}, &world, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    tl_array_free(p->seeds);
    p->seeds = NULL;
    return world;
}

void plate_run(tl_world *world, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(world, time, &error), TL_OK, "%s: %s", error.where, error.what);
}

static void *data_of(tl_world *world, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(world, name, &view), "no field %s", name);
    return view.data;
}

const double *plate_places(tl_world *world) { return data_of(world, "position"); }
const double *plate_enthalpies(tl_world *world) { return data_of(world, "enthalpy"); }
const float *plate_temperatures(tl_world *world) { return data_of(world, "temperature"); }
const float *plate_fractions(tl_world *world) { return data_of(world, "liquid_fraction"); }

tl_ledger plate_books(const tl_world *world) {
    tl_ledger ledger;
    tl_world_ledger(world, &ledger);
    return ledger;
}

void plate_expect_closed(const tl_world *world) {
    const tl_ledger l = plate_books(world);
    const double moved = fabs(l.conducted_heat) + fabs(l.volumetric_heat) + fabs(l.friction_heat) +
                         fabs(l.radiated_heat) + fabs(l.lost_radiation) + fabs(l.lost_convection) +
                         fabs(l.boiled_energy);
    cr_expect_leq(fabs(l.heat_error), 1e-6 * moved, "%g J of %g J are not explained", l.heat_error,
                  moved);
}
