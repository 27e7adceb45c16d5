"""What is measured of a file at the door, by its kind."""

from __future__ import annotations

from pathlib import Path

from dragoman.media.documents import document_facts
from dragoman.media.pictures import picture_facts
from dragoman.media.records import read_data
from dragoman.media.sounds import sound_facts
from dragoman.media.tables import table_facts
from dragoman.media.texts import read_text
from dragoman.media.videos import video_facts
from dragoman.values import Json, Kind

__all__ = ["facts"]


def facts(path: Path, *, kind: Kind, media_type: str) -> dict[str, Json]:
    """The facts of a Resource of this kind, in the names that `Resource` lists.

    Raises `MediaError` where the file is broken or beyond a bound, naming the rule.
    """
    if kind == "text":
        return {"chars": len(read_text(path))}
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
    return measure(path)
