"""Small films, made once: what a container test needs and no package ships."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest

Film = Callable[..., Path]


def write_film(
    path: Path,
    *,
    length_s: float = 4.0,
    fps: int = 25,
    gop: int = 10,
    size: tuple[int, int] = (64, 48),
    codec: str = "h264",
    sound: str | None = "aac",
    sound_late_s: float = 0.0,
    rotation: int = 0,
    is_filmed: bool = True,
) -> Path:
    """A film whose frame n is grey of level 2n, its left half darker, under a 440 Hz tone."""
    with av.open(str(path), "w") as container:
        picture = tone = None
        if is_filmed:
            picture = container.add_stream(codec, rate=fps)
            picture.width, picture.height, picture.pix_fmt, picture.gop_size = *size, "yuv420p", gop
            if rotation:
                picture.set_display_rotation(rotation)
        if sound:
            tone = container.add_stream(sound, rate=16000, layout="mono")
        if picture is not None:
            for number in range(round(length_s * fps)):
                pixels = np.full((size[1], size[0], 3), min(255, 2 * number), np.uint8)
                pixels[:, : size[0] // 2] //= 2
                frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
                frame.pts = number
                container.mux(picture.encode(frame))
            container.mux(picture.encode())
        if tone is not None:
            samples = np.sin(2 * np.pi * 440 * np.arange(round(16000 * (length_s - sound_late_s))) / 16000) / 2
            heard = av.AudioFrame.from_ndarray(samples[None].astype(np.float32), format="fltp", layout="mono")
            heard.rate, heard.pts = 16000, round(16000 * sound_late_s)
            container.mux(tone.encode(heard))
            container.mux(tone.encode())
    return path


@pytest.fixture(scope="session")
def film() -> Film:
    """`film(path, **how)` writes one."""
    return write_film


@pytest.fixture(scope="session")
def plain_film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds at 25 frames a second, a keyframe every 0.4 s, with a tone."""
    return write_film(tmp_path_factory.mktemp("film") / "plain.mp4")
