"""Records of plans in all schemas, and broken ones."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.evals.graphs import Graph, Node
from dragoman.evals.taskbench import graph_of, id_of, words_of

OLDER = {
    "id": "7",
    "user_request": "Hear it and sum it up.",
    "task_steps": ["Step 1: hear", "Step 2: sum up"],
    "task_nodes": [
        {"task": "Speech Recognition", "arguments": ["a.wav"]},
        {"task": "Summarization", "arguments": ["<node-0>"]},
    ],
    "task_links": [{"source": "Speech Recognition", "target": "Summarization"}],
}
NEWER = {
    "id": 7,
    "instruction": OLDER["user_request"],
    "tool_steps": json.dumps(OLDER["task_steps"]),
    "tool_nodes": json.dumps(OLDER["task_nodes"]),
    "tool_links": json.dumps(OLDER["task_links"]),
}
READ = Graph(
    nodes=(
        Node(tool="Speech Recognition", arguments=("a.wav",)),
        Node(tool="Summarization", arguments=("<node-0>",)),
    ),
    links=(("Speech Recognition", "Summarization"),),
    steps=("Step 1: hear", "Step 2: sum up"),
)


@pytest.mark.parametrize("record", [OLDER, NEWER, {"id": 7, "result": OLDER}, {"id": 7, "result": json.dumps(OLDER)}])
def test_every_schema_reads_the_same(record: dict[str, Any]):
    assert graph_of(record) == READ


def test_ids_and_words_are_found_under_all_their_names():
    assert id_of(OLDER) == id_of(NEWER) == "7"
    assert words_of(OLDER) == words_of(NEWER) == "Hear it and sum it up."


def test_the_compact_form_joins_nodes_by_place():
    record = {"nodes": ["A", "B", "C"], "links": [[0, 1], [0, 2]]}

    assert graph_of(record) == Graph(
        nodes=(Node(tool="A"), Node(tool="B"), Node(tool="C")), links=(("A", "B"), ("A", "C"))
    )


def test_arguments_inside_a_string_or_as_an_object_are_opened():
    found = graph_of(
        {
            "tool_nodes": [
                {"task": "get_weather", "arguments": '[{"name": "city", "value": "Bern"}]'},
                {"task": "get_weather", "arguments": {"city": "Bern"}},
            ]
        }
    )

    assert found is not None
    assert [node.arguments for node in found.nodes] == [({"name": "city", "value": "Bern"},)] * 2


def test_several_targets_of_a_link_are_several_links():
    found = graph_of({"task_nodes": ["A", "B", "C"], "task_links": [{"source": "A", "target": ["B", "C"]}]})

    assert found is not None
    assert found.links == (("A", "B"), ("A", "C"))


@pytest.mark.parametrize(
    ("record", "flaw"),
    [
        ({"task_nodes": 5}, "nodes are no list"),
        ({"task_nodes": [{"task": 5}]}, "node 0 has 5 for a name"),
        ({"task_nodes": [{"arguments": []}]}, "node 0 has None for a name"),
        ({"task_nodes": [{"task": "A", "arguments": "a.wav"}]}, "node 0 has str for its arguments"),
        ({"task_nodes": [{"task": "A", "arguments": None}]}, "node 0 has NoneType for its arguments"),
    ],
)
def test_what_is_irregular_is_named(record: dict[str, Any], flaw: str):
    found = graph_of(record)

    assert found is not None
    assert flaw in found.flaws[0]


def test_a_record_without_a_plan_has_none():
    assert graph_of({"id": "1", "user_request": "words"}) is None
    assert graph_of({"result": "no JSON"}) is None


values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 3), st.text(max_size=6), st.sampled_from(["<node-0>", "[", "{}"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["task", "id", "arguments", "source", "target", "name"]), inner, max_size=3),
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["id", "task_nodes", "tool_nodes", "links", "task_steps", "result"]), values))
def test_no_record_is_too_broken_to_be_looked_at(record: dict[str, Any]):
    found = graph_of(record)
    id_of(record)

    assert found is None or all(isinstance(name, str) for name in found.names)
