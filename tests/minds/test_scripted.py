"""A script answers exactly what it says, in order, and complains by name."""

from pathlib import Path

import pytest

from dragoman.errors import MindRefused, MindUnavailable, UsageError
from dragoman.minds.base import Ask, Message, Reply
from dragoman.minds.scripted import Line, Scripted, read_script


def ask(stage="plan", **more):
    return Ask(stage=stage, messages=[Message(role="user", content="What's this?")], **more)


async def test_each_call_takes_the_next_unused_line_of_its_stage():
    """plan, answer, plan: the second plan call gets the third line."""
    mind = Scripted([Line(stage="plan", reply="a"), Line(stage="answer", reply="b"), Line(stage="plan", reply="c")])

    replies = [(await mind.ask(ask(stage))).text for stage in ("plan", "plan", "answer")]

    assert replies == ["a", "c", "b"]


async def test_running_out_names_the_stage():
    """One plan line, two plan calls."""
    mind = Scripted([Line(stage="plan", reply="a"), Line(stage="answer", reply="b")], name="scripted:x.jsonl")
    await mind.ask(ask())

    with pytest.raises(MindRefused, match=r"scripted:x\.jsonl` has no line left for stage `plan` \(call 2"):
        await mind.ask(ask())


async def test_it_records_what_it_was_asked():
    """The whole question is kept, also of a call that failed."""
    mind = Scripted([])
    with pytest.raises(MindRefused):
        await mind.ask(ask("chat"))

    assert [(q.stage, q.messages[0].content) for q in mind.asked] == [("chat", "What's this?")]


async def test_tokens_are_what_the_line_says():
    """Usage is told, never estimated."""
    mind = Scripted([Line(stage="plan", reply="a", tokens_in=7, tokens_out=2)])

    reply = await mind.ask(ask())

    assert (reply.tokens_in, reply.tokens_out) == (7, 2)


async def test_a_delay_past_the_deadline_is_a_mind_that_went_away():
    """5 s of delay, a deadline of 1 s: it waits 1 s."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    mind = Scripted([Line(stage="plan", reply="a", delay_s=5)], sleep=sleep)

    with pytest.raises(MindUnavailable, match="no reply for stage `plan` in 1 s"):
        await mind.ask(ask(timeout_s=1))
    assert slept == [1]


@pytest.mark.parametrize("text", ["", "one", "two words", "  spaced  out \n lines\n"])
async def test_a_stream_is_the_reply_in_pieces(text):
    """The pieces joined are the text; the reply comes last."""
    mind = Scripted([Line(stage="answer", reply=text)])

    *pieces, last = [piece async for piece in mind.stream(ask("answer"))]

    assert "".join(pieces) == text
    assert isinstance(last, Reply)
    assert last.text == text


def test_a_script_is_json_lines(tmp_path: Path):
    """Empty lines are skipped; a BOM and letters of any language pass."""
    script = tmp_path / "s.jsonl"
    lines = ('\ufeff{"stage": "plan", "reply": "[]"}', "", '{"stage": "chat", "reply": "Olá", "delay_s": 0.5}', "")
    script.write_text("\n".join(lines), "utf-8")

    assert read_script(script) == (Line(stage="plan", reply="[]"), Line(stage="chat", reply="Olá", delay_s=0.5))


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('{"stage": "plan"}', "reply"),
        ('{"stage": "nap", "reply": "x"}', "nap"),
        ('{"stage": "plan", "reply": "x", "delay": 1}', "delay"),
        ("{", "line 2"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, row: str, says: str):
    """The second line is off."""
    script = tmp_path / "s.jsonl"
    script.write_text('{"stage": "plan", "reply": "[]"}\n' + row, "utf-8")

    with pytest.raises(UsageError, match=r"line 2") as caught:
        read_script(script)
    assert says in str(caught.value)


def test_a_missing_script_is_a_usage_error(tmp_path: Path):
    """No traceback for a file that is not there."""
    with pytest.raises(UsageError, match="can't be read"):
        read_script(tmp_path / "none.jsonl")
