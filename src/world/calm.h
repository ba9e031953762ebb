/* How long an implicit step of matter that hardly moves may be (calm.c). */
#ifndef TL_WORLD_CALM_H
#define TL_WORLD_CALM_H

/* s: of matter under one pressure, Pa, with this density and viscosity, at a spacing; none if that
 * is thick. */
double tl_calm_step(double spacing, double pressure, double density, double viscosity);

#endif
