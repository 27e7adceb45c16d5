"""Pictures: read upright as sRGB pixels, measured, and written as PNG."""

from __future__ import annotations

import io
import struct
import threading
import warnings
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.errors import MediaError
from dragoman.media.arrays import Pixels
from dragoman.media.bounds import MAX_FRAMES, MAX_PIXELS, check_limit, needing
from dragoman.values import Json

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["picture_facts", "pixels_of", "png_bytes", "read_image", "readable"]

_ORIENTATION_TAG = 0x0112
_LYING = (5, 6, 7, 8)  # EXIF orientations that swap width and height
# Those of Pillow that read pixels and nothing else: its PostScript reader, for one, starts another program.
_FORMATS = ("JPEG", "PNG", "GIF", "BMP", "DIB", "TIFF", "WEBP", "AVIF", "HEIF", "JPEG2000", "ICO", "PPM", "PSD", "TGA")
_MOVING = ("GIF", "PNG", "WEBP", "AVIF", "TIFF")  # of others, further "frames" are layers, previews or depth maps
_BROKEN = (  # what Pillow's readers were seen to raise for damaged and hostile files
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    MemoryError,
    struct.error,
    zlib.error,
)
_reading = threading.Lock()  # warning filters belong to the process: one picture at a time has them off


def read_image(path: Path) -> Pixels:
    """The picture as (H, W, 3) uint8, sRGB, upright; transparency on white; of an animation the first frame.

    Raises `MediaError` where it is broken, cut off, or larger than `MAX_PIXELS`.
    """
    with _opened(path) as image:
        return pixels_of(image)


def picture_facts(path: Path) -> dict[str, Json]:
    """`width_px` and `height_px` of the upright picture, and `frames`. Decodes it once, so that damage shows."""
    with _opened(path) as image:
        frames = int(getattr(image, "n_frames", 1)) if image.format in _MOVING else 1
        check_limit(frames, limit=MAX_FRAMES, what="frames", name=path.name)
        width_px, height_px = image.size
        if image.format != "TIFF" and _orientation(image) in _LYING:  # Pillow turns TIFF by itself
            width_px, height_px = height_px, width_px
        image.draft("RGB", (1, 1))  # JPEG: decodes all data at an eighth of the cost
        image.load()
        return {"width_px": width_px, "height_px": height_px, "frames": frames}


def png_bytes(array: Pixels) -> bytes:
    """A PNG file of (H, W, 3) RGB, (H, W, 4) RGBA or (H, W) grey uint8 pixels."""
    with needing("Pillow", to="write pictures"):
        from PIL import Image
    if array.dtype.name != "uint8" or array.ndim not in (2, 3) or 0 in array.shape:
        raise MediaError(
            f"A picture is (height, width, 3) uint8; this array is {array.shape} {array.dtype}.",
            helps="Scale it to 0..255, convert it with .astype('uint8') and put the channels last.",
        )
    buffer = io.BytesIO()
    Image.fromarray(array).save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def pixels_of(image: Image) -> Pixels:
    """The pixels of a Pillow image as `read_image` gives them."""
    with needing("numpy", to="read pictures"):
        import numpy as np
    image.load()
    return np.array(_srgb(_upright(image)), dtype=np.uint8)


@contextmanager
def _opened(path: Path) -> Generator[Image]:
    """The picture at `path`, not decoded yet; whatever Pillow raises meanwhile becomes a `MediaError`."""
    with readable(path.name):
        from PIL import Image

        _know_formats()
        with _reading, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=[name for name in _FORMATS if name in Image.OPEN]) as image:
                check_limit(image.width * image.height, limit=MAX_PIXELS, what="pixels", name=path.name)
                yield image


@contextmanager
def readable(name: str) -> Generator[None]:
    """Around whatever Pillow does to the picture `name`: what it raises becomes a `MediaError`."""
    with needing("Pillow", to="read pictures"):
        from PIL import Image
    try:
        yield
    except Image.DecompressionBombError as error:
        raise MediaError(
            f"`{name}` has more than {MAX_PIXELS:,} pixels, which is the most that are taken.",
            helps="Hand over a smaller copy or a part of it.",
        ) from error
    except _BROKEN as error:
        raise MediaError(
            f"The picture `{name}` can't be read: {_reason(error)}.",
            helps="It may be cut off or damaged; save or download it again.",
        ) from error


def _know_formats() -> None:
    """Have Pillow load its readers, and HEIC's where pillow-heif is installed."""
    from PIL import Image

    if "HEIF" in Image.OPEN:
        return
    Image.init()
    try:
        from pillow_heif import register_heif_opener
    except ImportError:
        return
    register_heif_opener()


def _reason(error: Exception) -> str:
    said = str(error).splitlines()[0] if str(error) else type(error).__name__
    if said.startswith("cannot identify"):
        return "its bytes are no picture"
    return said.rstrip(".")


def _orientation(image: Image) -> int:
    """The EXIF orientation, 1..8; 1 where it is missing or unreadable."""
    try:
        return int(image.getexif().get(_ORIENTATION_TAG, 1))
    except _BROKEN:
        return 1


def _upright(image: Image) -> Image:
    """`image` turned as its EXIF orientation says."""
    from PIL.Image import Transpose

    turn = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }.get(_orientation(image))
    return image if turn is None else image.transpose(turn)


def _srgb(image: Image) -> Image:
    """`image` as sRGB without transparency, through its own colour profile where it has one."""
    profile = image.info.get("icc_profile")
    if image.mode in ("I", "F") or image.mode.startswith("I;"):
        return _eight_bit(image).convert("RGB")
    if image.mode == "P" or "A" in image.mode or "a" in image.mode or "transparency" in image.info:
        image = _on_white(image)
    if profile:
        image = _through_profile(image, profile=profile)
    return image if image.mode == "RGB" else image.convert("RGB")


def _eight_bit(image: Image) -> Image:
    """A grey picture of 16 or 32 bits scaled to 0..255: integers by their range, floats by theirs."""
    import numpy as np
    import PIL.Image

    values = np.nan_to_num(np.asarray(image, dtype=np.float64))
    highest = float(values.max())
    if image.mode == "F":
        full = 1.0 if highest <= 1.0 else 255.0 if highest <= 255.0 else highest
    else:
        full = 65535.0 if highest <= 65535.0 else highest
    return PIL.Image.fromarray(np.clip(np.rint(values * (255.0 / full)), 0, 255).astype(np.uint8))


def _on_white(image: Image) -> Image:
    """`image` laid over white where it is transparent."""
    import PIL.Image

    if image.mode == "La":  # grey with alpha multiplied in, for which Pillow knows one way out
        image = image.convert("LA")
    clear = image.convert("RGBA")
    white = PIL.Image.new("RGBA", clear.size, "white")
    return PIL.Image.alpha_composite(white, clear).convert("RGB")


def _through_profile(image: Image, *, profile: bytes) -> Image:
    """`image` converted from its ICC profile to sRGB; as it is where the profile is broken or for other channels."""
    try:
        from PIL import ImageCms
    except ImportError:
        return image
    try:
        source = ImageCms.getOpenProfile(io.BytesIO(profile))
        if image.mode == "RGB" and "sRGB" in ImageCms.getProfileDescription(source):
            return image
        converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (OSError, ValueError, TypeError, ImageCms.PyCMSError):
        return image
    return converted or image
