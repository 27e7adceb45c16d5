"""The main job on real input with the real experts: no mind, no network, no pretending."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from difflib import SequenceMatcher
from pathlib import Path

import pytest
import pytest_asyncio

from dragoman import Dragoman
from dragoman.journal.report import Report
from dragoman.media import png_bytes, read_audio, wav_bytes
from dragoman.models.fetch import ModelStore
from dragoman.models.samples import sample
from dragoman.values import Done, Failed, Json, Resource

pytestmark = [pytest.mark.box, pytest.mark.timeout(300), pytest.mark.asyncio(loop_scope="module")]

ARTICLE = """In 1843 Ada Lovelace published her notes on the Analytical Engine, a machine that Charles Babbage
had designed in London. Her notes were three times as long as the paper that she had translated.
They hold a method for computing Bernoulli numbers, which many call the first published program.
Babbage never finished the engine. The government stopped paying for it after years of delays. Luigi
Menabrea had described the machine in French after hearing Babbage lecture in Turin. A century later
Alan Turing discussed her remarks in a famous paper. Parts of the engine stand in a museum in London
today. Visitors can see how its wheels carry numbers from column to column."""
PROMISE = "Ada Lovelace wrote a wonderful letter from London to Charles Babbage. It made him very happy."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def d(shared_box_home: Path) -> AsyncIterator[Dragoman]:
    """One Dragoman for all, as in a chat: each expert is loaded once. It may download nothing."""
    async with Dragoman(home=shared_box_home, is_offline=True, mind="embedded") as opened:
        yield opened


def picture_of(text: str, path: Path) -> Path:
    """A white sign with black words, as a file."""
    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (900, 120 * (text.count("\n") + 2)), "white")
    draw = ImageDraw.Draw(image)
    draw.multiline_text((60, 60), text, fill="black", font=ImageFont.load_default(72), spacing=30)
    path.write_bytes(png_bytes(np.asarray(image)))
    return path


def photo(home: Path, name: str) -> Path:
    one = sample(name)
    return ModelStore(home).path_of(one.card(), one.file.name)


def made(report: Report, task: str) -> Done:
    """The outcome of the only task of this name."""
    ids = [one["id"] for one in report.plan if one["task"] == task]
    assert len(ids) == 1, report.plan
    outcome = report.outcome(ids[0])
    assert isinstance(outcome, Done), outcome
    return outcome


def output(report: Report, task: str, name: str) -> Resource:
    return next(one.resource for one in made(report, task).outputs if one.name == name)


def file_of(d: Dragoman, report: Report, task: str) -> Path:
    resource = next(one.resource for one in made(report, task).outputs if one.resource.kind in ("audio", "image"))
    return d.out(report.run) / resource.name


def plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.casefold()).strip()


def alike(one: str, other: str) -> float:
    """How much two sentences share, 0..1; a recogniser may lose the last sound of a word."""
    return SequenceMatcher(None, plain(one), plain(other)).ratio()


async def heard(d: Dragoman, path: Path) -> str:
    """What speech recognition reads back."""
    return (
        output(await d.ask("Transcribe this recording", files=[path]), "automatic-speech-recognition", "text").text
        or ""
    )


async def spoken(d: Dragoman, words: str, path: Path) -> Path:
    """A recording of `words`, by the voice of the box."""
    report = await d.ask(f'Read "{words}" aloud')
    path.write_bytes(file_of(d, report, "text-to-speech").read_bytes())
    return path


async def test_what_animal_is_in_this_picture(d: Dragoman):
    """1. A photo of a cat."""
    report = await d.ask("What animal is in this picture?", files=[photo(d.settings.home, "cat")])

    assert report.status == "answered"
    assert "cat" in report.text.splitlines()[0]
    assert "%" in report.text.splitlines()[0]
    assert report.answer.claims[0].tasks == (0,)


async def test_find_every_object_and_say_how_many(d: Dragoman, tmp_path: Path):
    """2. The count equals the boxes, and the picture is annotated."""
    picture = tmp_path / "a.jpg"
    picture.write_bytes(photo(d.settings.home, "coffee").read_bytes())
    report = await d.ask("Find every object in a.jpg and tell me how many there are", files=[picture])

    found: Json = output(report, "object-detection", "boxes").data
    assert sum(found["counts"].values()) == len(found["boxes"]) > 0
    assert f"{len(found['boxes'])} object" in report.text
    assert file_of(d, report, "object-detection").is_file()
    assert str(file_of(d, report, "object-detection")) in report.text


async def test_what_does_this_sign_say_read_it_aloud(d: Dragoman, tmp_path: Path):
    """3. Speech recognition reads back what the sign says."""
    sign = picture_of("NO PARKING\nON SUNDAY", tmp_path / "sign.png")
    report = await d.ask("What does this sign say? Read it aloud", files=[sign])

    assert plain(output(report, "optical-character-recognition", "text").text or "") == "no parking on sunday"
    assert alike(await heard(d, file_of(d, report, "text-to-speech")), "No parking on Sunday") > 0.9


async def test_transcript_then_entities_and_sentiment(d: Dragoman, tmp_path: Path):
    """4. One, then two in parallel."""
    recording = await spoken(d, PROMISE, tmp_path / "r.wav")
    report = await d.ask(
        "Transcribe this recording, then give me its named entities and its sentiment", files=[recording]
    )

    names = [row["word"] for row in output(report, "token-classification", "entities").data]
    assert any("Lovelace" in name or "Babbage" in name for name in names)
    assert output(report, "text-classification", "labels").data[0]["label"] == "POSITIVE"
    assert [task["dep"] for task in report.plan] == [[-1], [0], [0]]


async def test_clean_up_the_noise_and_transcribe(d: Dragoman, tmp_path: Path):
    """5. Real speech with noise mixed in."""
    import numpy as np

    samples = read_audio(photo(d.settings.home, "speech"), rate_hz=16000)
    noise = np.random.default_rng(3).normal(0, 1, samples.shape).astype(np.float32)
    noisy = samples + noise * float(np.sqrt((samples**2).mean())) * 0.3
    recording = tmp_path / "noisy.wav"
    recording.write_bytes(wav_bytes(noisy / np.abs(noisy).max(), rate_hz=16000))

    report = await d.ask("Clean up the noise in this recording and transcribe it", files=[recording])

    assert report.plan[1]["args"]["audio"] == "<resource>-0"
    assert file_of(d, report, "audio-to-audio").is_file()
    assert "fail" in plain(output(report, "automatic-speech-recognition", "text").text or "")


async def test_describe_a_photo_in_detail(d: Dragoman):
    """6. Several looks in parallel, one description that says what it rests on."""
    report = await d.ask("Describe this photo in as much detail as you can", files=[photo(d.settings.home, "coffee")])

    assert report.status == "answered"
    assert len(report.plan) >= 3
    assert all(task["dep"] == [-1] for task in report.plan)
    assert "not eyesight" in report.text
    assert "cup" in report.text


async def test_translate_and_say_the_original(d: Dragoman):
    """7. The translation is Portuguese, the voice English."""
    report = await d.ask("Translate 'Where is the station?' to Portuguese and say the original aloud")

    assert re.search(r"esta[cç][aã]o|onde", output(report, "translation", "text").text or "", re.IGNORECASE)
    assert alike(await heard(d, file_of(d, report, "text-to-speech")), "Where is the station?") > 0.9


async def test_which_picture_is_more_alike(d: Dragoman, tmp_path: Path):
    """8. A flipped cat is more like the cat than a cup is."""
    import numpy as np
    from PIL import Image

    cat = Image.open(photo(d.settings.home, "cat")).convert("RGB")
    cat.save(tmp_path / "a.jpg")
    Image.open(photo(d.settings.home, "coffee")).convert("RGB").save(tmp_path / "b.jpg")
    Image.fromarray(np.asarray(cat)[:, ::-1]).save(tmp_path / "c.jpg")
    names = [tmp_path / name for name in ("a.jpg", "b.jpg", "c.jpg")]

    report = await d.ask("Which of b.jpg and c.jpg is more like a.jpg?", files=names)

    rows = output(report, "image-feature-extraction", "likeness").data
    assert max(rows, key=lambda row: row["score"])["name"] == "c.jpg"
    assert report.text.startswith("c.jpg")


async def test_how_many_cats_altogether(d: Dragoman, tmp_path: Path):
    """9. Two cats and a cup: one task per picture, one total."""
    from PIL import Image

    for name, source in (("1.png", "cat"), ("2.png", "coffee"), ("3.png", "cat")):
        image = Image.open(photo(d.settings.home, source)).convert("RGB")
        (image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if name == "3.png" else image).save(tmp_path / name)
    files = [tmp_path / name for name in ("1.png", "2.png", "3.png")]

    report = await d.ask("How many cats are in these three pictures altogether?", files=files)

    assert [task["task"] for task in report.plan] == ["object-detection"] * 3
    assert report.text.startswith("There are 2 cats in the 3 pictures together.")
    assert report.answer.claims[0].tasks == (0, 1, 2)


async def test_what_sounds_are_in_this_clip(d: Dragoman):
    """10. A recording, and the sound of a video."""
    speech = await d.ask("What sounds are in this clip?", files=[photo(d.settings.home, "speech")])
    film = await d.ask("What sounds are in this clip?", files=[photo(d.settings.home, "clip")])

    assert "Speech" in speech.text.splitlines()[0]
    assert film.status == "answered"
    assert output(film, "audio-classification", "labels").data


async def test_three_sentences_and_the_people(d: Dragoman, tmp_path: Path):
    """11. Three sentences of the article, word for word, and who is named."""
    (tmp_path / "article.txt").write_text(ARTICLE, encoding="utf-8")
    report = await d.ask(
        "Summarize this article in three sentences and list the people in it", files=[tmp_path / "article.txt"]
    )

    summary = output(report, "summarization", "text").text or ""
    assert len(re.findall(r"[.!?](?:\s|$)", summary)) == 3
    assert all(plain(part) in plain(ARTICLE) for part in re.split(r"(?<=[.!?])\s+", summary))
    assert "Ada Lovelace" in report.text
    assert "Alan Turing" in report.text


async def test_read_translate_and_speak_the_original(d: Dragoman, tmp_path: Path):
    """12. The original is spoken, not the translation."""
    sign = picture_of("THE BEACH IS CLOSED", tmp_path / "sign.png")
    report = await d.ask("Read what the sign says, translate it to Portuguese, and read me the original", files=[sign])

    assert "praia" in plain(output(report, "translation", "text").text or "")
    assert alike(await heard(d, file_of(d, report, "text-to-speech")), "The beach is closed") > 0.9


async def test_four_turns_that_build_on_each_other(d: Dragoman, tmp_path: Path):
    """13. A picture; what is written on it; who is named there; the names aloud."""
    page = picture_of("A letter by Ada Lovelace\nto Charles Babbage", tmp_path / "page.png")
    turns = ["Here is a picture.", "what's written on it?", "who are the people named there?"]

    first = await d.ask(turns[0], files=[page], session="s")
    second = await d.ask(turns[1], session="s")
    third = await d.ask(turns[2], session="s")
    fourth = await d.ask("now read the names aloud", session="s")

    assert (first.status, first.text) == ("chat", "I have page.png. What shall I do with it?")
    assert [report.status for report in (second, third, fourth)] == ["answered"] * 3
    assert "ada lovelace" in plain(second.text)
    assert "Ada Lovelace" in third.text
    assert "Charles Babbage" in third.text
    said = await heard(d, file_of(d, fourth, "text-to-speech"))
    assert alike(said, "Ada Lovelace, Charles Babbage") > 0.75
    assert "letter" not in said


async def test_what_nobody_can_paint_is_refused(d: Dragoman):
    """14a. Plainly, with what would add an expert."""
    report = await d.ask("Paint me a watercolor of a fox")

    assert report.status == "refused"
    assert report.fault is not None
    assert "text-to-image" in report.fault.says


async def test_half_is_done_and_half_is_refused(d: Dragoman, tmp_path: Path):
    """14b. The edges are there, the fox is not."""
    picture = tmp_path / "e.jpg"
    picture.write_bytes(photo(d.settings.home, "cat").read_bytes())
    report = await d.ask("find the edges of e.jpg and then paint a fox along them", files=[picture])

    assert report.status == "partial"
    assert file_of(d, report, "canny-control").is_file()
    refused = [outcome for outcome in report.outcomes if isinstance(outcome, Failed)]
    assert [outcome.attempts for outcome in refused] == [0]
    assert report.plan[1]["args"]["image"] == "<resource>-0"


async def test_small_talk(d: Dragoman):
    """15. A short plain reply that says what Dragoman can do."""
    report = await d.ask("Hi, how are you today?")

    assert (report.status, report.plan) == ("chat", ())
    assert 0 < len(report.text) < 600
