"""Prompt files: words with `{{slots}}`, filled strictly. A slot's value is never looked into for further slots."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

__all__ = ["Prompt", "load_prompt"]

_SLOT = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file. `hash`: the first 12 hex digits of its SHA-256, kept in the trace; `slots`: their names."""

    text: str
    name: str = "prompt"
    hash: str = field(init=False)
    slots: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", hashlib.sha256(self.text.encode()).hexdigest()[:12])
        object.__setattr__(self, "slots", frozenset(_SLOT.findall(self.text)))

    def render(self, **values: str) -> str:
        """The prompt with every slot filled. A slot without a value, or a value without a slot, is a `ValueError`."""
        missing, strange = sorted(self.slots - values.keys()), sorted(values.keys() - self.slots)
        if missing or strange:
            raise ValueError(f"prompt `{self.name}`: no value for {missing}, no slot for {strange}.")
        return _SLOT.sub(lambda slot: values[slot[1]], self.text)


@lru_cache(maxsize=32)
def load_prompt(path: Path) -> Prompt:
    """The prompt in a file, read once."""
    return Prompt(path.read_text(encoding="utf-8").strip(), name=f"{path.parent.name}/{path.name}")
