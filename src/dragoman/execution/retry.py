"""When to try a call again, and how long to wait before."""

from __future__ import annotations

from random import Random

from dragoman.errors import ExpertError

__all__ = ["ATTEMPTS", "delay_s", "is_worth_a_retry"]

ATTEMPTS = 3  # on one expert, for failures that can pass


def is_worth_a_retry(error: ExpertError, *, attempt: int) -> bool:
    """Whether the same expert is asked again after `attempt` tries (from 1)."""
    return error.is_passing and attempt < ATTEMPTS


def delay_s(attempt: int, *, base_s: float, cap_s: float, rng: Random) -> float:
    """Seconds before retry `attempt` (from 0): uniform in [0, min(cap_s, base_s * 2**attempt)].

    Full jitter keeps many callers from retrying in step.
    Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    """
    return rng.uniform(0.0, min(cap_s, base_s * 2**attempt))
