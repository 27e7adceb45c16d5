"""A column is learnt from the others, and the measured quality is that of rows not seen."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets

from dragoman.backends.base import Item, Produced
from dragoman.backends.box.table_models import accuracy, folds_of, r2
from dragoman.backends.box.tabular import TablePredictor
from dragoman.errors import DragomanError, ExpertError
from dragoman.models import box
from dragoman.values import Resource

CARD = next(card for card in box.cards() if card.id == "table-learner")
CLASSES, NUMBERS = "tabular-classification", "tabular-regression"
Learn = Callable[..., tuple[dict[str, Any], list[dict[str, str]]]]


@pytest.fixture
def learn(tmp_path: Path) -> Learn:
    """Quality and predictions (rows by column name) for a CSV of these lines."""

    def call(lines: list[str] | str, task: str = CLASSES, column: str | None = None) -> Any:
        return quality_and_rows(tmp_path, lines if isinstance(lines, str) else "\n".join(lines), task, column)

    return call


def quality_and_rows(folder: Path, content: str, task: str, column: str | None = None) -> Any:
    path = folder / "table.csv"
    path.write_text(content)
    table = Item(resource=Resource(name="t.csv", kind="table", media_type="text/csv", sha256="0" * 64), path=path)
    expert = TablePredictor(card=CARD, files={}, threads=1)
    quality, predictions = expert.run(task=task, args={"table": table, "column": column}, tell=lambda done, says: None)
    assert isinstance(quality, Produced)
    return quality.data, list(csv.DictReader(io.StringIO(predictions.payload.decode())))


def lines_of(loaded: Any) -> list[str]:
    names = list(getattr(loaded, "target_names", []))
    rows = zip(loaded.data, loaded.target, strict=True)
    body = [",".join([*map(str, row), str(names[end]) if names else str(end)]) for row, end in rows]
    return [",".join([*(name.replace(" ", "_") for name in loaded.feature_names), "target"]), *body]


def homes(count: int) -> list[str]:
    """Semicolons, decimal commas, ids, dates, a note: the price grows with the area and is higher in Lisbon."""
    rng = random.Random(1)
    lines = ["id;town;area;built;note;price"]
    for n in range(count):
        town, area = rng.choice(["Lisbon", "Porto", "NA"]), rng.uniform(30, 120)
        price = area * (3.0 if town == "Lisbon" else 1.5)
        row = (
            10**19 + n,
            town,
            f"{area:.1f}",
            f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.1990",
            f"note {n}",
            f"{price:.2f}",
        )
        lines.append(
            ";".join(str(cell).replace(".", ",") if at in (2, 5) else str(cell) for at, cell in enumerate(row))
        )
    return lines


@pytest.mark.parametrize(
    ("load", "least", "baseline"),
    [
        (datasets.load_iris, 0.93, 0.3333),
        (datasets.load_wine, 0.96, 0.3989),
        (datasets.load_breast_cancer, 0.96, 0.6274),
    ],
)
def test_known_tables_are_classified(learn: Learn, load: Any, least: float, baseline: float):
    """Far above the share of the commonest class."""
    quality, rows = learn(lines_of(load()))

    assert quality["accuracy"] >= least
    assert quality["baseline_accuracy"] == baseline
    right = sum(row["prediction"] == row["target"] for row in rows) / len(rows)
    assert right == pytest.approx(quality["accuracy"], abs=1e-4)


def test_a_known_table_of_numbers_is_learnt(learn: Learn):
    """Diabetes: about half of the variance, as published for linear models."""
    quality, rows = learn(lines_of(datasets.load_diabetes()), NUMBERS)

    assert quality["r2"] >= 0.45
    assert quality["mae"] < quality["baseline_mae"] * 0.75
    errors = [abs(float(row["prediction"]) - float(row["target"])) for row in rows]
    assert sum(errors) / len(errors) == pytest.approx(quality["mae"], rel=1e-3)


def test_noise_is_not_learnt(learn: Learn):
    """Labels by coin: no better than the commonest class, since no row is judged by a model that has seen it."""
    rng = random.Random(3)
    lines = ["a,b,side", *(f"{rng.random()},{rng.random()},{rng.choice('xy')}" for _ in range(200))]

    quality, _ = learn(lines)

    assert quality["accuracy"] < 0.62


def test_a_table_as_people_keep_it_is_learnt(learn: Learn):
    """Semicolons and decimal commas in and out; ids and notes left out and said; `NA` and long ids kept."""
    quality, rows = learn(homes(120), NUMBERS, "PRICE")

    assert quality["column"] == "price"
    assert quality["r2"] > 0.9
    assert [each["column"] for each in quality["dropped"]] == ["id", "note"]
    assert rows[0]["id"] == "10000000000000000000"
    assert {row["town"] for row in rows} == {"Lisbon", "Porto", "NA"}
    assert all("." not in row["prediction"] for row in rows)


def test_rows_without_a_value_are_predicted(learn: Learn):
    """Their class follows from the others; they don't count in the quality."""
    lines = ["code,size,kind", *(f"00{n},{n % 7 * 10},{'small' if n % 7 < 3 else 'large'}" for n in range(60))]
    lines += ["0061,0,", "0062,60,NA", "0063,10,?"]

    quality, rows = learn(lines)

    assert (quality["learnt_rows"], quality["filled_rows"]) == (60, 3)
    assert [row["prediction"] for row in rows[-3:]] == ["small", "large", "small"]
    assert [row["kind"] for row in rows[-3:]] == ["", "NA", "?"]
    assert rows[-1]["code"] == "0063"
    assert all(0 <= float(row["confidence"]) <= 1 for row in rows)


def test_missing_cells_and_new_words_are_borne(learn: Learn):
    """A word that stands in one row, and gaps in both kinds of column."""
    rng = random.Random(5)
    lines = ["town,area,kind"]
    for n in range(80):
        area = rng.randint(20, 120)
        lines.append(
            f"{rng.choice(['Porto', 'Faro', '', 'Odd' if n == 7 else 'Faro'])},{'' if n % 9 == 0 else area},{area > 70}"
        )

    quality, _ = learn(lines)

    assert quality["accuracy"] > 0.8


@pytest.mark.parametrize(
    ("lines", "task", "column", "says"),
    [
        (["a,b", "1,x"], CLASSES, None, "the table has one row"),
        (["a,b", *["1,x", "2,x"] * 9], CLASSES, None, "`b` says `x` in every row"),
        (["a,b", *["1,x", "2,y"] * 9], CLASSES, "c", "no column `c`; the nearest is"),
        (["a,b", *(f"x,{n * 1.7}" for n in range(30))], CLASSES, None, "not classes"),
        (["a,b", *["1,x", "2,y"] * 9], NUMBERS, None, "`b` holds words such as `x`"),
        (["b", *["x", "y"] * 9], CLASSES, None, "the table has no other column"),
    ],
)
def test_what_cannot_be_learnt_is_refused_in_one_line(
    learn: Learn, lines: list[str], task: str, column: str, says: str
):
    """With the reason."""
    with pytest.raises(ExpertError, match=says):
        learn(lines, task, column)


def test_a_class_with_one_member_is_borne(learn: Learn):
    """It is never right when held out, and the rest goes on."""
    quality, _ = learn(["a,b", *(f"{n},{'x' if n < 10 else 'y'}" for n in range(2, 22)), "400,z"])

    assert quality["classes"] == 3
    assert quality["accuracy"] < 1


def test_few_rows_are_called_rough(learn: Learn):
    """Eight of them."""
    quality, _ = learn(["a,b", *(f"{n},{n * 2}.5" for n in range(3, 11))], NUMBERS)

    assert quality["folds"] == 8
    assert quality["notes"] == ["Only 8 rows could be learnt from, so the measured quality is rough."]


def test_many_rows_are_sampled_and_it_says_so(learn: Learn, monkeypatch: pytest.MonkeyPatch):
    """All are predicted all the same."""
    monkeypatch.setattr("dragoman.backends.box.tabular.MOST_FITTED_ROWS", 40)

    quality, rows = learn(homes(100), NUMBERS)

    assert (quality["learnt_rows"], quality["rows"]) == (40, 100)
    assert quality["notes"][0] == "It learnt from 40 of 100 rows, drawn at random."
    assert all(row["prediction"] for row in rows)


@given(
    st.lists(st.tuples(*[st.sampled_from(["", "NA", "x", "y", "1", "1e99", "-3,5", "1.234", "007"])] * 3), max_size=12)
)
@settings(deadline=None, max_examples=8)
def test_any_small_table_is_learnt_or_refused(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]]):
    """Never a crash; a prediction for every row."""
    content = "\n".join(["a;b;c", *(";".join(row) for row in rows)])
    for task in (CLASSES, NUMBERS):
        with suppress(DragomanError):
            _, predicted = quality_and_rows(tmp_path_factory.mktemp("t"), content, task)
            assert all(row["prediction"] for row in predicted)


@given(st.lists(st.integers(0, 3), min_size=4, max_size=60), st.integers(2, 4))
def test_classes_are_spread_over_the_folds(classes: list[int], count: int):
    """No fold has two more of a class than another."""
    target = np.array(classes)
    folds = folds_of(target, count, is_class=True)

    for each in set(classes):
        sizes = np.bincount(folds[target == each], minlength=count)
        assert sizes.max() - sizes.min() <= 1


def test_the_measures_know_their_ends():
    """Perfect is one; the mean explains nothing."""
    truth = np.array([1.0, 2.0, 6.0])

    assert r2(truth, truth) == 1
    assert r2(np.full(3, 3.0), truth) == 0
    assert accuracy(np.eye(3), np.arange(3)) == 1
