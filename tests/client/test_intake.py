"""What comes with a request."""

import http.server
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.client.intake import find_named, take_in
from dragoman.errors import MediaError, NetRefused
from dragoman.store import Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with three notes and a subfolder."""
    place = tmp_path / "work"
    (place / "b").mkdir(parents=True)
    for name in ("a.txt", "two words.txt", "b/a.txt", "ünï.txt"):
        (place / name).write_text(f"this is {name}", encoding="utf-8")
    return place


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("Summarize a.txt", ["a.txt"]),
        ("Summarize a.txt.", ["a.txt"]),
        ("Is (a.txt) longer than b/a.txt?", ["a.txt", "b/a.txt"]),
        ('Summarize "two words.txt" for me', ["two words.txt"]),
        ("Fasse „two words.txt“ zusammen", ["two words.txt"]),
        ("请总结a.txt", ["a.txt"]),
        ("Read ünï.txt aloud", ["ünï.txt"]),
        ("Read nowhere.txt", []),
        ("version 2.0 of b", []),
        ("a.txt and a.txt", ["a.txt"]),
    ],
)
def test_files_that_the_words_name_are_found(folder: Path, words: str, names: list[str]):
    """Against the working folder, once each, in order; what is not there is left to the planner."""
    paths, _ = find_named(words, folder=folder)

    assert [str(path.relative_to(folder)) for path in paths] == names


def test_addresses_are_found_without_the_full_stop_behind_them():
    """Two URLs in a sentence."""
    _, urls = find_named("Look at https://example.org/a.png, then (http://example.org/b?x=1).", folder=Path("/nowhere"))

    assert urls == ["https://example.org/a.png", "http://example.org/b?x=1"]


@given(st.text(max_size=300))
def test_any_words_can_be_looked_through(words: str):
    """Nothing raises, whatever a name looks like."""
    find_named(words, folder=Path("/nowhere"))


async def test_files_come_first_and_in_order(folder: Path, tmp_path: Path):
    """Handed over b/a.txt, then named a.txt: names that clash get their folder in front."""
    taken = await take_in("Compare it with a.txt", [folder / "b" / "a.txt"], store=Store(tmp_path), folder=folder)

    assert [resource.text for resource in taken] == ["this is b/a.txt", "this is a.txt"]
    assert len({resource.name for resource in taken}) == 2


async def test_what_was_handed_over_and_named_is_one(folder: Path, tmp_path: Path):
    """The same file twice."""
    taken = await take_in("Summarize a.txt", [folder / "a.txt"], store=Store(tmp_path), folder=folder)

    assert [resource.name for resource in taken] == ["a.txt"]


async def test_a_missing_file_is_named(tmp_path: Path):
    """Handed over, not there."""
    with pytest.raises(MediaError, match=r"nowhere\.png"):
        await take_in("Look", [tmp_path / "nowhere.png"], store=Store(tmp_path), folder=tmp_path)


async def test_subtitles_beside_a_video_come_along(tmp_path: Path):
    """clip.mp4 and clip.srt; the video itself is broken, so only the pairing is looked at."""
    (tmp_path / "clip.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nHello\n", encoding="utf-8")
    from dragoman.client import intake

    beside = intake._beside([tmp_path / "clip.mp4", "https://example.org/clip.mp4", b"bytes"])  # pyright: ignore[reportPrivateUsage]

    assert beside == [tmp_path / "clip.srt"]


@contextmanager
def serving(payload: bytes) -> Generator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("is_named", [True, False])
async def test_an_address_is_fetched_through_the_door(tmp_path: Path, *, is_named: bool):
    """Handed over or named in the words, from a host that the person has allowed."""
    with serving(b"far away") as host:
        url = f"http://{host}/note.txt"
        words, files = (f"Summarize {url}", []) if is_named else ("Summarize it", [url])
        taken = await take_in(words, files, store=Store(tmp_path), folder=tmp_path, allow_hosts=[host])

    assert [(resource.name, resource.text) for resource in taken] == [("note.txt", "far away")]


async def test_a_private_address_is_refused(tmp_path: Path):
    """Nothing listens there, and nothing is asked."""
    with pytest.raises(NetRefused):
        await take_in("Summarize http://127.0.0.1:9/note.txt", [], store=Store(tmp_path), folder=tmp_path)


async def test_offline_no_address_is_asked_for(tmp_path: Path):
    """Not even its name is looked up."""
    with pytest.raises(NetRefused, match="downloads are off"):
        await take_in("Look", ["https://example.org/a.png"], store=Store(tmp_path), folder=tmp_path, is_offline=True)
