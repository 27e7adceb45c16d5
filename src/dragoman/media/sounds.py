"""Sound: read as mono samples at the rate that is wanted, measured, and written as WAV."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragoman.errors import MediaError
from dragoman.media.arrays import Samples
from dragoman.media.bounds import MAX_SOUND_S, check_limit, needing
from dragoman.media.containers import average, opened, sound_blocks, sound_track
from dragoman.values import Json

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["mono_of", "read_audio", "sound_facts", "wav_bytes"]

_BLOCK_SAMPLES = 1 << 18
MAX_CREDIBLE_S = 1e8


def read_audio(path: Path, *, rate_hz: int, max_s: float | None = None) -> Samples:
    """The sound as (samples,) float32, mono, at `rate_hz`; the first `max_s` seconds of it. Of a video its sound track.

    Channels are averaged. Raises `MediaError` where there is no sound or it is longer than `MAX_SOUND_S`.
    """
    with needing("numpy", to="read sound"):
        import numpy as np
    blocks = _mono_blocks(path)
    first = next(blocks, None)
    if first is None:
        raise _silent(path)
    source_hz = first[0]
    limit = None if max_s is None else max(1, round(max_s * source_hz))
    mono = _bounded((block for _, block in chain([first], blocks)), limit=limit, rate_hz=source_hz, name=path.name)
    samples = bytearray()  # grows in place, where joining pieces would need twice the memory of a long recording
    for piece in _resampled(mono, source_hz=source_hz, rate_hz=rate_hz):
        samples += piece.tobytes()
    if not samples:
        raise _silent(path)
    return np.frombuffer(samples, dtype=np.float32)


def sound_facts(path: Path) -> dict[str, Json]:
    """`duration_s`, `rate_hz` and `channels`. Raises `MediaError` where it can't be read or holds no sample."""
    found = _soundfile_facts(path) or _container_facts(path)
    if not found["duration_s"]:
        raise _silent(path)
    check_limit(found["duration_s"], limit=MAX_SOUND_S, what="seconds of sound", name=path.name)
    return found


def wav_bytes(samples: Samples, *, rate_hz: int) -> bytes:
    """A WAV file, mono, 16 bit PCM, of (samples,) float32 in -1..1; what lies beyond is clipped, NaN is silence."""
    with needing("numpy", to="write sound"):
        import numpy as np
    if samples.ndim != 1:
        raise MediaError(
            f"A sound is one row of samples; this array is {samples.shape}.", helps="Mix its channels first."
        )
    level = np.clip(np.nan_to_num(samples.astype(np.float64), posinf=1.0, neginf=-1.0), -1.0, 1.0)
    steps = np.minimum(np.rint(level * 32768.0), 32767)
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(int(rate_hz))
        file.writeframes(steps.astype("<i2").tobytes())
    return buffer.getvalue()


def mono_of(samples: NDArray[Any]) -> Samples:
    """(samples,) or (samples, channels), floats in -1..1 or integers of full range, as mono float32."""
    if samples.ndim not in (1, 2) or 0 in samples.shape or samples.dtype.kind not in "fi":
        raise MediaError(
            f"A sound is (samples,) or (samples, channels) of floats; this array is {samples.shape} {samples.dtype}.",
            helps="Convert it with .astype('float32').",
        )
    scale = 1.0 if samples.dtype.kind == "f" else float(1 << (8 * samples.dtype.itemsize - 1))
    return average((samples.astype("float64") / scale).reshape(len(samples), -1), axis=1)


def _mono_blocks(path: Path) -> Iterator[tuple[int, Samples]]:
    """(rate in Hz, mono samples) block after block: soundfile where it knows the file, FFmpeg otherwise."""
    with needing("soundfile", to="read sound"):
        import soundfile
    try:
        file = soundfile.SoundFile(path)
    except soundfile.SoundFileError:
        yield from sound_blocks(path)
        return
    with file:
        try:
            # Not `blocks`: where an MP3 holds fewer frames than its header says, that gives whatever was in memory.
            while len(block := file.read(_BLOCK_SAMPLES, dtype="float32", always_2d=True)):
                yield file.samplerate, average(block, axis=1)
        except soundfile.SoundFileError as error:
            raise MediaError(
                f"The sound `{path.name}` is damaged: {error}.", helps="Save or download it again."
            ) from error


def _bounded(blocks: Iterator[Samples], *, limit: int | None, rate_hz: int, name: str) -> Iterator[Samples]:
    """`blocks` up to `limit` samples; without a limit, more than `MAX_SOUND_S` is refused."""
    count = 0
    for block in blocks:
        if limit is not None and count + len(block) >= limit:
            yield block[: limit - count]
            return
        count += len(block)
        check_limit(count / rate_hz, limit=MAX_SOUND_S, what="seconds of sound", name=name)
        yield block


def _resampled(blocks: Iterator[Samples], *, source_hz: int, rate_hz: int) -> Iterator[Samples]:
    """`blocks` at `rate_hz`, the same as if they were resampled as one."""
    if source_hz == rate_hz:
        yield from blocks
        return
    with needing("soxr", to="resample sound"):
        import numpy as np
        import soxr
    stream = soxr.ResampleStream(source_hz, rate_hz, 1, dtype="float32", quality="HQ")
    for block in blocks:
        yield stream.resample_chunk(block)
    yield stream.resample_chunk(np.zeros(0, dtype=np.float32), last=True)


def _soundfile_facts(path: Path) -> dict[str, Json] | None:
    with needing("soundfile", to="measure sound"):
        import soundfile
    try:
        info = soundfile.info(path)
    except soundfile.SoundFileError:
        return None
    length_s = info.frames / info.samplerate
    if length_s > MAX_CREDIBLE_S:  # a file that was written to a pipe may state the largest number there is
        return None
    return {"duration_s": round(length_s, 6), "rate_hz": info.samplerate, "channels": info.channels}


def _container_facts(path: Path) -> dict[str, Json]:
    with opened(path) as container:
        track = sound_track(container, name=path.name)
        length = track.duration * track.time_base if track.duration and track.time_base else None
        if length is None:
            length = (container.duration or 0) / 1_000_000
        return {"duration_s": round(float(length), 6), "rate_hz": track.rate, "channels": track.channels}


def _silent(path: Path) -> MediaError:
    return MediaError(f"`{path.name}` holds no sound: 0 samples.", helps="Hand over a recording that is not empty.")
