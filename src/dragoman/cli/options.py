"""What can be typed after a command: options anywhere, everything else in the order it came."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from dragoman.errors import UsageError

if TYPE_CHECKING:
    from dragoman.config import Settings

__all__ = [
    "Options",
    "Typed",
    "add_expert_options",
    "add_report_options",
    "add_run_options",
    "nearest_of",
    "settings_of",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Typed:
    """What was typed: `options` by name, and the other `words` in order."""

    options: argparse.Namespace
    words: list[str]


class Options(argparse.ArgumentParser):
    """The options of one command. `words` is how the help calls what comes beside them (`"WORDS" [FILES…]`)."""

    def __init__(self, command: str, *, says: str, words: str = "", more: str = "") -> None:
        super().__init__(
            prog=f"dragoman {command}",
            usage=f"dragoman {command} {words}".rstrip() + " [options]",
            description=says,
            epilog=more or None,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self._has_words = bool(words)

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` in place of argparse's two lines and exit."""
        raise UsageError(f"{self.prog}: {message}.", helps=f"{self.prog} --help shows what it takes.")

    def read(self, argv: Sequence[str]) -> Typed:
        """The options and words in `argv`; after `--` everything is a word. Raises `UsageError`."""
        argv = list(argv)
        cut = argv.index("--") if "--" in argv else len(argv)
        options, others = self.parse_known_args(argv[:cut])
        for other in others:
            if other.startswith("-") and other != "-" and " " not in other:
                self._refuse(other)
        words = [*others, *argv[cut + 1 :]]
        if words and not self._has_words:
            self.error(f"it takes no words; got `{words[0][:80]}`")
        return Typed(options=options, words=words)

    def _refuse(self, option: str) -> NoReturn:
        name = option.partition("=")[0]
        known = [string for action in self._actions for string in action.option_strings]
        raise UsageError(
            f"{self.prog} has no option `{name[:80]}`{nearest_of(name, known)}.",
            helps=f"{self.prog} --help shows what it takes; words that begin with `-` go after `--`.",
        )


def nearest_of(name: str, known: Sequence[str]) -> str:
    """`; nearest: …` for the known spelling most like `name`, or nothing."""
    close = difflib.get_close_matches(name[:80], known, n=1, cutoff=0.5)
    return f"; nearest: `{close[0]}`" if close else ""


def add_expert_options(options: Options) -> None:
    """What every command takes that looks at experts."""
    options.add_argument("--offline", action="store_true", help="download nothing")
    options.add_argument("--json", action="store_true", help="print JSON")


def add_report_options(options: Options) -> None:
    """What every command takes that prints one run."""
    options.add_argument("--json", action="store_true", help="print the whole report as one JSON object")


def add_run_options(options: Options) -> None:
    """What every command takes that runs requests."""
    options.add_argument(
        "--mind", metavar="MIND", help="auto, embedded, a model's name, gguf:PATH or scripted:FILE (default: auto)"
    )
    options.add_argument(
        "--where", choices=("local", "remote", "any"), help="where experts may run (default: any, local ones first)"
    )
    options.add_argument("--max-seconds", metavar="N", type=_seconds, help="stop the run after N seconds")
    options.add_argument("--out", metavar="DIR", help="put copies of the files that are made there, too")
    options.add_argument("--yes", action="store_true", help="allow downloads without being asked")
    options.add_argument("--offline", action="store_true", help="download nothing")
    options.add_argument("--fresh", action="store_true", help="compute anew what an earlier run has computed")


def settings_of(options: argparse.Namespace, **overrides: Any) -> Settings:
    """Settings from the environment with what was typed on top, and `overrides` on top of that."""
    from dragoman.config import Settings

    typed: dict[str, Any] = {
        "mind": getattr(options, "mind", None),
        "where": getattr(options, "where", None),
        "run_timeout_s": getattr(options, "max_seconds", None),
        "may_download": getattr(options, "yes", None) or None,
        "is_offline": getattr(options, "offline", None) or None,
        "is_fresh": getattr(options, "fresh", None) or None,
    }
    return Settings.from_env(**(typed | overrides))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e7:
        raise argparse.ArgumentTypeError(f"wanted a number of seconds above 0, got {text}")
    return seconds
