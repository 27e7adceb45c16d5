"""Stage four with a mind: checked, completed, replaced where it must be."""

import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from scenes import CAT, OUT, data, done, failed, file, found, scene, task

from dragoman.answering.answer import compose
from dragoman.answering.scene import Scene
from dragoman.answering.support import MARK
from dragoman.answering.templates import plain_answer
from dragoman.errors import MindUnavailable
from dragoman.minds.base import Ask, Reply
from dragoman.values import Answer


class Writing:
    """A mind that streams its replies, one after the other."""

    name = "writing"
    context_tokens = 8000

    def __init__(self, replies: Sequence[str | Exception]) -> None:
        self.asked: list[Ask] = []
        self._replies = list(replies)

    async def ask(self, question: Ask) -> Reply:
        raise NotImplementedError

    async def stream(self, question: Ask) -> AsyncIterator[str | Reply]:
        self.asked.append(question)
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        for word in reply.split(" "):
            yield word + " "
        yield Reply(text=reply, model=self.name)

    async def aclose(self) -> None:
        pass


LOOKED = scene(
    "What is in it, and how many?",
    (task(0, "image-classification", image="c.png"), done(0, data("labels", CAT))),
    (task(1, "object-detection", image="c.png"), done(1, data("boxes", found("cat", "cat")), file("1.png"))),
    (task(2, "text-to-image", text="a fox"), failed(2, "no expert for that here")),
)


async def answer(looked: Scene, *replies: str | Exception) -> tuple[Answer, Writing, list[str]]:
    mind, told = Writing(replies), list[str]()
    found_ = await compose(
        looked.request,
        plan=looked.plan,
        choices=looked.choices,
        outcomes=looked.outcomes,
        out=OUT,
        mind=mind,
        heard=lambda stage, reply: None,
        tell=told.append,
    )
    return found_, mind, told


async def test_marks_become_claims_and_leave_the_text():
    """Two findings, one remark."""
    said, _, told = await answer(LOOKED, "It is a cat [0]. There are 2 cats [1, 7]. I could not paint: text-to-image.")

    assert said.text.startswith("It is a cat. There are 2 cats.")
    assert [(claim.text, claim.tasks) for claim in said.claims] == [
        ("It is a cat.", (0,)),
        ("There are 2 cats.", (1,)),
    ]
    assert "".join(told).startswith("It is a cat")


@pytest.mark.parametrize(
    "reply", ["<think>a lion?</think>It is a cat [0].", "a lion?</think>It is a cat [0].", "It is a cat [0].<think>or"]
)
async def test_thinking_is_not_said(reply: str):
    """Tags shut, opened too early to be seen, or left open at the end."""
    said, _, _ = await answer(LOOKED, reply)

    assert said.text.startswith("It is a cat.\n")
    assert "lion" not in said.text
    assert "think" not in said.text


async def test_forgotten_files_and_failures_are_added():
    """The draft speaks of neither."""
    said, _, _ = await answer(LOOKED, "It is a cat [0].")

    assert f"- {OUT}/1.png" in said.text
    assert "I couldn't do text-to-image: no expert for that here." in said.text


async def test_an_invented_number_goes_back_once_and_is_then_marked():
    """The mind insists on 77."""
    said, mind, _ = await answer(LOOKED, "There are 77 cats [1].", "It is a cat [0].\nThere are 77 cats [1].")

    assert len(mind.asked) == 2
    assert "77" in mind.asked[1].messages[-1].content
    assert f"There are 77 cats.{MARK}" in said.text
    assert [claim.tasks for claim in said.claims] == [(0,)]


async def test_a_mended_draft_stands():
    """The second draft leaves the number out."""
    said, _, _ = await answer(LOOKED, "There are 77 cats [1].", "There are 2 cats [1].")

    assert said.text.startswith("There are 2 cats.")
    assert MARK not in said.text


@pytest.mark.parametrize(
    "reply",
    [
        MindUnavailable("gone"),
        "",
        "null",
        "NaN",
        "error",
        "{}",
        "<think>It is a cat, surely",
        "The cat is nice and round. " * 6,
        "Your picture is at /home/ada/secret/plans.png now.",
    ],
)
async def test_what_can_not_be_used_is_replaced_by_the_plain_answer(reply: str | Exception):
    """No reply, nothing in it, the same line over and over, a file that nobody made."""
    said, _, _ = await answer(LOOKED, reply)

    assert said == plain_answer(LOOKED)


async def test_the_prompt_holds_results_and_never_bytes():
    """The person's words stand in their own message, unchanged."""
    _, mind, _ = await answer(LOOKED, "It is a cat [0].")
    system, user = mind.asked[0].messages

    assert user.content == LOOKED.request.words
    assert "tabby" in system.content
    assert f"{OUT}/1.png" in system.content
    assert "no expert for that here" in system.content
