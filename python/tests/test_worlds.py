"""Worlds: steps, runs, snapshots, threads, Ctrl-C, walls, memory."""
import gc
import os
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import tallow
from test_scenes import DAM
from test_views import world_of

PUSHED = """spacing: 5 cm
materials: {syrup: {density: 1400, viscosity: 30}}
bodies:
  - {material: syrup, box: {from: [0.1, 0, 0], to: [0.4, 0.2, 0.2]}}
walls:
  - {name: tank, box: {from: [-1, 0, 0], to: [1, 0.2, 1]}, open: z}
  - {name: ram, box: {from: [-0.1, -0.1, -0.1], to: [0.1, 0.3, 0.5]}, outside: true, driven: 0.5}
"""


def resident():
    """MB of memory that the process holds."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Steps(unittest.TestCase):
    def test_steps_are_reported_and_counted(self):
        world = world_of(DAM)
        for number in range(1, 6):
            before = world.time
            report = world.step()
            self.assertEqual((report.step, world.steps, world.time), (number, number, report.time))
            self.assertAlmostEqual(report.time, before + report.dt, places=14)
        self.assertEqual(world.step(stop=world.time + 1e-7).time, world.time)
        with self.assertRaises(tallow.BadInput):
            world.step(stop=0)

    def test_advancing_ends_exactly_at_the_time(self):
        world = world_of(DAM)
        for moment in 0.01, 1 / 30, 0.05:
            world.advance(moment)
            self.assertEqual(world.time, moment)
        for never in float("inf"), float("nan"):
            with self.assertRaises(tallow.BadInput):
                world.advance(never)

    def test_a_run_calls_back_and_collects_the_books(self):
        world, frames, steps = world_of(DAM, frame_rate=40), [], []
        ledger = world.run(until=0.11, on_frame=lambda w, k: frames.append((k, w.time)),
                           on_step=lambda w, report: steps.append(report.time))
        times = [0, 1 / 40, 2 / 40, 3 / 40, 4 / 40, 0.11]
        self.assertEqual(frames, list(enumerate(times)))
        np.testing.assert_array_equal(ledger["time"], times)
        self.assertEqual(len(steps), world.steps)
        self.assertEqual(ledger.rows, 6)
        self.assertEqual(ledger.units["mass"], "kg")
        self.assertEqual({name: column[-1] for name, column in ledger.items()}, world.ledger)
        self.assertLess(abs(ledger["energy_error"]).max(), 0.02 * ledger["kinetic_energy"].max())

    def test_callbacks_do_not_change_the_bits_and_may_end_a_run(self):
        plain, watched = world_of(DAM), world_of(DAM)
        plain.run(until=0.1)
        watched.run(until=0.1, on_step=lambda *_: None)
        self.assertEqual(plain.hash, watched.hash)
        ended = world_of(DAM)
        self.assertEqual(ended.run(on_frame=lambda w, k: k < 2).rows, 3)
        self.assertEqual(ended.time, 2 / ended.scene.frame_rate)
        steps = ended.steps
        ended.run(on_step=lambda w, report: False)
        self.assertEqual(ended.steps, steps + 1)

    def test_exceptions_of_callbacks_come_through(self):
        world = world_of(DAM)
        with self.assertRaises(ZeroDivisionError):
            world.run(on_step=lambda *_: 1 / 0)
        self.assertEqual(world.steps, 1)
        world.step()

    def test_snapshots_go_on_with_the_same_bits(self):
        world = world_of(DAM)
        world.advance(0.03)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "world.h5")
            world.save(path)
            again = tallow.World.load(world.scene, path)
            with self.assertRaises(tallow.FileError) as caught:
                world.save(os.path.join(folder, "no", "such.h5"))
            self.assertIn("such.h5", caught.exception.where)
            with self.assertRaises(tallow.BadInput):
                tallow.World.load(tallow.Scene.from_text(DAM, spacing=0.1), path)
        self.assertEqual(again.hash, world.hash)
        for each in world, again:
            each.advance(0.06)
        self.assertEqual(again.hash, world.hash)

    def test_a_world_that_breaks_says_where_and_what_to_do(self):
        world = world_of(DAM)
        world["velocity"][100] = float("nan")
        name = world["id"][100]
        with self.assertRaises(tallow.Diverged) as caught:
            world.advance(0.1)
        self.assertRegex(caught.exception.where, f"^particle {name} at ")
        self.assertTrue(caught.exception.fix)
        with self.assertRaises(tallow.OutOfMemory):
            world_of(DAM, spacing=1e-5)

    def test_a_scene_never_changes(self):
        with self.assertRaises(TypeError):
            tallow.World(tallow.Scene.from_text(DAM), spacing=1)
        with self.assertRaises(ValueError):
            tallow.World(tallow.Scene.from_text(DAM), threads=-1)


class Threads(unittest.TestCase):
    def test_the_lock_is_free_while_the_world_steps(self):
        world, counted, done = world_of(DAM, spacing="3 cm"), [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += world.busy  # seen while the main thread is in advance() alone
                time.sleep(0.0005)

        thread = threading.Thread(target=count)
        thread.start()
        while counted[0] <= 10 and world.time < 2:
            world.advance(world.time + 0.05)
        done.set()
        thread.join()
        self.assertGreater(counted[0], 10)

    def test_who_meddles_with_a_world_at_work_is_refused_and_harms_nothing(self):
        world, refused = world_of(DAM, spacing="3 cm"), []
        meddlings = (world.step, lambda: world.time, lambda: np.asarray(world["id"]),
                     lambda: world.ledger, lambda: len(world), lambda: world.save("/dev/null"),
                     lambda: world.advance(9), lambda: world.hash, lambda: world["id"].shape)

        def meddle(*_):  # handlers run while the world is between two steps
            for meddling in meddlings if world.busy else ():
                with self.assertRaises(tallow.BusyError):
                    meddling()
                refused.append(meddling)

        before = signal.signal(signal.SIGALRM, meddle)
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        try:
            while not refused and world.time < 2:
                world.advance(world.time + 0.05)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertGreaterEqual(len(refused), len(meddlings))
        alone = world_of(DAM, spacing="3 cm")
        while alone.time < world.time:
            alone.advance(alone.time + 0.05)
        self.assertEqual(world.hash, alone.hash)

    def test_worlds_side_by_side_do_not_show_in_one_another(self):
        worlds = [world_of(DAM) for _ in range(4)]
        threads = [threading.Thread(target=world.advance, args=(0.1,)) for world in worlds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({world.hash for world in worlds}), 1)

    def test_ctrl_c_stops_between_steps_and_leaves_a_valid_world(self):
        world = world_of(DAM, spacing="3 cm")
        killer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        killer.start()
        with self.assertRaises(KeyboardInterrupt):
            world.advance(1e6)
        killer.join()
        self.assertFalse(world.busy)
        self.assertGreater(world.steps, 0)
        # The same bits as a world that goes that far undisturbed, then and later.
        other = world_of(DAM, spacing="3 cm")
        while other.steps < world.steps:
            other.step()
        self.assertEqual(world.hash, other.hash)
        for each in world, other:
            each.step()
        self.assertEqual(world.hash, other.hash)


class Walls(unittest.TestCase):
    def test_a_wall_is_driven_by_hand(self):
        world = world_of(PUSHED)
        self.assertEqual(world.wall("ram"), ((0, 0, 0), (0, 0, 0), 0.5))
        world.drive_wall("ram", np.array([0.4, 0, 0]))
        world.advance(0.25)
        self.assertAlmostEqual(world.wall("ram").shift[0], 0.1, places=14)
        self.assertGreater(world["position"][:, 0].min(), 0.2)
        self.assertGreater(world.ledger["wall_work"], 0)
        for name, velocity, fix in [("rum", (0, 0, 0), "ram"), ("tank", (0, 0, 0), "driven"),
                                    ("ram", (0, 0, 9), "slower")]:
            with self.assertRaises(tallow.BadInput) as caught:
                world.drive_wall(name, velocity)
            self.assertIn(fix, caught.exception.fix)
        with self.assertRaises(KeyError):
            world.wall("rum")


class Steering(unittest.TestCase):
    def test_a_hand_lifts_and_a_tap_pours_as_often_as_it_is_told_so(self):
        def told():
            world = tallow.World(tallow.Scene.from_text(PUSHED), threads=1, steered=True)
            self.assertGreater(world.grip(np.array([0.25, 0.1, 0.1]), 0.1), 5)
            world.carry((0.25, 0.1, 0.3))
            world.pour("syrup", (0.7, 0.1, 0.5), velocity=(0, 0, -1), radius=0.08, most=10000)
            world.set_gravity((0, 0, -5))
            world.advance(0.1)
            return world
        world = told()
        self.assertEqual(world.gravity(), (0, 0, -5))
        self.assertEqual(world.pouring(), "pouring")
        self.assertGreater(world.ledger["emitted_mass"], 0)
        self.assertGreater(world["position"][:, 2].max(), 0.25)
        self.assertEqual(world.hash, told().hash)
        world.let_go()
        world.stop_pouring()
        self.assertEqual(world.pouring(), "nothing")

    def test_another_scene_is_adopted_and_outlives_the_world(self):
        world = world_of(PUSHED)
        world.adopt(tallow.Scene.from_text(PUSHED, set={"materials.syrup.viscosity": "1"}))
        world.advance(0.02)

    def test_what_is_not_steered_says_how_to_be(self):
        world = world_of(PUSHED)
        for act in (lambda: world.grip((0, 0, 0), 1), lambda: world.set_gravity((0, 0, 0)),
                    lambda: world.pour("syrup", (0, 0, 1), velocity=(0, 0, -1), radius=0.1)):
            with self.assertRaises(tallow.BadInput) as caught:
                act()
            self.assertIn("steered", caught.exception.fix)


class Memory(unittest.TestCase):
    def test_a_thousand_small_worlds_leave_nothing_behind(self):
        def live():
            world = world_of(DAM, spacing="10 cm")
            world.step()
            np.asarray(world["velocity"])[0] = 0
            _ = world.ledger, world.fields, world["id"].copy()
            with self.assertRaises(tallow.BadInput):
                tallow.Scene.from_text("spacing: 5 kg")

        for _ in range(100):  # what is made once, and what malloc keeps
            live()
        gc.collect()
        before = resident()
        for _ in range(1000):
            live()
        gc.collect()
        # A kilobyte a world would show.
        self.assertLess(resident() - before, 1)


if __name__ == "__main__":
    unittest.main()
