"""A mind as the judge of plans."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.errors import MindRefused, UsageError
from dragoman.evals.critic import Critic, Verdict, Verdicts, critic_tally
from dragoman.evals.linefile import LineFile
from dragoman.minds.scripted import Line, Scripted
from dragoman.tasks import SPECS

from .examples import RESOURCE, case, graph, write_lines

PLAN = graph("Speech Recognition", "Summarization", links=[("Speech Recognition", "Summarization")])
CASE = case("1", PLAN, words="Sum up 'talk.wav'.\nNo prose.")


def critic(*replies: str, plans: dict[str, object] | None = None) -> tuple[Critic, Scripted]:
    mind = Scripted([Line(stage="critic", reply=reply, tokens_in=50, tokens_out=5) for reply in replies])
    return Critic(mind=mind, tools=RESOURCE, graphs={"1": PLAN} if plans is None else {}), mind


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ('{"choice": "yes", "reason": "fine"}', "yes"),
        ('```json\n{"choice": "No", "reason": "too much"}\n```', "no"),
        ('I think so. {"choice": "yes", "reason": "fine",}', "yes"),
        ("Yes, it does all that was asked.", "yes"),
        ("**No**: the summary is missing.", "no"),
        ("It depends.", None),
        ('{"choice": "perhaps"}', None),
        ("", None),
    ],
)
async def test_a_verdict_is_read_however_it_is_written(reply: str, choice: str | None):
    judge, _ = critic(reply)

    assert (await judge.judge(CASE)).choice == choice


async def test_the_critic_is_shown_tasks_examples_plan_and_the_words_as_they_are():
    judge, mind = critic('{"choice": "yes", "reason": "fine"}')
    verdict = await judge.judge(CASE)
    system, user = mind.asked[0].messages

    assert user.content == CASE.words
    assert "Object Detection: Object Detection" in system.content
    assert system.content.endswith("0. Speech Recognition\n1. Summarization, with the result of Speech Recognition")
    assert system.content.count('{"choice": "yes"') >= 3
    assert system.content.count('{"choice": "no"') >= 3
    assert (verdict.tokens_in, verdict.tokens_out) == (50, 5)


async def test_no_plan_is_wrong_without_asking():
    judge, mind = critic(plans={})

    assert (await judge.judge(CASE)).choice == "no"
    assert mind.asked == []


async def test_a_critic_that_ends_is_an_error_and_no_verdict():
    with pytest.raises(MindRefused):
        await critic()[0].judge(CASE)


def test_the_examples_use_our_own_tasks_and_one_that_is_none():
    path = Path(__file__).parents[2] / "src/dragoman/evals/critic.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    unknown = [task[0] for row in rows for task in row["plan"] if task[0] not in SPECS]

    assert unknown == ["animal-recognizer"]
    assert all(other < at for row in rows for at, task in enumerate(row["plan"]) for other in task[1:])


def test_verdicts_are_kept_and_count_only_for_the_plan_that_they_are_about(tmp_path: Path):
    path = tmp_path / "verdicts.jsonl"
    shown = "0. Speech Recognition\n1. Summarization, with the result of Speech Recognition"
    made = Verdict(id="1", choice="no", reason="ü", plan=shown, tokens_in=7)
    Verdicts(file=LineFile(path=path, settings="s")).add(made, CASE)

    again, other = (Verdicts(file=LineFile(path=path, settings="s")) for _ in range(2))
    again.load({"1": PLAN})
    other.load({"1": graph("Summarization")})

    assert (again.done, again.tokens) == ({"1": made}, 7)
    assert other.done == {}


def test_a_file_that_holds_no_verdicts_is_refused(tmp_path: Path):
    path = write_lines(tmp_path / "verdicts.jsonl", {"id": "1", "choice": "maybe", "settings": "s"})

    with pytest.raises(UsageError, match="is no verdict"):
        Verdicts(file=LineFile(path=path, settings="s")).load({})


def test_the_score_is_the_share_of_yes_and_unread_verdicts_are_a_no_only_strictly():
    cases = [case(str(at), PLAN) for at in range(4)]
    verdicts = {str(at): Verdict(id=str(at), choice=choice) for at, choice in enumerate(("yes", "no", None))}

    assert critic_tally(cases, verdicts, form="published").value() == pytest.approx(1 / 2)
    assert critic_tally(cases, verdicts, form="strict").value() == pytest.approx(1 / 4)
