"""Predictions on disk: TaskBench's form, resumable, forgiving."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.errors import StoreError, UsageError
from dragoman.evals.linefile import LineFile
from dragoman.evals.predictions import Checkpoint, Prediction, read_predictions

from .examples import case, graph, write_lines

PLAN = graph(("A", "a.wav"), ("B", "<node-0>"), links=[("A", "B")], steps=("Step 1: A",))


def checkpoint_in(path: Path | None) -> Checkpoint:
    return Checkpoint(file=LineFile(path=path, settings="s"))


MADE = Prediction(id="1", graph=PLAN, confidence=0.5, by="embedded", tokens_in=10, tokens_out=4, seconds=0.25)


def test_a_line_is_a_plan_in_taskbenchs_form(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    checkpoint_in(path).add(MADE, case("1", PLAN, words="Do it."))
    line = json.loads(path.read_text("utf-8"))

    assert line["id"] == "1"
    assert line["user_request"] == "Do it."
    assert line["task_nodes"] == [{"task": "A", "arguments": ["a.wav"]}, {"task": "B", "arguments": ["<node-0>"]}]
    assert line["task_links"] == [{"source": "A", "target": "B"}]
    assert line["result"] == {key: line[key] for key in ("task_steps", "task_nodes", "task_links")}


def test_what_was_written_is_read_back_the_same(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    unreadable = Prediction(id="2", unreadable="prose", calls=2)
    refused = Prediction(id="3", graph=graph(steps=()), fault="nothing to do", confidence=0.0)
    first = checkpoint_in(path)
    for made in (MADE, unreadable, refused):
        first.add(made, case(made.id, PLAN))
    second = checkpoint_in(path)
    second.load()

    assert second.done == {"1": MADE, "2": unreadable, "3": refused}
    assert second.tokens == first.tokens == 14


def test_half_a_last_line_is_dropped_and_the_next_is_whole(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    checkpoint_in(path).add(MADE, case("1", PLAN))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": "2", "task_no')
    again = checkpoint_in(path)
    again.load()
    again.add(Prediction(id="2", graph=PLAN), case("2", PLAN))

    assert list(read_predictions(path, notes=again.notes)) == ["1", "2"]
    assert again.notes == []


def test_a_whole_last_line_without_its_end_is_kept(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    path.write_text('{"id": "1", "task_nodes": [], "settings": "s"}', encoding="utf-8")
    again = checkpoint_in(path)
    again.load()
    again.add(Prediction(id="2", graph=PLAN), case("2", PLAN))

    assert list(read_predictions(path, notes=[])) == ["1", "2"]


def test_plans_of_other_settings_are_not_mixed_in(tmp_path: Path):
    path = write_lines(tmp_path / "out.jsonl", {"id": "1", "task_nodes": [], "settings": "other"})

    with pytest.raises(UsageError, match="written by another program, or under other settings"):
        checkpoint_in(path).load()


def test_odd_lines_are_named_and_the_last_of_an_id_counts(tmp_path: Path):
    notes: list[str] = []
    path = write_lines(
        tmp_path / "out.jsonl",
        {"id": 1, "task_nodes": ["A"]},
        "{broken",
        {"task_nodes": ["A"]},
        {"id": "1", "task_nodes": ["B"]},
        {"id": "2"},
    )
    found = read_predictions(path, notes=notes)

    assert found["1"].graph is not None
    assert found["1"].graph.names == ["B"]
    assert found["2"].unreadable == "it holds no plan"
    assert [note.split(":")[1] for note in notes] == ["2", "3", "4"]


def test_an_empty_file_is_a_beginning(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    path.touch()
    checkpoint = checkpoint_in(path)
    checkpoint.load()

    assert checkpoint.done == {}


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path):
    with pytest.raises(StoreError, match="can't be written"):
        checkpoint_in(tmp_path / "no folder" / "out.jsonl").add(MADE, case("1", PLAN))


def test_real_plans_of_weak_models_are_all_read(shared_data: Path):
    for path in sorted((shared_data / "taskbench-derived/predictions").glob("*/*.jsonl")):
        notes: list[str] = []
        found = read_predictions(path, notes=notes)

        assert notes == []
        assert all(prediction.graph is not None for prediction in found.values())
