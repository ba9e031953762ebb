"""The module as a whole: stubs, docs, the stable ABI, tables of parameters, no need of numpy."""
import ast
import inspect
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import unittest

import tallow
from tallow import _core
from test_scenes import DAM

HERE = pathlib.Path(tallow.__file__).parent


def stub_names():
    """The names of _core.pyi: functions and variables, and the members of each class."""
    names = {}
    for node in ast.parse((HERE / "_core.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            names[node.name] = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = set()
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = set()
    return names


class Module(unittest.TestCase):
    def test_the_stub_has_every_public_name_and_no_other(self):
        stub = stub_names()
        real = {name: set() for name in vars(_core) if not name.startswith("_")}
        for name, members in real.items():
            kind = getattr(_core, name)
            if inspect.isclass(kind):
                members.update(m for m in vars(kind) if not m.startswith("_"))
                members.update({"__new__", "__len__"} & set(vars(kind)))
        self.assertEqual(stub, real)

    def test_all_that_is_public_is_told_and_typed(self):
        self.assertTrue((HERE / "py.typed").exists())
        for name in tallow.__all__:
            thing = getattr(tallow, name)
            self.assertTrue(inspect.getdoc(thing), name)
            for member, value in vars(thing).items() if inspect.isclass(thing) else [(name, thing)]:
                value = getattr(value, "__func__", getattr(value, "fget", value))
                if member.startswith("_") or not inspect.isfunction(value):
                    continue
                self.assertTrue(value.__doc__, f"{name}.{member} has no docstring")
                self.assertIn("return", value.__annotations__, f"{name}.{member}")
        public = {name for name in vars(tallow) if not name.startswith("_")}
        self.assertEqual(public, set(tallow.__all__))

    def test_only_the_limited_api_of_3_11_is_used(self):
        self.assertTrue(_core.__file__.endswith("_core.abi3.so"))
        nm = subprocess.run(["nm", "-D", "--undefined-only", _core.__file__], check=True,
                            capture_output=True, text=True).stdout
        used = {word for word in re.findall(r"\b_?Py\w+", nm)}
        self.assertGreater(len(used), 20)
        compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")[0]
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "limited.c")
            source.write_text("#define Py_LIMITED_API 0x030B0000\n#define PY_SSIZE_T_CLEAN\n"
                              "#include <Python.h>\n")
            headers = subprocess.run(
                [compiler, "-E", f"-I{sysconfig.get_path('include')}", str(source)], check=True,
                capture_output=True, text=True).stdout
        allowed = set(re.findall(r"\b_?Py\w+", headers))
        self.assertNotIn("PyUnicode_AsUTF8", allowed, "the headers do limit")
        self.assertEqual(used - allowed, set())
        exported = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], check=True,
                                  capture_output=True, text=True).stdout
        self.assertEqual([line.split()[-1] for line in exported.splitlines()], ["PyInit__core"])

    def test_parameters_come_from_the_tables_of_the_library(self):
        material = tallow.describe("material")
        self.assertEqual(material["name"], "material")
        density = next(p for p in material["parameters"] if p["name"] == "density")
        self.assertEqual(density["unit"], "kg/m³")
        self.assertIn("wall", tallow.describe())
        with self.assertRaises(tallow.BadInput) as caught:
            tallow.describe("matrial")
        self.assertIn("material", caught.exception.fix)

    def test_numpy_is_not_needed(self):
        program = f"DAM = {DAM!r}" + """
import sys
sys.modules["numpy"] = None
import tallow
world = tallow.World(tallow.Scene.from_text(DAM), threads=1)
ledger = world.run(until=0.05)
assert ledger["time"][-1] == 0.05 and ledger.rows > 1
view = memoryview(world["velocity"])
view[0, 2] = 0.5
assert world["velocity"].copy()[0, 2] == 0.5
try:
    world.step()
except tallow.ViewError:
    view.release()
world.step()
try:
    world["velocity"][0]
except ImportError as error:
    assert "numpy" in str(error)
else:
    raise AssertionError
"""
        subprocess.run([sys.executable, "-c", program], check=True)


if __name__ == "__main__":
    unittest.main()
