"""Pages that are written from data, and lists that have to keep up with it."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from dragoman.models import box
from dragoman.models.samples import samples

ROOT = Path(__file__).parents[2]
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def experts_table() -> ModuleType:
    """`scripts/experts_table.py` as a module."""
    path = ROOT / "scripts" / "experts_table.py"
    spec = importlib.util.spec_from_file_location("experts_table", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_experts_is_what_the_rows_say(experts_table: ModuleType):
    """docs/experts.md, to the letter."""
    page = experts_table.PAGE.read_text(encoding="utf-8")
    assert page == experts_table.page(), "run `python scripts/experts_table.py` and commit docs/experts.md"


def test_every_native_library_in_a_row_has_its_reason(experts_table: ModuleType):
    """And no reason is left over."""
    native = {file.name for card in box.cards() for file in card.files if experts_table.is_native(file)}
    assert native == set(experts_table.LIBRARIES)


def is_named(package: str) -> bool:
    """Whether NOTICE has the package's name as a word of its own."""
    return re.search(rf"(?<![\w@/-]){re.escape(package)}(?![\w/-])", NOTICE, re.IGNORECASE) is not None


def test_the_notice_names_every_package_that_weights_come_from():
    """Of experts and samples alike."""
    files = [file for card in box.cards() for file in card.files] + [one.file for one in samples()]
    packages = {re.split("==|(?<=.)@", file.package.partition(":")[2])[0] for file in files}
    assert sorted(name for name in packages if not is_named(name)) == []


def test_the_notice_names_every_library_that_pip_installs():
    """The core's and the extras', the developers' own aside."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: wanted for name, wanted in project["optional-dependencies"].items() if name != "dev"}
    wanted = [*project["dependencies"], *(one for group in extras.values() for one in group)]
    names = [re.split(r"[\[<>=~! ;]", one)[0] for one in wanted if not one.startswith("dragoman")]
    assert sorted(name for name in names if not is_named(name)) == []


def test_the_notice_names_every_sample():
    """Each with its licence."""
    for one in samples():
        assert is_named(one.name), one.name


def test_the_notice_gives_the_credit_that_licences_ask_for():
    """CC-BY material by its maker's name and the licence's address; what forbids or binds is said."""
    for words in ("creativecommons.org/licenses/by/4.0", "Microsoft", "Blender Foundation", "MPL-2.0", "Blizzard"):
        assert words in NOTICE
    assert "libx264 and libx265" in NOTICE
