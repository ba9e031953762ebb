/* What tells scenes apart: a hash of all that the physics reads, so that a snapshot is not taken
 * for one of another scene. The scene's parameters are hashed from its table, sections and lists
 * included, where the world is made (scene/build.c). What a body was filled with is in the snapshot
 * itself. */
#include "base/hash.h"
#include "materials/param_hash.h"
#include "world/state.h"

static uint64_t mix(uint64_t hash, const double *numbers, size_t count) {
    return tl_hash(hash, numbers, count * sizeof *numbers);
}

static uint64_t mix_mesh(uint64_t hash, const tl_mesh *mesh) {
    hash = tl_hash(hash, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    return tl_hash(hash, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
}

/* What tables do not know: what follows from files, from bodies or from all together. */
static uint64_t mix_rest(uint64_t hash, const tl_world *w) {
    const tl_world_def *def = &w->def;
    hash = mix(hash, (const double[]){w->sound_speed, w->sizes.support}, 2);
    for (size_t s = 0; s < w->shapes.count; s++)
        hash = mix(hash, (const double[]){(double)w->shapes.items[s].slip}, 1);
    for (size_t k = 0; k < def->wall_count; k++)
        hash = mix_mesh(hash, &def->walls[k].mesh);
    for (size_t e = 0; e < def->emitter_count; e++) {
        hash = mix_mesh(hash, &def->emitters[e].mesh);
        hash = mix(hash, (const double[]){def->emitters[e].material_index}, 1);
    }
    for (size_t k = 0; k < def->rigid_count; k++) {
        const tl_rigid_def *r = &def->rigids[k];
        hash = mix(hash, (const double[]){r->body, w->rigids.items[k].mass}, 2);
        hash = mix_mesh(hash, r->mesh);
    }
    return hash;
}

/* Of the flow, the scheme that was taken counts, not whether it was asked for. */
uint64_t tl_world_fingerprint(const tl_world *w) {
    return mix_rest(tl_param_hash(w->def.scene, &tl_flow_table, &w->def.flow), w);
}
