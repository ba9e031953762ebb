"""The books over time: one array a column."""
from typing import Any, Dict, Iterator, List, Mapping, Sequence

from . import _arrays, _core

COLUMNS = tuple(_core.books())


class Ledger(Mapping[str, Any]):
    """Columns of the ledger by name, an array of doubles each; one number a row.

    >>> ledger = world.run()
    >>> ledger["time"], ledger["kinetic_energy"], ledger.units["kinetic_energy"]
    """

    units: Dict[str, str]  #: of each column
    docs: Dict[str, str]  #: what it is; not of columns that this version does not know

    def __init__(self, names: Sequence[str], units: Sequence[str],
                 rows: Sequence[Sequence[float]]) -> None:
        self.units = dict(zip(names, units))
        self.docs = {name: doc for name, _, doc in COLUMNS if name in self.units}
        columns = zip(*rows) if rows else ((),) * len(names)
        self._columns = {name: _arrays.of_numbers(c) for name, c in zip(names, columns)}

    @classmethod
    def of_worlds(cls, rows: List[Sequence[float]]) -> "Ledger":
        """From rows as World.books() gives them."""
        return cls([c[0] for c in COLUMNS], [c[1] for c in COLUMNS], rows)

    @classmethod
    def read(cls, path: Any) -> "Ledger":
        """Reads ledger.csv; a last row that is being written is left out."""
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file if line.endswith("\n")]
        heads = [head.rstrip("]").split(" [") for head in lines[0].strip().split(",")]
        rows = [[float(word) for word in line.split(",")] for line in lines[1:]]
        return cls([h[0] for h in heads], [h[1] if len(h) > 1 else "" for h in heads], rows)

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(next(iter(self._columns.values()), ()))

    def __repr__(self) -> str:
        return f"<tallow.Ledger of {self.rows} rows: {', '.join(self)}>"
