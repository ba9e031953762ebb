/* Worlds for the verification of heat: matter that does not move, on a cubic lattice, of up to two
 * materials. */
#ifndef TL_TESTS_VERIFY_HEAT_BUILD_H
#define TL_TESTS_VERIFY_HEAT_BUILD_H

#include "world/world.h"

/* A definition that owns its arrays. */
typedef struct plate {
    tl_world_def def;
    tl_material materials[2];
    tl_wall_def walls[6];
    tl_seed *seeds;
    size_t count;
} plate;

/* Two equal materials with density, specific heat and conductivity 1: a diffusivity of 1 m²/s. */
plate plate_make(double spacing);

/* Fills a box, first layer half a spacing inside. */
void plate_add_box(plate *p, const double from[3], const double to[3], uint32_t material,
                   double temperature);

/* The same of material 0, with particles of this size. */
void plate_add_sized_box(plate *p, double size, const double from[3], const double to[3],
                         double temperature);

/* Moves each seed by up to ±amount·spacing along each axis. */
void plate_jitter(plate *p, double amount);

/* Keeps the seeds for which `keep` is true. */
void plate_keep(plate *p, bool (*keep)(const double x[3], void *context), void *context);

/* Repeats the world along an axis. */
void plate_periodic(plate *p, int axis, double from, double to);

/* Adds a plane with a temperature and returns it. */
tl_wall_def *plate_add_plane(plate *p, int side, double at, double temperature);

/* The world, which refers to the plate as long as it lives; fails the test when it cannot be made.
 * Frees the seeds. */
tl_world *plate_world(plate *p);

/* Steps to `time`; fails the test on an error. */
void plate_run(tl_world *world, double time);

const double *plate_places(tl_world *world);
const double *plate_enthalpies(tl_world *world);
const float *plate_temperatures(tl_world *world);
const float *plate_fractions(tl_world *world);

tl_ledger plate_books(const tl_world *world);

/* Asserts that the books of heat close to 1e-6 of the energy moved. */
void plate_expect_closed(const tl_world *world);

#endif
