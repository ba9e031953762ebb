/* What tells scenes apart: a hash of all that the physics reads, so that a snapshot is not taken
 * for one of another scene. Parameters are hashed from their tables. What a body was filled with is
 * in the snapshot itself. */
#include "base/hash.h"
#include "materials/param_hash.h"
#include "world/state.h"

typedef struct table_of {
    const tl_param_table *table;
    const void *items;
    size_t count;
} table_of;

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
    const double numbers[] = {def->spacing, w->sound_speed, tl_largest_support(&w->sizes),
                              def->with_heat, def->thermal_particles};
    hash = mix(hash, numbers, sizeof numbers / sizeof *numbers);
    hash = mix(mix(hash, def->gravity, 3), def->period_from, 3);
    hash = mix(hash, def->period_to, 3);
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
        const double mass = w->rigids.items[k].mass;
        hash = mix(hash, (const double[]){r->body, r->friction, r->bounce, mass}, 4);
        hash = mix_mesh(hash, r->mesh);
    }
    return hash;
}

uint64_t tl_world_fingerprint(const tl_world *w) {
    const tl_world_def *def = &w->def;
    const table_of all[] = {{&tl_flow_table, &def->flow, 1},
                            {&tl_heat_table, &def->heat, 1},
                            {&tl_cohesive_table, &def->cohesive, 1},
                            {&tl_material_table, def->materials, def->material_count},
                            {&tl_wall_table, def->walls, def->wall_count},
                            {&tl_source_table, def->sources, def->source_count},
                            {&tl_emitter_table, def->emitters, def->emitter_count},
                            {&tl_drain_table, def->drains, def->drain_count}};
    uint64_t hash = 0;
    for (size_t t = 0; t < sizeof all / sizeof *all; t++)
        for (size_t k = 0; k < all[t].count; k++)
            hash = tl_param_hash(hash, all[t].table,
                                 (const char *)all[t].items + k * all[t].table->size);
    return mix_rest(hash, w);
}
