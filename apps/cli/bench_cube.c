/* See bench_cube.h. */
#include "bench_cube.h"

#include "base/memory.h"
#include "scene/schema.h"

tl_status cli_make_cube(bench_cube *c, int across, double kinematic, tl_error *error) {
    const size_t n = (size_t)across, count = n * n * n;
    const double dx = 1.0 / across;
    c->seeds = tl_allocate(count, sizeof *c->seeds);
    if (!c->seeds)
        return tl_fail_memory(error, count, sizeof *c->seeds);
    for (size_t i = 0; i < count; i++)
        c->seeds[i] =
            (tl_seed){.position = {((double)(i % n) + 0.5) * dx, ((double)(i / n % n) + 0.5) * dx,
                                   ((double)(i / n / n) + 0.5) * dx}};
    c->matter = (tl_material){.density = 1000, .viscosity.value = 1000 * kinematic};
    c->floor = (tl_wall_def){.plane = TL_SIDE_Z};
    c->def = (tl_world_def){.spacing = dx,
                            .gravity = {0, 0, -9.81},
                            .materials = &c->matter,
                            .material_count = 1,
                            .walls = &c->floor,
                            .wall_count = 1,
                            .seeds = c->seeds,
                            .seed_count = count};
    if (!tl_schema_defaults(&tl_flow_table, &c->def.flow))
        return tl_fail_memory(error, 1, 1);
    return TL_OK;
}
