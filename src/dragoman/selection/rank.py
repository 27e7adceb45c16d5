"""Which experts fit a task, best first: by language, by where they may run, by what they need, then by rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dragoman.config import Where
from dragoman.models.card import ModelCard
from dragoman.values import Plan, Ref, Task

__all__ = ["Candidate", "fitting", "language_wanted", "ranked"]

_SPOKEN = ("text-to-speech",)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """An expert that could serve a task now. `needs_bytes`: to be fetched first."""

    card: ModelCard
    backend: str
    is_local: bool
    needs_bytes: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """Backend and model, as choices name them."""
        return self.backend, self.card.id


def language_wanted(task: Task, plan: Plan) -> str | None:
    """The language that the expert of `task` must master, as far as the plan tells: BCP 47, or None.

    A task that speaks the result of a translation needs the translation's target.
    """
    target = task.args.get("target")
    if isinstance(target, str):
        return target
    text = task.args.get("text")
    if task.task in _SPOKEN and isinstance(text, Ref):
        source = plan.task(text.task)
        if source.task == "translation":
            return language_wanted(source, plan)
    return None


def fitting(candidates: Iterable[Candidate], *, language: str | None, where: Where) -> list[Candidate]:
    """Those that master `language` and stand where they may run."""
    return [
        candidate
        for candidate in candidates
        if _speaks(candidate.card, language) and (where == "any" or candidate.is_local == (where == "local"))
    ]


def ranked(candidates: Iterable[Candidate], *, record: Mapping[str, float] | None = None) -> Sequence[Candidate]:
    """Best first: local before remote, then this machine's record (share of calls done), the card's rank, downloads."""
    known = record or {}

    def order(candidate: Candidate) -> tuple[bool, float, int, int, str]:
        card = candidate.card
        return (not candidate.is_local, -round(known.get(card.id, 1.0), 1), card.rank, -card.downloads, card.id)

    return sorted(candidates, key=order)


def _speaks(card: ModelCard, language: str | None) -> bool:
    if language is None or not card.languages or "*" in card.languages:
        return True
    return _base(language) in {_base(known) for known in card.languages}


def _base(language: str) -> str:
    return language.replace("_", "-").partition("-")[0].casefold()
