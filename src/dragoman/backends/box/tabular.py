"""Predicting a column of a person's table: learnt from the rows that know it, checked on rows held out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.backends.base import Produced, Tell
from dragoman.backends.box.columns import Column, Rows, find_column, read_columns
from dragoman.backends.box.predictions import number_cells, predictions_output
from dragoman.backends.box.table_models import Trained, features_of, rounds_for, train
from dragoman.backends.box.tables import table_of
from dragoman.backends.box.targets import class_cells, inputs_of, number_cells_of
from dragoman.backends.box.texts import data_output
from dragoman.errors import ExpertError
from dragoman.media import read_table
from dragoman.models.card import ModelCard
from dragoman.values import Arg, Json

Array = np.ndarray[Any, Any]

MOST_FITTED_ROWS = 50_000  # 20 columns of so many are learnt in half a minute on one core
SURE_ROWS = 50  # below so many the measured quality is itself a guess
FEW_ROWS = 20_000
SEED = 0


class TablePredictor:
    """Adapter for tabular-classification and tabular-regression. Needs no weights: it learns from each table anew."""

    def __init__(self, *, card: ModelCard, files: dict[str, Path], threads: int) -> None:
        del card, files
        self._threads = threads

    def run(self, *, task: str, args: dict[str, Arg], tell: Tell) -> list[Produced]:
        """`quality` and `predictions` for `column`, by default the last."""
        tell(0.0, "reading the table")
        header, rows = read_table(table_of(args).path)
        if len(rows) < 2:
            raise ExpertError(
                f"the table has {'one row' if rows else 'a header and no rows'}; learning takes several, "
                "of which the column to predict is known."
            )
        columns = read_columns(header, rows)
        target = find_column(columns, str(args.get("column") or ""))
        learn = _classes if task == "tabular-classification" else _numbers
        with self._thread_limit(len(rows)):
            figures, added = learn(target, columns, rows, tell)
        used, dropped = inputs_of(columns, target)
        quality = {"column": target.name, **figures, "dropped": dropped, "notes": _notes(figures, used)}
        return [data_output(quality, name="quality"), predictions_output(header, rows, added)]

    def _thread_limit(self, rows: int) -> AbstractContextManager[object]:
        import sklearn.ensemble  # pyright: ignore[reportUnusedImport] # noqa: F401 - only what is loaded is limited
        from threadpoolctl import threadpool_limits

        # Threads that wait for one another spin: on a busy machine small tables took 20 times as long with two.
        return threadpool_limits(self._threads if rows > FEW_ROWS else 1)


Made = tuple[dict[str, Json], dict[str, Sequence[str]]]


def _classes(target: Column, columns: Sequence[Column], rows: Rows, tell: Tell) -> Made:
    cells = class_cells(target, rows)
    names = sorted(set(cells) - {""})
    codes = np.array([names.index(cell) if cell else math.nan for cell in cells])
    trained, places, shares = _learnt(codes, inputs_of(columns, target)[0], rows, is_class=True, tell=tell)
    truth = codes[places].astype(int)
    figures: dict[str, Json] = {
        "accuracy": _rounded((trained.held_out.argmax(axis=1) == truth).mean()),
        "baseline_accuracy": _rounded(np.bincount(truth).max() / len(truth)),
        **_counts(trained, places, codes),
        "classes": len(names),
    }
    predicted = [names[at] for at in shares.argmax(axis=1)]
    return figures, {"prediction": predicted, "confidence": [f"{share:.3f}" for share in shares.max(axis=1)]}


def _numbers(target: Column, columns: Sequence[Column], rows: Rows, tell: Tell) -> Made:
    numbers = np.array(number_cells_of(target, rows))
    trained, places, predicted = _learnt(numbers, inputs_of(columns, target)[0], rows, is_class=False, tell=tell)
    truth = numbers[places]
    errors = np.abs(truth - trained.held_out)
    figures: dict[str, Json] = {
        "r2": _rounded(1 - (errors**2).sum() / ((truth - truth.mean()) ** 2).sum()),
        "mae": _rounded(errors.mean()),
        "baseline_mae": _rounded(np.abs(truth - truth.mean()).mean()),
        **_counts(trained, places, numbers),
    }
    return figures, {"prediction": number_cells(predicted, target.mark)}


def _learnt(
    target: Array, used: Sequence[Column], rows: Rows, *, is_class: bool, tell: Tell
) -> tuple[Trained, Array, Array]:
    """What was trained, the places of the rows that it learnt from, and its predictions for all rows.

    A row that was learnt from has its prediction by a model that had not seen it.
    """
    features = features_of(used, rows)
    places = np.flatnonzero(~np.isnan(target))
    if len(places) > MOST_FITTED_ROWS:
        places = np.sort(np.random.default_rng(SEED).choice(places, MOST_FITTED_ROWS, replace=False))
    known = target[places].astype(int) if is_class else target[places]
    is_categorical = np.array([column.role == "class" for column in used])
    rounds = rounds_for(len(rows), known.max() + 1 if is_class else 1)
    trained = train(features[places], known, is_categorical=is_categorical, is_class=is_class, rounds=rounds, tell=tell)
    others = np.setdiff1d(np.arange(len(rows)), places, assume_unique=True)
    predicted = np.empty((len(rows), *trained.held_out.shape[1:]))
    predicted[places] = trained.held_out
    if len(others):
        predicted[others] = trained.predict(features[others])
    return trained, places, predicted


def _counts(trained: Trained, places: Array, target: Array) -> dict[str, Json]:
    return {
        "folds": trained.folds,
        "model": trained.name,
        "rows": len(target),
        "learnt_rows": len(places),
        "filled_rows": int(np.isnan(target).sum()),
    }


def _notes(figures: dict[str, Json], used: Sequence[Column]) -> list[str]:
    learnt, known = figures["learnt_rows"], figures["rows"] - figures["filled_rows"]
    notes: list[str] = []
    if learnt < known:
        notes.append(f"It learnt from {learnt:,} of {known:,} rows, drawn at random.")
    if learnt < SURE_ROWS:
        notes.append(f"Only {learnt} rows could be learnt from, so the measured quality is rough.")
    strange = [f"`{column.strange}` in `{column.name}`" for column in used if column.strange]
    if strange:
        notes.append(f"Counted as not known: {', '.join(strange[:5])}{', …' if len(strange) > 5 else ''}.")
    return notes


def _rounded(figure: float) -> float:
    return float(f"{figure:.4g}")
