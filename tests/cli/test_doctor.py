"""`dragoman doctor`: each expert tried on an input made on the spot."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dragoman.backends.base import Item
from dragoman.cli.trials import Trials, unlike_spec
from dragoman.errors import ExpertError
from dragoman.store import Store
from dragoman.tasks import SPECS
from dragoman.testing import FakeBackend, card, data, words


def test_every_expert_is_tried(cli: Any, is_golden: Callable[[str, Any], None]):
    """One that works, one that breaks, one that returns what its task does not have."""

    def breaks(call: Any) -> Any:
        raise ExpertError("its weights are broken")

    cli.backend = FakeBackend(
        {
            "summarization": lambda call: words("short"),
            "text-classification": breaks,
            "translation": lambda call: data([1], name="odd"),
        }
    )
    ran = cli("doctor", "--json")
    tried = [row for row in ran.json if row["check"].startswith("expert ")]

    assert ran.code == 1
    is_golden("doctor", [next(row for row in ran.json if row["check"] == "extra box"), *tried])
    assert [row["ok"] for row in tried] == [True, False, False]


def test_what_is_not_fetched_is_not_tried(cli: Any):
    """It is no fault; the command that fetches it is named."""
    cli.backend = FakeBackend({"summarization": lambda call: words("short")}, needs_bytes=17_000_000)
    ran = cli("doctor")

    assert ran.code == 0
    assert "not fetched (17 MB): dragoman models fetch fake-summarization" in ran.out
    assert cli.backend.calls == []


def test_it_says_what_a_language_model_would_add(cli: Any):
    """With no mind set."""
    assert "DRAGOMAN_MODEL" in cli("doctor").out


def test_it_says_what_a_token_would_add(cli: Any):
    """How many experts, for how many tasks, and that data is sent."""
    assert re.search(r"providers: HF_TOKEN would add \d+ experts for \d+ tasks .* is sent there", cli("doctor").out)


def test_remote_experts_are_named_and_not_called(cli: Any):
    """A call may cost money."""
    cli.backend = FakeBackend({"summarization": lambda call: words("short")})
    cli.backend.is_local = False
    ran = cli("doctor")

    assert "not tried, since a call may cost money" in ran.out
    assert cli.backend.calls == []


def test_a_home_that_can_not_be_written_is_not_ok(cli: Any, monkeypatch: Any, tmp_path: Path):
    """The rest is looked at all the same."""
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("DRAGOMAN_HOME", str(tmp_path / "file" / "home"))
    ran = cli("doctor")

    assert ran.code == 1
    assert "NOT OK  home:" in ran.out
    assert "expert fake-summarization" in ran.out


def test_time_for_trying_is_bounded(cli: Any):
    """Nothing is tried when it is up."""
    assert "the time for trying was up" in cli("doctor", "--max-seconds", "0").out


def test_there_is_an_input_for_every_task(tmp_path: Path):
    """Each task of the catalogue gets all that it requires, of the right kind."""
    trials = Trials(Store(tmp_path))
    for spec in SPECS.values():
        args = trials.args(spec, card(spec.name, languages=("en", "pt")))
        for slot in spec.slots:
            if slot.is_required:
                given = args[slot.name][0] if slot.takes_many else args[slot.name]
                kind = given.resource.kind if isinstance(given, Item) else "text"
                assert kind in slot.kinds, spec.name
        assert all(parameter.name in args for parameter in spec.parameters if parameter.is_required)
    assert trials.args(SPECS["translation"], card("translation", languages=("en", "pt")))["target"] == "pt"


def test_outputs_are_compared_with_the_spec():
    """Nothing, something strange, and what it should be."""
    spec = SPECS["summarization"]

    assert unlike_spec((), spec) == "it returned nothing"
    assert unlike_spec(data([1], name="odd"), spec) == "it returned odd (data), which summarization does not have"
    assert unlike_spec(words("short"), spec) == ""
