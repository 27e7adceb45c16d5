"""Units of time, length and weight, so that two hours can be compared with a column of minutes. Pure Python."""

from __future__ import annotations

from collections.abc import Mapping

_FAMILIES: tuple[Mapping[str, float], ...] = (
    {
        "s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600, "day": 86400,
        "week": 604_800,
    },
    {
        "mm": 0.001, "cm": 0.01, "m": 1, "meter": 1, "metre": 1, "km": 1000, "kilometer": 1000, "kilometre": 1000,
        "mile": 1609.344, "ft": 0.3048, "foot": 0.3048, "feet": 0.3048, "inch": 0.0254,
    },
    {
        "mg": 1e-6, "g": 0.001, "gram": 0.001, "kg": 1, "kilo": 1, "kilogram": 1, "t": 1000, "ton": 1000,
        "lb": 0.45359237,
    },
)  # fmt: skip


def factor(unit: str, other: str) -> float | None:
    """By what an amount in `unit` is multiplied to be one in `other`: 60 for hours and minutes; None if that can't be.

    1 where either is no unit known here.
    """
    one, two = _known(unit), _known(other)
    if one is None or two is None:
        return 1.0
    return one[1] / two[1] if one[0] == two[0] else None


def _known(unit: str) -> tuple[int, float] | None:
    low = unit.lower().strip(". ")
    for at, family in enumerate(_FAMILIES):
        for name in (low, low.removesuffix("s"), low.removesuffix("es")):
            if name in family:
                return at, family[name]
    return None
