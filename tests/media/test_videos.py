"""Film is read lazily, evenly, upright, and by keyframes where they are near enough."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import MediaError
from dragoman.media import facts, read_frames, sniff


def film_facts(path: Path) -> dict:
    return facts(path, kind="video", media_type="video/mp4")


def level(pixels: np.ndarray) -> float:
    """The grey of the right half, which is twice the number of the frame."""
    return float(pixels[:, -8:].mean())


def test_a_film_is_measured(plain_film):
    """Four seconds, 64 by 48, 100 frames, with sound."""
    assert sniff(plain_film, name="x.mp3") == ("video", "video/mp4")
    assert film_facts(plain_film) == {
        "duration_s": pytest.approx(4.0, abs=0.05),
        "width_px": 64,
        "height_px": 48,
        "frames": 100,
        "has_sound": True,
    }


@pytest.mark.parametrize("count", [1, 3, 8, 25, 60])
def test_frames_are_evenly_spread_and_tell_their_time(plain_film, count):
    """Each lies within half a step of its place, and shows what the film shows at its time."""
    frames = list(read_frames(plain_film, count=count))

    assert len(frames) == count
    for place, (time_s, pixels) in enumerate(frames):
        assert abs(time_s - (place + 0.5) * 4.0 / count) <= 2.0 / count + 0.03
        assert level(pixels) == pytest.approx(2 * round(time_s * 25), abs=3)
        assert pixels.shape == (48, 64, 3)


def test_more_frames_than_there_are_give_each_once(plain_film):
    """500 of 100."""
    times = [time_s for time_s, _ in read_frames(plain_film, count=500)]

    assert len(times) == 100
    assert times == sorted(set(times))


def test_few_keyframes_still_give_the_frames_that_were_asked(tmp_path, film):
    """One keyframe in the whole film: it is decoded through, once."""
    path = film(tmp_path / "x.mp4", gop=1000)

    assert [round(t * 25) for t, _ in read_frames(path, count=4)] == pytest.approx([12, 38, 62, 88], abs=13)


@pytest.mark.parametrize(
    ("suffix", "codec"),
    [("mkv", "h264"), ("webm", "libvpx-vp9"), ("avi", "mpeg4"), ("mov", "h264"), ("ts", "h264"), ("mpg", "mpeg2video")],
)
def test_containers_are_read_alike(tmp_path, film, suffix, codec):
    """Eight frames in rising order at their places, whatever the container and whether it has an index."""
    path = film(tmp_path / f"x.{suffix}", codec=codec, sound=None)

    kind, media_type = sniff(path, name="film")
    assert (kind, media_type.partition("/")[0]) == ("video", "video")
    length_s = film_facts(path)["duration_s"]
    assert length_s == pytest.approx(4.0, abs=0.8 if suffix == "mpg" else 0.1)  # MPEG-PS stamps few of its frames
    frames = list(read_frames(path, count=8))
    assert len(frames) == 8
    for place, (time_s, pixels) in enumerate(frames):
        assert abs(time_s - (place + 0.5) * length_s / 8) <= 0.3
        assert level(pixels) == pytest.approx(2 * time_s * 25, abs=6)


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_rotation_marks_are_obeyed(tmp_path, film, rotation):
    """A phone held upright: the dark half moves, and the facts speak of the upright film."""
    path = film(tmp_path / "x.mp4", rotation=rotation)
    _, pixels = list(read_frames(path, count=3))[2]

    assert pixels.shape == ((64, 48, 3) if rotation % 180 else (48, 64, 3))
    dark = {90: pixels[-8:], 180: pixels[:, -8:], 270: pixels[:8]}[rotation]
    assert dark.mean() < pixels.mean()
    assert (film_facts(path)["height_px"], film_facts(path)["width_px"]) == pixels.shape[:2]


def test_frames_come_one_at_a_time(plain_film):
    """Stopping after the first leaves the rest undecoded and the file closed."""
    frames = read_frames(plain_film, count=50)
    next(frames)
    frames.close()

    with pytest.raises(StopIteration):
        next(frames)


def test_a_sound_has_no_frames(tmp_path, film):
    """Said in one line."""
    with pytest.raises(MediaError, match=r"`x.m4a` holds no moving picture"):
        next(read_frames(film(tmp_path / "x.m4a", is_filmed=False), count=2))


def test_a_film_that_is_cut_gives_what_is_there(tmp_path, film):
    """A Matroska file that ends in the middle: its frames up to there; an MP4 without its index: one line."""
    whole = film(tmp_path / "x.mkv", sound=None)
    (tmp_path / "cut.mkv").write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    times = [time_s for time_s, _ in read_frames(tmp_path / "cut.mkv", count=8)]
    assert 2 <= len(times) <= 8
    assert times == sorted(times)

    whole = film(tmp_path / "x.mp4")
    (tmp_path / "cut.mp4").write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    assert sniff(tmp_path / "cut.mp4", name="cut.mp4")[0] == "video"
    with pytest.raises(MediaError, match=r"The recording `cut.mp4` can't be read"):
        film_facts(tmp_path / "cut.mp4")


def test_damage_never_escapes(tmp_path, plain_film):
    """Cut anywhere or with bytes changed: frames, or one line."""
    content = plain_film.read_bytes()
    rng = np.random.default_rng(11)
    path = tmp_path / "x.mp4"
    for _ in range(40):
        broken = bytearray(content)
        if rng.random() < 0.3:
            del broken[rng.integers(1, len(broken)) :]
        for _ in range(rng.integers(1, 20)):
            place = rng.integers(0, len(broken)) if rng.random() < 0.5 else -rng.integers(1, min(3000, len(broken)))
            broken[place] = rng.integers(0, 256)
        path.write_bytes(broken)
        for read in (film_facts, lambda path: list(read_frames(path, count=5))):
            try:
                read(path)
            except MediaError as error:
                assert "x.mp4" in str(error)  # noqa: PT017 (frames are as good)
