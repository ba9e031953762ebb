#!/usr/bin/env python3
"""A plate presses on paste with a force that is given, not a speed: each moment it is driven a
little faster or slower, until what the paste pushes back with is that force.

    drive_a_wall.py [FORCE in N] [SPACING in m]

The plate alone moves, so that the work of walls in the ledger is its work, and tells its force.
"""
import sys

import tallow

FASTEST = 0.1  # m/s

SCENE = {
    "duration": 1,
    "materials": {"paste": {"density": 1500, "viscosity": 500}},
    "bodies": [{"material": "paste", "cylinder": {"from": [0, 0, 0], "to": [0, 0, "4 cm"],
                                                  "radius": "4 cm"}}],
    "walls": [{"plane": "z", "at": 0},
              {"name": "plate", "plane": "-z", "at": "4 cm", "driven": FASTEST}],
}


def press(force, spacing=5e-3, duration=0.5, every=0.01):
    """Times, forces of the plate and heights of the gap, until the time is over."""
    world, speed, rows = tallow.World(SCENE, spacing=spacing), 0.01, []
    while world.time < duration:
        world.drive_wall("plate", (0, 0, -speed))
        before = world.ledger["wall_work"]
        world.advance(world.time + every)
        found = (world.ledger["wall_work"] - before) / (speed * every)
        rows.append((world.time, found, 0.04 + world.wall("plate").shift[2]))
        # What is viscous pushes back in proportion to the speed; half of the way each time.
        speed = min(FASTEST, max(1e-4, speed * (0.5 + 0.5 * force / max(found, 0.1 * force))))
    return rows


if __name__ == "__main__":
    force = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    spacing = float(sys.argv[2]) if len(sys.argv) > 2 else 5e-3
    for time, found, gap in press(force, spacing)[4::5]:
        print(f"{time:.2f} s   {found:6.2f} N   gap {gap * 1e3:5.2f} mm")
