"""Files that were dragged onto a terminal: their paths stand among the words, quoted or escaped as for a shell."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["dragged"]

_PATH = re.compile(
    r"""(?P<quote>['"])(?P<quoted>(?:~|\.{1,2})?/[^'"\n]+)(?P=quote)|(?<!\S)(?P<bare>(?:file://|~|\.{1,2})?/(?:\\.|[^\s\\])+)"""
)


def dragged(line: str) -> tuple[str, list[str]]:
    """The words of the line and the files in it, in order. Among words a file is named by its last part.

    Only what exists is a file; everything else stays as it was typed.
    """
    files: list[str] = []

    def named(found: re.Match[str]) -> str:
        path = _existing(found)
        if path is None:
            return found[0]
        files.append(str(path))
        return path.name

    words = _PATH.sub(named, line).strip()
    is_bare = bool(files) and words == " ".join(Path(name).name for name in files)
    return ("" if is_bare else words), files


def _existing(found: re.Match[str]) -> Path | None:
    text = found["quoted"] or found["bare"]
    if text.startswith("file://"):
        text = unquote(urlsplit(text).path)
    elif found["bare"]:
        text = re.sub(r"\\(.)", r"\1", text)
    try:
        path = Path(text).expanduser()
        return path if path.exists() else None
    except (OSError, ValueError, RuntimeError):
        return None
