"""Plans of ours in TaskBench's form."""

from __future__ import annotations

from dragoman.evals.templates import graph_of_template

PLAN = [
    {"task": "transcribe", "id": 4, "dep": [-1], "args": {"audio": "a.wav"}},
    {"task": "answer", "id": 7, "dep": [4], "args": {"text": "Who speaks?", "context": "<resource>-4.text"}},
    {"task": "speak", "id": 9, "dep": [7], "args": {"text": "It says: <resource>-7", "sizes": [1, "<resource>-4"]}},
    {"task": "wait", "id": 11, "dep": [9], "args": {}},
]


def test_references_count_by_place():
    graph = graph_of_template(PLAN, dependency="resource")

    assert [node.arguments for node in graph.nodes] == [
        ("a.wav",),
        ("Who speaks?", "<node-0>"),
        ("It says: <node-1>", "1", "<node-0>"),
        (),
    ]


def test_links_follow_arguments_and_order():
    assert graph_of_template(PLAN, dependency="resource").links == (
        ("transcribe", "answer"),
        ("answer", "speak"),
        ("transcribe", "speak"),
        ("speak", "wait"),
    )


def test_arguments_have_names_where_tools_have_parameters():
    graph = graph_of_template(PLAN, dependency="temporal")

    assert graph.nodes[1].arguments == (
        {"name": "text", "value": "Who speaks?"},
        {"name": "context", "value": "<node-0>"},
    )


def test_steps_say_the_plan_in_words():
    assert graph_of_template(PLAN, dependency="resource").steps == (
        "Step 1: Use transcribe on a.wav",
        "Step 2: Use answer on Who speaks? and the output of transcribe",
        "Step 3: Use speak on It says: the output of answer and 1 and the output of transcribe",
        "Step 4: Use wait",
    )


def test_a_template_with_holes_is_read_as_far_as_it_goes():
    graph = graph_of_template([{"task": "a"}, {"task": "b", "dep": 5, "args": "x"}], dependency="resource")

    assert graph.names == ["a", "b"]
    assert graph.links == ()
