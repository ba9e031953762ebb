"""Reads the snapshots that write_samples leaves with h5py, which knows nothing of Tallow."""
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as reason:
    print("skipped:", reason)
    sys.exit(77)

FIELDS = {  # name: (type, components, unit, doc, value of element e); see sample_fields.h
    "id": ("<u8", 1, "", "Name for ever", lambda e: 1000000007 + e),
    "position": ("<f8", 3, "m", "Place", lambda e: e * 0.25 - 3),
    "velocity": ("<f4", 3, "m/s", 'Velocity & more <than> "that"', lambda e: e * -0.5),
    "stress": ("<f4", 6, "Pa", "Deviatoric stress", lambda e: e * 2 + 1),
    "temperature": ("<f8", 1, "°C", "Temperature", lambda e: 20 + e / 3),
    "material": ("<u4", 1, "", "Index of the material", lambda e: e % 7 + 4000000000),
    "phase": ("|u1", 1, "", "0 solid, 1 liquid", lambda e: e % 256),
    "hidden": ("<f8", 1, "J", "Saved and not shown", lambda e: e * 7),
}


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def check(path, count):
    with h5py.File(path, "r") as file:
        facts = file.attrs
        assert text(facts["format"]) == "tallow snapshot"
        assert facts["format_version"] == 1
        assert text(facts["tallow_version"]).count(".") == 2
        assert facts["particles"] == count
        assert facts["time"] == 0.125 and facts["time"].dtype == "<f8"
        assert facts["step"] == 812 and facts["step"].dtype == "<u8"
        assert facts["scene_hash"] == 2**64 - 6
        assert set(file["particles"]) == set(FIELDS)
        for name, (kind, components, unit, doc, value) in FIELDS.items():
            data = file["particles"][name]
            shape = (count,) if components == 1 else (count, components)
            assert data.dtype == kind and data.shape == shape, (name, data)
            e = np.arange(count * components, dtype="u8" if "u" in kind else "f8")
            assert (data[...].ravel() == value(e).astype(kind)).all(), name
            assert text(data.attrs["unit"]) == unit and text(data.attrs["doc"]) == doc


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        for count in (0, 1, 1000):
            check(os.path.join(folder, f"snapshot_{count}.h5"), count)
    print("h5py", h5py.__version__, "reads every snapshot")


main()
