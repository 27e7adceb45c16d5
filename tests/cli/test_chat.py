"""`dragoman chat`, its lines out of a pipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_one_request_a_line_in_one_conversation(cli: Any, task: Any):
    """Two requests; nothing is opened twice, the second knows the first."""
    mind = cli.plan(task("summarization", 0, text="a"))
    Path(mind.partition(":")[2]).write_text(Path(mind.partition(":")[2]).read_text() * 2)
    script = Path(mind.partition(":")[2])
    line = script.read_text().replace("}{", "}\n{")
    script.write_text(line)

    ran = cli("chat", "--session", "talk", "--mind", mind, stdin="Shorten it\n\nAgain\n")

    assert ran.code == 0
    assert [row["words"] for row in cli("runs", "--session", "talk", "--json").json] == ["Again", "Shorten it"]
    assert len(cli.opened) == 1
    assert cli.backend.is_closed


def test_files_are_held_until_it_is_said_what_to_do(cli: Any, task: Any):
    """A path alone, then words; /files lists it before and after."""
    Path("my tale.txt").write_text("a tale")
    mind = cli.plan(task("summarization", 0, text="my tale.txt"))
    held = str(Path("my tale.txt").resolve()).replace(" ", "\\ ")

    ran = cli("chat", "--mind", mind, stdin=f"{held}\n/files\nShorten it\n/files\n/quit\nnever read\n")

    assert "got my tale.txt; what is to be done?" in ran.err
    assert "my tale.txt  (for the next request)" in ran.err
    assert "my tale.txt  text, handed over" in ran.err
    assert "by summarization" in ran.err
    assert cli.backend.calls[0].args == {"text": "a tale"}
    assert "never read" not in ran.out + ran.err


def test_a_wrong_line_does_not_end_the_conversation(cli: Any, task: Any):
    """A command that isn't there, a request that is too long, one that can't be served."""
    mind = cli.plan(task("text-to-image", 0, text="a fox"))
    ran = cli("chat", "--mind", mind, stdin=f"/fils\n/help\n{'x' * 60_000}\nPaint a fox\n")

    assert ran.code == 0
    assert "nearest: `/files`" in ran.err
    assert "/quit" in ran.err
    assert "up to 50,000 are read" in ran.err
    assert "text-to-image" in ran.out
