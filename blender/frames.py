# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the frames of a run of Tallow: particles (VTP) and surfaces (PLY). Needs numpy alone; what
is not as Tallow writes it is refused with a ValueError that names the file."""
import os
import re
from xml.etree import ElementTree

import numpy as np

VTK_TYPES = {"Float32": "<f4", "Float64": "<f8", "UInt8": "u1", "Int32": "<i4", "UInt32": "<u4",
             "UInt64": "<u8"}
PLY_TYPES = {"float": "<f4", "double": "<f8", "uchar": "u1", "uint": "<u4", "int": "<i4"}
ENDINGS = {3: ("x", "y", "z"), 6: ("xx", "yy", "zz", "xy", "xz", "yz")}


class Frame:
    """One moment: places, faces (none for particles), and fields by name."""

    def __init__(self, points, fields, faces=None, time=None):
        self.points, self.fields, self.faces, self.time = points, fields, faces, time

    def radii(self, spacing):
        """Half the size of each particle: of the frame, or of all when it has none."""
        if "size" in self.fields:
            return 0.5 * self.fields["size"].astype(np.float32)
        return np.full(len(self.points), 0.5 * spacing, np.float32)


# ---- VTP ----------------------------------------------------------------------------------------


def _appended(element, data, path):
    """One array of the raw data that follows the XML."""
    offset, kind = int(element.get("offset")), np.dtype(VTK_TYPES[element.get("type")])
    if offset + 8 > len(data):
        raise ValueError(f"{path}: cut short")
    size = int.from_bytes(data[offset:offset + 8], "little")
    if offset + 8 + size > len(data) or size % kind.itemsize:
        raise ValueError(f"{path}: cut short")
    array = np.frombuffer(data, kind, size // kind.itemsize, offset + 8)
    components = int(element.get("NumberOfComponents") or 1)
    if components == 6:  # ParaView has yz before xz
        return array.reshape(-1, 6)[:, [0, 1, 2, 3, 5, 4]]
    return array if components == 1 else array.reshape(-1, components)


def read_vtp(path):
    with open(path, "rb") as file:
        text = file.read()
    start = text.find(b'<AppendedData encoding="raw">')
    first = text.find(b"_", start)
    if start < 0 or first < 0:
        raise ValueError(f"{path}: not a frame of Tallow")
    try:
        root = ElementTree.fromstring(text[:start] + b"</VTKFile>")
    except ElementTree.ParseError as reason:
        raise ValueError(f"{path}: {reason}") from None
    data = memoryview(text)[first + 1:]

    def arrays(where):
        found = root.findall(f".//{where}/DataArray")
        return {element.get("Name"): _appended(element, data, path) for element in found}

    points = arrays("Points").get("position")
    if points is None:
        raise ValueError(f"{path}: no positions")
    fields, faces = arrays("PointData"), arrays("Polys").get("connectivity")
    if any(len(field) != len(points) for field in fields.values()):
        raise ValueError(f"{path}: fields of another length than the positions")
    time = arrays("FieldData").get("TimeValue")
    return Frame(points.astype(np.float32), fields,
                 faces.reshape(-1, 3) if faces is not None and len(faces) else None,
                 float(time[0]) if time is not None and len(time) else None)


# ---- PLY ----------------------------------------------------------------------------------------


def _ply_header(lines, path):
    """Elements as (name, count, [(type, property)]), and the time of the comments."""
    elements, time = [], None
    for words in (line.split() for line in lines):
        if words[:2] == ["comment", "time"]:
            time = float(words[2])
        elif words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"] and words[1] != "list":
            elements[-1][2].append((words[2], PLY_TYPES[words[1]]))
        elif words[:1] == ["property"]:
            if words[1:4] != ["list", "uchar", "uint"]:
                raise ValueError(f"{path}: faces of another kind than Tallow's")
            elements[-1][2].extend([("corners", "u1"), ("face", "<u4", 3)])
    if not elements or elements[0][0] != "vertex":
        raise ValueError(f"{path}: no vertices")
    return elements, time


def _gather(rows):
    """Fields by name: x, y and z of a vector, or six parts of a tensor, in one array."""
    fields, names = {}, list(rows.dtype.names)
    while names:
        stem = re.sub(r"_(x|xx)$", "", names[0])
        for count in (6, 3):
            parts = [f"{stem}_{ending}" for ending in ENDINGS[count]]
            if names[:count] == parts:
                fields[stem] = np.stack([rows[part] for part in parts], axis=1)
                del names[:count]
                break
        else:
            fields[names[0]] = rows[names[0]]
            del names[0]
    return fields


def read_ply(path):
    with open(path, "rb") as file:
        text = file.read()
    end = text.find(b"end_header\n")
    lines = text[:max(end, 0)].decode("utf-8", "replace").split("\n")
    if lines[:2] != ["ply", "format binary_little_endian 1.0"]:
        raise ValueError(f"{path}: not a binary PLY file")
    elements, time = _ply_header(lines, path)
    at, rows = end + len(b"end_header\n"), {}
    for name, count, properties in elements:
        kind = np.dtype(properties)
        if at + count * kind.itemsize > len(text):
            raise ValueError(f"{path}: cut short")
        rows[name] = np.frombuffer(text, kind, count, at)
        at += count * kind.itemsize
    fields = _gather(rows["vertex"])
    points = np.stack([fields.pop(axis) for axis in "xyz"], axis=1).astype(np.float32)
    if "nx" in fields:
        fields["normal"] = np.stack([fields.pop(axis) for axis in ("nx", "ny", "nz")], axis=1)
    faces = rows.get("face")
    if faces is not None and len(faces) and (faces["corners"] != 3).any():
        raise ValueError(f"{path}: faces of more than three corners")
    return Frame(points, fields, None if faces is None else faces["face"], time)


def read(path):
    return read_ply(path) if path.endswith(".ply") else read_vtp(path)


# ---- Runs ---------------------------------------------------------------------------------------


class Run:
    """The folder of a run, by itself or by a file in it: where its frames are, and of what size."""

    def __init__(self, path, surface=False):
        path = os.path.abspath(path)
        while not os.path.exists(os.path.join(path, "run.yaml")):
            if path == os.path.dirname(path):
                raise ValueError("not in the folder of a run: no run.yaml")
            path = os.path.dirname(path)
        self.folder = path
        place, ending = ("surface", ".ply") if surface else ("frames", ".vtp")
        folder = os.path.join(path, place)
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        self.paths = [os.path.join(folder, n) for n in names if re.fullmatch(r"\d+" + ending, n)]
        if not self.paths:
            raise ValueError(f"{folder}: no frames" + (" (tallow surface makes them)" * surface))
        with open(os.path.join(path, "run.yaml"), encoding="utf-8") as file:
            settings = dict(re.findall(r"^(spacing|frame_rate): (\S+)", file.read(), re.MULTILINE))
        self.spacing, self.frame_rate = float(settings["spacing"]), float(settings["frame_rate"])

    def frame(self, number):
        """The frame of that number, or the first or last one."""
        return read(self.paths[max(0, min(number, len(self.paths) - 1))])
