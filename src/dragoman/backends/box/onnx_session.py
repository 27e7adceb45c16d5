"""ONNX models, opened once: whoever needs the same weights in one worker shares the session."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, cast
from weakref import WeakValueDictionary

import numpy.typing as npt
import onnxruntime

Array = npt.NDArray[Any]


class OnnxModel:
    """A model that is ready to run on the CPU. inputs, outputs: their names, in order."""

    def __init__(self, path: Path, *, threads: int, has_arena: bool = True) -> None:
        options = _options(threads, has_arena=has_arena)
        self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.inputs = tuple(str(one.name) for one in self._session.get_inputs())
        self.outputs = tuple(str(one.name) for one in self._session.get_outputs())

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Array]) -> list[Array]:
        """The named outputs, in the order of their names."""
        return cast("list[Array]", self._session.run(list(outputs), dict(inputs)))


_opened: WeakValueDictionary[tuple[str, int], OnnxModel] = WeakValueDictionary()
_opening = Lock()


def open_model(path: Path, *, threads: int, has_arena: bool = True) -> OnnxModel:
    """The model at `path`; the one that is open already where its bytes are the same. It goes with its last user.

    has_arena: memory is kept from call to call; without, it is given back, for inputs that differ much in size.
    """
    with path.open("rb") as file:
        key = (hashlib.file_digest(file, "sha256").hexdigest(), threads)
    with _opening:
        model = _opened.get(key)
        if model is None:
            _opened[key] = model = OnnxModel(path, threads=threads, has_arena=has_arena)
    return model


def _options(threads: int, *, has_arena: bool) -> Any:
    options: Any = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = has_arena
    options.log_severity_level = 3
    # Worker processes stand beside one another; threads that spin between two operators would take their cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
