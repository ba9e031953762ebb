"""Scenes: from files, from texts, from dicts."""
import json
import os
from typing import Any, Iterator, List, Mapping, Optional, Union

from . import _core


def _plain(value: Any) -> Any:
    """What JSON does not know: arrays and numbers of numpy, paths."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a scene cannot hold {type(value).__name__}: {value!r}")


def _json(value: Any, **options: Any) -> str:
    return json.dumps(value, default=_plain, ensure_ascii=False, **options)


def _pairs(mapping: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """Overrides path.to.key=value; nested mappings change what they name and leave the rest."""
    for key, value in mapping.items():
        if isinstance(value, Mapping):
            yield from _pairs(value, f"{before}{key}.")
        else:
            yield f"{before}{key}={value if isinstance(value, str) else _json(value)}"


class Scene(_core.Scene):
    """A scene that was read, completed and checked; it never changes.

    >>> Scene("dam-break")                                  # of the gallery, or a file
    >>> Scene("dam-break", spacing="4 cm", flow={"motion": 0.2})
    >>> Scene("dam-break", set={"bodies.column.material": "honey"})
    >>> Scene({"spacing": 0.02, "bodies": [...]})           # the keys of a file
    >>> Scene.from_text("spacing: 2 cm ...")

    Keywords and `set` change keys as ``--set`` of the command does: numbers are SI, texts may carry
    units. A scene that is wrong raises BadInput with all its findings.
    """

    __slots__ = ()

    def __new__(cls, source: Union[str, "os.PathLike[str]", Mapping[str, Any]], *,
                set: Optional[Mapping[str, Any]] = None, **keys: Any) -> "Scene":
        if isinstance(source, Mapping):
            return cls.from_text(_json(dict(source), indent=1), name="dict", set=set, **keys)
        return _core.Scene.__new__(cls, path=source, overrides=cls._overrides(set, keys))

    @classmethod
    def from_text(cls, text: str, *, name: str = "text",
                  set: Optional[Mapping[str, Any]] = None, **keys: Any) -> "Scene":
        """A scene from YAML (or JSON). `name` stands for the file in messages."""
        return _core.Scene.__new__(cls, text=text, name=name, overrides=cls._overrides(set, keys))

    @staticmethod
    def _overrides(set: Optional[Mapping[str, Any]], keys: Mapping[str, Any]) -> List[str]:
        return [*_pairs(set or {}), *_pairs(keys)]

    def __repr__(self) -> str:
        return f"<tallow.Scene {self.title!r}, spacing {self.spacing:g} m, {self.duration:g} s>"
