"""A data set cut in two by a hash of the ids: one half to tune on, one to report, the same on every machine."""

from __future__ import annotations

import hashlib
from typing import Literal

__all__ = ["HALVES", "Half", "half_of"]

Half = Literal["tune", "report"]
HALVES: tuple[Half, ...] = ("tune", "report")


def half_of(case_id: str) -> Half:
    """`tune` where the first byte of the id's SHA-256 is even, else `report`."""
    return "report" if hashlib.sha256(case_id.encode("utf-8", "surrogatepass")).digest()[0] % 2 else "tune"
