"""What `tallow run` left, read back: the same numbers, and the same bits when it goes on."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import tallow
from test_scenes import DAM

JELLY = """spacing: 1 cm
duration: 0.1 s
frame_rate: 20
bodies:
  - {material: jelly, box: {from: [0, 0, 0.2 cm], to: [4 cm, 4 cm, 4.2 cm]}}
walls:
  - {plane: z, at: 0}
"""


def run(folder, text, *options):
    scene = pathlib.Path(folder, "scene.yaml")
    scene.write_text(text, encoding="utf-8")
    subprocess.run([os.environ["TALLOW"], "run", str(scene), "-o", f"{folder}/out", "--no-film",
                    "--no-plots", "--quiet", "--threads", "1", *options], check=True)
    return tallow.Run(f"{folder}/out")


class Runs(unittest.TestCase):
    def test_a_run_and_a_world_agree_to_the_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            past = run(folder, DAM, "--until", "0.2")
            world = tallow.World(past.scene, threads=2)
            ledger, frame = world.run(), past.frames[-1]
            self.assertEqual(past.result["state"], "finished")
            self.assertEqual(f"{world.hash:016x}", past.result["hash"])
            self.assertEqual(set(past.ledger) - set(ledger), {"frame", "wall_time"})
            self.assertEqual(past.ledger.units["mass"], "kg")
            for name in ledger:
                np.testing.assert_array_equal(past.ledger[name], ledger[name], err_msg=name)
            self.assertEqual((frame.time, frame.step), (world.time, world.steps))
            self.assertEqual(len(past.frames), ledger.rows)
            for name in frame:
                shown = np.asarray(frame[name])
                np.testing.assert_array_equal(shown, world[name].copy().astype(shown.dtype))
                self.assertEqual(frame.units[name], world[name].unit)
                self.assertEqual(frame.docs[name], world[name].doc)
            self.assertIn("spacing: 0.05", past.yaml)

    def test_tensors_have_the_order_of_worlds(self):
        with tempfile.TemporaryDirectory() as folder:
            past = run(folder, JELLY)
            frame, world = past.frames[-1], past.world(threads=1)
            stress = world["elastic_stress"].copy()
            np.testing.assert_array_equal(frame["elastic_stress"], stress)
            self.assertFalse(np.array_equal(stress[:, 4], stress[:, 5]))

    def test_a_run_goes_on_from_its_newest_snapshot_that_can_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            past = run(folder, DAM, "--until", "0.2", "--set", "output.snapshot_every=2",
                       "--set", "output.keep_snapshots=0")
            self.assertEqual(past.world().time, 0.2)
            newest = sorted(pathlib.Path(past.folder, "snapshots").iterdir())[-1]
            newest.write_bytes(newest.read_bytes()[:-100])
            world = tallow.World.resume(past.folder, threads=1)
            self.assertLess(world.time, 0.2)
            world.run()
            self.assertEqual(f"{world.hash:016x}", past.result["hash"])
            for path in pathlib.Path(past.folder, "snapshots").iterdir():
                path.unlink()
            with self.assertRaises(tallow.BadInput) as caught:
                tallow.World.resume(past.folder)
            self.assertIn("no snapshot", caught.exception.what)

    def test_frames_that_are_none_or_cut_short_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            past = run(folder, DAM, "--until", "0.05")
            path = past.frames[0].path
            whole = path.read_bytes()
            path.write_bytes(whole[:-5000])
            with self.assertRaises(tallow.BadInput):
                past.frames[0]
            path.write_bytes(b"nothing")
            with self.assertRaises(tallow.BadInput):
                past.frames[0]
            with self.assertRaises(tallow.BadInput):
                tallow.Run(folder)
            self.assertEqual([f.time for f in past.frames[1:]][-1], 0.05)


if __name__ == "__main__":
    unittest.main()
