"""Scenes from files, texts and dicts; what is wrong with them comes as exceptions."""
import os
import pickle
import tempfile
import unittest

import numpy as np

import tallow

DAM = """title: A small dam
spacing: 5 cm
duration: 0.5 s
bodies:
  - {name: block, material: water, box: {from: [0, 0, 0], to: [0.4, 0.3, 0.4]}}
walls:
  - {name: tank, box: {from: [0, 0, 0], to: [0.8, 0.3, 0.8]}, open: z}
"""
AS_DICT = {
    "title": "A small dam",
    "spacing": "5 cm",
    "duration": 0.5,
    "bodies": [{"name": "block", "material": "water",
                "box": {"from": [0, 0, 0], "to": np.array([0.4, 0.3, 0.4])}}],
    "walls": [{"name": "tank", "box": {"from": (0, 0, 0), "to": [0.8, 0.3, np.float64(0.8)]},
               "open": "z"}],
}


class Scenes(unittest.TestCase):
    def test_text_dict_and_file_make_the_same_scene(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "dam.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(DAM)
            scenes = [tallow.Scene.from_text(DAM), tallow.Scene(AS_DICT), tallow.Scene(path)]
        self.assertEqual(len({scene.to_yaml() for scene in scenes}), 1)
        self.assertEqual(scenes[0].title, "A small dam")
        self.assertEqual((scenes[0].spacing, scenes[0].duration), (0.05, 0.5))

    def test_a_bare_name_is_of_the_gallery(self):
        self.assertEqual(tallow.Scene("dam-break").title, "A dam breaks")

    def test_a_written_scene_loads_to_itself(self):
        text = tallow.Scene("dam-break").to_yaml()
        self.assertEqual(tallow.Scene.from_text(text).to_yaml(), text)

    def test_keywords_and_set_change_what_they_name_and_nothing_else(self):
        plain = tallow.Scene.from_text(DAM).to_yaml().splitlines()
        ways = [{"spacing": 0.04, "flow": {"motion": 0.1}},
                {"set": {"spacing": "4 cm", "flow.motion": 0.1}},
                {"set": {"flow": {"motion": np.float32(0.5) / 5}}, "spacing": "40 mm"}]
        texts = {tallow.Scene.from_text(DAM, **keys).to_yaml() for keys in ways[:2]}
        self.assertEqual(len(texts), 1)
        changed = set(texts.pop().splitlines()) - set(plain)
        self.assertEqual({line.split(":")[0].strip() for line in changed}, {"spacing", "motion"})
        self.assertAlmostEqual(tallow.Scene.from_text(DAM, **ways[2]).spacing, 0.04)
        moved = tallow.Scene.from_text(DAM, set={"bodies.block.velocity": [1, 0, 0.5]},
                                       output={"film": False})
        self.assertIn("velocity: [1, 0, 0.5]", moved.to_yaml())
        self.assertIn("film: false", moved.to_yaml())

    def test_all_that_is_wrong_is_told_at_once_with_place_and_fix(self):
        with self.assertRaises(tallow.BadInput) as caught:
            tallow.Scene.from_text(DAM.replace("5 cm", "2 kPa").replace("water", "watr"),
                                   name="typo.yaml", set={"spacin": 1})
        error = caught.exception
        self.assertIsInstance(error, (tallow.Error, ValueError))
        self.assertEqual(len([f for f in error.findings if f.kind == "error"]), 3)
        places = [(f.file, f.line, f.column) for f in error.findings]
        self.assertIn(("typo.yaml", 2, 10), places)
        self.assertEqual(places, sorted(places))
        wrong = next(f for f in error.findings if "watr" in f.what)
        self.assertEqual((wrong.line, wrong.hint), (5, "did you mean water?"))
        lines = str(error).splitlines()
        at = next(i for i, line in enumerate(lines) if "watr" in line and "error" not in line)
        self.assertEqual(lines[at + 1].index("^"), lines[at].index("watr"))
        self.assertTrue(error.what and error.where)

    def test_a_scene_that_is_not_there_has_a_nearest_one(self):
        with self.assertRaises(tallow.BadInput) as caught:
            tallow.Scene("dam-brake")
        self.assertIn("dam-break", caught.exception.fix)
        self.assertEqual(caught.exception.findings, ())

    def test_errors_survive_pickling_and_know_their_python_kin(self):
        for kind, kin in [(tallow.FileError, OSError), (tallow.OutOfMemory, MemoryError),
                          (tallow.Diverged, ArithmeticError), (tallow.ViewError, BufferError),
                          (tallow.BusyError, RuntimeError), (tallow.BadInput, ValueError)]:
            error = pickle.loads(pickle.dumps(kind("what", "where", "fix")))
            self.assertIsInstance(error, kin)
            self.assertEqual((error.what, error.where, error.fix), ("what", "where", "fix"))
            self.assertEqual(str(error), "where: what\n    fix")

    def test_what_cannot_be_in_a_scene_is_refused(self):
        with self.assertRaises(TypeError):
            tallow.Scene({"spacing": object()})
        with self.assertRaises(TypeError):
            tallow.Scene(7)

    def test_warnings_of_a_good_scene_can_be_read(self):
        text = DAM.replace("open: z}", "open: z, motion: [{speed: 0, along: x, about: z}]}")
        scene = tallow.Scene.from_text(text)
        self.assertEqual([f.kind for f in scene.warnings], ["warning"])


if __name__ == "__main__":
    unittest.main()
