"""Bytes decide what a file is; whatever can't be used is refused in one line that says what to do."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dragoman.errors import MediaError
from dragoman.media import extension, facts, sniff
from dragoman.media.signatures import EXTENSIONS
from dragoman.values import KINDS


def put(tmp_path, content: bytes, *, name: str = "thing"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("suffix", ["jpg", "png", "gif", "bmp", "tiff", "webp", "avif", "jp2", "ico", "ppm"])
def test_pictures_are_known_under_any_name(tmp_path, suffix):
    """A JPEG named .png, a PNG named .mp3: what it is, not what it is called."""
    path = tmp_path / f"a.{suffix}"
    Image.new("RGB", (48, 48), "red").save(path)
    kind, media_type = sniff(path, name="a.mp3")

    assert kind == "image"
    assert path.suffix in EXTENSIONS[media_type]
    assert facts(path, kind=kind, media_type=media_type)["width_px"] == 48


def test_a_link_to_nothing_is_not_named_as_its_own_correction(tmp_path):
    """A link whose target is gone: there is no file, and the nearest name is another one."""
    (tmp_path / "lion.jpg").symlink_to(tmp_path / "gone")
    put(tmp_path, b"x", name="lions.jpg")

    with pytest.raises(MediaError, match=r"no file `lion\.jpg`") as caught:
        sniff(tmp_path / "lion.jpg", name="lion.jpg")
    assert caught.value.helps == "Did you mean `lions.jpg`?"


def test_sound_is_known_under_any_name(tmp_path):
    """A WAV named .mp3, one named .jpg."""
    soundfile.write(tmp_path / "a.wav", np.zeros(100, np.float32), 8000)

    assert sniff(tmp_path / "a.wav", name="a.mp3") == ("audio", "audio/wav")
    assert sniff(tmp_path / "a.wav", name="a.jpg") == ("audio", "audio/wav")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", "words", ("text", "text/plain")),
        ("a", "words", ("text", "text/plain")),
        ("a.py", "x = 1", ("text", "text/plain")),
        ("a.ts", "let x = 1", ("text", "text/plain")),
        ("a.md", "# words", ("text", "text/markdown")),
        ("a.HTM", "<p>words", ("text", "text/html")),
        ("page", " <!DOCTYPE html><p>words", ("text", "text/html")),
        ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\nhi", ("text", "application/x-subrip")),
        ("a.vtt", "WEBVTT", ("text", "text/vtt")),
        ("a.csv", "a,b", ("table", "text/csv")),
        ("a.TSV", "a\tb", ("table", "text/tab-separated-values")),
        ("a.json", "{}", ("data", "application/json")),
        ("a.jsonl", "{}\n{}", ("data", "application/x-ndjson")),
        ("a.txt", "BMW and MThd-like words of 0 weight", ("text", "text/plain")),
        ("a.txt", "P3 is a bracket", ("text", "text/plain")),
        ("a.txt", "The free world, BM", ("text", "text/plain")),
        ("a.txt", "It begins with %PDF-1.4 and is about documents", ("text", "text/plain")),
        ("a.txt", "G" * 400, ("text", "text/plain")),
    ],
)
def test_text_is_told_apart_by_its_name(tmp_path, name, content, expected):
    """A table, data, subtitles, a page, plain words; a JPEG's name would refuse it."""
    assert sniff(put(tmp_path, content.encode()), name=name) == expected


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_text_is_text_in_any_encoding(tmp_path, codec):
    """With a byte order mark or without."""
    assert sniff(put(tmp_path, "Grüße aus Köln".encode(codec)), name="a.txt") == ("text", "text/plain")


@pytest.mark.parametrize(
    ("name", "says"),
    [("a.jpg", "a picture"), ("a.wav", "a sound"), ("a.mp4", "a video"), ("a.pdf", "a document")],
)
def test_text_under_the_name_of_something_else_is_refused(tmp_path, name, says):
    """The question is about a picture, and there is none."""
    with pytest.raises(MediaError, match=f"`{name}` is named like {says}, but holds text") as refused:
        sniff(put(tmp_path, b"just words"), name=name)
    assert ".txt" in refused.value.helps


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PK\x03\x04rest", "a ZIP archive or an office document"),
        (b"{\\rtf1 words", "a rich text document"),
        (b"\x1f\x8b\x08\x00", "a packed archive"),
        (b"\x7fELF\x02", "a program"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'></svg>", "an SVG drawing"),
        (b"<?xml version='1.0'?>\n<svg></svg>", "an SVG drawing"),
        (b"%!PS-Adobe", "a PostScript file"),
        (b"MThd\0\0\0\6", "MIDI notes"),
    ],
)
def test_known_formats_that_are_not_read_say_what_to_do(tmp_path, content, says):
    """A way out for each."""
    with pytest.raises(MediaError, match=says) as refused:
        sniff(put(tmp_path, content), name="thing")
    assert refused.value.helps


def test_unknown_bytes_are_refused_by_what_was_wanted(tmp_path):
    """Named like a picture, or like nothing."""
    path = put(tmp_path, bytes([0, 1, 2, 3]) * 50)

    with pytest.raises(MediaError, match=r"`a.jpg` is not a picture that Dragoman can read"):
        sniff(path, name="a.jpg")
    with pytest.raises(MediaError, match="`a` is not a file that Dragoman can read"):
        sniff(path, name="a")


def test_what_is_no_file_is_refused(tmp_path):
    """Missing, a folder, empty, a pipe, a name with a zero byte, an endless name, a file as a folder."""
    (tmp_path / "photo.jpeg").write_bytes(b"x")
    cases = [
        (tmp_path / "photo.jpg", "There is no file", "photo.jpeg"),
        (tmp_path / "nowhere" / "a.jpg", "There is no file", "There is no folder"),
        (tmp_path / "photo.jpeg" / "a.jpg", "There is no file", ""),
        (tmp_path, "is a folder", "Name the files"),
        (put(tmp_path, b"", name="empty.png"), "is empty: 0 bytes", "again"),
        (tmp_path / "a\0b", "can't be opened", ""),
        (tmp_path / ("n" * 300), "can't be opened: File name too long", ""),
    ]
    os.mkfifo(tmp_path / "pipe")
    cases.append((tmp_path / "pipe", "is a device or a pipe", "Save it"))
    for path, says, helps in cases:
        with pytest.raises(MediaError, match=says) as refused:
            sniff(path, name=path.name)
        assert helps in refused.value.helps


@given(st.binary(min_size=1, max_size=300), st.sampled_from(["a", "a.jpg", "a.csv", "a.mp4", "a.json"]))
@settings(deadline=None)
def test_any_bytes_get_a_kind_or_a_line(tmp_path_factory, content, name):
    """Nothing else is raised, and a kind comes with a media type that has an extension."""
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(content)
    try:
        kind, media_type = sniff(path, name=name)
    except MediaError as error:
        assert f"`{name}`" in str(error)  # noqa: PT017 (a kind is as good)
    else:
        assert kind in KINDS
        assert extension(media_type) != ".bin"


def test_importing_media_loads_no_heavy_library():
    """A terminal that prints its help doesn't wait for numpy."""
    heavy = ["numpy", "PIL", "av", "soundfile", "soxr", "pypdfium2", "httpx"]
    code = f"import sys, dragoman.media, dragoman.store, dragoman.net; print([m for m in {heavy} if m in sys.modules])"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_core_install_takes_files_without_measuring_them(tmp_path):
    """Without Pillow a picture can still be planned with; reading it says what to install."""
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    code = (
        "import sys; sys.modules['PIL'] = None\n"
        "from pathlib import Path; from dragoman import media; from dragoman.store import Store\n"
        f"path = Path({str(tmp_path / 'a.png')!r})\n"
        f"print(Store(Path({str(tmp_path / 'home')!r})).take(path).facts)\n"
        "try: media.read_image(path)\n"
        "except Exception as error: print(type(error).__mro__[1].__name__, error, error.helps)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert said.splitlines() == [
        "{}",
        "MediaError To read pictures, Dragoman needs Pillow, which is not installed. pip install 'dragoman[box]'",
    ]
