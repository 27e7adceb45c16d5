"""The data files: every cue names a task and known symbols, every language reads, every task can be reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.planning.embedded.lexicon import DATA, LANGUAGES, lexicon
from dragoman.planning.embedded.patterns import parse
from dragoman.tasks import SPECS

MARKS = {
    "%labels",
    "%named",
    "%language",
    "%quote",
    "%file",
    "%url",
    "%number",
    "%gap",
    "%guess",
    "%plural",
    "%verb",
    "%it",
}
KINDS = {"#text", "#image", "#audio", "#video", "#table", "#document", "#data"}


def cue_lines(path: Path) -> Iterator[tuple[str, str]]:
    """(task, line) of every pattern of a file."""
    task = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            task = line[1:-1]
        elif line.strip() and not line.startswith("# "):
            yield task, line


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cue_stands_under_a_task_that_there_is(language: str):
    tasks = {task for task, _ in cue_lines(DATA / f"{language}.cues")}

    assert tasks <= {*SPECS, "help"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_symbol_of_a_cue_is_given_to_some_word(language: str):
    """A concept that no word has would make a dead cue."""
    words = [lexicon(code) for code in LANGUAGES]
    known = {s for w in words for group in (*w.exact.values(), *w.stems.values()) for s in group} | MARKS | KINDS
    known |= {s for w in words for rows in w.phrases.values() for _, symbols in rows for s in symbols}
    patterns = [parse(line, task) for task, line in cue_lines(DATA / f"{language}.cues")]
    used = {s for p in patterns for group in (*(e.symbols for e in p.elements), p.never) for s in group}

    assert {symbol for symbol in used if symbol[0] in "@#%" and len(symbol) > 1} - known == set()


def test_no_cue_uses_signs_that_patterns_don_t_know():
    """A literal with a star or a bracket would match nothing."""
    literals = {
        s
        for lang in LANGUAGES
        for t, line in cue_lines(DATA / f"{lang}.cues")
        for e in parse(line, t).elements
        for s in e.symbols
    }

    assert {s for s in literals if re.search(r"[*()]", s)} == set()


def test_every_task_has_a_cue_or_a_rule(kit: object):
    """Pictures along a map and answers about documents are found by rule; all else by cues."""
    cued = {task for task, _ in cue_lines(DATA / "en.cues")}
    by_rule = {name for name in SPECS if name.endswith("-text-to-image")} | {
        "document-question-answering",
        "visual-question-answering",
        "question-answering",
    }

    assert set(SPECS) - cued <= by_rule
