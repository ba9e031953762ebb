/* Worlds for verification, made without scene files: boxes of particles on a cubic lattice. */
#ifndef TL_TESTS_VERIFY_BUILD_H
#define TL_TESTS_VERIFY_BUILD_H

#include "world/world.h"

/* A definition that owns its arrays. */
typedef struct setup {
    tl_world_def def;
    union {
        tl_material material;
        tl_material materials[2]; /* the second counts if it has a density */
    };
    tl_wall_def walls[8];
    tl_seed *seeds;
    size_t count;
} setup;

/* Water at rest, no gravity, the explicit scheme, else the defaults of the flow table. */
setup setup_make(double spacing);

/* Adds a box of particles, first layer half a spacing inside. */
void setup_add_box(setup *s, double x0, double y0, double z0, double x1, double y1, double z1);

/* The same, of particles of this size. */
void setup_add_sized_box(setup *s, double size, const double from[3], const double to[3]);

/* The same, of a cylinder around the z axis. */
void setup_add_cylinder(setup *s, double radius, double z0, double z1);

/* The coupled scheme with steps of at most `longest` seconds, without artificial viscosity. */
void setup_implicit(setup *s, double longest);

/* Moves each seed by up to ±amount·spacing along each axis. */
void setup_jitter(setup *s, double amount);

/* Repeats the world along an axis. */
void setup_periodic(setup *s, int axis, double from, double to);

/* Adds a plane and returns it, for its contact and velocity. */
tl_wall_def *setup_add_plane(setup *s, int side, double at);

/* The world; fails the test when it cannot be made. Frees the seeds. What runs for seconds takes
 * one thread, as the other cores have other tests; bits do not depend on the number. */
tl_world *setup_world(setup *s, int threads);

/* The same of several materials, which the seeds choose from. */
tl_world *setup_world_of(setup *s, const tl_material *liquids, size_t count, int threads);

/* Steps to `time`; fails the test on an error. */
void run_to(tl_world *world, double time);

/* Typed looks at fields. */
const double *positions(tl_world *world);
double *velocities(tl_world *world);
const float *pressures(tl_world *world);
const double *densities(tl_world *world);
const uint8_t *materials(tl_world *world);
const uint64_t *names(tl_world *world);

/* Mean of the coordinate `axis` over all particles. */
double mean_of(tl_world *world, int axis);

/* The books. */
tl_ledger books(const tl_world *world);

/* The shear rate at which the material has the stress tau = η γ̇ (Pa). */
double rate_at(const tl_material *material, double tau);

#endif
