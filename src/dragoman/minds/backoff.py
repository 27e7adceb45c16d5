"""How long to wait before the same call is made again."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random

__all__ = ["delay_s", "retry_after_s"]


def delay_s(attempt: int, *, rng: Random, base_s: float = 0.5, cap_s: float = 8.0) -> float:
    """Seconds before retry `attempt` (from 0): uniform in [0, min(cap_s, base_s * 2**attempt)].

    Full jitter keeps many callers from retrying in step.
    Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    """
    return rng.uniform(0, min(cap_s, base_s * 2**attempt))


def retry_after_s(header: str | None, *, now: datetime | None = None) -> float | None:
    """The seconds that a `Retry-After` header asks for (a number or a date), or None where it says nothing."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(header) - (now or datetime.now(UTC))).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(0.0, seconds) if seconds == seconds else None  # NaN is no number of seconds
