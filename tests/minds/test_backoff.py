"""Waits are jittered under a growing bound, and endpoints may ask for their own."""

from datetime import UTC, datetime
from random import Random

import pytest

from dragoman.minds.backoff import delay_s, retry_after_s

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_delays_are_uniform_under_a_bound_that_doubles():
    """Half a second, one, two, four, eight, eight."""
    rng = Random(1)
    for attempt, cap in enumerate((0.5, 1, 2, 4, 8, 8)):
        delays = [delay_s(attempt, rng=rng) for _ in range(500)]

        assert 0 <= min(delays) < 0.1 * cap
        assert 0.9 * cap < max(delays) <= cap


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("-1", 0.0),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("nan", None),
        ("", None),
        (None, None),
    ],
)
def test_a_wait_is_read_as_seconds_or_as_a_date(header, seconds):
    """What says nothing asks for nothing."""
    assert retry_after_s(header, now=NOW) == seconds
