"""The three standard streams, written so that nothing from a file or a model can steer the terminal."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from collections.abc import Mapping
from typing import Any, TextIO

__all__ = ["Terminal", "clean"]

# C0 but for tab and newline, DEL, and C1, which some terminals obey.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # they show text in another order than it is written
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """`text` with what could steer a terminal replaced by `�`; line ends as newlines."""
    return _CONTROLS.sub("\ufffd", _TURNS.sub("", _LINE_ENDS.sub("\n", text)))


class Terminal:
    """Standard input, output and error. Answers and listings go to output, everything else to error."""

    def __init__(
        self,
        *,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.stdin = stdin or sys.stdin
        self.stdout = stdout or sys.stdout
        self.stderr = stderr or sys.stderr
        self.environ = os.environ if environ is None else environ
        for stream in (self.stdout, self.stderr):
            # A letter that the terminal's encoding lacks is shown as an escape; it must not end the run.
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]

    @property
    def has_live_view(self) -> bool:
        """Whether standard error is a terminal that can redraw lines."""
        return _is_tty(self.stderr) and self.environ.get("TERM") not in ("dumb", "unknown")

    @property
    def has_styled_output(self) -> bool:
        """Whether answers are written to a terminal, where links and colours work."""
        return _is_tty(self.stdout) and self.environ.get("TERM") not in ("dumb", "unknown")

    @property
    def can_ask(self) -> bool:
        """Whether a person sits there who can be asked."""
        return _is_tty(self.stdin) and _is_tty(self.stderr)

    def show(self, text: str) -> None:
        """Write `text` and a newline to standard output."""
        _write(self.stdout, clean(text) + "\n")

    def say(self, text: str) -> None:
        """Write `text` and a newline to standard error."""
        _write(self.stderr, clean(text) + "\n")

    def redraw(self, line: str) -> None:
        """Put `line`, cut to the width of the terminal, in place of the last line of standard error."""
        import shutil

        _write(self.stderr, "\r\x1b[K" + clean(line)[: shutil.get_terminal_size().columns - 1])
        self.stderr.flush()

    def complain(self, says: str, *, helps: str = "") -> None:
        """Say what went wrong, in one line, and what would help, in another."""
        lines = [" ".join(f"dragoman: {says}".split()), *(f"  {helps}" for _ in (0,) if helps)]
        with contextlib.suppress(OSError, ValueError):
            self.say("\n".join(lines))

    def show_json(self, content: Any) -> None:
        """Write one JSON value to standard output: indented for a person, on one line for a program. Never NaN."""
        import json

        is_person = _is_tty(self.stdout)
        is_utf8 = (getattr(self.stdout, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
        try:
            text = json.dumps(content, ensure_ascii=not is_utf8, allow_nan=False, indent=2 if is_person else None)
        except ValueError:
            from dragoman.store import plain_json

            return self.show_json(plain_json(content))
        _write(self.stdout, _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")
        return None

    def flush(self) -> None:
        """Hand everything over now, so that a full disk or a closed pipe shows here and not at exit."""
        for stream in (self.stdout, self.stderr):
            if stream is not None:
                stream.flush()

    def abandon(self) -> None:
        """Send what is still buffered nowhere: whoever read it is gone."""
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stdout.fileno())
            os.close(nowhere)


def is_closed_pipe(error: BaseException) -> bool:
    """Whether `error` only says that the reader of our output went away."""
    return isinstance(error, BrokenPipeError) or (isinstance(error, OSError) and error.errno == errno.EPIPE)


def _is_tty(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def _write(stream: TextIO | None, text: str) -> None:
    if stream is not None:
        stream.write(text)
