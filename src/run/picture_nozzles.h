/* The spouts that pictures show where emitters with a round mouth or one with four corners are. */
#ifndef TL_RUN_PICTURE_NOZZLES_H
#define TL_RUN_PICTURE_NOZZLES_H

#include "render/preview.h"
#include "scene/scene.h"

enum { TL_SPOUT_SIDES = 48, TL_SPOUT_RINGS = 5 };

typedef struct tl_spout {
    tl_vec3 vertices[TL_SPOUT_SIDES * TL_SPOUT_RINGS];
    uint32_t triangles[2 * TL_SPOUT_SIDES * TL_SPOUT_RINGS][3];
} tl_spout;

/* Whether an emitter has a spout. */
bool tl_emitter_shows_spout(const tl_emitter_def *emitter);

/* Makes the spout of an emitter; the mesh borrows its triangles. */
void tl_spout_make(const tl_emitter_def *emitter, double spacing, tl_spout *out,
                   tl_preview_mesh *mesh);

/* Brings the mesh to where the emitter is at a time (s). */
void tl_spout_aim(const tl_emitter_def *emitter, double time, tl_preview_mesh *mesh);

#endif
