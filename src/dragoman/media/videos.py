"""Video: measured, and read lazily as frames spread evenly over its length."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.errors import MediaError
from dragoman.media.arrays import Pixels
from dragoman.media.bounds import MAX_FRAME_PIXELS, MAX_VIDEO_S, check_limit
from dragoman.media.containers import opened, picture_track, start_s
from dragoman.values import Json

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

__all__ = ["read_frames", "video_facts"]


def read_frames(path: Path, *, count: int) -> Iterator[tuple[float, Pixels]]:
    """At most `count` frames, evenly spaced, as (seconds from the start, (H, W, 3) uint8 upright), one at a time.

    A keyframe that lies near enough to a wanted time stands for it, which spares most of the decoding.
    Raises `MediaError` where there is no moving picture or none of it can be decoded.
    """
    with opened(path) as container:
        track = picture_track(container, name=path.name)
        check_limit(track.width * track.height, limit=MAX_FRAME_PIXELS, what="pixels a frame", name=path.name)
        zero_s, length_s = start_s(container), _length_s(container, track)
        step_s = length_s / max(1, count)
        last: float | None = None
        for wanted_s in (zero_s + (place + 0.5) * step_s for place in range(count)):
            frame = _frame_near(container, track, wanted_s=wanted_s, slack_s=step_s / 2)
            if frame is None or frame.time == last:
                continue
            last = frame.time
            yield round(max(0.0, last - zero_s), 3), _upright(frame)
        if last is None:
            raise MediaError(f"No frame of `{path.name}` can be decoded.", helps="Save or download it again.")


def video_facts(path: Path) -> dict[str, Json]:
    """`duration_s`, `width_px`, `height_px` (upright), `frames` where known, `has_sound`; decodes one frame."""
    with opened(path) as container:
        track = picture_track(container, name=path.name)
        check_limit(track.width * track.height, limit=MAX_FRAME_PIXELS, what="pixels a frame", name=path.name)
        length_s = _length_s(container, track)
        check_limit(length_s, limit=MAX_VIDEO_S, what="seconds of video", name=path.name)
        has_sound = bool(container.streams.audio)
        frame = _frame_near(container, track, wanted_s=start_s(container), slack_s=length_s)
        if frame is None:
            raise MediaError(f"No frame of `{path.name}` can be decoded.", helps="Save or download it again.")
        width_px, height_px = frame.width, frame.height
        if frame.rotation % 180:
            width_px, height_px = height_px, width_px
        found: dict[str, Json] = {"duration_s": round(length_s, 3), "width_px": width_px, "height_px": height_px}
        return found | ({"frames": track.frames} if track.frames else {}) | {"has_sound": has_sound}


def _length_s(container: InputContainer, track: VideoStream) -> float:
    """Seconds from the first to the end of the last frame; read off the packets where no header says it."""
    if track.duration and track.time_base:
        late_s = float((track.start_time or 0) * track.time_base) - start_s(container)
        return float(track.duration * track.time_base) + max(0.0, late_s)
    if container.duration:
        return container.duration / 1_000_000
    ends = (float(p.pts * p.time_base) for p in container.demux(track) if p.pts is not None and p.time_base)
    return max(0.0, max(ends, default=0.0) - start_s(container))


def _frame_near(container: InputContainer, track: VideoStream, *, wanted_s: float, slack_s: float) -> VideoFrame | None:
    """The keyframe before `wanted_s` if it lies within `slack_s`, else the frame shown at `wanted_s`."""
    container.seek(max(0, int(wanted_s * 1_000_000)), backward=True)
    shown: VideoFrame | None = None
    for frame in container.decode(track):
        if frame.pts is None:
            continue
        if shown is not None and frame.time > wanted_s:
            return shown
        shown = frame
        if frame.time >= wanted_s - slack_s:
            return frame
    return shown


def _upright(frame: VideoFrame) -> Pixels:
    """The pixels of a frame, turned as its rotation mark says."""
    import numpy as np

    pixels = frame.to_ndarray(format="rgb24")
    return np.ascontiguousarray(np.rot90(pixels, k=(frame.rotation // 90) % 4), dtype=np.uint8)
