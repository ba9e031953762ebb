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
SUFFIX = {1: [""], 3: ["x", "y", "z"], 6: ["xx", "yy", "zz", "xy", "xz", "yz"]}


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


def in_our_order(found):
    """VTK has yz before xz."""
    return found[:, [0, 1, 2, 3, 5, 4]] if found.ndim == 2 and found.shape[1] == 6 else found


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
        same(in_our_order(vtk_to_numpy(array)), name, count, doubles)
        components = FIELDS[name][1]
        for k in range(components if components > 1 else 0):
            place = 9 - k if components == 6 and k > 3 else k
            assert array.GetComponentName(k) == SUFFIX[components][place]
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


def strip(count):
    i = np.arange(max(count - 2, 0))
    return np.stack([i, i + 1, i + 2], axis=1)


def triangles_of(data):
    """The triangles of a vtkPolyData, which has nothing else."""
    assert data.GetNumberOfVerts() == data.GetNumberOfLines() == data.GetNumberOfStrips() == 0
    cells = vtk_to_numpy(data.GetPolys().GetData()) if data.GetNumberOfPolys() else np.zeros(0, int)
    cells = cells.reshape(-1, 4)
    assert (cells[:, 0] == 3).all()
    return cells[:, 1:]


def normals(count):
    return (np.arange(count)[:, None] % 3 == np.arange(3)).astype("f4")


def colours(count):
    return ((np.arange(count)[:, None] + np.arange(3)) % 5 / 4).astype("f4")


def check_mesh(reader, path, count):
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0
    data = reader.GetOutput()
    assert data.GetNumberOfPoints() == count, (path, data.GetNumberOfPoints())
    assert (triangles_of(data) == strip(count)).all()
    if count:
        found = vtk_to_numpy(data.GetPoints().GetData())
        assert np.allclose(found, expected("position", count, False), rtol=1e-6)
        name = "normal" if data.GetPointData().GetArray("normal") else "Normals"
        array = data.GetPointData().GetArray(name) or data.GetPointData().GetNormals()
        assert (vtk_to_numpy(array) == normals(count)).all(), path
    return data


def check_mesh_vtp(path, count):
    data = check_mesh(vtk.vtkXMLPolyDataReader(), path, count)
    for name in set(FIELDS) - {"position"}:
        same(in_our_order(vtk_to_numpy(data.GetPointData().GetArray(name))), name, count, False)


def check_mesh_ply(path, count):
    check_mesh(vtk.vtkPLYReader(), path, count)
    raw = open(path, "rb").read()
    head = raw[:raw.index(b"end_header\n")].decode().splitlines()
    assert f"element face {max(count - 2, 0)}" in head and "property float nx" in head
    assert "property float temperature" in head and "property float velocity_x" in head


def check_mesh_obj(path, count):
    if count:  # VTK takes a file without faces for an error
        check_mesh(vtk.vtkOBJReader(), path, count)
    found = [line.split()[4:] for line in open(path) if line.startswith("v ")]
    assert np.allclose(np.array(found, "f4").reshape(-1, 3), colours(count), atol=1e-4)


def check_mesh_glb(path, count):
    import json
    import struct
    raw = open(path, "rb").read()
    magic, version, size, json_size, json_kind = struct.unpack("<4sIII4s", raw[:20])
    assert (magic, version, size, json_kind) == (b"glTF", 2, len(raw), b"JSON")
    tree = json.loads(raw[20:20 + json_size])
    assert tree["asset"]["version"] == "2.0" and json_size % 4 == 0
    if not count:
        assert "meshes" not in tree and len(raw) == 20 + json_size
        return
    bin_size, bin_kind = struct.unpack("<I4s", raw[20 + json_size:28 + json_size])
    blob = raw[28 + json_size:]
    assert bin_kind == b"BIN\0" and bin_size == len(blob) == tree["buffers"][0]["byteLength"]

    def array(index):
        a = tree["accessors"][index]
        view = tree["bufferViews"][a["bufferView"]]
        kind = {5126: "f4", 5123: "u2", 5125: "u4"}[a["componentType"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
        assert view["byteOffset"] % 4 == 0
        data = blob[view["byteOffset"]:view["byteOffset"] + view["byteLength"]]
        return np.frombuffer(data, kind).reshape(a["count"], width)

    part = tree["meshes"][0]["primitives"][0]
    assert (array(part["indices"]).reshape(-1, 3) == strip(count)).all()
    attributes = part["attributes"]
    place = array(attributes["POSITION"])
    assert (place == expected("position", count, False)).all()
    box = tree["accessors"][attributes["POSITION"]]
    assert np.allclose(box["min"], place.min(0)) and np.allclose(box["max"], place.max(0))
    assert (array(attributes["NORMAL"]) == normals(count)).all()
    assert (array(attributes["_VELOCITY"]) == expected("velocity", count, False)).all()
    assert (array(attributes["_TEMPERATURE"])[:, 0] == expected("temperature", count, False)).all()
    srgb = colours(count).astype("f8")
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    assert np.abs(array(attributes["COLOR_0"])[:, :3] / 65535 - linear).max() < 1e-4
    if hasattr(vtk, "vtkGLTFReader"):
        reader = vtk.vtkGLTFReader()
        reader.SetFileName(path)
        reader.Update()
        data = reader.GetOutput()
        while not data.IsA("vtkPolyData"):
            data = data.GetBlock(0)
        assert data.GetNumberOfPoints() == count and data.GetNumberOfPolys() == count - 2
        # Turned so that our z is up, which is y in glTF.
        found, wanted = vtk_to_numpy(data.GetPoints().GetData()), place[:, [0, 2, 1]] * [1, 1, -1]
        assert np.allclose(found, wanted, atol=1e-3), (found[:3], wanted[:3])


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
        for count in [0, 1000]:
            check_mesh_vtp(at(f"mesh_{count}.vtp"), count)
            check_mesh_ply(at(f"mesh_{count}.ply"), count)
            check_mesh_obj(at(f"mesh_{count}.obj"), count)
            check_mesh_glb(at(f"mesh_{count}.glb"), count)
        check_pvd(at("frames.pvd"))
        check_png(at("picture.png"))
    print("VTK", vtk.VTK_VERSION, "reads every frame and mesh")


main()
