"""Text that stands in the request without quotes: behind a colon, below the instruction, or above it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dragoman.planning.embedded.masks import Mask, masks

# What reads one stretch of words: (asks for a task over text, asks for anything).
Reads = Callable[[str], tuple[bool, bool]]
MOST_PLANNED_CHARS = 4000
_HEAD_CHARS, _TAIL_CHARS = 1500, 700
_MOST_INSTRUCTION_CHARS = 300
_OPENING = re.compile(r"[\"“„«「『`\n]|[:：](?!//)")
_CLOSING = re.compile(r"[\"”»」』`\n]")
_LISTS = "of|classes|categories|labels|topics|groups|options|as|into|between|classe|klassen|kategorien|categorias"
_LIST_OPENER = re.compile(rf"\b(?:{_LISTS})\s*$|(?:类别|以下)\s*$", re.IGNORECASE)
_MOST_STEP_CHARS = 80
_BACK = re.compile(
    r"\b(?:it|that|them|this|original|translation|summary|es|ihn|sie|isso|lo|la|le)\b|它|原文|译文", re.IGNORECASE
)
_NEXT_STEP = "then|after that|afterwards|finally|also|next|danach|dann|depois|luego|ensuite|然后|最后"
_THEN = re.compile(rf"(?<=[.!?。！？])\s+(?=(?:and|und|e|y|et|{_NEXT_STEP})\b)", re.IGNORECASE)


def with_content(words: str, masked: Sequence[Mask], reads: Reads) -> list[Mask]:
    """The masks with one more for unquoted content, if there is some; the planned part of the words is bounded."""
    if len(words) > MOST_PLANNED_CHARS:
        return list(masked)
    found = _behind_colon(words, masked, reads) or _by_paragraphs(words, reads)
    if found is None:
        return list(masked)
    outside = [m for m in masked if m.end <= found.start or m.start >= found.end]
    return sorted([*outside, found], key=lambda m: m.start)


def long_masks(words: str, names: Sequence[str], reads: Reads) -> list[Mask]:
    """The masks of words too long to be all instruction: the middle is content, the two ends are read."""
    start, is_opened = _content_start(words)
    end = _content_end(words, start, reads=reads, is_opened=is_opened)
    if not is_opened and end < len(words) and words[end] == "\n" and not reads(words[:_MOST_INSTRUCTION_CHARS])[1]:
        start = 0
    content = _quote(words, start, end)
    tail = [replace(m, start=m.start + end, end=m.end + end) for m in masks(words[end:], names)]
    return [*masks(words[:start], names), *([content] if content else []), *tail]


def _content_start(words: str) -> tuple[int, bool]:
    """Where the content of long words begins: behind the first quote mark, colon or line; else behind what is read."""
    hit = _OPENING.search(words, 3, _HEAD_CHARS)
    return (hit.end(), True) if hit else (_HEAD_CHARS, False)


def _content_end(words: str, start: int, *, reads: Reads, is_opened: bool) -> int:
    """Where the content of long words ends: before a last line or closing quote with an instruction behind it."""
    tail_start = max(start, len(words) - _TAIL_CHARS)
    hits = [hit for hit in _CLOSING.finditer(words, tail_start) if hit.end() > start]
    for hit in reversed(hits[-3:]):
        if reads(words[hit.end() :])[1] or (hit.group() != "\n" and not words[hit.end() :].strip(" .!?")):
            return hit.start()
    return len(words) if is_opened else tail_start


def _quote(words: str, start: int, end: int) -> Mask | None:
    text = words[start:end]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    return Mask(start=start, end=start + len(text), kind="quote", value=text) if text else None


def _is_free(position: int, masked: Sequence[Mask]) -> bool:
    return not any(mask.start <= position < mask.end for mask in masked)


def _behind_colon(words: str, masked: Sequence[Mask], reads: Reads) -> Mask | None:
    hit = next(
        (h for h in re.finditer(r"[:：](?!//)", words[:_MOST_INSTRUCTION_CHARS]) if _is_free(h.start(), masked)), None
    )
    if hit is None:
        return None
    head, tail = words[: hit.start()], words[hit.end() :]
    if _LIST_OPENER.search(head):
        return None
    named = [m for m in masked if m.start >= hit.end() and m.kind != "quote"]
    if not tail.strip() or (named and len(tail.split()) < 5 + 2 * len(named)):
        return None  # `Translate into French: notes.txt` names a file; a sentence that mentions one is content.
    if any(m.kind == "quote" and m.start - hit.end() < 3 for m in masked if m.start >= hit.end()):
        return None
    if not reads(head)[0]:
        return None
    end = len(words)
    cut = None if "\n" in tail else _THEN.search(words, hit.end())
    if cut is not None and _points_back(words[cut.end() :]) and reads(words[cut.end() :])[1]:
        end = cut.start()
    return _quote(words, hit.end(), end)


def _points_back(words: str) -> bool:
    """Whether a last short sentence speaks of the content: `then read it aloud`. Else it belongs to the content."""
    return len(words) <= _MOST_STEP_CHARS and _BACK.search(words) is not None


def _by_paragraphs(words: str, reads: Reads) -> Mask | None:
    """Below a first line that asks for something over text, or above a last line that does."""
    if "\n" not in words.strip():
        return None
    stripped = words.strip()
    offset = words.index(stripped[0])
    first_end = offset + stripped.index("\n")
    rest = words[first_end:].strip()
    if (
        first_end - offset <= _MOST_INSTRUCTION_CHARS
        and _is_prose(rest)
        and reads(words[:first_end])[0]
        and not _is_list(rest, reads)
    ):
        return _quote(words, first_end, len(words))
    last_start = offset + stripped.rindex("\n")
    before = words[offset:last_start].strip()
    if (
        len(words) - last_start <= _MOST_INSTRUCTION_CHARS
        and _is_prose(before)
        and len(before.split()) > 15
        and reads(words[last_start:])[0]
    ):
        return _quote(words, offset, last_start)
    return None


def _is_prose(text: str) -> bool:
    return len(text.split()) >= 4 or len(text) >= 12


def _is_list(text: str, reads: Reads) -> bool:
    """Whether each line (of a few) asks for something: a list of instructions, not content."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) <= 12 and all(len(line) <= 200 and reads(line)[1] for line in lines)
