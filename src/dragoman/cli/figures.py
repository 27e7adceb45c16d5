"""Numbers as a person reads them."""

from __future__ import annotations

from dragoman.values import Json

__all__ = ["briefly", "seconds", "size"]


def size(count_bytes: int) -> str:
    """`840 kB`, `17 MB`, `1.1 GB`."""
    if count_bytes >= 999_500_000:
        return f"{count_bytes / 1e9:.1f} GB"
    if count_bytes >= 999_500:
        return f"{count_bytes / 1e6:.0f} MB"
    return f"{max(1, round(count_bytes / 1e3))} kB" if count_bytes else "0"


def seconds(duration_s: float) -> str:
    """`0.03 s`, `4.2 s`, `2 min 5 s`."""
    if duration_s >= 60:
        minutes, rest = divmod(round(duration_s), 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{duration_s:.2f} s" if duration_s < 1 else f"{duration_s:.1f} s"


def briefly(value: Json, *, chars: int = 40) -> str:
    """An argument of a task on one line, cut to `chars`."""
    words = [str(element) for element in value] if isinstance(value, list) else [str(value)]
    line = " ".join(", ".join(words).split())
    return line if len(line) <= chars else line[: chars - 1].rstrip() + "…"
