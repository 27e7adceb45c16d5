"""Weights that travel in parts, put together once after fetching."""

from __future__ import annotations

import shutil
from pathlib import Path


def join(files: dict[str, Path], out: Path) -> None:
    """`model.bin` of its parts, in the order of their names."""
    with (out / "model.bin").open("wb") as whole:
        for name in sorted(name for name in files if name.startswith("model.bin.part")):
            with files[name].open("rb") as part:
                shutil.copyfileobj(part, whole)
