"""What goes wrong, as exceptions: what, where, and how to mend it."""
from typing import Iterable, NamedTuple, Tuple, Type


class Finding(NamedTuple):
    """One finding in a scene, with its place."""

    kind: str  # "error" or "warning"
    file: str  # "--set" for an override
    line: int  # from 1; 0 when it has no place
    column: int
    what: str
    hint: str  # the nearest right word or range; may be empty
    source: str  # the line that it stands on

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        text = f"{place}: {self.kind}: {self.what}"
        if self.source and self.line:
            text += f"\n    {self.source}\n    {' ' * (self.column - 1)}^"
        return text + (f"\n    {self.hint}" if self.hint else "")


class Error(Exception):
    """Whatever Tallow refuses or fails at. All others are of this class."""

    what: str  #: one sentence
    where: str  #: "scene.yaml:12:5", a path, or a particle; may be empty
    fix: str  #: one sentence: the nearest right thing to do; may be empty
    findings: Tuple[Finding, ...]  #: everything that was found in a scene, not only the first

    def __init__(self, what: str, where: str = "", fix: str = "",
                 findings: Iterable[Finding] = ()) -> None:
        self.what, self.where, self.fix = what, where, fix
        self.findings = tuple(sorted(findings, key=lambda f: (f.file, f.line, f.column)))
        super().__init__(str(self))

    def __reduce__(self) -> Tuple[Type["Error"], Tuple[str, str, str, Tuple[Finding, ...]]]:
        return type(self), (self.what, self.where, self.fix, self.findings)

    def __str__(self) -> str:
        if any(f.kind == "error" for f in self.findings):
            return "\n".join(map(str, self.findings))
        text = f"{self.where}: {self.what}" if self.where else self.what
        return text + (f"\n    {self.fix}" if self.fix else "")


class BadInput(Error, ValueError):
    """The scene, a file or an argument is wrong: you can mend it."""


class OutOfMemory(Error, MemoryError):
    """An allocation failed, or a world would not fit this machine."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class Diverged(Error, ArithmeticError):
    """A step stayed unacceptable however small: the physics blew up."""


class ViewError(Error, BufferError):
    """The world cannot change: views of its fields are alive."""


class BusyError(Error, RuntimeError):
    """Another thread works on the world."""


#: In the order of tl_status. Worlds that are stepped here have neither stops nor doubts as errors.
BY_STATUS = (Error, BadInput, OutOfMemory, FileError, Diverged, Error, Error)
