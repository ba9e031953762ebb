/* What a point source sees: a map of directions in which each texel shows the nearest ball, and
 * what part of the light falls on each particle. The map itself hands out the light: a texel's
 * solid angle goes to the particle it shows, so that the sum is what the matter intercepts, no
 * particle shadows itself, and a source that stands in the matter gives no more than it has. (The
 * other way, area · cosine / distance² for all that is not in shadow, was off by up to 5 %, and
 * nothing bounds its sum: docs/heat-surface.md.)
 *
 * Balls are those of exposed.h, which touch the surface from inside. The map is one picture when
 * the matter fills less than a hemisphere, else the six faces of a cube. */
#ifndef TL_HEAT_VISIBILITY_H
#define TL_HEAT_VISIBILITY_H

#include "boundary/shapes.h"
#include "records/exposed.h"

/* A point that gives light. */
typedef struct tl_emitter {
    tl_vec3 position; /* m */
    tl_vec3 normal;   /* unit: light by the cosine law to this side; zero: evenly to all sides */
} tl_emitter;

typedef struct tl_visibility {
    _Atomic uint64_t *texels;   /* [faces][y][x] distance and particle of what is nearest */
    struct tl_seen_ball *balls; /* [count] what may be seen at all */
    size_t count;
    void *partial; /* per-block results */
    double *found; /* [count] */
} tl_visibility;

/* What is looked at. */
typedef struct tl_sight {
    const tl_records *records; /* their particles; periodic images are not seen */
    const tl_exposed *exposed;
    const tl_shapes *shapes; /* boxes and meshes hide what is behind them; NULL: none */
    tl_vec3 origin;          /* of the records' coordinates */
    tl_sizes sizes;          /* of particles */
    double spacing;          /* m: of the smallest */
    double detail;           /* texels on a spacing, as the source sees it; 3 is plenty */
} tl_sight;

/* Gathers the balls near a surface, for all emitters that look at the same matter. */
tl_status tl_visibility_gather(tl_visibility *visibility, const tl_sight *sight, tl_error *error);

/* Adds `weight` times the part of the emitter's light that falls on each particle to
 * parts[particles]; what was gathered is seen. The parts' sum is at most 1; a source within a wall
 * sees nothing. The same bits for any number of threads. */
tl_status tl_visibility_add(tl_visibility *visibility, const tl_parallel *parallel,
                            const tl_sight *sight, const tl_emitter *emitter, double weight,
                            double *parts, tl_error *error);

size_t tl_visibility_bytes(const tl_visibility *visibility);
void tl_visibility_free(tl_visibility *visibility);

#endif
