"""Content may be handed over in many ways, and each is taken as what it is."""

from __future__ import annotations

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import MediaError
from dragoman.media.sources import arrived


@given(st.binary())
def test_a_data_url_carries_any_bytes(payload):
    """In base64, with and without padding, in the alphabet of URLs, and in percents."""
    plain = base64.b64encode(payload).decode()
    percents = "".join(f"%{byte:02x}" for byte in payload)
    for url in (
        f"data:text/csv;base64,{plain}",
        f"data:text/csv;base64,{plain.rstrip('=')}",
        f"data:text/csv;charset=utf-8;base64,{base64.urlsafe_b64encode(payload).decode()}",
        f"DATA:text/csv,{percents}",
    ):
        assert arrived(url).payload == payload
        assert arrived(url).suffix == ".csv"


@pytest.mark.parametrize("url", ["data:image/png;base64", "data:image/png;base64,A"])
def test_a_broken_data_url_says_so(url):
    """No comma; half a letter."""
    with pytest.raises(MediaError, match="data URL"):
        arrived(url)


def test_paths_and_file_urls_name_the_same_file(tmp_path, monkeypatch):
    """As text, as Path, as URL with spaces; relative and in the home folder."""
    path = tmp_path / "a b.jpg"
    monkeypatch.setenv("HOME", str(tmp_path))
    for source in (path, str(path), path.as_uri(), f"file://localhost{path.as_uri()[7:]}", "~/a b.jpg"):
        assert arrived(source).path == path
        assert (arrived(source).name, arrived(source).folder) == ("a b.jpg", tmp_path.name)
    with pytest.raises(MediaError, match="`server` is another machine"):
        arrived("file://server/a.jpg")


def test_other_things_are_refused_with_what_is_wanted():
    """A number, a web address, a bare row of samples, a strange array."""
    for source, says in [
        (3, "a int came"),
        (None, "a NoneType came"),
        (("a", "b"), "a tuple came"),
        ("https://example.com/a.jpg", "is fetched, not opened"),
        (np.zeros(8, np.float32), "A sound needs its rate"),
        (np.zeros((4, 4, 3), np.float32), r"A picture is \(height, width, 3\) uint8"),
        ((np.zeros((2, 2, 2), np.float32), 8000), r"A sound is \(samples,\)"),
    ]:
        with pytest.raises(MediaError, match=says):
            arrived(source)
