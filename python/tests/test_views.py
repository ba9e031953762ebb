"""Fields in place: the world's own memory, and never memory that it has left."""
import gc
import unittest

import numpy as np

import tallow
from test_scenes import DAM

FOUNTAIN = """spacing: 2 cm
flow: {scheme: explicit}
bodies:
  - {name: pool, material: water, box: {from: [0, 0, 0], to: [0.2, 0.2, 0.06]}}
walls:
  - {name: tank, box: {from: [0, 0, 0], to: [0.2, 0.2, 0.8]}, open: z}
emitters:
  - name: tap
    material: water
    disc: {center: [0.1, 0.1, 0.3], direction: [0, 0, -1], radius: 3 cm}
    speed: 1 m/s
"""
HOT = """spacing: 5 mm
flow: {scheme: none}
heat: {}
bodies:
  - {material: ice, box: {from: [0, 0, 0], to: [6 cm, 1 cm, 1 cm]}, temperature: -10}
"""


def world_of(text, **keys):
    return tallow.World(tallow.Scene.from_text(text, **keys), threads=1)


class Views(unittest.TestCase):
    def test_a_view_is_the_memory_of_the_world(self):
        world = world_of(DAM)
        velocity = np.asarray(world["velocity"])
        self.assertEqual(velocity.ctypes.data, world["velocity"].address)
        self.assertEqual((velocity.dtype, velocity.shape), (np.float64, (len(world), 3)))
        self.assertTrue(velocity.flags.writeable and velocity.flags.c_contiguous)
        self.assertTrue(np.shares_memory(velocity, np.asarray(world["velocity"])))

    def test_writing_changes_the_world_and_its_future(self):
        world, other = world_of(DAM), world_of(DAM)
        world["velocity"][:, 2] = 0.25
        self.assertNotEqual(world.hash, other.hash)
        # The library adds up momenta from its own memory.
        self.assertAlmostEqual(world.ledger["momentum_z"], 0.25 * world.ledger["mass"], places=9)
        self.assertEqual(memoryview(world["velocity"])[7, 2], 0.25)
        for each in world, other:
            each.step()
        means = [each["velocity"].copy()[:, 2].mean() for each in (world, other)]
        self.assertAlmostEqual(means[0] - means[1], 0.25, delta=0.02)

    def test_every_field_is_shown_as_it_is_declared(self):
        world = world_of(HOT)
        for name, field in world.fields.items():
            array = np.asarray(field)
            self.assertEqual(array.shape, field.shape)
            self.assertEqual(array.ctypes.data, field.address)
            self.assertEqual(array.flags.writeable, field.writable)
            self.assertTrue(field.doc and field.name == name)
        self.assertIn("enthalpy", world)
        with self.assertRaises(KeyError):
            world["colour"]

    def test_whole_numbers_and_what_follows_from_others_cannot_be_written(self):
        world = world_of(HOT)
        for name in "id", "material", "body", "phase", "liquid_fraction", "temperature":
            with self.assertRaises(ValueError, msg=name):
                world[name][0] = 1
            with self.assertRaises(TypeError):
                memoryview(world[name])[0] = 1
        self.assertTrue(world_of(DAM)["temperature"].writable)

    def test_the_world_refuses_to_change_while_a_view_is_alive(self):
        world = world_of(DAM)
        before = world.hash
        part = world["position"][:, 0]  # a view of a view
        view = memoryview(world["density"])
        for change in world.step, lambda: world.advance(0.1), world.run:
            with self.assertRaises(tallow.ViewError) as caught:
                change()
            self.assertIsInstance(caught.exception, BufferError)
            self.assertIn("position, density", str(caught.exception))
            self.assertIn("copy", caught.exception.fix)
        self.assertEqual((world.hash, world.steps), (before, 0))
        del part
        with self.assertRaises(tallow.ViewError):
            world.step()
        view.release()
        world.step()
        self.assertEqual(world.steps, 1)

    def test_a_view_kept_by_a_callback_stops_the_run_before_it_can_dangle(self):
        world, kept = world_of(FOUNTAIN), []
        with self.assertRaises(tallow.ViewError):
            world.run(until=0.2, on_step=lambda w, _: kept.append(np.asarray(w["position"])))
        self.assertEqual(world.steps, 1)
        self.assertEqual(kept[0].ctypes.data, world["position"].address)

    def test_a_field_kept_over_sorting_and_growth_shows_the_present(self):
        world = world_of(FOUNTAIN)
        position, ids, count = world["position"], world["id"], len(world)
        old, order = position.copy(), ids.copy()
        world.advance(0.3)
        self.assertGreater(len(world), count)
        self.assertEqual(position.shape, (len(world), 3))
        self.assertEqual(np.asarray(position).ctypes.data, position.address)
        self.assertEqual(sorted(ids[:])[:count], list(range(count)))
        self.assertFalse(np.array_equal(ids.copy()[:count], order), "particles were sorted")
        self.assertEqual(old.shape, (count, 3))

    def test_a_view_outlives_the_names_of_its_world(self):
        array = np.asarray(world_of(DAM)["position"])
        gc.collect()
        self.assertTrue(np.isfinite(array).all() and array.max() < 0.4)

    def test_buffers_that_cannot_be_had_are_refused_and_leave_no_trace(self):
        import ctypes
        world = world_of(DAM)
        with self.assertRaises(TypeError):
            ctypes.c_char.from_buffer(world["id"])  # wants to write
        world.step()
        self.assertEqual(len(bytes(world["id"])), 8 * len(world))
        world.step()

    def test_temperatures_are_given_through_the_world(self):
        world = world_of(HOT)
        left = world["position"][:, 0] < 0.03
        world.set_temperature(40, where=left)
        found = world["temperature"].copy()
        np.testing.assert_allclose(found[left], 40, atol=1e-4)
        np.testing.assert_allclose(found[~left], -10, atol=1e-4)
        self.assertLess(abs(world.ledger["heat_error"]), 1e-9 * world.ledger["thermal_energy"])
        world.set_temperature(np.linspace(0, 20, len(world)))
        self.assertAlmostEqual(world["temperature"][-1], 20, places=4)
        with self.assertRaises(tallow.BadInput):
            world.set_temperature(-300)
        with self.assertRaises(ValueError):
            world.set_temperature([1, 2, 3])


if __name__ == "__main__":
    unittest.main()
