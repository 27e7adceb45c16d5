"""Pictures made larger and sharper: by Real-ESRGAN, or by a filter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.enlarging_words import factor, wishes
from dragoman.backends.box.pictures import Pixels, image_output, picture
from dragoman.backends.box.tiles import enlarged_by_tiles
from dragoman.errors import ExpertError
from dragoman.models.card import ModelCard
from dragoman.values import Arg

Array = npt.NDArray[Any]

TILE_PX = 192
MARGIN_PX = 18  # the net has 18 layers of 3 x 3: farther pixels have no say, so tiles leave no seams
NET_PIXELS = 1_500_000  # about a minute of one core
FILTER_PIXELS = 64_000_000  # of the enlarged picture: a phone photo of 12 megapixels twice as large
MOST_TIMES = 8.0


class SuperResolution:
    """Adapter for image-to-image: 2 or 4 times larger, with details that a net makes up."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card
        self._nets = {scale: _net(files, scale, threads=threads) for scale in (2, 4)}

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The enlarged picture. Raises `ExpertError` for other wishes, and for a picture that is too large."""
        del task
        times = _times(
            args, can="size edges damage", says="enlarge a picture 2 or 4 times, sharpen and restore it", usual=2
        )
        if times not in self._nets:
            raise ExpertError(f"This expert enlarges 2 or 4 times; {times:g} is wanted.")
        pixels = picture(args)
        if pixels.shape[0] * pixels.shape[1] > NET_PIXELS:
            raise ExpertError(
                f"The picture has {pixels.shape[1]} x {pixels.shape[0]} pixels; at most {NET_PIXELS:,} are enlarged by"
                " this expert. Hand over a smaller copy or a part of it."
            )
        made = enlarged_by_tiles(
            pixels,
            lambda tile: self._enlarged(tile, int(times)),
            scale=int(times),
            tile_px=TILE_PX,
            margin_px=MARGIN_PX,
            tell=lambda share: tell(share, f"enlarging {times:g} times"),
        )
        return [image_output(made)]

    def _enlarged(self, tile: Pixels, scale: int) -> Pixels:
        planes = np.ascontiguousarray(tile.transpose(2, 0, 1), np.float32) / np.float32(255)
        extractor = self._nets[scale].create_extractor()
        # A Mat over numpy's memory is not laid out as the net wants it; its clone is.
        extractor.input("data", _library().Mat(planes).clone())
        failed, made = extractor.extract("output")
        if failed:
            raise ExpertError(f"ncnn could not run the net (code {failed}); there may be too little memory.")
        return np.rint(np.clip(np.array(made), 0, 1).transpose(1, 2, 0) * 255).astype(np.uint8)


class FilterEnlarging:
    """Adapter for image-to-image: larger by Lanczos, sharper by an unsharp mask. Adds no details."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, files
        cv2.setNumThreads(threads)

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """The enlarged or only sharpened picture. Raises `ExpertError` for other wishes, and beyond its bounds."""
        del task, tell
        says = "enlarge a picture up to 8 times and sharpen it"
        times = _times(args, can="size edges", says=says, usual=1 if _is_about_edges(args) else 2)
        if not 1 <= times <= MOST_TIMES:
            raise ExpertError(f"This expert enlarges 1 to {MOST_TIMES:g} times; {times:g} is wanted.")
        pixels = picture(args)
        size = round(pixels.shape[1] * times), round(pixels.shape[0] * times)
        if size[0] * size[1] > FILTER_PIXELS:
            raise ExpertError(
                f"The enlarged picture would have {size[0]} x {size[1]} pixels; at most {FILTER_PIXELS:,} are made."
                " Hand over a smaller copy or a part of it."
            )
        return [image_output(sharpened(cv2.resize(pixels, size, interpolation=cv2.INTER_LANCZOS4), radius_px=times))]


def sharpened(pixels: Pixels, *, radius_px: float) -> Pixels:
    """The picture with its difference from a blurred copy added once more, by six tenths."""
    blurred = cv2.GaussianBlur(pixels, (0, 0), radius_px)
    return np.asarray(cv2.addWeighted(pixels, 1.6, blurred, -0.6, 0, dst=blurred))


def _is_about_edges(args: dict[str, Arg]) -> bool:
    return wishes(_instruction(args)) == {"edges"}


def _instruction(args: dict[str, Arg]) -> str:
    given = args.get("text")
    if given is None:
        return ""
    if not isinstance(given, str):
        raise ExpertError(f"What to change is wanted as words in `text`; {type(given).__name__} came.")
    return given.strip()


def _times(args: dict[str, Arg], *, can: str, says: str, usual: float) -> float:
    """How many times larger: as `scale` says, or the words. Raises `ExpertError` for what is not among `can`."""
    instruction, scale = _instruction(args), args.get("scale")
    wanted = wishes(instruction)
    if wanted is None or not wanted <= set(can.split()):
        raise ExpertError(f"This expert can {says}, nothing else. What came: “{instruction[:200]}”.")
    if scale is None:
        return factor(instruction) or usual
    if isinstance(scale, bool) or not isinstance(scale, (int, float)):
        raise ExpertError(f"`scale` is a number, how many times larger; {scale!r} came.")
    return float(scale)


def _net(files: dict[str, Path], scale: int, *, threads: int) -> Any:
    net: Any = _library().Net()
    net.opt.num_threads = threads
    net.opt.use_vulkan_compute = False
    if net.load_param(str(files[f"up{scale}.param"])) or net.load_model(str(files[f"up{scale}.bin"])):
        raise ExpertError(f"ncnn can't read the net for {scale} times.")
    return net


def _library() -> Any:
    """Ncnn, whose names its native part makes; only a worker that runs the net loads it."""
    import ncnn

    return ncnn
