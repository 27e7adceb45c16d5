"""Weights out of a PyTorch file of the old format, without PyTorch and without running what the file says.

The file is a sequence of pickles (a magic number, a protocol version, facts of the machine, the tensors, the keys of
their storages), then for each storage its length and its raw numbers. Format: `torch.save` before PyTorch 1.6.
"""

from __future__ import annotations

import pickle
import struct
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from dragoman.errors import ExpertError

Array = npt.NDArray[Any]

_MAGIC = 0x1950A86A20F9469CFC6C
_TYPES = {
    "FloatStorage": np.float32,
    "DoubleStorage": np.float64,
    "HalfStorage": np.float16,
    "LongStorage": np.int64,
    "IntStorage": np.int32,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Tensor:
    storage: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class _Reader(pickle.Unpickler):
    """Knows ordered dicts and tensors; any other name in the file is refused."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self.types: dict[str, type[Any]] = {}

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _tensor
        if module == "torch" and name in _TYPES:
            return _TYPES[name]
        raise ExpertError(f"the weights ask for `{module}.{name}`, which weights have no need of; they are not read.")

    def persistent_load(self, pid: Any) -> str:
        _, number_type, key = pid[:3]
        self.types[key] = number_type
        return key


def _tensor(storage: str, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *_: Any) -> _Tensor:
    return _Tensor(storage=storage, offset=offset, shape=tuple(shape), strides=tuple(strides))


def read_tensors(path: Path) -> dict[str, Array]:
    """The named tensors of the state dict at `path`. Raises `ExpertError` if it is not such a file."""
    with path.open("rb") as file:
        try:
            if _Reader(file).load() != _MAGIC:
                raise ExpertError(f"`{path.name}` is not a PyTorch file of the old format.")
            _Reader(file).load()
            _Reader(file).load()
            tensors = _Reader(file)
            state: dict[str, Any] = tensors.load()
            storages = {key: _numbers(file, tensors.types[key]) for key in _Reader(file).load()}
        except (pickle.UnpicklingError, EOFError, KeyError, struct.error) as error:
            raise ExpertError(f"`{path.name}` can't be read as PyTorch weights: {error!r}.") from error
    return {name: _array(tensor, storages[tensor.storage]) for name, tensor in state.items()}


def _numbers(file: IO[bytes], number_type: type[Any]) -> Array:
    (count,) = struct.unpack("<q", file.read(8))
    return np.frombuffer(file.read(count * np.dtype(number_type).itemsize), number_type)


def _array(tensor: _Tensor, numbers: Array) -> Array:
    # Weights that came from TensorFlow are stored permuted: only the strides say in which order.
    strides = tuple(step * numbers.itemsize for step in tensor.strides)
    return np.lib.stride_tricks.as_strided(numbers[tensor.offset :], tensor.shape, strides).copy()
