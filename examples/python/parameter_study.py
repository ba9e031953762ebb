#!/usr/bin/env python3
"""Which yield stress has a paste whose cylinder slumped by so much? A student's afternoon.

    parameter_study.py [SLUMP in m] [SPACING in m]
"""
import sys

import tallow

HEIGHT, RADIUS = 0.10, 0.05  # of the mould, m


def slump(yield_stress, spacing):
    """How far the top of the cylinder comes down (m) once the mould is lifted."""
    world = tallow.World({
        "spacing": spacing, "duration": 1,
        "materials": {"paste": {"density": 1500, "rheology": {
            "model": "bingham", "yield_stress": yield_stress,
            "plastic_viscosity": 5, "plateau_viscosity": 2000}}},
        "bodies": [{"material": "paste", "cylinder": {
            "from": [0, 0, 0], "to": [0, 0, HEIGHT], "radius": RADIUS}}],
        "walls": [{"plane": "z", "at": 0}]})
    top = world["position"][:, 2].max()
    world.run()
    return top - world["position"][:, 2].max()


def fit(measured, spacing, low=20.0, high=1000.0, steps=6):
    """The yield stress (Pa) by halving: the stiffer the paste, the less it slumps."""
    for _ in range(steps):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if slump(middle, spacing) > measured else (low, middle)
    return (low * high) ** 0.5


if __name__ == "__main__":
    measured = float(sys.argv[1]) if len(sys.argv) > 1 else 0.04
    spacing = float(sys.argv[2]) if len(sys.argv) > 2 else 0.01
    print(f"a slump of {measured * 1e3:.0f} mm: {fit(measured, spacing):.0f} Pa")
