"""What FFmpeg (through PyAV) reads: the tracks of a video or sound container, and the samples of its sound track."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from dragoman.errors import MediaError
from dragoman.media.arrays import Samples
from dragoman.media.bounds import needing

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream
    from numpy.typing import NDArray

__all__ = ["average", "frames_of", "has_picture", "opened", "picture_track", "sound_blocks", "sound_track", "start_s"]

# Formats that are files of their own. Those that name other files or addresses (HLS, DASH, concat, SDP, image
# sequences) stay out: a hostile file must not make FFmpeg open anything else.
_FORMATS = (
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,flv,mpeg,mpegts,mpegvideo,m4v,h264,hevc,ogg,wav,w64,rf64,mp3,aac,ac3,"
    "eac3,flac,aiff,caf,amr,amrnb,amrwb,ape,wv,tta,dts,au,voc,gif,ivf,mxf,rm,swf,nut,dv,gxf,obu,av1"
)


@contextmanager
def opened(path: Path) -> Generator[InputContainer]:
    """The container at `path`; whatever FFmpeg raises meanwhile becomes a `MediaError`."""
    with needing("PyAV", to="read video and compressed sound"):
        import av
        from av.error import FFmpegError
    try:
        with av.open(str(path), options={"format_whitelist": _FORMATS}, metadata_errors="ignore") as container:
            yield container
    except (FFmpegError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise MediaError(
            f"The recording `{path.name}` can't be read: {said}.",
            helps="It may be cut off or damaged; save or download it again.",
        ) from error


def picture_track(container: InputContainer, *, name: str) -> VideoStream:
    """The moving picture of a container. Raises `MediaError` where there is none; cover art is none."""
    from av.stream import Disposition

    tracks = [t for t in container.streams.video if not t.disposition & Disposition.attached_pic]
    best = container.streams.best("video")
    if not tracks:
        raise MediaError(f"`{name}` holds no moving picture.", helps="Hand over a video, or ask about its sound.")
    return next((t for t in tracks if best is not None and t.index == best.index), tracks[0])


def has_picture(container: InputContainer) -> bool:
    """Whether a moving picture is inside; cover art is none."""
    from av.stream import Disposition

    return any(not t.disposition & Disposition.attached_pic for t in container.streams.video)


def sound_track(container: InputContainer, *, name: str) -> AudioStream:
    """The sound track that a player would take. Raises `MediaError` where there is none."""
    best = container.streams.best("audio")
    if best is None:
        raise MediaError(f"`{name}` has no sound.", helps="Hand over a recording or a video with a sound track.")
    return next(t for t in container.streams.audio if t.index == best.index)


def frames_of(container: InputContainer, track: VideoStream | AudioStream) -> Iterator[VideoFrame | AudioFrame]:
    """What a track holds from here on. Damaged packets are left out; a file that is cut off ends where it is cut."""
    from av.error import EOFError as EndOfFile
    from av.error import FFmpegError, InvalidDataError

    packets = container.demux(track)
    while True:
        try:
            packet = next(packets)
        except (StopIteration, EndOfFile):
            return
        except FFmpegError:
            return
        with suppress(InvalidDataError):
            yield from cast("Iterator[VideoFrame | AudioFrame]", packet.decode())


def start_s(container: InputContainer) -> float:
    """The time stamp that a player shows as 0."""
    return (container.start_time or 0) / 1_000_000


def sound_blocks(path: Path) -> Iterator[tuple[int, Samples]]:
    """(rate in Hz, mono samples) block after block from the sound track of `path`.

    Sound that starts later than the picture is led in by silence, so that times stay true.
    """
    with opened(path) as container:
        track = sound_track(container, name=path.name)
        rate_hz = int(track.rate)
        frames = cast("Iterator[AudioFrame]", frames_of(container, track))
        first = next(frames, None)
        if first is None:
            return
        if has_picture(container):
            yield rate_hz, _lead_in(first, zero_s=start_s(container))
        for frame in chain([first], frames):
            yield rate_hz, _mono(frame)


def average(channels: NDArray[Any], *, axis: int) -> Samples:
    """The mean over the channels as float32; a single channel is taken as it is."""
    return channels.mean(axis=axis, dtype="float32") if channels.shape[axis] > 1 else channels.astype("float32").ravel()


def _lead_in(first: AudioFrame, *, zero_s: float) -> Samples:
    """The silence between the start of the film and the first sound."""
    import numpy as np

    late_s = 0.0 if first.time is None else max(0.0, first.time - zero_s)
    return np.zeros(round(late_s * first.sample_rate), dtype=np.float32)


def _mono(frame: AudioFrame) -> Samples:
    """The samples of one frame, its channels averaged, -1..1 whatever their format."""
    values: NDArray[Any] = frame.to_ndarray()
    if not frame.format.is_planar:
        values = values.reshape(-1, len(frame.layout.channels)).T
    if values.dtype.kind == "u":
        values = values.astype("float32") / 128.0 - 1.0
    elif values.dtype.kind == "i":
        values = values.astype("float32") / float(1 << (8 * values.dtype.itemsize - 1))
    return average(values, axis=0)
