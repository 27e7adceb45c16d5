"""The rows of packaged experts, and how wrong ones are refused."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path

import pytest

from dragoman.errors import DragomanError
from dragoman.models import box
from dragoman.models.card import ModelCard

ROW = """
[[card]]
id = "tiny"
tasks = ["image-classification"]
description = "Says what it shows."
license = "MIT"
runtime = "onnx"
adapter = "dragoman.backends.box.tiny:Tiny"

[[card.files]]
name = "w.bin"
source = "pypi:tiny==1.0!/tiny/w.bin"
sha256 = "{sha}"
bytes = 10
download_bytes = 20
""".format(sha="0" * 64)


def read(folder: Path, *rows: str) -> tuple[ModelCard, ...]:
    paths = [folder / f"{number}.toml" for number in range(len(rows))]
    for path, row in zip(paths, rows, strict=True):
        path.write_text(row)
    return box.read(*paths)


def names_in(module: str) -> set[str]:
    """What a module defines at its top, without importing it."""
    spec = importlib.util.find_spec(module)
    assert spec is not None, f"no module {module}"
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


@pytest.mark.parametrize("card", box.cards(), ids=lambda card: card.id)
def test_every_packaged_expert_names_code_that_is_there(card: ModelCard):
    """Its adapter and its converter exist; it says what a person needs to know."""
    for path in filter(None, (card.adapter, card.convert)):
        module, _, name = path.partition(":")
        assert name in names_in(module)
    assert card.tasks
    assert card.description
    assert card.license
    assert card.backend == "box"
    assert card.memory_bytes > 0, "measure the memory of its worker"


def test_the_cards_are_read_once():
    """The same tuple comes back."""
    assert box.cards() is box.cards()


def test_the_worked_row_of_the_readme_is_right(tmp_path: Path):
    """It is read as it stands there."""
    readme = Path(box.__file__).with_name("README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)

    (card,) = read(tmp_path, block)

    assert card.kept == ("efficientnet-lite0.onnx",)
    assert card.options == {"top": 5}


def test_a_row_becomes_a_card(tmp_path: Path):
    """Its sizes are those of its files, each package counted once."""
    second = '[[card.files]]\nname = "l.txt"\nsource = "pypi:tiny==1.0!/tiny/l.txt"\nsha256 = "{}"\n'.format("1" * 64)

    (card,) = read(tmp_path, ROW + second + "bytes = 5\ndownload_bytes = 20\n")

    assert card.weights_bytes == 15
    assert card.download_bytes == 20
    assert card.files[1].package == "pypi:tiny==1.0"
    assert card.files[1].member == "tiny/l.txt"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('runtime = "onnx"', 'runtine = "onnx"', "runtine"),
        ("bytes = 10", 'bytes = "10"', "Expected `int`"),
        ('id = "tiny"', 'id = "../tiny"', "the id must be like"),
        ("image-classification", "image-cls", "no such task: image-cls"),
        ("dragoman.backends.box.tiny:Tiny", "os:system", "must be module:Class under dragoman.backends.box."),
        ('runtime = "onnx"', "", "it names no runtime"),
        ('runtime = "onnx"', 'runtime = "onnx"\nconvert = "os:system"\nconverted = ["x"]', "must be module:function"),
        ('runtime = "onnx"', 'runtime = "onnx"\nconverted = ["x"]', "`convert` and `converted` go together"),
        ('name = "w.bin"', 'name = "../w.bin"', "a file's name must be like"),
        ("pypi:tiny==1.0!", "pypi:tiny>=1.0!", "is none of pypi:NAME==VERSION"),
        ("pypi:tiny==1.0!", "https://example.org/tiny!", "is none of pypi:NAME==VERSION"),
        ("0" * 64, "0" * 63, "`w.bin` has no SHA-256"),
        ("download_bytes = 20", "", "must say its bytes and download_bytes"),
        ("bytes = 10", 'bytes = 10\nwheel_tags = ["cp311"]', "wheel_tags are three"),
        ("[[card]]", "[[card", "Expected"),
    ],
)
def test_a_wrong_row_is_refused_with_its_file_and_fault(tmp_path: Path, old: str, new: str, says: str):
    """And with where a right one is shown."""
    with pytest.raises(DragomanError) as raised:
        read(tmp_path, ROW.replace(old, new, 1))

    assert raised.value.says.startswith("0.toml: ")
    assert says in raised.value.says
    assert "models/box/README.md" in raised.value.says


def test_two_rows_cannot_share_an_id(tmp_path: Path):
    """Even in two files."""
    with pytest.raises(DragomanError, match=r"1\.toml: the id `tiny` is taken by another row"):
        read(tmp_path, ROW, ROW)
