"""The mind as an expert: after every expert that was made for its task, and marked as what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dragoman.backends.base import Availability, Call, Produced
from dragoman.backends.mind.answers import outputs
from dragoman.backends.mind.heard import tell as count
from dragoman.backends.mind.questions import TEXT_TASKS, question
from dragoman.errors import ExpertError, MindError
from dragoman.minds.base import Mind
from dragoman.models.card import ModelCard

__all__ = ["RANK", "MindBackend"]

RANK = 900  # behind every expert made for a task


class MindBackend:
    """Puts text tasks to a language model. is_local: it runs on this machine, so that nothing is sent away.

    The mind belongs to whoever opened it: closing this backend leaves it open.
    """

    name = "mind"
    limit = 4

    def __init__(self, mind: Mind, *, is_local: bool) -> None:
        self._mind = mind
        self.is_local = is_local
        sent = "Runs on this machine." if is_local else "What the task needs is sent to its endpoint."
        self._card = ModelCard(
            id=mind.name,
            tasks=TEXT_TASKS,
            description=f"A language model as expert: any language and any wording, from its own knowledge. {sent}",
            license="not stated",
            backend=self.name,
            languages=("*",),
            rank=RANK,
        )

    def cards(self) -> Sequence[ModelCard]:
        """The mind, as one expert for all text tasks."""
        return (self._card,)

    async def availability(self, card: ModelCard) -> Availability:
        """Always: whether the model answers shows when it is asked."""
        del card
        return Availability(can_run=True, because="a language model")

    async def prepare(self, card: ModelCard, *, tell: Callable[[int, int], None]) -> int:
        """Nothing is to be fetched."""
        del card, tell
        return 0

    async def run(self, call: Call) -> tuple[Produced, ...]:
        """Ask, and read the reply. Raises `ExpertError`."""
        asked = question(call)
        try:
            reply = await self._mind.ask(asked)
        except MindError as error:  # the mind has tried again by itself what may pass
            raise ExpertError(f"{error.says} {error.helps}".strip(), helps=error.helps) from error
        count(reply)
        return outputs(reply.text, call, by=f"`{reply.model}`")

    async def aclose(self) -> None:
        """Nothing of its own is open."""
