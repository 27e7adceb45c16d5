"""DeepFilterNet 3: takes noise away from speech. Its own native library runs it, loaded from the model store."""

from __future__ import annotations

import ctypes
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.sounds import MOST_S, Samples, read_sound, sound_output
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg

RATE_HZ = 48_000
MOST_ATTENUATION_DB = 100.0
DELAY = 1_440  # samples that the result is late: half a window and two frames that the net looks ahead
TELL_EVERY = 100  # frames: a second of sound
FLOATS = ctypes.POINTER(ctypes.c_float)


class DeepFilter:
    """The C interface of libDF: one state a recording, ten milliseconds a call."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, threads  # the library runs on one thread
        self._model = str(files["DeepFilterNet3_onnx.tar.gz"]).encode()
        self._library = _loaded(files["libdeepfilter.so"])

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`audio`: the recording with less noise, as long as it was, mono at 48 kHz."""
        del task
        samples = read_sound(args, rate_hz=RATE_HZ, most_s=MOST_S)
        with self._state() as state:
            size = int(self._library.df_get_frame_length(state))
            late = np.pad(samples, (0, DELAY + (-(len(samples) + DELAY)) % size)).astype(np.float32)
            cleaned = np.zeros_like(late)
            for start in range(0, len(late), size):
                self._library.df_process_frame(state, _floats(late, start), _floats(cleaned, start))
                if start % (size * TELL_EVERY) == 0:
                    tell(start / len(late), "taking noise away")
        return [sound_output(cleaned[DELAY : DELAY + len(samples)], rate_hz=RATE_HZ, name="audio")]

    @contextmanager
    def _state(self) -> Generator[ctypes.c_void_p]:
        address = self._library.df_create(self._model, MOST_ATTENUATION_DB, None)
        if not address:
            raise ExpertError("DeepFilterNet can't load its model; fetch it again with `dragoman models fetch`.")
        state = ctypes.c_void_p(address)
        try:
            yield state
        finally:
            self._library.df_free(state)


def _loaded(path: Path) -> ctypes.CDLL:
    """The library with the types of its functions, as its header gives them."""
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        says = f"DeepFilterNet's library was built for Linux on x86-64 and can't run here: {error}."
        raise ExpertError(says) from error
    library.df_create.argtypes = [ctypes.c_char_p, ctypes.c_float, ctypes.c_char_p]
    library.df_create.restype = ctypes.c_void_p
    library.df_get_frame_length.argtypes = [ctypes.c_void_p]
    library.df_get_frame_length.restype = ctypes.c_size_t
    library.df_process_frame.argtypes = [ctypes.c_void_p, FLOATS, FLOATS]
    library.df_process_frame.restype = ctypes.c_float
    library.df_free.argtypes = [ctypes.c_void_p]
    library.df_free.restype = None
    return library


def _floats(samples: Samples, start: int) -> Any:
    return samples[start:].ctypes.data_as(FLOATS)
