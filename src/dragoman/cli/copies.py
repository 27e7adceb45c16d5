"""`--out DIR`: copies of the files that a run made, put where the person wants them, over nothing."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path

from dragoman.errors import StoreError, UsageError
from dragoman.journal.report import Report
from dragoman.values import FILE_KINDS, Done

__all__ = ["copy_out", "usable_folder"]


def usable_folder(name: str) -> Path:
    """The folder, made if it is not there. Raises `UsageError` if it can't be."""
    folder = Path(name).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "it is a file" if folder.is_file() else error.strerror
        raise UsageError(f"--out wants a folder; {name} can't be one: {reason}.") from error
    return folder


def copy_out(report: Report, *, made_in: Path, folder: Path) -> list[Path]:
    """Copies of every file that the run made, under its name or that with a number. Raises `StoreError`."""
    names = [
        output.resource.name
        for outcome in report.outcomes
        if isinstance(outcome, Done)
        for output in outcome.outputs
        if output.resource.kind in FILE_KINDS
    ]
    try:
        return [_copied(made_in / name, folder=folder) for name in dict.fromkeys(names)]
    except OSError as error:
        raise StoreError(
            f"the files could not be copied to {folder}: {error.strerror}.", helps=f"they are in {made_in}"
        ) from error


def _copied(source: Path, *, folder: Path) -> Path:
    for number in count(1):
        target = folder / (source.name if number == 1 else f"{source.stem}-{number}{source.suffix}")
        try:
            with target.open("xb") as sink, source.open("rb") as content:
                shutil.copyfileobj(content, sink)
        except FileExistsError:
            continue
        return target
    raise AssertionError("count() has no end")
