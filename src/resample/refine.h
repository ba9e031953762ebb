/* Where particles are to be smaller: the entries of a scene's list `refine`. Each has levels, and
 * each level halves the mass of particles. An entry counts where all that it says is true: the
 * body, a box or a ball, at least a temperature, at most a distance from the free surface. Away
 * from where it counts levels fall by one every two spacings, so that nobody meets others of more
 * than twice its volume; by temperature, which has no distance, by neighbours (world/refine.c). */
#ifndef TL_RESAMPLE_REFINE_H
#define TL_RESAMPLE_REFINE_H

#include "boundary/wall.h"
#include "math/vec3.h"

typedef struct tl_refine_def {
    char *body;       /* only in this one; NULL: in all */
    uint32_t body_at; /* its index + 1; 0: in all */
    tl_box_def box;
    tl_sphere_def sphere;
    bool has_box, has_sphere;
    double warmer, until; /* °C: from which on, and down to which matter stays fine */
    bool has_warmer, has_until;
    double surface; /* m: from the free surface */
    bool has_surface;
    bool always;    /* as long as the scene runs, not at the start alone */
    int64_t levels; /* each halves the volume of particles */
} tl_refine_def;

extern const tl_param_table tl_refine_table;

/* What entries ask of a particle. */
typedef struct tl_refine_view {
    tl_vec3 place;
    uint32_t body;
    double temperature; /* °C */
    double surface;     /* m: how far the free surface is; HUGE_VAL: far, or not known */
    double spacing;     /* m: of the whole, before it was split */
    bool stays;         /* who is fine already stays so a little longer */
} tl_refine_view;

/* How often a particle is to be halved, of all entries the most. */
int tl_refine_level(const tl_refine_def *all, size_t count, const tl_refine_view *view);

/* Whether any entry is to be kept to while the scene runs: then all are. */
bool tl_refine_follows(const tl_refine_def *all, size_t count);

/* The most that any asks for; and how far from the surface any looks, m. */
int tl_refine_most(const tl_refine_def *all, size_t count);
double tl_refine_depth(const tl_refine_def *all, size_t count);

#endif
