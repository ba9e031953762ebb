"""Reads the files that write_samples leaves with VTK and numpy, which know nothing of Tallow."""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as reason:
    print("skipped:", reason)
    sys.exit(77)

FIELDS = {  # name: (type, components, unit, value of element e); see sample_fields.h
    "position": ("f8", 3, "m", lambda e: e * 0.25 - 3),
    "id": ("u8", 1, "", lambda e: 1000000007 + e),
    "velocity": ("f4", 3, "m/s", lambda e: e * -0.5),
    "stress": ("f4", 6, "Pa", lambda e: e * 2 + 1),
    "temperature": ("f8", 1, "°C", lambda e: 20 + e / 3),
    "material": ("u4", 1, "", lambda e: e % 7 + 4000000000),
    "phase": ("u1", 1, "", lambda e: e % 256),
    "derived": ("f4", 1, "", lambda e: e * 8),
}
SUFFIX = {1: [""], 3: ["x", "y", "z"], 6: ["xx", "yy", "zz", "xy", "yz", "xz"]}


def expected(name, count, doubles):
    kind, components, _, value = FIELDS[name]
    e = np.arange(count * components, dtype=np.uint64 if kind[0] == "u" else np.float64)
    kind = "f4" if kind == "f8" and not doubles else kind
    array = value(e).astype(kind)
    return array if components == 1 else array.reshape(count, components)


def same(found, name, count, doubles):
    wanted = expected(name, count, doubles)
    assert found.dtype == wanted.dtype, (name, found.dtype, wanted.dtype)
    assert found.shape == wanted.shape, (name, found.shape, wanted.shape)
    assert (found == wanted).all(), name


def check_vtp(path, count, doubles, time, step):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0
    data = reader.GetOutput()
    assert data.GetNumberOfPoints() == count
    assert data.GetNumberOfVerts() == count
    for i in range(count):
        assert data.GetCellType(i) == vtk.VTK_VERTEX
        assert data.GetCell(i).GetPointId(0) == i
    if count:
        same(vtk_to_numpy(data.GetPoints().GetData()), "position", count, doubles)
    arrays = data.GetPointData()
    names = {arrays.GetArrayName(a) for a in range(arrays.GetNumberOfArrays())}
    assert names == set(FIELDS) - {"position"}, names
    for name in names:
        array = arrays.GetArray(name)
        same(vtk_to_numpy(array), name, count, doubles)
        components = FIELDS[name][1]
        for k in range(components if components > 1 else 0):
            assert array.GetComponentName(k) == SUFFIX[components][k]
        # VTK fills the key only when it has a text.
        unit = array.GetInformation().Get(vtk.vtkDataArray.UNITS_LABEL()) or ""
        assert unit == FIELDS[name][2], (name, unit)
    assert vtk_to_numpy(data.GetFieldData().GetArray("TimeValue")).tolist() == [time]
    assert vtk_to_numpy(data.GetFieldData().GetArray("step")).tolist() == [step]


def check_ply(path, count, doubles):
    reader = vtk.vtkPLYReader()
    reader.SetFileName(path)
    reader.Update()
    points = reader.GetOutput()
    assert points.GetNumberOfPoints() == count
    if count:
        found = vtk_to_numpy(points.GetPoints().GetData())
        assert (found == expected("position", count, False)).all()
    raw = open(path, "rb").read()
    end = raw.index(b"end_header\n") + len(b"end_header\n")
    head = raw[:end].decode().splitlines()
    kinds = {"float": "f4", "double": "f8", "uchar": "u1", "uint": "u4"}
    layout = [(w[2], kinds[w[1]]) for w in map(str.split, head) if w[0] == "property"]
    rows = np.frombuffer(raw[end:], np.dtype(layout))
    assert len(rows) == count
    for name, (kind, components, unit, _) in FIELDS.items():
        wanted = expected(name, count, doubles).reshape(count, components)
        for k in range(components):
            suffix = SUFFIX[components][k]
            column = suffix if name == "position" else name + ("_" + suffix if suffix else "")
            assert (rows[column] == wanted[:, k]).all(), column
        assert any(line.startswith(f"comment {name} [{unit}]") for line in head)


def check_csv(path, count):
    with open(path) as stream:
        header = stream.readline().rstrip("\n").split(",")
        rows = [line.rstrip("\n").split(",") for line in stream]
    assert len(rows) == count
    column = 0
    for name, (kind, components, unit, _) in FIELDS.items():
        wanted = expected(name, count, True).reshape(count, components)
        for k in range(components):
            suffix = SUFFIX[components][k]
            title = name + ("_" + suffix if suffix else "") + (f" [{unit}]" if unit else "")
            assert header[column] == title, (header[column], title)
            found = np.array([row[column] for row in rows]).astype(kind)
            assert (found == wanted[:, k]).all(), title
            column += 1
    assert column == len(header)


def check_pvd(path):
    import xml.etree.ElementTree as tree
    sets = tree.parse(path).getroot().find("Collection").findall("DataSet")
    found = [(float(s.get("timestep")), s.get("file")) for s in sets]
    assert found == [(0.0, "floats_0.vtp"), (0.1, "floats_1.vtp"), (0.2, "floats_1000.vtp")], found


def check_png(path):
    reader = vtk.vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    picture = reader.GetOutput()
    assert picture.GetDimensions() == (37, 150, 1)
    found = vtk_to_numpy(picture.GetPointData().GetScalars()).reshape(150, 37, 3)[::-1]
    i = np.arange(150 * 37 * 3, dtype=np.uint64)
    assert (found.ravel() == ((i * i // 7 + i % 3 * 50) % 256)).all()


def main():
    vtk.vtkObject.GlobalWarningDisplayOff()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        for i, count in enumerate([0, 1, 1000]):
            at = lambda name: os.path.join(folder, name)
            check_vtp(at(f"floats_{count}.vtp"), count, False, 0.1 * i, 100 + i)
            check_vtp(at(f"doubles_{count}.vtp"), count, True, 0.1 * i, 100 + i)
            check_ply(at(f"floats_{count}.ply"), count, False)
            check_ply(at(f"doubles_{count}.ply"), count, True)
            check_csv(at(f"frame_{count}.csv"), count)
        check_pvd(at("frames.pvd"))
        check_png(at("picture.png"))
    print("VTK", vtk.VTK_VERSION, "reads every frame")


main()
