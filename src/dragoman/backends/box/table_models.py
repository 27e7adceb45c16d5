"""Models that learn a column of a table from the others, and how well they do on rows they have not seen.

Two are tried, boosted trees and a linear one, since neither is best on every table; cross-validation picks.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dragoman.backends.base import Tell
from dragoman.backends.box.columns import Column, Rows

Array = np.ndarray[Any, Any]

FOLDS_BY_ROWS = ((300, 10), (20_000, 5), (10**9, 3))
SMALL_ROWS = 2_000  # fewer are learnt by fewer, smaller trees: r2 0.44 instead of 0.39 on the 442 rows of `diabetes`
SMALL_ROUNDS, LEAST_ROUNDS, MOST_ROUNDS = 70, 20, 100
MOST_TREE_ROWS = 300_000_000  # rows times trees: about half a minute on one core
MOST_LINEAR_INPUTS = 2_000
LARGEST = 1e100  # its square is still a number
MOST_CATEGORIES = 250  # the trees know 255
BLOCK_ROWS = 100_000
SEED = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Trained:
    """What cross-validation picked. held_out: its predictions for the rows, each by a model that had not seen it;
    model: fitted on all of them. For classes both speak in shares per class (rows, classes), else in numbers.
    """

    name: str
    folds: int
    held_out: Array
    model: Any

    def predict(self, features: Array) -> Array:
        """The model's predictions, in blocks."""
        starts = range(0, len(features), BLOCK_ROWS)
        like = self.held_out[:1]
        return np.concatenate([_asked(self.model, features[start : start + BLOCK_ROWS], like=like) for start in starts])


def features_of(columns: Sequence[Column], rows: Rows) -> Array:
    """(rows, columns) float64: amounts, days, numbers of classes; NaN for what is not known."""
    features = np.full((len(rows), len(columns)), np.nan)
    for at, column in enumerate(columns):
        features[:, at] = _codes(column, rows) if column.role == "class" else column.values(rows)
    return np.clip(features, -LARGEST, LARGEST)


def _codes(column: Column, rows: Rows) -> list[float]:
    """Classes as numbers, the commonest first."""
    words = [row[column.place].strip().casefold() for row in rows]
    ranks = {word: float(rank) for rank, (word, _) in enumerate(Counter(words).most_common(MOST_CATEGORIES))}
    return [ranks.get(word, math.nan) for word in words]


def fold_count(rows: int) -> int:
    """How many parts the rows are cut into: ten, fewer where there are many rows or hardly any."""
    return next(min(folds, rows) for limit, folds in FOLDS_BY_ROWS if rows <= limit)


def folds_of(target: Array, count: int, *, is_class: bool) -> Array:
    """The fold of each row, at random; every class is spread over the folds as evenly as it can be."""
    shuffled = np.random.default_rng(SEED).permutation(len(target))
    order = shuffled[np.argsort(target[shuffled], kind="stable")] if is_class else shuffled
    folds = np.empty(len(target), int)
    folds[order] = np.arange(len(target)) % count
    return folds


def rounds_for(rows: int, classes: int) -> int:
    """How many rounds of boosting there is time for, where `rows` are to be predicted; a class takes a tree a round."""
    return int(np.clip(MOST_TREE_ROWS // (rows * max(1, classes)), LEAST_ROUNDS, MOST_ROUNDS))


def train(features: Array, target: Array, *, is_categorical: Array, is_class: bool, rounds: int, tell: Tell) -> Trained:
    """The better of the two by cross-validation, then fitted on all rows. target: numbers, or classes from 0 on."""
    target = target if is_class else np.clip(target, -LARGEST, LARGEST)
    count = fold_count(len(target))
    folds = folds_of(target, count, is_class=is_class)
    makers = _makers(features, is_categorical=is_categorical, is_class=is_class, rounds=rounds)
    best: tuple[float, str, Array] | None = None
    for at, (name, make) in enumerate(makers.items()):
        tell(at / (len(makers) + 1), f"checking {name} on rows it has not seen")
        held_out = _held_out(make, features, target, folds, is_class=is_class)
        score = accuracy(held_out, target) if is_class else r2(held_out, target)
        if best is None or score > best[0]:
            best = (score, name, held_out)
    assert best is not None
    _, name, held_out = best
    tell(len(makers) / (len(makers) + 1), f"fitting {name} to all rows")
    return Trained(name=name, folds=count, held_out=held_out, model=_fitted(makers[name](), features, target))


def accuracy(shares: Array, target: Array) -> float:
    """The share of rows whose likeliest class is right."""
    return float((shares.argmax(axis=1) == target).mean())


def r2(predicted: Array, target: Array) -> float:
    """The share of the variance that is explained: 1 is perfect, 0 no better than the mean."""
    spread = ((target - target.mean()) ** 2).sum()
    return float(1 - ((target - predicted) ** 2).sum() / spread) if spread else 0.0


def _held_out(make: Callable[[], Any], features: Array, target: Array, folds: Array, *, is_class: bool) -> Array:
    held_out = np.zeros((len(target), int(target.max()) + 1)) if is_class else np.zeros(len(target))
    for fold in np.unique(folds):
        out = folds == fold
        held_out[out] = _asked(_fitted(make(), features[~out], target[~out]), features[out], like=held_out[:1])
    return held_out


def _asked(model: Any, features: Array, *, like: Array) -> Array:
    """Numbers, or where `like` has a column for every class the shares of each; a class not learnt has none."""
    if like.ndim == 1:
        return model.predict(features)
    shares = np.zeros((len(features), like.shape[1]))
    shares[:, model.classes_.astype(int)] = model.predict_proba(features)
    return shares


def _fitted(model: Any, features: Array, target: Array) -> Any:
    from sklearn.base import is_classifier
    from sklearn.dummy import DummyClassifier

    if is_classifier(model) and len(np.unique(target)) < 2:
        model = DummyClassifier()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fold may lack a class or a column: its score says what that costs
        return model.fit(features, target)


def _makers(features: Array, *, is_categorical: Array, is_class: bool, rounds: int) -> dict[str, Callable[[], Any]]:
    makers: dict[str, Callable[[], Any]] = {
        "boosted trees": lambda: _trees(features, is_categorical=is_categorical, is_class=is_class, rounds=rounds)
    }
    inputs = sum(int(np.nanmax(column, initial=0)) + 1 for column in features[:, is_categorical].T)
    if inputs + np.count_nonzero(~is_categorical) <= MOST_LINEAR_INPUTS:
        makers["a linear model"] = lambda: _linear(is_categorical=is_categorical, is_class=is_class)
    return makers


def _trees(features: Array, *, is_categorical: Array, is_class: bool, rounds: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    rows, columns = features.shape
    is_small = rows < SMALL_ROWS
    kind: Any = HistGradientBoostingClassifier if is_class else HistGradientBoostingRegressor
    return kind(
        max_iter=min(rounds, SMALL_ROUNDS) if is_small else rounds,
        max_leaf_nodes=6 if is_small else 31,
        min_samples_leaf=int(np.clip(rows // 20, 2, 20)),
        max_features=0.5 if columns > 3 else 1.0,
        l2_regularization=1.0,
        categorical_features=is_categorical if is_categorical.any() else None,
        random_state=SEED,
    )


def _linear(*, is_categorical: Array, is_class: bool) -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression, RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    prepared = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), np.flatnonzero(is_categorical)),
        (numbers, np.flatnonzero(~is_categorical)),
    )
    return make_pipeline(prepared, LogisticRegression(max_iter=500) if is_class else RidgeCV(np.logspace(-2, 3, 11)))
