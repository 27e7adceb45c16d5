"""A task's name as a mind wrote it, and the spec that it means."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from dragoman.tasks import ALIASES, TaskSpec

__all__ = ["NEAR", "meant", "nearest_name"]

NEAR = (
    0.86  # at least this alike (difflib), and no word of it is another task's word; `visual-quesrion-answering` is 0.96
)

_PADDING = re.compile(r"^(?:the-)?(?:task-)?|(?:-(?:task|tool|model|api|expert|function))?(?:-\d+)?$")


def meant(name: str, *, specs: Mapping[str, TaskSpec]) -> str | None:
    """The name among `specs` that `name` means by any spelling, alias or slip of the pen, or None."""
    plain = _plain(name)
    spellings = _spellings(specs)
    for spelling in (plain, _PADDING.sub("", plain)):
        if spelling in spellings:
            return spellings[spelling]
    close = difflib.get_close_matches(plain, spellings, n=3, cutoff=NEAR)
    return next((spellings[spelling] for spelling in close if _is_a_slip(plain, spelling, spellings)), None)


def nearest_name(name: str, *, specs: Mapping[str, TaskSpec]) -> str:
    """The name among `specs` that is spelt most like `name`, for a message."""
    spellings = _spellings(specs)
    close = difflib.get_close_matches(_plain(name), spellings, n=1, cutoff=0.0)
    return spellings[close[0]] if close else next(iter(specs), "none")


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name[:80].casefold()).strip("-")


def _spellings(specs: Mapping[str, TaskSpec]) -> dict[str, str]:
    aliases = {_plain(alias): task for task, row in ALIASES.items() if task in specs for alias in row}
    return {**aliases, **{_plain(name): name for name in specs}}


def _is_a_slip(wrong: str, right: str, spellings: Mapping[str, str]) -> bool:
    """Whether `wrong` is `right` misspelt, rather than another task: `video-to-text` is no misspelt `image-to-text`."""
    words = {word for spelling in spellings for word in spelling.split("-")}
    strange = set(wrong.split("-")) - set(right.split("-"))
    return bool(strange) and not strange & words
