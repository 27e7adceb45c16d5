"""Whether a mind's sentence is backed: numbers and quoted words must stand in the results or follow from them."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator
from typing import cast

from dragoman.answering.scene import Scene
from dragoman.values import Done, Json

__all__ = ["Backing", "marked"]

MARK = " (not backed by any result)"
_NUMBER = re.compile(r"(?<![\w./-])\d+(?:[.,]\d+)*(?![\w/-])(?:\s*%)?")
_QUOTED = re.compile(r"[“\"«„]([^”\"»“]{2,300})[”\"»“]")
_PATHS = re.compile(r"(?:https?://|/)\S+|\b\S+\.[A-Za-z0-9]{2,5}\b")
_LIST_MARK = re.compile(r"(?m)^\s*\d+[.)]\s")
_MAX_TERMS = 40
_SMALL = (0.0, 1.0)  # "one of them", "no": said without counting


class Backing:
    """What the results of a run hold, ready to be asked."""

    def __init__(self, scene: Scene) -> None:
        words = [scene.request.words, *(resource.name for resource in scene.request.ledger())]
        numbers: list[float] = []
        for outcome in scene.outcomes.values():
            outputs = outcome.outputs if isinstance(outcome, Done) else ()
            for made in (output.resource for output in outputs):
                words += [made.text or "", *_strings(made.data)]
                numbers += [*_numbers(made.data), *_numbers(made.facts)]
        self._text = _plain(" ".join(words))
        self._numbers = {*numbers, *(value for word in words for value, _ in _read(word)), *_SMALL}
        self._numbers |= {float(len(scene.plan.tasks)), float(len(scene.request.resources))}

    def unbacked(self, sentence: str) -> list[str]:
        """The numbers and quotations of `sentence` that no result holds and that follow from none."""
        bare = _PATHS.sub(" ", _LIST_MARK.sub(" ", sentence))
        strange = [shown for value, shown in _read(bare) if not self._has(value, shown)]
        return strange + [quote for quote in _QUOTED.findall(sentence) if _plain(quote) not in self._text]

    def _has(self, value: float, shown: str) -> bool:
        candidates = {value, value / 100} if "%" in shown else {value}
        digits = len(shown.rstrip(" %").partition(".")[2])
        return any(self._is_known(candidate, digits + 2 * (candidate != value)) for candidate in candidates)

    def _is_known(self, value: float, digits: int) -> bool:
        """Whether `value` is one of the numbers, rounded as it is shown, or follows from two of them or from all."""
        close = 0.5 * 10.0**-digits + 1e-9
        if any(abs(known - value) <= close for known in self._numbers):
            return True
        terms = sorted(self._numbers)[:_MAX_TERMS]
        return abs(math.fsum(terms) - value) <= close or any(
            abs(result - value) <= close for pair in itertools.combinations(terms, 2) for result in _follows(*pair)
        )


def marked(text: str, backing: Backing) -> str:
    """`text` with a mark behind every line that states what no result holds."""
    return "\n".join(line + MARK if backing.unbacked(line) else line for line in text.split("\n"))


def _follows(one: float, other: float) -> Iterator[float]:
    yield one + other
    yield abs(one - other)
    yield one * other
    if one:
        yield other / one
    if other:
        yield one / other


def _read(text: str) -> Iterator[tuple[float, str]]:
    for found in _NUMBER.finditer(text):
        shown = found[0].replace(" ", "")
        digits = shown.rstrip("%")
        plain = digits.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits) else digits
        try:
            yield float(plain.replace(",", ".")), shown.replace(",", ".")
        except ValueError:  # 1.2.3 is a version or a date, no number
            continue


def _numbers(data: Json) -> Iterator[float]:
    if isinstance(data, bool) or data is None:
        return
    if isinstance(data, (int, float)):
        yield float(data)
    elif isinstance(data, (list, dict)):
        yield float(len(cast("list[Json]", data)))
        yield from (number for item in _items(data) for number in _numbers(item))


def _strings(data: Json) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from cast("dict[str, Json]", data)
        yield from (text for item in _items(data) for text in _strings(item))
    elif isinstance(data, list):
        yield from (text for item in _items(data) for text in _strings(item))


def _items(data: Json) -> Iterable[Json]:
    return cast("dict[str, Json]", data).values() if isinstance(data, dict) else cast("list[Json]", data)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()
