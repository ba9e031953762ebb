"""Worlds: all that changes."""
import math
import os
import re
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _arrays, _core
from ._errors import BadInput, Error
from ._ledger import COLUMNS, Ledger
from ._scene import Scene

Path_ = Union[str, "os.PathLike[str]"]


class StepReport(NamedTuple):
    """What one accepted step did."""

    time: float  # s, after the step
    dt: float  # s
    step: int  # accepted steps so far
    rejected: int  # attempts thrown away before this one
    max_speed: float  # m/s
    density_error: float  # largest compression, relative


class Wall(NamedTuple):
    """A wall as it is now."""

    shift: Tuple[float, float, float]  # m, from where the scene has it, if it is driven
    velocity: Tuple[float, float, float]  # m/s, the same
    fastest: float  # m/s, that it may be driven at; 0: not at all


class Field(_core.Field):
    """A field of a world, in place.

    ``numpy.asarray(field)`` and ``memoryview(field)`` show the world's own memory, without a copy:
    what is written there changes the world. A field may be kept; the arrays may not: as long as one
    is alive the world refuses to step (ViewError), since particles are sorted, come and go.
    Indexing reads and writes as numpy does: ``field[field[:] > 80] = 80``; ``copy()`` is yours to
    keep.
    Particles change places as they are sorted: the field "id" names them for ever.
    """

    __slots__ = ()

    def copy(self) -> Any:
        """An array of its own, which may be kept over steps."""
        view = memoryview(self)
        return _arrays.of_bytes(view.tobytes(), view.format, view.shape[1] if view.ndim > 1 else 1)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """What numpy asks for when it could not have the buffer: here it is told why."""
        return _arrays.need_numpy("an array of a field").array(memoryview(self), dtype=dtype)

    def __getitem__(self, index: Any) -> Any:
        return _arrays.need_numpy("indexing a field").asarray(self)[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        _arrays.need_numpy("indexing a field").asarray(self)[index] = value

    def __repr__(self) -> str:
        return f"<tallow.Field {self.name} [{self.unit}], shape {self.shape}>"


class World(_core.World):
    """A world, made from a scene (or from what a scene is made from).

    >>> world = World("dam-break", spacing="4 cm", threads=2)
    >>> world.advance(0.5)
    >>> world["position"][:, 0].max()
    >>> ledger = world.run()                        # to the end of the scene

    The interpreter's lock is released while it steps. A world may be used by one thread at a time;
    others are refused (BusyError). ``len(world)`` is the number of particles.
    """

    __slots__ = ()

    def __new__(cls, scene: Any, *, threads: int = 0, steered: bool = False,
                **keys: Any) -> "World":
        return _core.World.__new__(cls, cls._scene(scene, keys), threads=threads, steered=steered)

    @staticmethod
    def _scene(scene: Any, keys: Dict[str, Any]) -> Scene:
        if not isinstance(scene, Scene):
            return Scene(scene, **keys)
        if keys:
            raise TypeError("a scene never changes: give the keys where it is loaded")
        return scene

    @classmethod
    def load(cls, scene: Any, snapshot: Path_, *, threads: int = 0, steered: bool = False,
             **keys: Any) -> "World":
        """The world of a snapshot of that scene; steered if that was."""
        return _core.World.__new__(cls, cls._scene(scene, keys), threads=threads,
                                   snapshot=snapshot, steered=steered)

    @classmethod
    def resume(cls, folder: Path_, *, threads: int = 0) -> "World":
        """The world of the newest snapshot of a run that can be read."""
        scene, refusal = Scene(Path(folder, "run.yaml")), None
        for path in reversed(_snapshots(Path(folder))):
            try:
                return cls.load(scene, path, threads=threads)
            except Error as error:
                refusal = refusal or error
        raise refusal or BadInput("the run has no snapshot", str(folder),
                                  "let it run on, or make a World of its run.yaml")

    def step(self, stop: float = math.inf) -> StepReport:
        """One step of the world's own choosing, not past the time `stop` (s)."""
        return StepReport._make(super().step(stop))

    def run(self, until: Optional[float] = None, *,
            on_step: Optional[Callable[["World", StepReport], Any]] = None,
            on_frame: Optional[Callable[["World", int], Any]] = None) -> Ledger:
        """Runs from frame to frame, as `tallow run` does, until a time (s) or the scene's end.

        on_step   is called after each step with the world and a StepReport
        on_frame  is called at each frame, the start included, with the world and its number

        One that returns False ends the run. The result is the ledger, a row a frame.
        """
        rows = [self.books()]
        if self.time == 0 and on_frame and on_frame(self, 0) is False:
            return Ledger.of_worlds(rows)
        for frame, time in self._frames(self.scene.duration if until is None else until):
            if not self._run_to(time, on_step):
                break
            rows.append(self.books())
            if on_frame and on_frame(self, frame) is False:
                break
        return Ledger.of_worlds(rows)

    def _frames(self, end: float) -> Iterator[Tuple[int, float]]:
        """Numbers and times of the frames to come; the last is at the end."""
        rate = self.scene.frame_rate
        last = math.ceil(end * rate * (1 - 1e-12))
        for frame in range(1, last + 1):
            time = frame / rate if frame < last else end
            if time > self.time:
                yield frame, time

    def _run_to(self, time: float, on_step: Optional[Callable[..., Any]]) -> bool:
        if not on_step:
            self.advance(time)
        while self.time < time:
            if on_step(self, self.step(time)) is False:  # type: ignore[misc]
                return False
        return True

    @property
    def ledger(self) -> Dict[str, float]:
        """The books as they stand now: mass, momentum, energies, and where they went."""
        return dict(zip((c[0] for c in COLUMNS), self.books()))

    @property
    def warnings(self) -> List[Dict[str, Any]]:
        """Reasons to doubt its results: code, message, first_time, worst, limit, count of each."""
        return self.doubts()

    @property
    def fields(self) -> Dict[str, Field]:
        """All its fields by name."""
        return {name: Field(self, name) for name in self.field_names()}

    def __getitem__(self, name: str) -> Field:
        return Field(self, name)

    def __contains__(self, name: object) -> bool:
        return name in self.field_names()

    def __iter__(self) -> Iterator[str]:
        return iter(self.field_names())

    def set_temperature(self, temperature: Any, where: Any = True) -> None:
        """Gives particles a temperature (°C): one for all, or an array; `where` picks them.

        With heat the field "temperature" follows from "enthalpy" and cannot be written: this sets
        both, and counts what it brings in as if it had been there from the start.
        """
        np = _arrays.need_numpy("set_temperature")
        values = np.full(len(self), np.nan, dtype=np.float32)
        np.copyto(values, np.asarray(temperature, dtype=np.float32), where=where)
        self.warm(values)

    def drive_wall(self, name: str, velocity: Iterable[float]) -> None:
        """From now on a wall moves at this velocity (m/s), until it is driven anew.

        Its scene has to say how fast it may be driven at most: ``driven: 20 cm/s``. Snapshots keep
        where it is and how it moves.
        """
        x, y, z = velocity
        super().drive_wall(name, (x, y, z))

    def wall(self, name: str) -> Wall:
        """A wall of the scene, as it is now."""
        return Wall._make(super().wall(name))

    def grip(self, place: Iterable[float], radius: float, strength: float = 80) -> int:
        """A hand takes hold of the matter within a radius (m) of a place, and of nothing else.

        It needs a world that was made ``steered=True``, as all that follows. `strength` (m/s²) is
        the most that it accelerates what it holds. Returns how many particles that are.
        """
        return super().grip(tuple(place), radius, strength)

    def pour(self, material: str, place: Iterable[float], *, velocity: Iterable[float],
             radius: float, temperature: float = 20, most: int = 1000000) -> None:
        """Opens a tap at a place (m), or moves it; `stop_pouring` shuts it.

        It gives π radius² |velocity| m³/s of a material that flows in the scene, but nothing where
        walls or matter are in the way, and nothing while the world has `most` particles.
        """
        super().pour(material, tuple(place), tuple(velocity), radius, temperature, most)

    def __repr__(self) -> str:
        if self.busy:
            return "<tallow.World at work>"
        return f"<tallow.World of {len(self)} particles at {self.time:g} s, {self.steps} steps>"


def _snapshots(folder: Path) -> List[Path]:
    """The snapshots of a run, oldest first."""
    found = []
    for path in Path(folder, "snapshots").glob("*.h5"):
        name = re.fullmatch(r"(\d+)(?:-step-(\d+))?\.h5", path.name)
        if name:
            found.append((int(name[1]), int(name[2] or 0), path))
    return [path for _, _, path in sorted(found)]
