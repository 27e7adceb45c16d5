"""References between tasks as minds write them: `<resource>-1`, `<GENERATED>-1`, `<GENERATED-0>`, `<node-1>.text`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from dragoman.planning.shapes import RawTask
from dragoman.values import Json

__all__ = ["Ids", "Mark", "marks_in", "name_in"]

_WORD = r"(?P<word>resource|generated|node|task|step|output|result|res)s?"
_MARK = re.compile(
    rf"""(?ix)
    (?:<|&lt;) \s* (?:(?:final|output|result)[-_ ]of[-_ ])? {_WORD}
    (?:[-_ ]? (?P<inner>-?\d{{1,9}}))? (?:[-_ ](?:output|result))? \s* (?:>|&gt;)
    (?:\s?[-_]\s?(?P<outer>-?\d{{1,9}}|[a-z]\w{{0,30}}))?
    (?:[.:](?P<pick>\w[\w-]{{0,60}}))?
    """
)
# The same without angle brackets counts only where it is the whole argument.
_BARE = re.compile(
    rf"""(?ix)
    [\[{{(]{{0,2}} \s* (?:(?:the\ )?(?:output|result)[-_ ](?:of|from)[-_ ])? {_WORD}
    [\]}})]{{0,2}} [-_ ]{{0,2}} (?P<inner>-?\d{{1,9}}) (?P<outer>)
    (?:[-_ ](?:output|result))? \s* [\]}})]{{0,2}} (?:\.(?P<pick>\w[\w-]{{0,60}}))?
    """
)
_NUMBERED = re.compile(r"<?\s*(?:resource|generated|task|node|step|id)?s?\s*>?[-_ #]*0*(\d{1,9})\s*>?", re.IGNORECASE)
_BY_NAME = re.compile(
    r"""(?ix)
    [<{%\[("' ]* (?:
      (?:the[_ ])? (?:final[_ ])? (?:output|result)s?[_ -](?:of|from)[_ -](?:the[_ ])? (?P<after>[a-z][\w -]{2,60}?)
      | (?P<before>[a-z][\w -]{2,60}?) [._ ](?:output|result)s?
    ) [>}%\])"' .]*
    """
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """A reference as it stands in a text: from `start` to `end`, to the task labelled `label`."""

    start: int
    end: int
    label: str
    pick: str | None
    is_exact: bool
    counts_from_one: bool


def marks_in(text: str) -> list[Mark]:
    """Every reference in the text, from left to right. `<resource>` with no id is none."""
    bare = _BARE.fullmatch(text.strip()[:200])
    if bare:
        return [_mark(bare, start=0, end=len(text))]
    found = [_mark(match, start=match.start(), end=match.end()) for match in _MARK.finditer(text)]
    return [mark for mark in found if mark.label]


def name_in(text: str) -> str | None:
    """The name in `output_of_Object_Detection` or `{Image-to-Text.output}`, where the whole text is such; or None."""
    match = _BY_NAME.fullmatch(text[:120])
    return (match["after"] or match["before"]) if match else None


def _mark(match: re.Match[str], *, start: int, end: int) -> Mark:
    label = match["inner"] or match["outer"] or ""
    pick = match["pick"]
    if match["inner"] and match["outer"] and pick is None:
        pick = match["outer"]  # `<resource-1>-image`
    return Mark(
        start=start,
        end=end,
        label=label,
        pick=pick,
        is_exact=match[0].startswith("<resource>-"),
        counts_from_one=match["word"].casefold() == "step",
    )


class Ids:
    """Which id each task gets, and which task a written id or name means at a given place."""

    def __init__(self, tasks: Sequence[RawTask], *, names: Sequence[str]) -> None:
        written = [_label(task.id) for task in tasks]
        numbers = [int(label) if re.fullmatch(r"\d{1,9}", label) else None for label in written]
        self.are_kept = None not in numbers and len(set(numbers)) == len(numbers)
        self.are_missing = not any(written)
        self.count_from_one = self.are_missing and _count_from_one(tasks)
        self.of = [number if self.are_kept and number is not None else at for at, number in enumerate(numbers)]
        self._labelled = _places(str(at + self.count_from_one) for at in range(len(tasks)))
        if not self.are_missing:
            self._labelled = _places(written)
        self._named = _places(names)

    def find(self, label: str, *, at: int) -> int | None:
        """The id of the task that `label` means for the task at place `at`."""
        return self._nearest(self._labelled.get(_label(label), []), at)

    def named(self, name: str | None, *, at: int) -> int | None:
        """The id of the task of this name that a task at place `at` means."""
        return self._nearest(self._named.get(name or "", []), at)

    def _nearest(self, places: Sequence[int], at: int) -> int | None:
        """The nearest before `at`, else the next after it, else the task at that place itself."""
        before = [place for place in places if place < at]
        after = [place for place in places if place > at]
        chosen = before[-1] if before else after[0] if after else places[0] if places else None
        return None if chosen is None else self.of[chosen]


def _places(labels: Iterable[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        places.setdefault(label, []).append(place)
    return places


def _count_from_one(tasks: Sequence[RawTask]) -> bool:
    """Whether references into tasks without ids count from one: from zero they make no sense, from one they all do."""
    pairs = [(task.position, number) for task in tasks for number in _numbers(task)]
    return any(number >= place for place, number in pairs) and all(1 <= number <= place for place, number in pairs)


def _numbers(task: RawTask) -> Iterator[int]:
    """The numbers by which a task refers to others."""
    waiting: list[Json] = [value for _, value in task.args]
    while waiting:
        value = waiting.pop()
        if isinstance(value, (list, dict)):
            held = cast("list[Json]", value) if isinstance(value, list) else cast("dict[str, Json]", value).values()
            waiting.extend(held)
        elif isinstance(value, str):
            yield from (int(mark.label) for mark in marks_in(value) if mark.label.isdigit())
    deps = cast("list[Json]", task.dep) if isinstance(task.dep, list) else [task.dep]
    yield from (dep for dep in deps if type(dep) is int and dep >= 0)


def _label(value: Json) -> str:
    """`0`, `"0"`, `0.0`, `"task-0"` and `"#0"` as one label; of other names their small letters; else nothing."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return ""
    text = f"{value:.0f}" if isinstance(value, float) else str(value)[:60]
    number = _NUMBERED.fullmatch(text.strip())
    return number[1] if number else text.strip().casefold()
