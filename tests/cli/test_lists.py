"""The listings: what can be asked, who does it, what was asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dragoman.models.card import WeightFile
from dragoman.tasks import SPECS
from dragoman.testing import FakeBackend, card, words

Golden = Callable[[str, Any], None]


def test_tasks_lists_the_whole_catalogue(cli: Any, is_golden: Golden):
    """Every task with the same keys; one with an expert, one without."""
    rows = cli("tasks", "--json").json
    by_name = {row["name"]: row for row in rows}

    assert set(by_name) == set(SPECS)
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    is_golden("tasks", [by_name["summarization"], by_name["object-detection"]])


def test_tasks_marks_what_has_an_expert(cli: Any):
    """In brackets where it has to be fetched first."""
    assert "fake-summarization" in cli("tasks").out
    cli.backend = FakeBackend({"summarization": lambda call: words("x")}, needs_bytes=1000)
    out = cli("tasks").out

    assert "(fake-summarization)" in out
    assert f"{len(SPECS)} tasks, 1 with an expert here" in out


def many_cards() -> FakeBackend:
    weights = WeightFile(name="w.onnx", source="pypi:some==1!/w.onnx", sha256="0" * 64, bytes=9, download_bytes=90)
    cards = [card("summarization", id="good", rank=1, languages=("en",)), card("summarization", id="better", rank=0)]
    files = {"files": (weights,), "memory_bytes": 500}
    from msgspec.structs import replace

    return FakeBackend({"summarization": lambda call: words("short")}, cards=[cards[0], replace(cards[1], **files)])


def test_models_lists_what_is_known_of_each(cli: Any, task: Any, is_golden: Golden):
    """Two experts of one task; one of them has worked here before."""
    cli.backend = many_cards()
    cli("ask", "Shorten it", "--mind", cli.plan(task("summarization", 0, text="a")))

    is_golden("models", cli("models", "--json").json)
    assert "better" in cli("models").out


def test_why_tells_choice_and_stand_ins(cli: Any, is_golden: Golden):
    """The rank decides; an alias will do."""
    cli.backend = many_cards()

    is_golden("models-why", cli("models", "why", "text-summarizer", "--json").json)
    out = cli("models", "why", "summarization").out
    assert "chosen: ranked first" in out
    assert "stands in, number 1" in out


def test_why_tells_that_there_is_nobody(cli: Any):
    """Exit 1, with what would help."""
    ran = cli("models", "why", "text-to-image")

    assert ran.code == 1
    assert "no expert here can do text-to-image" in ran.err


def test_why_names_the_nearest_task(cli: Any):
    """A misspelt one is wrong usage."""
    ran = cli("models", "why", "sumarisation")

    assert ran.code == 2
    assert "nearest: `summarization`" in ran.err


def test_runs_are_listed_newest_first(cli: Any, task: Any, is_golden: Golden):
    """One that was served, one that was refused."""
    assert "nothing has been asked yet" in cli("runs").err
    cli("ask", "Shorten it", "--mind", cli.plan(task("summarization", 0, text="a")))
    cli("ask", "Paint it", "--mind", cli.plan(task("text-to-image", 0, text="a")))

    rows = cli("runs", "--json").json
    is_golden("runs", rows)
    assert [row["status"] for row in rows] == ["refused", "answered"]
    assert "Shorten it" in cli("runs", "--limit", "5").out


def test_show_prints_an_earlier_run(cli: Any, task: Any):
    """By its id in capitals; as JSON it is the same report that `ask` printed."""
    asked = cli("ask", "Shorten it", "--json", "--mind", cli.plan(task("summarization", 0, text="a"))).json

    shown = cli("show", asked["run"].upper())
    assert "Shorten it" in shown.out
    assert "fake-summarization" in shown.out
    assert cli("show", asked["run"][:12], "--json").json == asked


def test_show_and_resume_want_a_run_that_is_there(cli: Any, task: Any):
    """Wrong usage, said in a line."""
    assert "nothing has been asked yet" in cli("show", "abc").err
    cli("ask", "Shorten it", "--mind", cli.plan(task("summarization", 0, text="a")))

    for typed in (("show",), ("show", "zzz"), ("resume",), ("resume", "zzz")):
        ran = cli(*typed)
        assert ran.code == 2
        assert "dragoman runs" in ran.err


def test_resume_prints_the_run_again(cli: Any, task: Any):
    """One that came to its end."""
    asked = cli("ask", "Shorten it", "--json", "--mind", cli.plan(task("summarization", 0, text="a"))).json

    assert cli("resume", asked["run"], "--json").json == asked


def test_plan_shows_the_graph_and_does_nothing(cli: Any, task: Any, is_golden: Golden):
    """A chain: in words, and in the paper's template."""
    chain = (task("summarization", 0, text="a.txt"), task("text-to-speech", 1, text="<resource>-0"))
    Path("a.txt").write_text("A tale.")

    shown = cli("plan", "Shorten it and read it aloud", "a.txt", "--mind", cli.plan(*chain))
    is_golden("plan", cli("plan", "Shorten it", "a.txt", "--json", "--mind", cli.plan(*chain)).json)
    assert "1  text-to-speech  after 0" in shown.out
    assert cli.backend.calls == []
    assert cli("runs", "--json").json == []


def test_plan_of_what_can_not_be_planned_is_exit_1(cli: Any):
    """The built-in planner refuses; as JSON the plan is empty."""
    ran = cli("plan", "qwrt zxcv", "--json")

    assert ran.json == []
    assert ran.code in (0, 1)
