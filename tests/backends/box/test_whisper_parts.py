"""Weights that travel in parts."""

from pathlib import Path

from dragoman.backends.box.whisper_parts import join


def test_parts_are_joined_in_the_order_of_their_names(tmp_path: Path):
    """Two parts and a file that is none."""
    for name, content in (("model.bin.part2", b"cd"), ("model.bin.part1", b"ab"), ("config.json", b"{}")):
        (tmp_path / name).write_bytes(content)
    out = tmp_path / "out"
    out.mkdir()

    join({path.name: path for path in tmp_path.iterdir() if path.is_file()}, out)

    assert (out / "model.bin").read_bytes() == b"abcd"
