"""Names of runs and sessions."""

from __future__ import annotations

import re
import secrets
from datetime import datetime

from dragoman.errors import UsageError

__all__ = ["check_session", "new_run", "new_session"]

_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_SESSION = re.compile(r"[a-z0-9._-]{1,64}")


def _base32(number: int, *, length: int) -> str:
    digits: list[str] = []
    for _ in range(length):
        number, digit = divmod(number, 32)
        digits.append(_CROCKFORD[digit])
    return "".join(reversed(digits))


def new_run(now: datetime) -> str:
    """A run id: 26 characters that sort by time (48 bits of milliseconds, 80 random bits; ULID's layout)."""
    return _base32(int(now.timestamp() * 1000), length=10) + _base32(secrets.randbits(80), length=16)


def new_session() -> str:
    """A session name of our own making."""
    return "s-" + _base32(secrets.randbits(40), length=8)


def check_session(name: str) -> str:
    """`name`, if it may be a session's. Raises `UsageError`."""
    if not _SESSION.fullmatch(name):
        raise UsageError(
            f"a session name is 1 to 64 of a-z, 0-9, `.`, `_` and `-`; `{name[:80]}` is not.",
            helps="try --session my-photos",
        )
    return name
