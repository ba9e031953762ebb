/* What a particle sees around it, for those who split and merge: places as they are saved, so that
 * results are the same bits after a resumption. */
#ifndef TL_WORLD_SIGHT_H
#define TL_WORLD_SIGHT_H

#include "resample/parts.h"
#include "world/state.h"

/* A neighbour. */
typedef struct tl_sighted {
    double d[3], r; /* m */
    size_t of;      /* the particle that it is, or is an image of */
    bool image;
} tl_sighted;

enum { TL_MOST_SIGHTS = 512 };

typedef enum tl_sight_reach {
    TL_SIGHT_OWN,  /* within the support of the particle */
    TL_SIGHT_PAIR, /* within that of the pair, which is the same from both sides */
} tl_sight_reach;

/* The matter around particle i; returns how much there is in out[TL_MOST_SIGHTS]. */
size_t tl_sight_around(const tl_world *world, size_t i, tl_sight_reach reach, tl_sighted *out);

/* Those of it that may take the spin of i and j: matter that moves, once each. */
size_t tl_sight_takers(const tl_world *world, size_t j, const tl_sighted *all, size_t count,
                       uint32_t *out);

tl_parts tl_world_parts(tl_world *world);

/* What is led, rigid or elastic keeps its particles. */
bool tl_world_may_part(const tl_world *world, size_t i);

/* How far a place must be from walls for those who split and merge by the rules of `resample`, in
 * spacings of whoever is there. */
bool tl_sight_is_off_walls(const tl_world *world, tl_vec3 x, double spacing);

/* Whether these rules hold for particle i: solids and what is led keep their particles, and so does
 * what is beside walls. */
bool tl_sight_takes_part(const tl_world *world, size_t i);

/* The rule `void` (voids.c): lets particles be born where matter has left voids. */
tl_status tl_world_fill_voids(tl_world *world, bool *changed, tl_error *error);

#endif
