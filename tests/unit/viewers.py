"""The Blender add-on reads what a run leaves, as other readers and writers see it; that and the
script for ParaView compile. Blender and ParaView themselves are not needed.

    viewers.py TALLOW SOURCE_DIR
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as reason:
    print("skipped:", reason)
    sys.exit(77)

TALLOW, SOURCE = map(os.path.realpath, sys.argv[1:3])
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "blender"))
import frames


def tallow(*words):
    subprocess.run([TALLOW, *words], check=True, env=dict(os.environ, TALLOW_PATH=SOURCE))


def rows_of(path):
    """A frame as `tallow export --to csv` has it: another way to the same numbers."""
    with open(path, encoding="utf-8") as file:
        names = [column.split(" [")[0] for column in file.readline().strip().split(",")]
        return names, np.loadtxt(file, delimiter=",", ndmin=2)


def check_fields(frame, names, rows):
    """Every column of the table is a part of a field, and there is no other."""
    parts = {"position": frame.points, **frame.fields}
    columns = {}
    for name, values in parts.items():
        endings = frames.ENDINGS.get(1 if values.ndim == 1 else values.shape[1])
        for k, column in enumerate([f"{name}_{e}" for e in endings] if endings else [name]):
            columns[column] = values[:, k] if endings else values
    assert set(columns) == set(names), set(columns) ^ set(names)
    for k, name in enumerate(names):
        assert (columns[name] == rows[:, k].astype(columns[name].dtype)).all(), name


def check_particles(folder):
    run = frames.Run(os.path.join(folder, "frames.pvd"))
    assert run.spacing == 0.05 and run.frame_rate == 40 and len(run.paths) == 3, vars(run)
    tallow("export", folder, "--to", "csv", "-q")
    tallow("export", folder, "--to", "ply", "-q")
    for number in range(3):
        frame = run.frame(number)
        assert len(frame.points) == 512 and abs(frame.time - number / 40) < 1e-12, frame.time
        names, rows = rows_of(f"{folder}/csv/{number:05}.csv")
        check_fields(frame, names, rows)
        points = frames.read(f"{folder}/ply/{number:05}.ply")
        check_fields(points, names, rows)
        assert points.time == frame.time and points.faces is None and frame.faces is None
    assert {"velocity", "temperature", "id", "elastic_stress"} <= set(frame.fields), frame.fields
    assert np.any(frame.fields["elastic_stress"][:, 4] != frame.fields["elastic_stress"][:, 5])
    assert (frame.radii(0.05) == np.float32(0.025)).all()
    frame.fields["size"] = np.linspace(1, 2, 512)
    assert (frame.radii(0.05) == np.linspace(0.5, 1, 512, dtype=np.float32)).all()
    assert (run.frame(-5).points == run.frame(0).points).all(), "before the first is the first"
    assert (run.frame(99).points == run.frame(2).points).all(), "after the last is the last"


def check_surfaces(folder):
    run = frames.Run(os.path.join(folder, "frames"), surface=True)
    tallow("surface", folder, "--to", "ply,vtp", "-o", f"{folder}/again", "-q", "-n", "2")
    assert len(run.paths) == 3 and len(run.frame(2).faces) > 1000
    mesh, other = (frames.read(f"{folder}/again/00002.{ending}") for ending in ("ply", "vtp"))
    assert (mesh.points == other.points).all() and (mesh.faces == other.faces).all()
    assert {"velocity", "temperature", "normal"} <= set(mesh.fields), mesh.fields
    assert (mesh.fields["velocity"] == other.fields["velocity"]).all()
    # Closed and turned one way: each edge is passed once in either direction.
    edges = np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]])
    forth = {tuple(edge) for edge in edges.tolist()}
    assert len(forth) == len(edges) and forth == {(b, a) for a, b in forth}
    corners = mesh.points[mesh.faces].astype(np.float64)
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert volume > 0, volume


def refuses(path, words):
    try:
        frames.read(path)
    except ValueError as reason:
        assert path in str(reason) and words in str(reason), reason
    else:
        raise AssertionError(f"{path} was taken")


def check_damage(folder):
    for name, words in (("frames/00001.vtp", "cut short"), ("surface/00001.ply", "cut short")):
        with open(f"{folder}/{name}", "rb") as file:
            whole = file.read()
        path = f"{folder}/cut{name[-4:]}"
        for size, said in ((len(whole) * 2 // 3, words), (200, "")):
            with open(path, "wb") as file:
                file.write(whole[:size])
            refuses(path, said)
    try:
        frames.Run("/")
    except ValueError as reason:
        assert "no run.yaml" in str(reason)
    else:
        raise AssertionError("a run without run.yaml")


def main():
    for path in ("blender/__init__.py", "blender/frames.py", "paraview/tallow_view.py"):
        with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
            compile(file.read(), path, "exec")
    with tempfile.TemporaryDirectory() as place:
        tiny = os.path.join(SOURCE, "tests/unit/tiny.yaml")
        tallow("run", tiny, "-t", "1", "-q", "-o", f"{place}/a", "--frames", "2", "--no-plots",
               "--set", "output.surface=true", "--set", "bodies.block.material=jelly")
        check_particles(f"{place}/a")
        check_surfaces(f"{place}/a")
        check_damage(f"{place}/a")


main()
