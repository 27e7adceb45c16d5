"""The sound experts with their real weights: what is said is heard, what is not said is not, noise goes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dragoman.backends.base import Adapter, Item, Produced
from dragoman.backends.box.reading import as_read
from dragoman.errors import ExpertError
from dragoman.media import read_audio, wav_bytes
from dragoman.models import box
from dragoman.models.fetch import ModelStore
from dragoman.models.samples import sample
from dragoman.registry import load
from dragoman.tasks.catalogue import SPECS
from dragoman.values import Resource

pytestmark = [pytest.mark.box, pytest.mark.timeout(300)]

CARDS = {card.id: card for card in box.cards()}
VOICE = "piper-joe-en-us"
LISTENERS = ["whisper-tiny-en", "whisper-base", "moonshine-tiny-en"]
DETECTORS = ["silero-vad", "fireredvad"]
CLASSIFIERS = ["yamnet", "fireredvad"]
CLEANERS = ["deepfilternet3", "nsnet2"]
RATE_HZ = 16_000
SENTENCES = [
    "The quick brown fox jumps over the lazy dog.",
    "Dr. Smith paid $3.50 for an apple and a pear on March 5, 2024.",
    "Ada Lovelace wrote to Charles Babbage in 1843.",
    "Mr. Schmidt flew to Washington, D.C. at 10:30 a.m.",
    "Where is the station? It is 2.5 miles from here, next to St. Mary's Church.",
    "NO PARKING. VIOLATORS WILL BE TOWED.",
    "The names are Angela Merkel, Barack Obama and Alan Turing.",
    "The FBI and NASA agreed to record the record of Henry VIII.",
    "I have read the book that he read in the garden near the lead mine.",
    "This picture shows a tabby cat with a score of 0.41.",
    "Water boils at 100°C, which is 212°F.",
]
SPOKEN = [(0.2, 1.3), (1.8, 2.9), (3.4, 4.3), (4.8, 5.7), (6.5, 7.5), (8.0, 9.0)]  # in the sample, by ear
WORDS = "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better."

Recording = Callable[[str, Any], Item]


@cache
def adapter(card_id: str, home: Path) -> Adapter:
    """The expert, loaded once for all tests."""
    card, store = CARDS[card_id], ModelStore(home)
    if not store.is_fetched(card):
        pytest.fail(f"{card_id} is not fetched: run `dragoman models fetch {card_id}` first")
    return load(card.adapter)(card=card, files=store.files_of(card), threads=1)


@cache
def read_aloud(sentence: str, home: Path) -> bytes:
    """The sentence as a WAV file, made once for all listeners."""
    made = adapter(VOICE, home).run(task="text-to-speech", args={"text": sentence}, tell=lambda done, says: None)
    assert made[0].payload is not None
    return made[0].payload


def item(path: Path) -> Item:
    """A recording as an adapter gets it."""
    return Item(path=path, resource=Resource(name=path.name, kind="audio", media_type="audio/wav", sha256=""))


@pytest.fixture(scope="session")
def speech(weights_home: Path) -> Path:
    """The sample of a man who speaks six short sentences."""
    one = sample("speech")
    path = ModelStore(weights_home).path_of(one.card(), one.file.name)
    if not path.is_file():
        pytest.fail("the sample `speech` is not fetched: run `dragoman sample speech` first")
    return path


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    """Samples at 16 kHz, or the bytes of a file, as a recording."""

    def record(name: str, sound: Any) -> Item:
        path = tmp_path / f"{name}.wav"
        path.write_bytes(sound if isinstance(sound, bytes) else wav_bytes(np.float32(sound), rate_hz=RATE_HZ))
        return item(path)

    return record


@pytest.fixture
def run(weights_home: Path) -> Callable[..., dict[str, Produced]]:
    """One call; its outputs by name, as the TaskSpec has them and fit for JSON."""

    def call(card_id: str, task: str, **args: Any) -> dict[str, Produced]:
        told: list[float] = []
        made = adapter(card_id, weights_home).run(task=task, args=args, tell=lambda done, says: told.append(done))
        assert [(one.name, one.kind) for one in made] == [(one.name, one.kind) for one in SPECS[task].outputs]
        assert told == sorted(told)
        assert all(0 <= done <= 1 for done in told)
        for one in made:
            assert json.loads(json.dumps([one.data, one.facts], allow_nan=False)) == [one.data, one.facts]
        return {one.name: one for one in made}

    return call


def pink(length_s: float, seed: int = 1) -> np.ndarray:
    """Pink noise at 16 kHz, at a tenth of full scale."""
    rng = np.random.default_rng(seed)
    frequencies = np.fft.rfftfreq(int(length_s * RATE_HZ), 1 / RATE_HZ)
    bins = rng.standard_normal(len(frequencies)) + 1j * rng.standard_normal(len(frequencies))
    noise = np.fft.irfft(bins / np.sqrt(np.maximum(frequencies, 20)))
    return 0.1 * noise / noise.std() / 3


def chord(length_s: float) -> np.ndarray:
    """A held chord of three tones with overtones, like an organ."""
    time = np.arange(int(length_s * RATE_HZ)) / RATE_HZ
    tones = [np.sin(2 * np.pi * hz * k * time) / k for hz in (220.0, 277.2, 329.6) for k in (1, 2, 3)]
    return 0.1 * np.sum(tones, axis=0)


SOUNDS = {"silence": np.zeros(5 * RATE_HZ), "noise": pink(10), "chord": chord(5), "one sample": np.zeros(1)}


def words(text: str) -> list[str]:
    """Words as they are spoken: figures and short forms in full."""
    return re.findall(r"[a-z']+", as_read(text).lower())


def errors(wanted: list[str], heard: list[str]) -> int:
    """The fewest words to change, add or drop."""
    row = list(range(len(heard) + 1))
    for index, want in enumerate(wanted, start=1):
        corner, row[0] = row[0], index
        for at, hear in enumerate(heard, start=1):
            corner, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, corner + (want != hear))
    return row[-1]


def gain_db(clean: np.ndarray, noisy: np.ndarray, cleaned: np.ndarray) -> float:
    """How much nearer `cleaned` is to `clean` than `noisy` was: scale-invariant ratio of signal to distortion.

    Source: Le Roux et al., "SDR – half-baked or well done?", arXiv 1811.02508.
    """

    def ratio_db(heard: np.ndarray) -> float:
        target = clean * (heard @ clean) / (clean @ clean)
        return float(10 * np.log10((target @ target) / ((heard - target) @ (heard - target))))

    return ratio_db(cleaned) - ratio_db(noisy)


@pytest.mark.parametrize(("listener", "most"), [("whisper-tiny-en", 0.1), ("moonshine-tiny-en", 0.15)])
def test_what_is_read_aloud_is_heard_again(
    run: Any, recording: Recording, weights_home: Path, listener: str, most: float
):
    """Eleven sentences with names, figures, money, dates and short forms; the share of words that come back wrong."""
    wrong, total = 0, 0
    for sentence in SENTENCES:
        said = recording("said", read_aloud(sentence, weights_home))
        heard = run(listener, "automatic-speech-recognition", audio=said)["text"].text
        wrong += errors(words(sentence), words(heard))
        total += len(words(sentence))

    assert wrong / total <= most


def test_speech_is_as_long_as_its_facts_say_and_paragraphs_pause(run: Any, recording: Recording):
    """Two words in one paragraph, and in two."""
    together = run(VOICE, "text-to-speech", text="Yes. No.")["speech"]
    apart = run(VOICE, "text-to-speech", text="Yes.\n\nNo.")["speech"]
    samples = read_audio(recording("said", apart.payload).path, rate_hz=22_050)

    assert apart.facts["duration_s"] == pytest.approx(len(samples) / 22_050, abs=0.01)
    assert apart.facts["duration_s"] > together.facts["duration_s"]
    assert 0.8 < np.abs(samples).max() < 1.0


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ({"text": "Onde fica a estação?"}, "looks like Portuguese"),
        ({"text": "火车站在哪里？"}, "looks like Chinese script"),
        ({"text": "Hello", "target": "pt-BR"}, "`pt-BR` was asked for"),
        ({"text": "  "}, "`text` must be words"),
        ({"text": "... — !"}, "no word that can be read aloud"),
        ({"text": "word " * 5_000}, "at most 20,000 characters"),
        ({"text": "7" * 15_000}, "at most 30,000 sounds"),
    ],
)
def test_what_the_voice_cannot_say_is_refused_with_a_reason(run: Any, args: dict[str, str], says: str):
    """Other languages, nothing, signs alone, a book."""
    with pytest.raises(ExpertError, match=re.escape(says)):
        run(VOICE, "text-to-speech", **args)


@pytest.mark.parametrize("listener", LISTENERS)
def test_a_recording_is_written_down_with_the_time_of_each_sentence(run: Any, speech: Path, listener: str):
    """The sample: at most one word wrong, six segments, each within half a second of what the ear hears."""
    made = run(listener, "automatic-speech-recognition", audio=item(speech))
    data = made["segments"].data

    assert errors(words(WORDS), words(made["text"].text)) <= 1
    assert data["language"] == "en"  # whisper-base found that out
    assert data["duration_s"] == pytest.approx(9.96, abs=0.01)
    assert len(data["segments"]) == len(SPOKEN)
    for segment, (start_s, end_s) in zip(data["segments"], SPOKEN, strict=True):
        assert segment["start_s"] == pytest.approx(start_s, abs=0.5)
        assert segment["end_s"] == pytest.approx(end_s, abs=0.5)


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize("listener", LISTENERS)
def test_where_nobody_speaks_no_word_is_made_up(run: Any, recording: Recording, listener: str, sound: str):
    """Silence, noise, a chord, a recording of one sample."""
    made = run(listener, "automatic-speech-recognition", audio=recording("sound", SOUNDS[sound]))

    assert made["text"].text == ""
    assert made["segments"].data["segments"] == []


@pytest.mark.parametrize("detector", DETECTORS)
def test_speech_is_found_where_it_is(run: Any, speech: Path, detector: str):
    """The six utterances of the sample, to a fifth of a second."""
    found = run(detector, "voice-activity-detection", audio=item(speech))["segments"].data

    assert len(found) == len(SPOKEN)
    for segment, (start_s, end_s) in zip(found, SPOKEN, strict=True):
        assert segment["start_s"] == pytest.approx(start_s, abs=0.2)
        assert segment["end_s"] == pytest.approx(end_s, abs=0.2)


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize("detector", DETECTORS)
def test_no_speech_is_found_where_nobody_speaks(run: Any, recording: Recording, detector: str, sound: str):
    """The same four sounds."""
    assert run(detector, "voice-activity-detection", audio=recording("sound", SOUNDS[sound]))["segments"].data == []


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_speech_is_named_first(run: Any, speech: Path, classifier: str):
    """With a score to believe, the rest in order behind it."""
    labels = run(classifier, "audio-classification", audio=item(speech))["labels"].data

    assert labels[0]["label"] == "Speech"
    assert labels[0]["score"] > 0.5
    assert [one["score"] for one in labels] == sorted((one["score"] for one in labels), reverse=True)
    assert len(labels) == (10 if classifier == "yamnet" else 3)


@pytest.mark.parametrize(("sound", "label"), [("silence", "Silence"), ("noise", "Noise"), ("one sample", "Silence")])
def test_other_sounds_are_named_too(run: Any, recording: Recording, sound: str, label: str):
    """Among the first five, alone or in a longer name such as `Pink noise`."""
    labels = run("yamnet", "audio-classification", audio=recording("sound", SOUNDS[sound]))["labels"].data

    assert any(label.lower() in one["label"].lower() for one in labels[:5])


@pytest.mark.parametrize("cleaner", CLEANERS)
def test_noise_goes_and_speech_stays_in_its_place(run: Any, recording: Recording, speech: Path, cleaner: str):
    """Pink noise as loud as the speech: at least 4 dB nearer to the clean recording, sample by sample."""
    clean = read_audio(speech, rate_hz=RATE_HZ)
    noise = pink(len(clean) / RATE_HZ)[: len(clean)]
    noisy = clean + noise * np.sqrt((clean @ clean) / (noise @ noise))
    noisy = 0.9 * noisy / np.abs(noisy).max()

    made = run(cleaner, "audio-to-audio", audio=recording("noisy", noisy))["audio"]
    cleaned = read_audio(recording("cleaned", made.payload).path, rate_hz=RATE_HZ)

    assert made.facts["rate_hz"] == 48_000
    assert made.facts["duration_s"] == pytest.approx(len(clean) / RATE_HZ, abs=0.01)
    assert gain_db(clean, noisy, cleaned[: len(clean)]) >= 4.0


@pytest.mark.parametrize("cleaner", CLEANERS)
def test_a_very_short_recording_stays_one(run: Any, recording: Recording, cleaner: str):
    """A hundredth of a second."""
    made = run(cleaner, "audio-to-audio", audio=recording("short", np.zeros(160)))["audio"]

    assert made.facts["duration_s"] == 0.01


def test_a_slot_without_a_recording_is_refused(run: Any):
    """Words in place of sound."""
    with pytest.raises(ExpertError, match="`audio` must be a recording"):
        run("yamnet", "audio-classification", audio="hello")
