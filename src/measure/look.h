/* How the kinds of measures look at a world. Private to this room. */
#ifndef TL_MEASURE_LOOK_H
#define TL_MEASURE_LOOK_H

#include "measure/measure.h"

/* A field as numbers: a component, or the length of a vector; without one, `data` is NULL. */
typedef struct tl_measured {
    const void *data;
    tl_type type;
    size_t components;
    int component; /* -1: the length */
} tl_measured;

/* False when the world has no such field. `unit` may be NULL. */
bool tl_measured_find(const tl_fields *fields, const char *name, tl_measured *out,
                      const char **unit);
double tl_measured_of(const tl_measured *field, size_t i);

/* What is known of all particles. */
typedef struct tl_matter {
    const tl_world *world;
    const tl_world_def *def;
    size_t count;
    const double *position, *velocity, *density, *enthalpy; /* the last is NULL without heat */
    const float *mass, *size; /* the latter is NULL where all have one */
    const uint8_t *material;
    const uint32_t *body;
} tl_matter;
tl_matter tl_matter_of(const tl_world *world);

/* m: edge of the cube of particle i. */
static inline double tl_matter_spacing(const tl_matter *matter, size_t i) {
    return matter->size ? (double)matter->size[i] : matter->def->spacing;
}

/* The field at `count` points from one place to another (one point: the first). points.c */
tl_status tl_look_at_points(const tl_matter *matter, const tl_measured *field, tl_vec3 from,
                            tl_vec3 to, size_t count, double **moments, double *out,
                            tl_error *error);

/* Sums over matter; `out` has the columns of the kind, as named there. matter.c */
extern const char *const tl_matter_columns[][2],
    *const tl_plane_columns[][2], *const tl_wall_columns[][2],
                                      *const tl_field_columns[]; /* name and unit; ended by NULL */
void tl_look_at_matter(const tl_matter *matter, const tl_measure_def *def, const tl_measured *field,
                       double *out);
void tl_look_at_plane(const tl_matter *matter, const tl_measure_def *def, const tl_measured *field,
                      double *out);
void tl_look_at_wall(const tl_matter *matter, const tl_measure_def *def, const tl_measured *field,
                     double *out);

#endif
