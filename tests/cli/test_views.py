"""What is shown of a run: the board, plain lines, the live picture at several widths."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from rich.console import Console

from dragoman import events as ev
from dragoman.cli.board import Board
from dragoman.cli.live import LiveView
from dragoman.cli.plain import PlainView
from dragoman.cli.terminal import Terminal
from dragoman.values import Choice, Done, Failed, Repair, Skipped, Usage

AT = datetime(2026, 1, 1, tzinfo=UTC)


def event(kind: type[Any], **fields: Any) -> Any:
    return kind(run="r", at=AT, **fields)


def story() -> list[Any]:
    """Four tasks: one done, one failed, one skipped for it, one running; a download half way."""
    plan = [
        {"task": "image-classification", "id": 0, "dep": [-1], "args": {"image": "cat.png"}},
        {
            "task": "translation",
            "id": 1,
            "dep": [-1],
            "args": {"text": "Where is [bold]it[/bold]?\x1b[2J", "target": "pt"},
        },
        {"task": "text-to-speech", "id": 2, "dep": [1], "args": {"text": "<resource>-1"}},
        {"task": "image-to-text", "id": 3, "dep": [-1], "args": {"image": "cat.png"}},
    ]
    choices = tuple(Choice(task=id_, model=f"model-{id_}", backend="box", reason="only") for id_ in range(4))
    return [
        event(
            ev.PlannedEvent, plan=plan, by="embedded", repairs=(Repair(task=0, found="id 0 twice", did="renumbered"),)
        ),
        event(ev.Chosen, choices=choices),
        event(ev.Fetching, model="model-3", says="", license="MIT", done_bytes=0, total_bytes=20_000_000),
        event(ev.Fetching, model="model-3", says="", license="MIT", done_bytes=10_000_000, total_bytes=20_000_000),
        event(ev.TaskStarted, task=0, model="model-0", backend="box"),
        event(ev.TaskDone, outcome=Done(task=0, model="model-0", backend="box", outputs=(), seconds=0.5)),
        event(ev.TaskStarted, task=1, model="model-1", backend="box"),
        event(ev.TaskFailed, outcome=Failed(task=1, reason="it broke\nbadly", attempts=1, model="model-1")),
        event(ev.TaskSkipped, outcome=Skipped(task=2, reason="translation failed")),
        event(ev.TaskStarted, task=3, model="model-3", backend="box"),
        event(ev.TaskProgress, task=3, fraction=0.25, says="looking"),
    ]


def test_the_board_follows_the_events():
    """Where everything stands after the story."""
    board = Board()
    for one in story():
        board.take(one)

    assert [row.state for row in board.rows.values()] == ["done", "failed", "skipped", "runs"]
    assert board.rows[3].fraction == 0.25
    assert board.rows[2].needs == (1,)
    assert board.downloads["model-3"].done_bytes == 10_000_000
    assert board.notes == ["plan repaired: id 0 twice; renumbered"]


def test_plain_lines_tell_each_change_once():
    """A download that has hardly moved is no news."""
    stderr = io.StringIO()
    view = PlainView(Terminal(stderr=stderr), clock=lambda: 0.0)
    for one in story():
        view(one)
    view(event(ev.RunEnded, status="partial", usage=Usage()))
    lines = stderr.getvalue().splitlines()

    assert lines[0] == "plan repaired: id 0 twice; renumbered"
    assert "  [2] text-to-speech  <resource>-1  (after 1)" in lines
    assert [line for line in lines if line.startswith("fetching")] == ["fetching model-3: 20 MB, licence MIT"]
    assert "[0] done in 0.50 s" in lines
    assert "[1] failed: it broke" in lines
    assert "[2] skipped: translation failed" in lines
    assert "\x1b" not in stderr.getvalue()


def picture(*, width: int, height: int = 40, encoding: str = "utf-8", events: list[Any] | None = None) -> str:
    """The live view after the story, as plain text."""
    sink = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace", write_through=True)
    view = LiveView(Terminal(stderr=sink), clock=lambda: 0.0)
    view._console = Console(file=sink, width=width, height=height, markup=False, emoji=False, highlight=False)
    view._is_ascii = encoding == "ascii"
    for one in events or story():
        view.board.take(one)
    view._console.print(view.picture())
    sink.seek(0)
    return sink.read()


@pytest.mark.parametrize("width", [30, 60, 100, 200])
def test_the_live_picture_fits_its_terminal(width: int):
    """No line is longer than the terminal is wide; every task is there."""
    lines = picture(width=width).splitlines()

    assert max(map(len, lines)) <= width
    assert [line[2] for line in lines[1:5]] == ["0", "1", "2", "3"] or width < 40


def test_the_live_picture_tells_what_a_person_wants_to_know():
    """Who does each task, how far it is, what waits and what is being downloaded."""
    shown = picture(width=120)

    assert "model-0" in shown
    assert "25% looking" in shown
    assert "it broke badly" in shown
    assert "10 MB of 20 MB, licence MIT" in shown
    assert "Where is [bold]it[/bold]?" in shown
    assert "\x1b[2J" not in shown


def test_the_live_picture_has_plain_signs_where_letters_are_few():
    """A terminal that shows ASCII only."""
    assert picture(width=100, encoding="ascii").isascii()


def test_a_large_plan_shows_what_is_under_way():
    """Sixty tasks on a screen of twenty lines: the running one is seen, the rest is counted."""
    plan = [{"task": "image-to-text", "id": id_, "dep": [-1], "args": {"image": f"{id_}.png"}} for id_ in range(60)]
    events = [
        event(ev.PlannedEvent, plan=plan, by="embedded"),
        event(ev.TaskDone, outcome=Done(task=0, model="m", backend="box", outputs=(), seconds=0.5)),
        event(ev.TaskStarted, task=59, model="m", backend="box"),
    ]
    shown = picture(width=100, height=20, events=events)

    assert len(shown.splitlines()) <= 20
    assert "59.png" in shown
    assert "and 48 more; 1 of 60 done" in shown
