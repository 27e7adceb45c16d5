"""What speech recognition gives back: the words, and when they were said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.backends.base import Produced
from dragoman.backends.box.texts import data_output, text_output


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """A stretch of speech and its words."""

    start_s: float
    end_s: float
    text: str


def transcript(segments: Sequence[Segment], *, language: str, duration_s: float) -> list[Produced]:
    """The outputs of `automatic-speech-recognition`; the text is empty where nothing was said."""
    rows = [{"start_s": round(one.start_s, 2), "end_s": round(one.end_s, 2), "text": one.text} for one in segments]
    data = {"language": language, "duration_s": round(duration_s, 2), "segments": rows}
    return [text_output(" ".join(one.text for one in segments)), data_output(data, name="segments")]
