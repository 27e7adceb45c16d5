"""Data sets of all formats, and what is odd in them."""

from __future__ import annotations

from pathlib import Path

import pytest

import dragoman.planning
from dragoman.errors import UsageError
from dragoman.evals.gold import read_gold
from dragoman.evals.tools import CATALOGUE, read_tools

from .examples import RESOURCE, write_lines


def test_compact_gold_is_joined_with_the_words_by_id(tmp_path: Path):
    gold = write_lines(
        tmp_path / "gold.jsonl",
        {"id": "1", "type": "chain", "nodes": ["Speech Recognition", "Summarization"], "links": [[0, 1]]},
        {"id": 2, "type": "single", "nodes": ["Summarization"], "links": []},
    )
    requests = write_lines(
        tmp_path / "requests.json",
        {"id": 1, "user_request": "Sum up talk.wav."},
        {"id": "2", "user_request": "Shorten this."},
        {"id": "3", "user_request": "Nobody's."},
    )
    data = read_gold(gold, requests=requests, tools=RESOURCE)

    assert [(case.id, case.words, case.shape) for case in data.cases] == [
        ("1", "Sum up talk.wav.", "chain"),
        ("2", "Shorten this.", "single"),
    ]
    assert [(r.name, r.kind) for r in data.cases[0].resources] == [("talk.wav", "audio")]
    assert data.notes == []


def test_what_cannot_be_used_is_passed_over_and_named(tmp_path: Path):
    gold = write_lines(
        tmp_path / "gold.jsonl",
        {"nodes": ["Summarization"], "user_request": "no id"},
        {"id": "1", "user_request": "no plan"},
        {"id": "2", "nodes": ["Summarization"]},
        "half a li",
        '"text"',
        {"id": "3", "nodes": ["Summarization"], "user_request": "first"},
        {"id": "3", "nodes": ["Translation", 5], "user_request": "second"},
    )
    data = read_gold(gold, requests=None, tools=RESOURCE)

    assert [(case.id, case.words, case.gold.names) for case in data.cases] == [("3", "second", ["Translation"])]
    told = "\n".join(data.notes)
    for line, says in (
        (1, "no id"),
        (2, "no plan"),
        (3, "no words for id 2"),
        (4, "no JSON"),
        (5, "no object"),
        (7, "twice"),
    ):
        assert any(note.startswith(f"gold.jsonl:{line}:") and says in note for note in data.notes), (says, told)


def test_a_shape_that_the_data_set_does_not_tell_is_read_off_the_links(tmp_path: Path):
    gold = write_lines(tmp_path / "gold.jsonl", {"id": 0, "user_request": "Go", "nodes": ["A", "B"], "links": [[0, 1]]})

    assert read_gold(gold, requests=None, tools=RESOURCE).cases[0].shape == "chain"


def test_a_json_list_is_as_good_as_lines(tmp_path: Path):
    path = tmp_path / "gold.json"
    path.write_text('[{"id": "1", "user_request": "Go", "nodes": ["A"]}]', encoding="utf-8")

    assert len(read_gold(path, requests=None, tools=RESOURCE).cases) == 1


def test_a_file_without_gold_is_refused_with_the_first_reason(tmp_path: Path):
    with pytest.raises(UsageError, match=r"no gold plan that can be used\. First: gold.jsonl:1: no plan"):
        read_gold(write_lines(tmp_path / "gold.jsonl", {"id": 1}), requests=None, tools=RESOURCE)


def test_demonstrations_are_gold_with_resources_and_history():
    folder = Path(dragoman.planning.__file__).parent / "demonstrations"
    data = read_gold(folder, requests=None, tools=CATALOGUE)
    dialogue = [case for case in data.cases if case.history]

    assert len(data.cases) >= 120
    assert data.notes == []
    assert dialogue
    assert any(turn.plan.tasks for case in dialogue for turn in case.history)
    assert any(case.resources for case in data.cases)
    assert {node.tool for case in data.cases for node in case.gold.nodes} <= set(CATALOGUE.specs)


@pytest.mark.parametrize(("domain", "cases"), [("huggingface", 169), ("multimedia", 121)])
def test_the_compact_gold_of_taskbench_is_read(shared_data: Path, domain: str, cases: int):
    folder = shared_data / "taskbench"
    tools = read_tools(folder / f"data_{domain}" / "tool_desc.json")
    requests = folder / f"data_{domain}" / "user_requests.json"
    data = read_gold(folder / f"gold_dev_{domain}.jsonl", requests=requests, tools=tools)

    assert len(data.cases) == cases


def test_restbench_is_read(shared_data: Path):
    folder = shared_data / "taskbench-derived/tmdb"
    data = read_gold(folder / "data.json", requests=None, tools=read_tools(folder / "tool_desc.json"))

    assert len(data.cases) == 100
    assert data.cases[0].id == "0"
    assert data.cases[0].gold.links == (("SearchPeople", "GetPersonMovieCredit"),)
