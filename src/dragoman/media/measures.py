"""What is measured of a file at the door, by its kind."""

from __future__ import annotations

from pathlib import Path

from dragoman.media.bounds import LibraryMissing
from dragoman.media.documents import document_facts
from dragoman.media.markup import visible_text
from dragoman.media.pictures import picture_facts
from dragoman.media.records import read_data
from dragoman.media.sounds import sound_facts
from dragoman.media.tables import table_facts
from dragoman.media.texts import read_text
from dragoman.media.videos import video_facts
from dragoman.values import Json, Kind

__all__ = ["facts", "words_of"]


def facts(path: Path, *, kind: Kind, media_type: str) -> dict[str, Json]:
    """The facts of a Resource of this kind, in the names that `Resource` lists.

    Empty where the library that reads it is not installed: to plan with a file is possible without it.
    Raises `MediaError` where the file is broken or beyond a bound, naming the rule.
    """
    if kind == "text":
        return {"chars": len(words_of(path, media_type=media_type))}
    if kind == "data":
        read_data(path, media_type=media_type)
        return {}
    measure = {
        "image": picture_facts,
        "audio": sound_facts,
        "video": video_facts,
        "table": table_facts,
        "document": document_facts,
    }[kind]
    try:
        return measure(path)
    except LibraryMissing:
        return {}


def words_of(path: Path, *, media_type: str) -> str:
    """The words of a text file: of a web page what its reader sees, else all of it. Raises `MediaError`."""
    text = read_text(path)
    return visible_text(text) if media_type == "text/html" else text
