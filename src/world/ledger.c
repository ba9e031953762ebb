/* The columns of the ledger. See ledger.h. */
#include "world/ledger.h"

#define AT(member) offsetof(tl_ledger, member)

const tl_ledger_column tl_ledger_columns[] = {
    {"time", "s", "Simulated time", AT(time)},
    {"steps", "", "Accepted steps so far", AT(steps)},
    {"rejected", "", "Rejected steps so far", AT(rejected)},
    {"dt", "s", "Last step", AT(dt)},
    {"particles", "", "Number of particles", AT(particles)},
    {"mass", "kg", "Total mass", AT(mass)},
    {"momentum_x", "kg m/s", "Total momentum along x", AT(momentum[0])},
    {"momentum_y", "kg m/s", "Total momentum along y", AT(momentum[1])},
    {"momentum_z", "kg m/s", "Total momentum along z", AT(momentum[2])},
    {"wall_impulse_x", "N s", "Impulse of walls on the matter so far, along x",
     AT(wall_impulse[0])},
    {"wall_impulse_y", "N s", "Impulse of walls on the matter so far, along y",
     AT(wall_impulse[1])},
    {"wall_impulse_z", "N s", "Impulse of walls on the matter so far, along z",
     AT(wall_impulse[2])},
    {"kinetic_energy", "J", "Energy of motion", AT(kinetic_energy)},
    {"potential_energy", "J", "Energy in gravity, relative to the origin", AT(potential_energy)},
    {"elastic_energy", "J", "Energy of compression", AT(elastic_energy)},
    {"viscous_heat", "J", "Heat made by viscosity so far", AT(viscous_heat)},
    {"numerical_heat", "J", "Energy taken by numerical damping so far", AT(numerical_heat)},
    {"wall_work", "J", "Work of walls on the matter so far", AT(wall_work)},
    {"energy_error", "J", "Energy that the other columns do not explain", AT(energy_error)},
    {"max_speed", "m/s", "Fastest particle", AT(max_speed)},
    {"density_error", "", "Largest compression, relative", AT(density_error)},
};

const size_t tl_ledger_column_count = sizeof tl_ledger_columns / sizeof tl_ledger_columns[0];
