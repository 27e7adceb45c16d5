"""PyTorch's old file format: strides are honoured, and nothing in the file is run."""

from __future__ import annotations

import os
import pickle
import struct
import sys
from collections import OrderedDict
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dragoman.backends.box.torch_pickle import read_tensors
from dragoman.errors import ExpertError

MAGIC = 0x1950A86A20F9469CFC6C


class Storage:
    """What stands in for `torch.FloatStorage` while a file is written."""


class Tensor:
    """Pickles as PyTorch's tensors do."""

    def __init__(self, *arguments: Any) -> None:
        self.arguments = arguments

    def __reduce__(self) -> Any:
        return sys.modules["torch._utils"]._rebuild_tensor_v2, self.arguments  # type: ignore[attr-defined]


class Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        return ("storage", sys.modules["torch"].FloatStorage, "0", "cpu", 6) if obj is Storage else None


@pytest.fixture
def torch_like(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that a writer needs, so that the file says `torch`."""
    torch, inner = ModuleType("torch"), ModuleType("torch._utils")

    class FloatStorage: ...

    def _rebuild_tensor_v2(*arguments: Any) -> None: ...

    for thing, module, name in ((FloatStorage, torch, "torch"), (_rebuild_tensor_v2, inner, "torch._utils")):
        thing.__module__, thing.__qualname__ = name, thing.__name__
        setattr(module, thing.__name__, thing)
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch._utils", inner)


def written(path: Path, state: Any) -> Path:
    with path.open("wb") as file:
        for value in (MAGIC, 1001, {}):
            pickle.dump(value, file, protocol=2)
        Pickler(file, protocol=2).dump(state)
        pickle.dump(["0"], file, protocol=2)
        file.write(struct.pack("<q", 6) + np.arange(6, dtype="<f4").tobytes())
    return path


def test_strides_say_the_order(tmp_path: Path, torch_like: None):
    """A (2, 3) tensor stored column by column reads as its columns."""
    state = OrderedDict(a=Tensor(Storage, 0, (2, 3), (1, 2), False, {}), b=Tensor(Storage, 4, (2,), (1,), False, {}))

    tensors = read_tensors(written(tmp_path / "w.pth", state))

    assert tensors["a"].tolist() == [[0, 2, 4], [1, 3, 5]]
    assert tensors["b"].tolist() == [4, 5]


def test_a_file_that_would_run_something_is_refused(tmp_path: Path, torch_like: None):
    """It names a function of the system; the function is never called."""

    class Hostile:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "made"),)

    with pytest.raises(ExpertError, match="which weights have no need of"):
        read_tensors(written(tmp_path / "w.pth", {"a": Hostile()}))

    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps(7, protocol=2)])
def test_other_files_are_refused(tmp_path: Path, content: bytes):
    """Empty, text, and a pickle that is no set of weights."""
    path = tmp_path / "w.pth"
    path.write_bytes(content)

    with pytest.raises(ExpertError, match=r"w\.pth"):
        read_tensors(path)
