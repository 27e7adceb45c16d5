"""Streams that nothing from outside can steer."""

from __future__ import annotations

import io
import json

from dragoman.cli.figures import briefly, seconds, size
from dragoman.cli.tabling import show_rows
from dragoman.cli.terminal import Terminal, clean


def test_control_codes_are_taken_out():
    """Escape sequences in both widths, the bell, a backspace, text that turns around; line ends stay."""
    assert clean("a\x1b[31mb\x9b2Jc\x07\x08\u202egnp.exe\r\nd\te") == "a�[31mb�2Jc��gnp.exe\nd\te"


def test_json_carries_no_control_code():
    """They are escaped, so that the value is the same."""
    out = io.StringIO()
    Terminal(stdout=out).show_json({"text": "\x9b31m\u202e\x7f é"})

    assert not set("\x9b\u202e\x7f").intersection(out.getvalue())
    assert json.loads(out.getvalue()) == {"text": "\x9b31m\u202e\x7f é"}


def test_json_is_ascii_where_the_stream_is():
    """And halves of characters are escaped everywhere."""
    for encoding in ("ascii", "latin-1", "utf-8"):
        raw = io.BytesIO()
        terminal = Terminal(stdout=io.TextIOWrapper(raw, encoding=encoding))
        terminal.show_json({"text": "Lisboa é 里斯本 \udcff"})
        terminal.flush()
        assert json.loads(raw.getvalue().decode(encoding)) == {"text": "Lisboa é 里斯本 \udcff"}


def test_json_has_no_nan():
    """Infinity neither."""
    out = io.StringIO()
    Terminal(stdout=out).show_json([float("nan"), float("inf"), 0.5])

    assert json.loads(out.getvalue()) == [None, None, 0.5]


def test_columns_line_up_with_wide_letters():
    """Chinese takes two cells a letter."""
    out = io.StringIO()
    show_rows([("里斯本", "x"), ("Lisboa", "y")], heads=("place", "what"), terminal=Terminal(stdout=out))

    assert out.getvalue() == "place   what\n里斯本  x\nLisboa  y\n"


def test_figures_read_well():
    """Sizes, durations, arguments."""
    assert [size(n) for n in (0, 300, 840_000, 17_400_000, 999_600_000, 1_100_000_000)] == [
        "0", "1 kB", "840 kB", "17 MB", "1.0 GB", "1.1 GB",
    ]  # fmt: skip
    assert [seconds(s) for s in (0.031, 4.24, 125, 120)] == ["0.03 s", "4.2 s", "2 min 5 s", "2 min"]
    assert briefly(["a.png", "b\nc"], chars=20) == "a.png, b c"
    assert briefly("x" * 50, chars=10) == "xxxxxxxxx…"
