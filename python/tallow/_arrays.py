"""Arrays of numbers: numpy's where it is installed, else memoryviews."""
from typing import Any, Sequence

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

FORMATS = {"Float32": "f", "Float64": "d", "UInt8": "B", "UInt32": "I", "UInt64": "Q", "Int32": "i"}


def need_numpy(what: str) -> Any:
    """numpy, or an ImportError that tells what it is needed for."""
    if numpy is None:
        raise ImportError(f"{what} needs numpy (Debian: python3-numpy)")
    return numpy


def of_numbers(values: Sequence[float]) -> Any:
    """A column of doubles."""
    if numpy is not None:
        return numpy.array(values, dtype=float)
    from array import array

    return memoryview(array("d", values))


def of_bytes(data: bytes, code: str, width: int) -> Any:
    """Numbers of a format in a row of bytes, `width` of them a particle; a copy."""
    if numpy is not None:
        flat = numpy.frombuffer(data, dtype=code).copy()
        return flat.reshape(-1, width) if width > 1 else flat
    view = memoryview(bytearray(data))
    count = len(data) // memoryview(b"").cast(code).itemsize
    shape = (count // width, width) if width > 1 else (count,)
    return view.cast(code, shape) if count else view.cast(code)
