#!/usr/bin/env python3
"""A cube of wax melts on a hot plate; what is molten by then becomes a plot.

    melt_and_plot.py [SPACING in m] [PICTURE]
"""
import sys

import tallow


def melt(spacing=5e-3, duration=20.0):
    """The world at the end, and the ledger of how it got there."""
    world = tallow.World({
        "spacing": spacing,
        "duration": duration,
        "frame_rate": 2,
        "heat": {"speed": 60},  # a minute of heat in each second of motion
        "bodies": [{"name": "cube", "material": "beeswax", "temperature": 55,
                    "box": {"from": ["-2 cm", "-2 cm", 0], "to": ["2 cm", "2 cm", "4 cm"]}}],
        "walls": [{"name": "plate", "plane": "z", "at": 0, "temperature": 95}],
    })
    return world, world.run()


def plot(ledger, picture):
    """Needs matplotlib (Debian: python3-matplotlib)."""
    from matplotlib import pyplot

    figure, (upper, lower) = pyplot.subplots(2, sharex=True)
    upper.plot(ledger["time"], ledger["liquid_fraction"])
    upper.set_ylabel("molten part")
    lower.plot(ledger["time"], ledger["conducted_heat"], label="from the plate")
    lower.plot(ledger["time"], ledger["thermal_energy"] - ledger["thermal_energy"][0], "--",
               label="in the wax")
    lower.set_xlabel("time [s]")
    lower.set_ylabel("heat [J]")
    lower.legend()
    figure.savefig(picture)


if __name__ == "__main__":
    world, ledger = melt(float(sys.argv[1]) if len(sys.argv) > 1 else 5e-3)
    print(f"{ledger['liquid_fraction'][-1]:.0%} of {world.ledger['mass'] * 1e3:.0f} g are molten "
          f"after {world.time:g} s; it stands {world['position'][:, 2].max() * 1e3:.0f} mm high")
    plot(ledger, sys.argv[2] if len(sys.argv) > 2 else "melt.png")
