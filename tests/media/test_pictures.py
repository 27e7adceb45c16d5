"""Pictures come upright, as sRGB on white, whatever mode they were stored in; damage is told in one line."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms, ImageOps

from dragoman.errors import MediaError
from dragoman.media import facts, png_bytes, read_image
from dragoman.media.pictures import pixels_of


def noise(height: int, width: int, *, channels: int = 3) -> np.ndarray:
    return np.random.default_rng(7).integers(0, 256, (height, width, channels), dtype=np.uint8)


def picture_facts(path: Path) -> dict:
    return facts(path, kind="image", media_type="image/png")


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_png_bytes_are_read_back_unchanged(tmp_path_factory, height, width, seed):
    """Any (H, W, 3) uint8 array survives."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    path = tmp_path_factory.mktemp("png") / "x"
    path.write_bytes(png_bytes(pixels))

    assert np.array_equal(read_image(path), pixels)
    assert picture_facts(path) == {"width_px": width, "height_px": height, "frames": 1}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("suffix", ["jpg", "png", "tiff", "webp", "avif"])
def test_every_exif_orientation_comes_upright(tmp_path, orientation, suffix):
    """All eight, in each format that carries EXIF; the facts speak of the upright picture."""
    image = Image.fromarray(noise(40, 64))
    exif = image.getexif()
    exif[0x0112] = orientation
    path = tmp_path / f"a.{suffix}"
    image.save(path, exif=exif)

    with Image.open(path) as opened:
        expected = np.array(ImageOps.exif_transpose(opened).convert("RGB"))
    assert np.array_equal(read_image(path), expected)
    found = picture_facts(path)
    assert (found["height_px"], found["width_px"]) == expected.shape[:2]
    assert found["width_px"] == (40 if orientation > 4 else 64)


def test_transparency_lies_on_white(tmp_path):
    """RGBA, LA and a palette with a transparent colour: what is clear is white, half clear is half white."""
    for mode, clear in [("RGBA", (0, 0, 0, 0)), ("LA", (0, 0))]:
        Image.new(mode, (2, 2), clear).save(tmp_path / "a.png")
        assert read_image(tmp_path / "a.png").tolist() == [[[255] * 3] * 2] * 2
    Image.new("RGBA", (1, 1), (255, 0, 0, 128)).save(tmp_path / "half.png")
    assert read_image(tmp_path / "half.png").tolist() == [[[255, 127, 127]]]
    palette = Image.new("P", (2, 1))
    palette.putpalette([10, 20, 30, 200, 100, 50])
    palette.putdata([0, 1])
    palette.save(tmp_path / "p.png", transparency=0)
    assert read_image(tmp_path / "p.png").tolist() == [[[255, 255, 255], [200, 100, 50]]]


def test_sixteen_bits_are_scaled_not_cut(tmp_path):
    """65535 is white, half of it middle grey, 256 nearly black."""
    values = np.array([[0, 256, 32768, 65535]], dtype=np.uint16)
    for suffix in ("png", "tiff"):
        Image.fromarray(values).save(tmp_path / f"a.{suffix}")
        assert read_image(tmp_path / f"a.{suffix}")[0, :, 0].tolist() == [0, 1, 128, 255]


def test_floats_are_scaled_by_their_range(tmp_path):
    """0..1 in a TIFF of floats is 0..255; what isn't a number is black."""
    Image.fromarray(np.array([[0.0, 0.5, 1.0, np.nan]], dtype=np.float32)).save(tmp_path / "a.tiff")

    assert read_image(tmp_path / "a.tiff")[0, :, 0].tolist() == [0, 128, 255, 0]


@pytest.mark.parametrize(
    "mode", ["1", "L", "P", "LA", "La", "RGBA", "RGBa", "CMYK", "YCbCr", "LAB", "HSV", "RGBX", "I", "F"]
)
def test_every_mode_of_pillow_is_read(mode):
    """All give (H, W, 3) uint8 without a warning."""
    source = Image.new("RGB", (5, 4), (200, 40, 90))
    image = source.convert("LA").convert("La") if mode == "La" else source.convert(mode)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pixels = pixels_of(image)

    assert pixels.shape == (4, 5, 3)
    assert pixels.dtype == np.uint8


def test_ink_colours_come_close_to_what_was_printed(tmp_path):
    """A CMYK JPEG without a profile: pure magenta is pinkish, not green."""
    Image.new("CMYK", (8, 8), (0, 255, 0, 0)).save(tmp_path / "a.jpg")

    red, green, blue = read_image(tmp_path / "a.jpg")[4, 4]
    assert green < 60 < min(red, blue)


def test_a_colour_profile_is_applied(tmp_path):
    """A profile with red and green exchanged turns red green; a broken one is ignored."""
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = srgb.replace(b"rXYZ", b"????").replace(b"gXYZ", b"rXYZ").replace(b"????", b"gXYZ")
    swapped = swapped.replace("sRGB".encode("utf-16-be"), "odd!".encode("utf-16-be"))
    found = {}
    for name, profile in [("broken", b"no profile at all"), ("plain", srgb), ("swapped", swapped)]:
        Image.new("RGB", (4, 4), (200, 10, 20)).save(tmp_path / f"{name}.png", icc_profile=profile)
        found[name] = read_image(tmp_path / f"{name}.png")[0, 0].tolist()

    assert found["broken"] == found["plain"] == [200, 10, 20]
    red, green, _ = found["swapped"]
    assert green > 150 > 100 > red


@pytest.mark.parametrize("suffix", ["gif", "webp", "png", "tiff"])
def test_an_animation_gives_its_first_frame(tmp_path, suffix):
    """Red, then blue: red, and two frames are counted."""
    frames = [Image.new("RGB", (16, 16), color) for color in ("red", "blue")]
    frames[0].save(tmp_path / f"a.{suffix}", save_all=True, append_images=frames[1:])

    red, green, blue = read_image(tmp_path / f"a.{suffix}")[8, 8]
    assert red > 240
    assert max(green, blue) < 20
    assert picture_facts(tmp_path / f"a.{suffix}")["frames"] == 2


def test_phone_pictures_are_read(tmp_path):
    """HEIC, through pillow-heif."""
    from pillow_heif import from_pillow

    from_pillow(Image.new("RGB", (64, 48), (200, 30, 30))).save(tmp_path / "a.heic")

    red, green, _ = read_image(tmp_path / "a.heic")[20, 20]
    assert red > 180
    assert green < 60
    assert picture_facts(tmp_path / "a.heic")["width_px"] == 64


@pytest.mark.parametrize("suffix", ["jpg", "png", "gif", "bmp", "tiff", "webp", "avif", "heic", "jp2"])
def test_damage_never_escapes(tmp_path, suffix):
    """Cut anywhere or with bytes changed: a picture, or one line that names it."""
    from pillow_heif import register_heif_opener

    register_heif_opener()
    whole = io.BytesIO()
    Image.fromarray(noise(24, 32)).save(whole, {"jpg": "JPEG", "heic": "HEIF", "jp2": "JPEG2000"}.get(suffix, suffix))
    content = whole.getvalue()
    rng = np.random.default_rng(3)
    path = tmp_path / f"a.{suffix}"
    for _ in range(60):
        broken = bytearray(content)
        if rng.random() < 0.5:
            del broken[rng.integers(1, len(broken)) :]
        for _ in range(rng.integers(0, 6)):
            broken[rng.integers(0, len(broken))] = rng.integers(0, 256)
        path.write_bytes(broken)
        for read in (read_image, picture_facts):
            try:
                read(path)
            except MediaError as error:
                assert f"a.{suffix}" in str(error)  # noqa: PT017 (a picture is as good)


@pytest.mark.parametrize("suffix", ["jpg", "png", "bmp"])
def test_a_cut_picture_is_refused_when_it_is_measured(tmp_path, suffix):
    """Half of its bytes are missing: the door says so, not the expert later."""
    path = tmp_path / f"a.{suffix}"
    Image.fromarray(noise(64, 64)).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    with pytest.raises(MediaError, match=rf"The picture `a.{suffix}` can't be read"):
        picture_facts(path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path):
    """A PNG of a few bytes that claims 60,000 × 60,000, and one of 11,000 × 11,000."""

    def png(side_px: int) -> bytes:
        chunks = [
            (b"IHDR", struct.pack(">IIBBBBB", side_px, side_px, 8, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(b"\0" * 99)),
        ]
        packed = [struct.pack(">I", len(b)) + t + b + struct.pack(">I", zlib.crc32(t + b)) for t, b in chunks]
        return b"\x89PNG\r\n\x1a\n" + b"".join(packed)

    for side_px in (11_000, 60_000):
        (tmp_path / "bomb.png").write_bytes(png(side_px))
        with pytest.raises(MediaError, match="120,000,000"):
            read_image(tmp_path / "bomb.png")


def test_postscript_starts_no_other_program(tmp_path):
    """Pillow would hand it to Ghostscript."""
    (tmp_path / "a.eps").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n")

    with pytest.raises(MediaError, match="its bytes are no picture"):
        read_image(tmp_path / "a.eps")


@pytest.mark.parametrize("array", [np.zeros((2, 2, 3)), np.zeros((0, 2, 3), np.uint8), np.zeros(3, np.uint8)])
def test_an_array_that_is_no_picture_is_told_what_one_is(array):
    """Floats, nothing, one dimension."""
    with pytest.raises(MediaError, match=r"A picture is \(height, width, 3\) uint8"):
        png_bytes(array)
