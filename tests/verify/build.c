/* See build.h. */
#include "build.h"

#include "base/random.h"
#include "scene/schema.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

setup setup_make(double spacing) {
    setup s = {0};
    s.material = (tl_material){.name = (char *)"water", .density = 1000, .viscosity.value = 1e-3};
    s.def.spacing = spacing;
    cr_assert(tl_schema_defaults(&tl_flow_table, &s.def.flow));
    s.def.flow.scheme = TL_SCHEME_EXPLICIT;
    return s;
}

void setup_add_box(setup *s, double x0, double y0, double z0, double x1, double y1, double z1) {
    const double dx = s->def.spacing;
    const long nx = lround((x1 - x0) / dx), ny = lround((y1 - y0) / dx),
               nz = lround((z1 - z0) / dx);
    for (long z = 0; z < nz; z++)
        for (long y = 0; y < ny; y++)
            for (long x = 0; x < nx; x++) {
                cr_assert_eq(TL_ARRAY_RESERVE(s->seeds, s->count, s->count + 1, NULL), TL_OK);
                s->seeds[s->count++] =
                    (tl_seed){.position = {x0 + ((double)x + 0.5) * (x1 - x0) / (double)nx,
                                           y0 + ((double)y + 0.5) * (y1 - y0) / (double)ny,
                                           z0 + ((double)z + 0.5) * (z1 - z0) / (double)nz}};
            }
}

void setup_add_sized_box(setup *s, double size, const double from[3], const double to[3]) {
    const double spacing = s->def.spacing;
    const size_t before = s->count;
    s->def.spacing = size;
    setup_add_box(s, from[0], from[1], from[2], to[0], to[1], to[2]);
    s->def.spacing = spacing;
    for (size_t i = before; i < s->count; i++)
        s->seeds[i].size = size;
    s->def.least_size = s->def.least_size > 0 ? fmin(s->def.least_size, size) : size;
    s->def.most_size = fmax(s->def.most_size, size);
}

void setup_add_cylinder(setup *s, double radius, double z0, double z1) {
    const size_t before = s->count;
    const double reach = ceil(radius / s->def.spacing) * s->def.spacing;
    setup_add_box(s, -reach, -reach, z0, reach, reach, z1);
    size_t kept = before;
    for (size_t i = before; i < s->count; i++)
        if (hypot(s->seeds[i].position[0], s->seeds[i].position[1]) < radius)
            s->seeds[kept++] = s->seeds[i];
    s->count = kept;
}

void setup_implicit(setup *s, double longest) {
    s->def.flow.scheme = TL_SCHEME_COUPLED;
    s->def.flow.artificial_viscosity = 0;
    s->def.flow.max_step = longest;
}

void setup_jitter(setup *s, double amount) {
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < 3; k++)
            s->seeds[i].position[k] +=
                (2 * tl_random_uniform(7, 3 * i + k) - 1) * amount * s->def.spacing;
}

void setup_periodic(setup *s, int axis, double from, double to) {
    s->def.period_from[axis] = from;
    s->def.period_to[axis] = to;
}

tl_wall_def *setup_add_plane(setup *s, int side, double at) {
    tl_wall_def *wall = &s->walls[s->def.wall_count++];
    *wall = (tl_wall_def){.plane = side, .at = at};
    return wall;
}

tl_world *setup_world(setup *s, int threads) {
    return setup_world_of(s, s->materials, s->materials[1].density > 0 ? 2 : 1, threads);
}

tl_world *setup_world_of(setup *s, const tl_material *liquids, size_t count, int threads) {
    s->def.materials = liquids;
    s->def.material_count = count;
    s->def.walls = s->walls;
    s->def.seeds = s->seeds;
    s->def.seed_count = s->count;
    const tl_world_options options = {.threads = threads};
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_world_make(&s->def, &options, &world, &error), TL_OK, "%s: %s", error.where,
                 error.what);
    tl_array_free(s->seeds);
    s->seeds = NULL;
    return world;
}

void run_to(tl_world *world, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(world, time, &error), TL_OK, "%s: %s", error.where, error.what);
}

static void *data_of(tl_world *world, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(world, name, &view), "no field %s", name);
    return view.data;
}

const double *positions(tl_world *world) { return data_of(world, "position"); }
double *velocities(tl_world *world) { return data_of(world, "velocity"); }
const float *pressures(tl_world *world) { return data_of(world, "pressure"); }
const double *densities(tl_world *world) { return data_of(world, "density"); }
const uint8_t *materials(tl_world *world) { return data_of(world, "material"); }
const uint64_t *names(tl_world *world) { return data_of(world, "id"); }

double mean_of(tl_world *world, int axis) {
    const size_t n = tl_world_count(world);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += positions(world)[3 * i + (size_t)axis];
    return sum / (double)n;
}

tl_ledger books(const tl_world *world) {
    tl_ledger ledger;
    tl_world_ledger(world, &ledger);
    return ledger;
}

double rate_at(const tl_material *material, double tau) {
    double low = 0, high = 1;
    while (high * tl_viscosity_at(material, high, 20) < tau)
        high *= 2;
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (low + high);
        *(middle * tl_viscosity_at(material, middle, 20) < tau ? &low : &high) = middle;
    }
    return low;
}
