"""Content is stored once under its hash, taken from wherever it comes, and given out under safe names."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dragoman.errors import MediaError, StoreError
from dragoman.media import plain_json, png_bytes, read_image
from dragoman.store import Store
from dragoman.values import Resource


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "home")


def picture(path: Path, *, color: str = "red") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 6), color).save(path)
    return path


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


# --- bytes -------------------------------------------------------------------------------------------------------


@given(st.binary(max_size=3000))
@settings(max_examples=30, deadline=None)
def test_bytes_are_found_under_their_hash(tmp_path_factory, payload):
    """From memory and from a file, once each."""
    home = tmp_path_factory.mktemp("home")
    store = Store(home)
    sha256 = store.put_bytes(payload)
    (home / "file").write_bytes(payload)

    assert sha256 == hashlib.sha256(payload).hexdigest() == store.put_file(home / "file")
    assert store.has(sha256)
    assert store.size(sha256) == len(payload)
    assert store.path(sha256) == home / "blobs" / sha256[:2] / sha256
    assert store.path(sha256).read_bytes() == payload
    assert len(everything_in(home / "blobs")) == 1


def test_a_store_makes_nothing_before_it_is_used(store):
    """`dragoman --help` leaves no folder behind."""
    assert not store.has("0" * 64)
    assert not store.home.exists()


@pytest.mark.parametrize("sha256", ["", "0" * 64, "../../etc/passwd", "A" * 64, "0" * 63 + "\n"])
def test_what_is_not_stored_is_an_error(store, sha256):
    """Unknown, or no hash at all; never a path out of the store."""
    assert not store.has(sha256)
    for ask in (store.path, store.size):
        with pytest.raises(StoreError, match="is not in the store"):
            ask(sha256)


def test_the_first_bytes_stay_when_the_same_come_again(store):
    """The blob is replaced by nothing else."""
    store.put_bytes(b"x")
    inode = store.path(store.put_bytes(b"x")).stat().st_ino

    assert store.path(store.put_bytes(b"x")).stat().st_ino == inode


# --- what people hand over -----------------------------------------------------------------------------------------


def test_the_same_picture_is_the_same_resource_however_it_comes(store, tmp_path):
    """Path, text, file URL, data URL and bytes have one hash; Pillow image and array the same pixels."""
    import base64

    path = picture(tmp_path / "a.png")
    payload = path.read_bytes()
    url = "data:image/png;base64," + base64.b64encode(payload).decode()
    taken = [store.take(source) for source in (path, str(path), path.as_uri(), url, payload)]
    with Image.open(path) as image:
        taken += [store.take(image), store.take(np.asarray(image))]

    assert len({resource.sha256 for resource in taken[:5]}) == 1
    assert [resource.name for resource in taken] == ["a.png"] * 3 + ["image.png"] * 4
    for resource in taken:
        assert (resource.kind, resource.media_type) == ("image", "image/png")
        assert resource.facts == {"width_px": 8, "height_px": 6, "frames": 1}
        assert np.array_equal(read_image(store.path(resource.sha256)), read_image(path))
        assert resource.size_bytes == store.size(resource.sha256)


def test_sound_comes_as_samples_with_their_rate(store):
    """One second, as floats and as integers of two channels."""
    for samples in (np.zeros(8000, np.float32), np.zeros((8000, 2), np.int16)):
        resource = store.take((samples, 8000), name="beep.wav")
        assert (resource.kind, resource.name) == ("audio", "beep.wav")
        assert resource.facts == {"duration_s": 1.0, "rate_hz": 8000, "channels": 1}


def test_words_and_data_travel_inside_the_resource(store, tmp_path):
    """Text with its characters counted, a web page as its reader sees it, JSON parsed, a table only measured."""
    for name, content in [("a.txt", "Grüße"), ("a.html", "<h1>Hi</h1><script>x</script>"), ("a.json", '{"n": [1]}')]:
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    text, page, data, table = (store.take(tmp_path / f"a.{suffix}") for suffix in ("txt", "html", "json", "csv"))

    assert (text.kind, text.text, text.facts) == ("text", "Grüße", {"chars": 5})
    assert (page.kind, page.text) == ("text", "Hi")
    assert (data.kind, data.data) == ("data", {"n": [1]})
    assert (table.kind, table.text, table.facts) == ("table", None, {"rows": 1, "columns": 2})


def test_names_that_clash_get_their_folder_in_front(store, tmp_path):
    """Two folders with a file of one name, then the same one again."""
    taken: list[str] = []
    for source in (tmp_path / "a" / "x.png", tmp_path / "b" / "x.png", tmp_path / "b" / "x.png"):
        taken.append(store.take(picture(source), taken=taken).name)

    assert taken == ["x.png", "b/x.png", "b/x-2.png"]


def test_a_persons_file_is_only_read(store, tmp_path):
    """Neither moved, nor linked, nor changed."""
    path = picture(tmp_path / "a.png")
    before, content = path.stat(), path.read_bytes()
    resource = store.take(path)
    path.write_bytes(b"changed afterwards")

    assert before.st_nlink == 1
    assert store.path(resource.sha256).read_bytes() == content


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.jpg", b"just words", "is named like a picture, but holds text"),
        ("a.png", b"", "is empty"),
        ("a.png", png_bytes(np.zeros((50, 50, 3), np.uint8))[:60], "The picture `a.png` can't be read"),
        ("a.json", b"{", "`a.json` is not valid JSON"),
        ("a.csv", b",,\n", "The table `a.csv` has no rows"),
        ("a.txt", b"x" * 5_000_001, "`a.txt` has 5,000,001 bytes of text; at most 5,000,000"),
        ("a.pdf", b"%PDF-1.4 and no more", "The document `a.pdf` can't be read"),
    ],
)
def test_files_that_are_not_what_they_say_are_refused_by_name(store, tmp_path, name, content, says):
    """As a file, and as bytes that somebody calls so."""
    (tmp_path / name).write_bytes(content)

    with pytest.raises(MediaError, match=says):
        store.take(tmp_path / name)
    with pytest.raises(MediaError, match=says):
        store.take(content, name=name)


def test_what_is_no_file_is_refused(store, tmp_path):
    """Missing, a folder, the folder above."""
    for source, says in [("nope.png", "There is no file `nope.png`"), (tmp_path, "is a folder"), ("..", "is a folder")]:
        with pytest.raises(MediaError, match=says):
            store.take(source)


def test_names_are_made_fit_to_show(store, tmp_path):
    """A file name with an escape sequence in it."""
    assert store.take(picture(tmp_path / "a\x1b[31m.png")).name == "a_[31m.png"


# --- what tasks produce --------------------------------------------------------------------------------------------

numbers = st.floats() | st.integers()
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(json_values)
@settings(max_examples=60, deadline=None)
def test_produced_data_is_always_valid_json(tmp_path_factory, value):
    """NaN and infinity are null; what is inside the resource is what its blob holds."""
    store = Store(tmp_path_factory.getbasetemp() / "home")
    resource = store.keep(name="labels", kind="data", media_type="application/json", data=value)

    assert msgspec.json.decode(store.path(resource.sha256).read_bytes()) == resource.data
    assert msgspec.json.decode(msgspec.json.encode(resource), type=Resource) == resource


def test_numbers_of_numpy_become_plain():
    """What experts return without thinking of it; what can't be written is told."""
    found = {"score": np.float32(0.5), "n": np.int64(3), "nan": np.float64("nan"), "box": np.arange(4), "pair": (1, 2)}

    assert plain_json(found) == {"score": 0.5, "n": 3, "nan": None, "box": [0, 1, 2, 3], "pair": [1, 2]}
    assert plain_json([math.inf, "\ud800!"]) == [None, "\ufffd!"]
    with pytest.raises(MediaError, match="The result can't be written as JSON: a object is no JSON"):
        plain_json({"x": object()})


def test_words_and_files_are_kept_with_their_facts(store):
    """Text as text, a picture measured unless the expert has measured it."""
    text = store.keep(name="summary", kind="text", media_type="text/plain", text="Ça va \ud800")
    measured = store.keep(
        name="map", kind="image", media_type="image/png", payload=png_bytes(np.zeros((2, 3, 3), np.uint8))
    )
    told = store.keep(name="map", kind="audio", media_type="audio/wav", payload=b"RIFF", facts={"duration_s": 1.0})

    assert text.text == store.path(text.sha256).read_text() == "Ça va ?"
    assert measured.facts == {"width_px": 3, "height_px": 2, "frames": 1}
    assert told.facts == {"duration_s": 1.0}
    with pytest.raises(MediaError, match="The picture `map` can't be read"):
        store.keep(name="map", kind="image", media_type="image/png", payload=b"no picture")


# --- what is given out ----------------------------------------------------------------------------------------------


def test_results_get_readable_names_that_never_clash(store, tmp_path):
    """The second and third get numbers; a file that stood there stays."""
    resource = store.keep(name="speech", kind="text", media_type="text/plain", text="new")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "2-speech.txt").write_text("old")
    paths = [store.export(resource, directory=tmp_path / "out", stem="2-speech") for _ in range(2)]

    assert [path.name for path in paths] == ["2-speech-2.txt", "2-speech-3.txt"]
    assert [path.read_text() for path in paths] == ["new", "new"]
    assert (tmp_path / "out" / "2-speech.txt").read_text() == "old"


@given(st.text())
@settings(deadline=None)
def test_a_result_never_leaves_its_folder(tmp_path_factory, stem):
    """Whatever a mind calls it."""
    base = tmp_path_factory.getbasetemp()
    store = Store(base / "home")
    resource = store.keep(name="x", kind="data", media_type="application/json", data=1)

    path = store.export(resource, directory=base / "given", stem=stem)
    assert path.parent == base / "given"
    assert path.suffix == ".json"
    path.unlink()
