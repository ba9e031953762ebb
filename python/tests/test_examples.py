"""The examples at small size: they run as they stand, and what they find is so."""
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
sys.path.insert(0, str(EXAMPLES))

import drive_a_wall
import melt_and_plot
import parameter_study


def run(name, *arguments):
    done = subprocess.run([sys.executable, EXAMPLES / name, *arguments], check=True,
                          capture_output=True, text=True)
    return done.stdout


class Examples(unittest.TestCase):
    def test_wax_melts_by_the_heat_of_the_plate_and_nothing_else(self):
        world, ledger = melt_and_plot.melt(spacing=0.01, duration=8)
        gained = ledger["thermal_energy"] - ledger["thermal_energy"][0]
        np.testing.assert_allclose(gained, ledger["conducted_heat"], rtol=1e-6)
        self.assertGreater(ledger["liquid_fraction"][-1], 0.02)
        with tempfile.TemporaryDirectory() as folder:
            picture = os.path.join(folder, "melt.png")
            self.assertIn("molten", run("melt_and_plot.py", "0.02", picture))
            self.assertGreater(os.path.getsize(picture), 1000)

    def test_the_yield_stress_of_a_slump_is_found_again(self):
        measured = parameter_study.slump(150, spacing=0.02)
        found = parameter_study.fit(measured, spacing=0.02)
        # Six halvings of a range of 1:50 leave so much, either way.
        self.assertLess(abs(math.log(found / 150)), math.log(50) / 2**6 / 2 + 1e-9)
        self.assertRegex(run("parameter_study.py", "0.04", "0.02"), r"40 mm: \d+ Pa")

    def test_a_driven_plate_comes_to_the_force_it_is_to_have(self):
        rows = np.array(drive_a_wall.press(20, spacing=0.01))
        self.assertLess(abs(rows[-10:, 1] / 20 - 1).max(), 0.1)
        self.assertTrue((np.diff(rows[:, 2]) < 0).all())
        self.assertIn(" N ", run("drive_a_wall.py", "20", "0.01"))


if __name__ == "__main__":
    unittest.main()
