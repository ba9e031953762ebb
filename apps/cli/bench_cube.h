/* A unit cube of matter on a no-slip floor, for benchmarks of implicit steps. */
#ifndef TL_CLI_BENCH_CUBE_H
#define TL_CLI_BENCH_CUBE_H

#include "world/world.h"

typedef struct bench_cube {
    tl_world_def def;
    tl_material matter;
    tl_wall_def floor;
    tl_seed *seeds; /* to be freed */
} bench_cube;

/* Of so many particles across, of a liquid. The cube must stay where it is made. */
tl_status cli_make_cube(bench_cube *cube, int across, double kinematic, tl_error *error);

#endif
