"""One string of an argument: words, the name of a resource, a reference to a task, or words with references inside."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from dragoman.planning.fits import Kinds
from dragoman.planning.ledger import Ledger, is_address
from dragoman.planning.references import Ids, Mark, marks_in, name_in
from dragoman.tasks import Slot
from dragoman.values import Arg, Given, Ref, Template

__all__ = ["Strings"]

_BETWEEN = re.compile(r"[\s,;&+|\[\]()]*|\s*(?:,\s*)?and\s*", re.IGNORECASE)
# Names that minds give to the whole of an output; any other name is taken for an output's or a label's.
_WHOLE = re.compile(
    r"(?:.*_)?(?:output|result|results|value|response|data|url|path|file|text|image|audio|video|generated)s?",
    re.IGNORECASE,
)


@dataclass(kw_only=True, slots=True)
class Strings:
    """Reads strings for the task at `place` with the id `task_id`. `meant`: the task that a written name means."""

    place: int
    task_id: int
    ids: Ids
    ledger: Ledger
    kinds: Kinds
    meant: Callable[[str], str | None]
    tell: Callable[[str, str], None]
    faults: list[str]

    def arg(self, text: str, slot: Slot | None) -> Arg:
        """What the string stands for in the slot (None: the slot is not known yet); None where that is nothing."""
        is_words = slot is None or "text" in slot.kinds
        marks = self._marks(text)
        if marks:
            return self._with_marks(text, marks, keeps_words=is_words, takes_many=bool(slot and slot.takes_many))
        found = self.ledger.exact(text) or self._by_name(text)
        if found is not None:
            return found
        if not is_words or is_address(text):
            return self._named(text)
        return text

    def reference(self, text: str) -> Ref | None:
        """The Ref that is the whole of the string, or None."""
        marks = self._marks(text)
        if len(marks) == 1 and not _around(text, marks).strip():
            return self._ref(marks[0], text)
        return None

    def _marks(self, text: str) -> list[Mark]:
        """The references in the text; `<output>-audio` is one only where a task has that id."""
        numbers = re.compile(r"-?\d+")
        return [
            mark
            for mark in marks_in(text)
            if numbers.fullmatch(mark.label) or self.ids.find(mark.label, at=self.place) is not None
        ]

    def _by_name(self, text: str) -> Ref | None:
        """The Ref that `output of Object Detection` means, or None."""
        name = name_in(text)
        task_id = self.ids.named(self.meant(name), at=self.place) if name else None
        if task_id is None or task_id == self.task_id:
            return None
        self.tell(f"`{text.strip()[:60]}` for a result", f"read it as `<resource>-{task_id}`")
        return Ref(task=task_id)

    def _named(self, text: str) -> Arg:
        """A resource by a name that may be off; several names with commas become a list."""
        given = self.ledger.meant(text)
        if given is not None:
            self.tell(f"`{text[:60]}` for a resource", f"took it for `{given.name}`")
            return given
        pieces = [self.ledger.meant(piece) for piece in re.split(r"[,;]| and ", text)]
        known = [piece for piece in pieces if piece is not None]
        if len(known) > 1 and len(known) == len(pieces):
            self.tell("several names in one string", "read them as a list")
            return known
        return Given(name=text.strip()[:500])

    def _with_marks(self, text: str, marks: list[Mark], *, keeps_words: bool, takes_many: bool) -> Arg:
        found = [(mark, self._ref(mark, text)) for mark in marks]
        refs = [ref for _, ref in found if ref is not None]
        around = _around(text, marks)
        is_list = _BETWEEN.fullmatch(around) is not None
        if len(marks) == 1 and not around.strip(" \t\r\n."):
            return refs[0] if refs else None
        if is_list and (takes_many or not keeps_words):
            self.tell("references with commas between them", "read them as a list")
            return list(refs) if len(refs) != 1 else refs[0]
        if not keeps_words:
            self.tell("words around a reference", "took the reference out")
            return list(refs) if len(refs) > 1 else refs[0] if refs else None
        return self._template(text, found)

    def _template(self, text: str, found: list[tuple[Mark, Ref | None]]) -> Arg:
        parts: list[str | Ref] = []
        at = 0
        for mark, ref in found:
            parts.append(text[at : mark.start])
            at = mark.end
            if ref is not None:
                parts.append(ref)
                at = self._end(mark, ref)
            else:
                written = text[mark.start : mark.end][:60]
                self.faults.append(f"task {self.task_id}: no other task has the id in {written!r}, inside its words")
        parts.append(text[at:])
        joined = _joined(parts)
        return Template(parts=joined) if any(isinstance(part, Ref) for part in joined) else "".join(map(str, joined))

    def _end(self, mark: Mark, ref: Ref) -> int:
        """Where the reference ends in the text: `<resource>-0.Then` ends before the full stop."""
        return mark.end - len(mark.pick) - 1 if mark.pick and ref.pick is None and mark.is_exact else mark.end

    def _ref(self, mark: Mark, text: str) -> Ref | None:
        label = mark.label
        if mark.counts_from_one and self.ids.are_missing and label.isdigit():
            label = str(int(label) - 1)
        task_id = self.ids.find(label, at=self.place)
        written = text[mark.start : mark.end].strip()[:60]
        if task_id is None or task_id == self.task_id:
            why = "itself" if task_id is not None else "a task that is not in the plan"
            self.tell(f"`{written}` refers to {why}", "left it out")
            return None
        pick = self._pick(mark.pick, task_id)
        if not mark.is_exact or pick != mark.pick:
            self.tell(f"`{written}` for a result", f"read it as `<resource>-{task_id}{'.' + pick if pick else ''}`")
        elif str(task_id) != label:
            self.tell(f"`{written}`, an id that is not the task's own", f"read it as `<resource>-{task_id}`")
        return Ref(task=task_id, pick=pick)

    def _pick(self, pick: str | None, task_id: int) -> str | None:
        """The pick where it can be one: an output's name, a number, or a label inside data."""
        spec = self.kinds.producers.get(task_id)
        if pick is None or spec is None or any(output.name == pick for output in spec.outputs):
            return pick
        if not spec.makes("data") or _WHOLE.fullmatch(pick):
            return None
        return pick if pick.isdigit() or pick.isupper() or not spec.makes("text") else None


def _around(text: str, marks: list[Mark]) -> str:
    """What stands outside of the references."""
    ends = [0, *(mark.end for mark in marks)]
    starts = [*(mark.start for mark in marks), len(text)]
    return "".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _joined(parts: list[str | Ref]) -> tuple[str | Ref, ...]:
    """The parts with neighbouring words joined and empty ones gone."""
    joined: list[str | Ref] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined)
