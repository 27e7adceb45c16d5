"""A mind is shown what is nearest to the request, and not all of one kind."""

import pytest

from dragoman.planning.demonstrations import Demonstration, by_words, demonstrations, nearest
from dragoman.planning.graph import check
from dragoman.planning.reader import read_plan
from dragoman.tasks import SPECS
from dragoman.values import Request, Resource, Turn


def demo(words, *tasks, **more):
    return Demonstration(request=words, plan=[{"task": task, "id": n} for n, task in enumerate(tasks)], **more)


POOL = (
    demo("Translate this into French.", "translation"),
    demo("Translate that into French, please.", "translation"),
    demo("Translate it into French for me.", "translation"),
    demo("Say what the French text says, aloud.", "text-to-speech"),
    demo("Find the edges of the photo.", "canny-control"),
    demo("Tell me a joke."),
    demo("And into French?", "translation", history=({"words": "a", "answer": "b"},)),
)


def test_the_nearest_comes_last():
    """Next to the request, where a mind looks most."""
    shown = nearest(Request(words="Find the edges in this photo"), count=3, pool=POOL)

    assert shown[-1].request == "Find the edges of the photo."


def test_one_kind_of_task_does_not_fill_all_places():
    """Three near copies about translation, and speech still gets in."""
    shown = nearest(Request(words="Translate this into French and say it"), count=3, pool=POOL)

    assert {"translation", "text-to-speech"} <= {task for found in shown for task in found.tasks()}


def test_a_guess_at_the_tasks_outweighs_words():
    """In a language that no demonstration is written in."""
    shown = nearest(Request(words="Найди контуры"), count=1, pool=POOL, guess=("canny-control",))

    assert shown[0].tasks() == ("canny-control",)


def test_a_likeness_can_be_passed_in():
    """Vectors where an embedding model is at hand."""
    shown = nearest(
        Request(words="x"), count=1, pool=POOL, likeness=lambda _, others: [float("edges" in other) for other in others]
    )

    assert shown[0].tasks() == ("canny-control",)


def test_multi_turn_demonstrations_are_for_multi_turn_requests():
    """Without a conversation they would only confuse."""
    alone = nearest(Request(words="And into French?"), count=6, pool=POOL)
    later = nearest(Request(words="And into French?", history=(Turn(words="a", answer="b"),)), count=6, pool=POOL)

    assert not any(found.history for found in alone)
    assert any(found.history for found in later)


def test_chinese_is_compared_without_spaces():
    """Pairs of signs stand for words."""
    same, other = by_words("这张图片里有什么", ["图片里有什么动物", "把这段话翻译成英语"])

    assert same > other


@pytest.mark.parametrize("words", ["", "...", "🦊"])
def test_words_like_nothing_still_get_demonstrations(words):
    """Four are shown whatever the request."""
    assert len(nearest(Request(words=words))) == 4


def test_at_least_120_demonstrations_cover_every_task():
    """Singles, chains, graphs and several turns over the whole catalogue."""
    shown = demonstrations()

    assert len(shown) >= 120
    assert {task for found in shown for task in found.tasks()} == set(SPECS)
    assert any(found.history for found in shown)
    assert any(len(found.plan) == 1 for found in shown)
    assert any(len(found.plan) > 2 for found in shown)


def test_every_demonstration_is_a_plan_without_fault_or_repair():
    """What a mind is shown is exactly what it should write."""
    for found in demonstrations():
        files = [*found.files, *(file for turn in found.history for file in (*turn.asked, *turn.made))]
        ledger = [Resource(name=f.name, kind=f.kind, media_type="x/x", sha256="0" * 64) for f in files]
        reply = found.text().splitlines()[-1]
        read = read_plan(reply, ledger=ledger)
        checked = check(read.plan, ledger=ledger)

        assert (found.request, read.repairs, read.faults) == (found.request, (), ())
        assert (found.request, checked.repairs, checked.faults) == (found.request, (), ())
