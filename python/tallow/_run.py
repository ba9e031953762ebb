"""Runs, read back from their folders."""
import json
import os
import re
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Union, overload

from . import _arrays
from ._errors import BadInput
from ._ledger import Ledger
from ._scene import Scene
from ._world import World

_DATA = b'<AppendedData encoding="raw">\n_'


class Frame(Mapping[str, Any]):
    """All shown fields at one moment, arrays by name: "position", "velocity", "id", ...

    Symmetric tensors are xx yy zz xy xz yz, as in worlds.
    """

    path: Path
    time: float  #: s
    step: int  #: accepted steps until then
    units: Dict[str, str]
    docs: Dict[str, str]
    flames: Any  #: where flames burn on wicks: x, y, z (m) and power (W) of each source; else None

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self.path = Path(path)
        data = self.path.read_bytes()
        start = data.find(_DATA)
        if start < 0:
            raise BadInput("this is no frame of Tallow", str(path), "give a .vtp file of a run")
        head = xml.fromstring(data[:start] + b"<AppendedData/></VTKFile>")
        blocks = memoryview(data)[start + len(_DATA):]
        self._arrays, self.units, self.docs = {}, {}, {}
        facts = {array.get("Name"): self._read(array, blocks)
                 for array in head.iterfind(".//FieldData/DataArray")}
        self.time, self.step = float(facts["TimeValue"][0]), int(facts["step"][0])
        self.flames = facts.get("flames")
        for part in ("Points", "PointData"):
            for array in head.iterfind(f".//{part}/DataArray"):
                name = array.get("Name", "")
                self._arrays[name] = self._read(array, blocks)
                self.units[name] = (array.findtext("InformationKey") or "").strip()
                self.docs[name] = array.get("doc", "")

    def _read(self, array: xml.Element, blocks: memoryview) -> Any:
        """A block is its size in bytes, and then the numbers."""
        at, width = int(array.get("offset", 0)), int(array.get("NumberOfComponents", 1))
        size = int.from_bytes(blocks[at:at + 8], "little")
        raw = blocks[at + 8:at + 8 + size]
        if len(raw) < size or at + 8 > len(blocks):
            raise BadInput("the frame is cut short", str(self.path), "take another frame")
        values = _arrays.of_bytes(raw.tobytes(), _arrays.FORMATS[array.get("type", "")], width)
        if width == 6 and _arrays.numpy is not None:
            values = values[:, [0, 1, 2, 3, 5, 4]]  # ParaView has yz before xz
        return values

    def __getitem__(self, name: str) -> Any:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        return f"<tallow.Frame at {self.time:g} s: {', '.join(self)}>"


class Frames(Sequence[Frame]):
    """The frames of a run, each read when it is asked for."""

    def __init__(self, paths: List[Path]) -> None:
        self._paths = paths

    @overload
    def __getitem__(self, index: int) -> Frame: ...

    @overload
    def __getitem__(self, index: slice) -> "Frames": ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Frame, "Frames"]:
        if isinstance(index, slice):
            return Frames(self._paths[index])
        return Frame(self._paths[index])

    def __len__(self) -> int:
        return len(self._paths)


class Run:
    """What `tallow run` left in a folder.

    >>> run = Run("out/candle-top")
    >>> run.ledger["liquid_fraction"], run.frames[-1]["temperature"], run.result["state"]
    >>> world = run.world()                         # goes on from the newest snapshot
    """

    folder: Path

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self.folder = Path(folder)
        if not Path(self.folder, "run.yaml").is_file():
            raise BadInput("there is no run in this folder", str(folder),
                           "give the folder that `tallow run` has made")

    @property
    def scene(self) -> Scene:
        """The scene with every parameter as it was used."""
        return Scene(Path(self.folder, "run.yaml"))

    @property
    def yaml(self) -> str:
        """The text of run.yaml."""
        return Path(self.folder, "run.yaml").read_text(encoding="utf-8")

    @property
    def ledger(self) -> Ledger:
        """The books, a row a frame."""
        return Ledger.read(Path(self.folder, "ledger.csv"))

    @property
    def frames(self) -> Frames:
        """Frames as arrays; those that the run has written by now."""
        found = Path(self.folder, "frames").glob("*.vtp")
        return Frames(sorted(p for p in found if re.fullmatch(r"\d+\.vtp", p.name)))

    @property
    def result(self) -> Dict[str, Any]:
        """How it ended: result.json. Empty while it runs."""
        path = Path(self.folder, "result.json")
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    def world(self, *, threads: int = 0) -> World:
        """The world of its newest snapshot."""
        return World.resume(self.folder, threads=threads)

    def __repr__(self) -> str:
        return f"<tallow.Run {str(self.folder)!r}, {len(self.frames)} frames>"
