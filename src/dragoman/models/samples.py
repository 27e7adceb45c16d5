"""Real media to try things on: a photo, a recording, a clip, each fetched by its hash out of an ordinary package."""

from __future__ import annotations

import difflib
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from dragoman.errors import DragomanError, UsageError
from dragoman.models.card import ModelCard, WeightFile
from dragoman.values import Kind, Value

__all__ = ["Sample", "sample", "samples"]

_ROWS = Path(__file__).with_name("samples.toml")


class Sample(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One piece of media. says: what it shows or sounds like."""

    name: str
    kind: Kind
    says: str
    file: WeightFile

    def card(self) -> ModelCard:
        """The sample as something that a `ModelStore` fetches and keeps."""
        return ModelCard(
            id=f"sample-{self.name}", tasks=(), description=self.says, license=self.file.license, files=(self.file,)
        )


class _Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sample: tuple[Sample, ...]


@cache
def samples(rows: Path = _ROWS) -> tuple[Sample, ...]:
    """Every sample, in the order of the rows. Raises `DragomanError` if a row is wrong."""
    try:
        return msgspec.convert(tomllib.loads(rows.read_text(encoding="utf-8")), _Rows).sample
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise DragomanError(f"{rows.name}: {error}.") from error


def sample(name: str) -> Sample:
    """The sample of this name. Raises `UsageError` that names the nearest."""
    known = {one.name: one for one in samples()}
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name[:80], known, n=1, cutoff=0.5)
    nearest = f"; nearest: `{close[0]}`" if close else ""
    raise UsageError(f"no sample `{name[:80]}`{nearest}.", helps=f"there are: {', '.join(known)}")
