"""JSON is parsed strictly into plain values; what is broken is told in one line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import MediaError
from dragoman.media import read_data

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(values)
def test_json_is_read_back(tmp_path_factory, value):
    """With a byte order mark, and as lines."""
    path = tmp_path_factory.getbasetemp() / "x.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(value).encode())
    assert read_data(path, media_type="application/json") == value
    path.write_text(f"{json.dumps(value)}\n\n{json.dumps(value)}")
    assert read_data(path, media_type="application/x-ndjson") == [value, value]


@pytest.mark.parametrize("content", ['{"a": NaN}', "{", "", "[1,]", '{"a": 1} x', "1e999", '"\\ud800"'])
def test_broken_json_is_named(tmp_path, content):
    """Not a number, cut off, trailing commas, half a letter."""
    (tmp_path / "x.json").write_text(content)

    with pytest.raises(MediaError, match=r"`x.json` is not valid JSON"):
        read_data(tmp_path / "x.json", media_type="application/json")


def test_depth_is_bounded(tmp_path):
    """100,000 brackets."""
    (tmp_path / "x.json").write_text("[" * 100_000)

    with pytest.raises(MediaError, match=r"`x.json` is nested too deeply"):
        read_data(tmp_path / "x.json", media_type="application/json")
