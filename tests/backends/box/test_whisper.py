"""Whisper's words as sentences, and what it doubts itself."""

from dataclasses import dataclass

import pytest

from dragoman.backends.box.transcripts import Segment, transcript
from dragoman.backends.box.whisper import is_said, sentences_of


@dataclass
class Word:
    word: str
    start: float
    end: float


@dataclass
class Heard:
    no_speech_prob: float = 0.1
    avg_logprob: float = -0.3
    compression_ratio: float = 1.2
    text: str = " It was the best of times."


def words(text: str) -> list[Word]:
    """Every word a second long, one after another."""
    return [Word(f" {word}", at, at + 1.0) for at, word in enumerate(text.split())]


def test_each_sentence_has_the_times_of_its_words():
    """A title's full stop ends nothing; the last sentence has none."""
    found = sentences_of(words("Dr. Smith came. He left. And"), end_s=5.5)

    assert found == [
        Segment(start_s=0.0, end_s=3.0, text="Dr. Smith came."),
        Segment(start_s=3.0, end_s=5.0, text="He left."),
        Segment(start_s=5.0, end_s=5.5, text="And"),
    ]


def test_no_words_are_no_sentences():
    """Silence."""
    assert sentences_of([], end_s=1.0) == []


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        (Heard(), True),
        (Heard(no_speech_prob=0.7), False),
        (Heard(avg_logprob=-1.2), False),
        (Heard(avg_logprob=float("nan"), compression_ratio=18.0), False),
        (Heard(text=" W-W-W-W-W-W-W-W-W-W"), False),
        (Heard(text=" No, no, no, no!"), True),
    ],
)
def test_what_whisper_doubts_is_left_out(heard: Heard, said: bool):
    """No speech, little belief, the same sign or the same word over and over."""
    assert is_said(heard) is said


def test_a_transcript_has_words_and_times():
    """The outputs as the TaskSpec names them."""
    text, segments = transcript(
        [Segment(start_s=0.123, end_s=1.0, text="Hello."), Segment(start_s=1.0, end_s=2.0, text="Bye.")],
        language="en",
        duration_s=2.345,
    )

    assert (text.name, text.kind, text.text) == ("text", "text", "Hello. Bye.")
    assert segments.data == {
        "language": "en",
        "duration_s": 2.35,
        "segments": [
            {"start_s": 0.12, "end_s": 1.0, "text": "Hello."},
            {"start_s": 1.0, "end_s": 2.0, "text": "Bye."},
        ],
    }
