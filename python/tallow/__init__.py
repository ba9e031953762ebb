"""Tallow: things that melt, flow, creep, stretch and harden, made of particles.

>>> import tallow
>>> world = tallow.World("dam-break", spacing="4 cm")
>>> ledger = world.run(until=0.5)
>>> world["position"][:, 0].max()

docs/python.md tells the rest.
"""
import json as _json
import os as _os
from pathlib import Path as _Path
from typing import Any as _Any
from typing import Dict as _Dict
from typing import Optional as _Optional

from ._errors import (BadInput, BusyError, Diverged, Error, FileError, Finding, OutOfMemory,
                      ViewError)
from . import _core
from ._ledger import Ledger
from ._run import Frame, Frames, Run
from ._scene import Scene
from ._world import Field, StepReport, Wall, World

__all__ = ["BadInput", "BusyError", "Diverged", "Error", "Field", "FileError", "Finding", "Frame",
           "Frames", "Ledger", "OutOfMemory", "Run", "Scene", "StepReport", "ViewError", "Wall",
           "World", "describe"]

__version__: str = _core.version


def describe(part: _Optional[str] = None) -> _Dict[str, _Any]:
    """The parameters of a part of scenes: name, doc, and a dict of name, unit, default ... of each.

    >>> tallow.describe("material")["parameters"][1]["doc"]

    Without a part, all of them by name.
    """
    tables = _json.loads(_core.describe(part))
    return tables[0] if part is not None else {table["name"]: table for table in tables}


def _find_data() -> None:
    """A wheel has scenes and materials beside the module: the library looks there last."""
    data = _Path(__file__).parent / "data"
    if data.is_dir():
        known = _os.environ.get("TALLOW_PATH")
        _os.environ["TALLOW_PATH"] = f"{known}:{data}" if known else str(data)


_find_data()
