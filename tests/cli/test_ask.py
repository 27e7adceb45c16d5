"""`dragoman ask` over fake experts: streams, exit codes, files, and everything a newcomer gets wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman.errors import ExpertError
from dragoman.testing import FakeBackend, media, words

TEXT = "Ada walked to the station."


def test_the_answer_alone_is_on_standard_output(cli: Any, task: Any):
    """Plan, progress and the run's name go to standard error."""
    ran = cli("ask", "Shout it", "--mind", cli.plan(task("summarization", 0, text=TEXT), then="It says: ADA."))

    assert ran.code == 0
    assert ran.out.startswith("It says: ADA.")
    assert "[0] summarization on fake-summarization" in ran.err
    assert "[0] done in" in ran.err
    assert "go on with --session s-" in ran.err
    assert "summarization on" not in ran.out


def test_json_is_one_object_with_every_key(cli: Any, task: Any, is_golden: Callable[[str, Any], None]):
    """A chain of which the second task makes a file; a third that nobody can do."""
    mind = cli.plan(
        task("summarization", 0, text=TEXT),
        task("text-to-speech", 1, text="<resource>-0"),
        task("translation", 2, text="<resource>-0", target="pt"),
        then="I shouted it and read it aloud.",
    )

    ran = cli("ask", "Shout it, read it aloud, translate it", "--json", "--mind", mind)

    assert ran.code == 0
    assert ran.json["status"] == "partial"
    is_golden("ask", ran.json)


def test_a_result_that_json_can_not_say_is_null(cli: Any, task: Any):
    """An expert that returns NaN."""
    cli.backend = FakeBackend({"text-classification": lambda call: [_not_a_number()]})

    ran = cli("ask", "Mood?", "--json", "--mind", cli.plan(task("text-classification", 0, text=TEXT)))

    assert ran.json["outcomes"][0]["outputs"][0]["data"] == [{"label": "x", "score": None}]


def _not_a_number() -> Any:
    from dragoman.testing import data

    return data([{"label": "x", "score": float("nan")}])[0]


def test_what_nobody_can_do_is_refused_with_exit_1(cli: Any, task: Any):
    """The one task of the plan has no expert."""
    ran = cli("ask", "Paint a fox", "--mind", cli.plan(task("text-to-image", 0, text="a fox")))

    assert ran.code == 1
    assert "text-to-image" in ran.out
    assert "dragoman doctor" in ran.err


def test_a_failed_expert_is_exit_1_with_its_reason(cli: Any, task: Any):
    """Tried, and nothing came out."""

    def fail(call: Any) -> Any:
        raise ExpertError("the text is too odd")

    cli.backend = FakeBackend({"summarization": fail})

    ran = cli("ask", "Shorten it", "--mind", cli.plan(task("summarization", 0, text=TEXT)))

    assert ran.code == 1
    assert "the text is too odd" in ran.out + ran.err


def test_control_codes_of_a_model_do_not_reach_the_terminal(cli: Any, task: Any):
    """An expert's words that would clear the screen and set the title."""
    cli.backend = FakeBackend({"summarization": lambda call: words("\x1b[2Jgone\x07 \x9b31m[bold]red[/bold]")})

    ran = cli("ask", "Shorten it", "--mind", cli.plan(task("summarization", 0, text=TEXT)))

    assert "gone" in ran.out
    assert "[bold]red[/bold]" in ran.out
    assert not set("\x1b\x07\x9b").intersection(ran.out + ran.err)


def test_out_copies_what_was_made_and_overwrites_nothing(cli: Any, task: Any, tmp_path: Path):
    """Asked twice into one folder; the first copy stays."""
    out = tmp_path / "results"
    for _ in range(2):
        mind = cli.plan(task("text-to-speech", 0, text=TEXT), then="Read.")
        assert cli("ask", "Read it", "--out", str(out), "--mind", mind).code == 0

    assert sorted(path.name for path in out.iterdir()) == ["0-text-to-speech-2.wav", "0-text-to-speech.wav"]


def test_out_must_be_a_folder(cli: Any, tmp_path: Path):
    """It names a file."""
    (tmp_path / "file").write_text("x")

    ran = cli("ask", "Read it aloud", "--out", str(tmp_path / "file"))

    assert ran.code == 2
    assert "it is a file" in ran.err


def test_a_session_goes_on_under_its_name(cli: Any, task: Any):
    """A name that nobody used before begins a conversation."""
    first = cli("ask", "One", "--json", "--session", "my-talk", "--mind", cli.plan(task("summarization", 0, text="a")))
    second = cli("ask", "Two", "--json", "--session", "my-talk", "--mind", cli.plan(task("summarization", 0, text="b")))

    assert first.json["session"] == second.json["session"] == "my-talk"
    assert [row["words"] for row in cli("runs", "--json", "--session", "my-talk").json] == ["Two", "One"]


def test_standard_input_is_the_request(cli: Any, task: Any):
    """`echo … | dragoman ask -`, alone and after words."""
    mind = cli.plan(task("summarization", 0, text="a"))
    cli("ask", "-", "--mind", mind, stdin="Shorten this.\n")
    mind = cli.plan(task("summarization", 0, text="a"))
    cli("ask", "Shorten this:", "-", "--mind", mind, stdin="A long tale.\n")

    assert [row["words"] for row in cli("runs", "--json").json] == ["Shorten this:\n\nA long tale.", "Shorten this."]


def test_a_large_download_is_not_made_unasked(cli: Any, task: Any):
    """900 MB, nobody to ask: the command that allows it is printed; with --yes it is fetched."""
    cli.backend = FakeBackend({"summarization": lambda call: words("short")}, needs_bytes=900_000_000)

    denied = cli("ask", "Shorten it", "--mind", cli.plan(task("summarization", 0, text=TEXT)))
    allowed = cli("ask", "Shorten it", "--yes", "--mind", cli.plan(task("summarization", 0, text=TEXT)))

    assert denied.code == 1
    assert "--yes" in denied.err
    assert "dragoman models fetch fake-summarization" in denied.err
    assert allowed.code == 0


def test_offline_downloads_nothing(cli: Any, task: Any):
    """A small one, with --offline."""
    cli.backend = FakeBackend({"summarization": lambda call: words("short")}, needs_bytes=1000)

    ran = cli("ask", "Shorten it", "--offline", "--mind", cli.plan(task("summarization", 0, text=TEXT)))

    assert ran.code == 1
    assert cli.backend.fetched == []


@pytest.mark.parametrize(
    ("typed", "code", "says"),
    [
        (("ask",), 2, "`ask` got no words"),
        (("ask", ""), 2, "`ask` got no words"),
        (("ask", "photo.png"), 2, "`ask` got files and no words"),
        (("ask", "What is it?", "--session", "No Spaces"), 2, "a session name is 1 to 64 of"),
        (("ask", "What is it?", "--sesion", "x"), 2, "nearest: `--session`"),
        (("ask", "What is it?", "--where", "moon"), 2, "invalid choice"),
        (("ask", "What is it?", "--max-seconds", "-1"), 2, "seconds above 0"),
        (("ask", "What is it?", "--max-seconds", "soon"), 2, "seconds above 0, got soon"),
        (("ask", "What is it?", "--mind", "scripted:gone.jsonl"), 2, "gone.jsonl"),
        (("ask", "x" * 100_000), 2, "up to 50,000 are read"),
        (("ask", "What is it?", "gone.png"), 1, "gone.png"),
        (("ask", "What is it?", "folder"), 1, "folder"),
        (("ask", "What is it?", "empty.png"), 1, "empty"),
        (("ask", "What is it?", "text.jpg"), 1, "text.jpg"),
    ],
)
def test_what_a_newcomer_gets_wrong_is_one_helpful_line(cli: Any, typed: tuple[str, ...], code: int, says: str):
    """And the exit code tells wrong usage from what can't be done."""
    Path("photo.png").write_bytes(b"\x89PNG")
    Path("folder").mkdir()
    Path("empty.png").write_bytes(b"")
    Path("text.jpg").write_text("Dear diary, this is no picture at all.")

    ran = cli(*typed)

    assert ran.code == code
    assert says in ran.err
    assert ran.out == ""
    assert len([line for line in ran.err.splitlines() if line.startswith("dragoman: ")]) == 1


def test_json_tells_what_went_wrong_before_the_run(cli: Any, task: Any):
    """A home that can't be written: one object with every key, status failed, exit 1."""
    cli("ask", "One", "--mind", cli.plan(task("summarization", 0, text="a")))
    shape = set(cli("ask", "Two", "--json", "--mind", cli.plan(task("summarization", 0, text="a"))).json)
    Path("file").write_text("x")

    class Broken:
        def __init__(self, **given: Any) -> None:
            self.settings = given["settings"]

        async def __aenter__(self) -> Any:
            from dragoman.errors import StoreError

            raise StoreError("the home folder can't be made", helps="set DRAGOMAN_HOME")

        async def __aexit__(self, *exc: object) -> None: ...

        def out(self, run: str) -> Path:
            return Path("out") / run

    cli._open = Broken
    ran = cli("ask", "Three", "--json")

    assert ran.code == 1
    assert set(ran.json) == shape
    assert ran.json["status"] == "failed"
    assert ran.json["fault"] == {"says": "the home folder can't be made", "helps": "set DRAGOMAN_HOME"}


def test_files_come_in_order_and_words_anywhere(cli: Any, task: Any):
    """Options between, the words last."""
    Path("b.txt").write_text("second")
    Path("a.txt").write_text("first")
    mind = cli.plan(task("summarization", 0, text="b.txt"))

    ran = cli("ask", "b.txt", "--mind", mind, "a.txt", "Shorten the first one")

    assert ran.code == 0
    assert cli.backend.calls[0].args == {"text": "second"}


def test_a_file_that_was_made_is_named_by_its_path(cli: Any, task: Any, home: Path):
    """Without a mind's words the plain answer names it."""
    cli.backend = FakeBackend({"text-to-speech": lambda call: (media(b"RIFF, and whatever else"),)})

    ran = cli("ask", "Read it", "--json", "--mind", cli.plan(task("text-to-speech", 0, text=TEXT)))

    path = Path(ran.json["answer"]["resources"][0]["path"])
    assert path.is_relative_to(home / "out" / ran.json["run"])
    assert path.read_bytes() == b"RIFF, and whatever else"
    assert str(path) in ran.json["answer"]["text"]
