"""TaskBench's metrics against values worked by hand from its program."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.evals.graphs import Case, Graph
from dragoman.evals.published import taskbench_tallies
from dragoman.evals.readings import FORMS, Form
from dragoman.evals.taskbench import graph_of
from dragoman.evals.tools import ToolList

from .examples import RESOURCE, TEMPORAL, case, graph


def scores(
    cases: list[Case], said: list[Graph | None], *, tools: ToolList = RESOURCE, form: Form = "published"
) -> dict[str, float | None]:
    return {name: tally.value() for name, tally in taskbench_tallies(cases, said, tools=tools, form=form).items()}


GOLD = graph(("Speech Recognition", "a.wav"), ("Summarization", "<node-0>"), ("Text-to-Speech", "<node-1>"))


def test_a_hand_worked_plan():
    """Two of three tools right, one too many; one of two links right, one wrong; arguments by type and by value.

    Gold arguments: ASR-audio-a.wav, Sum-text-ASR, TTS-text-Sum. Said: ASR-audio-b.wav, Sum-text-ASR, OD-text-Sum.
    """
    said = graph(("Speech Recognition", "b.wav"), ("Summarization", "<node-0>"), ("Object Detection", "<node-1>"))
    found = scores([case("1", GOLD)], [said])

    assert found["node precision"] == pytest.approx(2 / 3)
    assert found["node recall"] == pytest.approx(2 / 3)
    assert found["node F1"] == pytest.approx(2 / 3)
    assert found["edge F1"] == pytest.approx(1 / 2)
    assert found["argument-type F1"] == pytest.approx(2 / 3)
    assert found["argument-value F1"] == pytest.approx(1 / 3)
    assert found["edit distance"] == pytest.approx(1 - 2 * 2 / 6)
    # Over the list of 5 tools: ASR 1, Sum 1, TTS 0, OD 0, Image Editing (nobody's) 0.
    assert found["node F1, mean over tools"] == pytest.approx(2 / 5)


def test_totals_are_over_all_requests_and_not_means_of_each():
    cases = [case("1", graph("Summarization", "Text-to-Speech")), case("2", graph("Object Detection"))]
    found = scores(cases, [graph("Summarization", "Text-to-Speech"), graph("Summarization")])

    assert found["node F1"] == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))


def test_a_tool_that_is_used_twice_counts_once():
    found = scores([case("1", graph("Summarization", "Summarization"))], [graph("Summarization")])

    assert found["node F1"] == 1
    assert found["edit distance"] == pytest.approx(1 - 2 / 3)


def test_invented_tools_count_against_a_plan_only_strictly():
    said = [graph("Speech Recognition", "Summarization", "Text-to-Speech", "Mind Reading")]
    gold = [case("1", graph("Speech Recognition", "Summarization", "Text-to-Speech"))]

    assert scores(gold, said)["node precision"] == 1
    assert scores(gold, said, form="strict")["node precision"] == pytest.approx(3 / 4)


def test_invented_tools_are_alike_in_the_published_distance_only():
    gold, said = [case("1", graph("Conjuring"))], [graph("Mind Reading")]

    assert scores(gold, said)["edit distance"] == 0
    assert scores(gold, said, form="strict")["edit distance"] == 1


def test_a_plan_that_cannot_be_read_is_left_out_or_scores_zero():
    cases = [case("1", GOLD), case("2", GOLD)]

    assert scores(cases, [GOLD, None])["node F1"] == scores(cases, [GOLD, None])["edge F1"] == 1
    strict = scores(cases, [GOLD, None], form="strict")
    assert strict["node F1"] == strict["edge F1"] == pytest.approx(2 / 3)
    assert strict["edit distance"] == pytest.approx(1 / 2)


def test_an_empty_plan_is_no_unreadable_one():
    assert scores([case("1", GOLD)], [Graph()])["node recall"] == 0


def test_links_are_read_from_arguments_in_resource_domains():
    said = graph(
        ("Speech Recognition", "a.wav"), ("Summarization", "it"), links=[("Speech Recognition", "Summarization")]
    )

    assert scores([case("1", GOLD)], [said])["edge F1"] == 0


def test_links_are_given_where_arguments_have_names():
    gold = graph("get_weather", "send_email", links=[("get_weather", "send_email")])

    assert scores([case("1", gold)], [gold], tools=TEMPORAL)["edge F1"] == 1


def test_links_stand_for_themselves_in_plans_that_tell_no_arguments():
    gold = graph("Speech Recognition", "Summarization", links=[("Speech Recognition", "Summarization")])
    said = graph(("Speech Recognition", "a.wav"), ("Summarization", "<node-0>"))

    found = scores([case("1", gold)], [said])
    assert found["edge F1"] == 1
    assert "argument-type F1" not in found


def test_a_node_that_refers_to_itself_is_no_link():
    said = graph(("Speech Recognition", "<node-0>"), ("Summarization", "<node-0>"))

    assert scores([case("1", GOLD)], [said])["edge F1"] == pytest.approx(2 / 3)


def test_an_argument_that_cannot_be_read_counts_as_the_one_before():
    """`5` and `<node-9>` in Summarization count as `<node-0>` before them did; strictly they are wrong."""
    said = graph(
        ("Speech Recognition", "a.wav"), ("Summarization", "<node-0>", 5, "<node-9>"), ("Text-to-Speech", "<node-1>")
    )

    assert scores([case("1", GOLD)], [said])["argument-value F1"] == 1
    assert scores([case("1", GOLD)], [said], form="strict")["argument-value F1"] == pytest.approx(6 / 7)


def test_an_argument_as_an_object_counts_by_its_first_value():
    said = graph(
        ("Speech Recognition", {"value": "a.wav"}), ("Summarization", ["<node-0>"]), ("Text-to-Speech", "<node-1>")
    )

    assert scores([case("1", GOLD)], [said])["argument-value F1"] == 1


def test_underscores_in_names_are_spaces_in_resource_domains():
    assert scores([case("1", graph("Object_Detection"))], [graph("Object Detection")])["node F1"] == 1


def test_a_prediction_with_a_number_for_a_name_is_left_out_or_read_as_it_is():
    said = graph_of({"task_nodes": [{"task": 5, "arguments": []}, {"task": "Summarization", "arguments": []}]})
    cases = [case("1", graph("Summarization")), case("2", graph("Summarization"))]

    assert scores(cases, [said, graph("Summarization")])["node precision"] == 1
    assert scores(cases, [said, graph("Summarization")], form="strict")["node precision"] == pytest.approx(2 / 3)


def test_an_argument_without_a_name_leaves_a_plan_of_apis_out():
    gold = graph(("get_weather", {"name": "city", "value": "Bern"}))
    said = graph(("get_weather", {"value": "Bern"}))

    assert scores([case("1", gold)], [said], tools=TEMPORAL)["node F1"] is None
    assert scores([case("1", gold)], [said], tools=TEMPORAL, form="strict")["argument-type F1"] == 0


def test_the_arguments_of_apis_are_told_by_name_and_value():
    gold = graph(("get_weather", {"name": "city", "value": "Bern"}, {"name": "day", "value": "Monday"}))
    said = graph(("get_weather", {"name": "city", "value": "Basel"}, {"name": "day", "value": "Monday"}))
    found = scores([case("1", gold)], [said], tools=TEMPORAL)

    assert found["argument-type F1"] == 1
    assert found["argument-value F1"] == pytest.approx(1 / 2)


def test_steps_are_compared_as_one_text():
    gold = [case("1", graph("Summarization", steps=("Step 1: read", "Step 2: sum up")))]
    said = [graph("Summarization", steps=("Step 1: read", "Step 2: sum up"))]

    assert scores(gold, said)["step ROUGE-L"] == 1
    assert scores(gold, [graph("Summarization")])["step ROUGE-1"] is None
    assert scores(gold, [graph("Summarization")], form="strict")["step ROUGE-1"] == 0


names = st.sampled_from([*RESOURCE.specs, "Mind Reading", "Object_Detection"])
arguments = st.one_of(
    st.sampled_from(["a.wav", "b.jpg", "words", "<node-0>", "<node-1>", "<node-7>", "<node-x>", "<node--1>", "<node-"]),
    st.integers(),
    st.none(),
    st.lists(st.one_of(st.text(max_size=3), st.integers()), max_size=2),
    st.dictionaries(st.sampled_from(["name", "value"]), st.text(max_size=3), max_size=2),
)


def plans_of(arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Graph]:
    """Plans whose nodes have such arguments."""
    return st.builds(
        lambda nodes, steps: graph(*nodes, steps=steps),
        st.lists(st.builds(lambda name, args: (name, *args), names, st.lists(arguments, max_size=3)), max_size=4),
        st.one_of(st.none(), st.lists(st.text(max_size=5), max_size=2).map(tuple)),
    )


plans = plans_of(arguments)


@given(st.lists(st.tuples(plans, st.one_of(st.none(), plans)), min_size=1, max_size=4))
def test_scores_lie_between_0_and_1_whatever_the_plans(pairs: list[tuple[Graph, Graph | None]]):
    cases = [case(str(at), gold) for at, (gold, _) in enumerate(pairs)]
    for form in FORMS:
        for value in scores(cases, [said for _, said in pairs], form=form).values():
            assert value is None or 0 <= value <= 1


@given(st.lists(plans_of(st.sampled_from(["a.wav", "words", "<node-0>"])), min_size=1, max_size=4))
def test_the_gold_itself_scores_full_marks(golds: list[Graph]):
    for form in FORMS:
        found: dict[str, Any] = scores([case(str(at), gold) for at, gold in enumerate(golds)], [*golds], form=form)
        assert found.pop("edit distance") == 0
        del found["node F1, mean over tools"]
        steps = [found.pop(name, None) for name in ("step ROUGE-1", "step ROUGE-2", "step ROUGE-L")]
        assert all(value in (None, 1) for value in found.values())
        assert all(value is None or value <= 1 for value in steps)


@given(st.lists(st.tuples(plans, plans), min_size=1, max_size=4))
def test_an_invented_tool_more_never_helps_strictly(pairs: list[tuple[Graph, Graph]]):
    cases = [case(str(at), gold) for at, (gold, _) in enumerate(pairs)]
    before = scores(cases, [said for _, said in pairs], form="strict")["node F1"] or 0
    more = [graph(*[(n.tool, *(n.arguments or ())) for n in said.nodes], ("Wizardry",)) for _, said in pairs]

    assert (scores(cases, [*more], form="strict")["node F1"] or 0) <= before + 1e-12
