"""Refusing plainly: what was wanted, what is missing, what would help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dragoman.values import Fault, Request

if TYPE_CHECKING:
    from dragoman.planning.embedded.builder import Lack
    from dragoman.planning.embedded.clauses import Clause

_A_KIND = {
    "text": "a text",
    "image": "a picture",
    "audio": "a recording",
    "video": "a video",
    "table": "a table",
    "document": "a document",
    "labels": "the classes to choose from",
    "data": "data",
}


def missing_file(name: str, names: Sequence[str]) -> Fault:
    """A file that the words name and nobody handed over."""
    there = f" There is {', '.join(f'`{n}`' for n in names[:5])}." if names else ""
    return Fault(
        says=f"the request names `{name}`, and no such file was handed over.{there}",
        helps=f'Put the file\'s path behind the words: `dragoman ask "…" {name}`, or correct its name.',
    )


def lacking(lack: Lack, request: Request) -> Fault:
    """A task that is understood and has nothing to work on."""
    wanted = _A_KIND.get(lack.wants, lack.wants)
    came = ", ".join(f"`{r.name}` ({r.kind})" for r in request.resources[:5]) or "no file"
    return Fault(
        says=f"`{lack.task}` needs {wanted}, and the request came with {came}.",
        helps=f"Hand over {wanted}: put its path behind the words, or quote the text in them.",
    )


def not_understood(words: str) -> Fault:
    """Words in which the planner recognises no task."""
    shown = " ".join(words.split())[:80]
    return Fault(
        says=f"the built-in planner finds no task that it knows in “{shown}”.",
        helps="It reads plain requests such as “describe photo.jpg” or “transcribe talk.wav and summarize it”; "
        "connect an LLM for open-ended requests (OPENAI_BASE_URL or --mind).",
    )


def note_on(clause: Clause, words: str) -> str:
    """What is said about a part of the request that no task was found in."""
    return f"not understood: “{words[clause.start : clause.end].strip()[:120]}”"
