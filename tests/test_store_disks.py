"""A disk that takes nothing is told in plain words, and costs nothing that was stored."""

from __future__ import annotations

import errno
import io
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from dragoman.errors import StoreError
from dragoman.store import Store


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class _Full(io.FileIO):
    """A disk that takes three bytes."""

    def write(self, content: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def full_disk(path: Path) -> BinaryIO:
    return _Full(path, "xb")  # pyright: ignore[reportReturnType]


def failing(code: int) -> Callable[[Path], BinaryIO]:
    def open_new(path: Path) -> BinaryIO:
        raise OSError(code, "no")

    return open_new


@pytest.mark.parametrize(
    ("open_new", "says"),
    [
        (full_disk, "the disk is full"),
        (failing(errno.ENOSPC), "the disk is full"),
        (failing(errno.EROFS), "writing is not allowed there"),
        (failing(errno.EACCES), "writing is not allowed there"),
        (failing(errno.EIO), "no"),
    ],
)
def test_a_disk_that_takes_nothing_is_told_in_plain_words(tmp_path, open_new, says):
    """With the place, a way out, and nothing half-written left behind."""
    home, out = tmp_path / "home", tmp_path / "out"
    stored = Store(home).keep(name="x", kind="text", media_type="text/plain", text="x")
    before = everything_in(home)
    store = Store(home, open_new=open_new)

    (tmp_path / "a.txt").write_text("new words")
    for write, place in [
        (lambda: store.put_bytes(b"new"), home),
        (lambda: store.take(tmp_path / "a.txt"), home),
        (lambda: store.export(stored, directory=out, stem="x"), out),
    ]:
        with pytest.raises(StoreError, match=f"Nothing can be written to {place}: {says}") as refused:
            write()
        assert "DRAGOMAN_HOME" in refused.value.helps
    assert everything_in(home) == before
    assert everything_in(out) == []
    assert store.put_bytes(b"x") == stored.sha256  # what is there needs no writing


def test_a_file_where_the_home_should_be_is_told(tmp_path):
    """Somebody's file is called like the home, or like the folder for results."""
    (tmp_path / "home").write_text("mine")
    with pytest.raises(StoreError, match="a file stands where a folder was wanted"):
        Store(tmp_path / "home").put_bytes(b"x")

    store = Store(tmp_path / "other")
    resource = store.keep(name="x", kind="text", media_type="text/plain", text="x")
    with pytest.raises(StoreError, match="a file stands where a folder was wanted"):
        store.export(resource, directory=tmp_path / "home", stem="x")
