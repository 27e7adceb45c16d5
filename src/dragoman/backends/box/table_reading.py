"""What the words of a question to a table refer to: rows, columns, bounds. Pure Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dragoman.backends.box.columns import Column, Rows
from dragoman.backends.box.table_conditions import Comparison, Condition, comparisons
from dragoman.backends.box.table_mentions import Mention, named_columns, named_values
from dragoman.backends.box.table_words import ASKS, CUES, SMALL, Word, measure_of, name_stems, unit_of, words_of
from dragoman.errors import ExpertError

Near = Callable[[str, Sequence[str]], list[float]]  # how close in meaning a phrase is to each of some names, up to 1

NEAR_ENOUGH = 0.4
NAMING = 0.9  # of the rows have a cell of their own in a column that names them
_BIRTH = re.compile(r"(?i)born|birth|built|found|establish|since|start")
_NAMES = re.compile(r"(?i)name|title|product|item|person|player|team|country|city|student|employee|company|model")
_NOT = ("not", "except", "excluding", "without", "outside", "isn't", "aren't", "other")
_YEAR = re.compile(r"\b(?:in|of|from|during|for|year)\s+((?:1[5-9]|20)\d\d)\b")


class Reading:
    """A question beside its table: which columns and rows it names, and what is left to be told by meaning."""

    def __init__(self, question: str, columns: Sequence[Column], rows: Rows, *, near: Near) -> None:
        self.question = question
        self.lower = question.lower().strip()
        self.columns = columns
        self.rows = rows
        self._near = near
        self.words = words_of(question)
        self.compared = comparisons(question)
        masked = {at for at, word in enumerate(self.words) if any(c.start <= word.start < c.end for c in self.compared)}
        self.values = [each for each in named_values(self.words, columns, rows) if each.start not in masked]
        self._taken = masked | {at for each in self.values for at in range(each.start, each.end)}
        self.named = named_columns(self.words, columns, self._taken)
        self.label = self._label()
        self.conditions = [
            *self._value_conditions(), *map(self._bounded, self.compared), *self._years(), *self._zeros(),
        ]  # fmt: skip
        self._refuse_strangers()

    @property
    def is_pinned(self) -> bool:
        """Whether the question names rows by what names rows."""
        return any(_names_rows(mention.column, self.rows) or mention.column == self.label for mention in self.values)

    def named_numeric(self) -> list[Column]:
        """The columns of numbers or dates that are named and not only compared, in order."""
        bound = {each.column.place for each in self.conditions}
        found = [each.column for each in self.named if is_numeric(each.column) and each.column.role != "id"]
        return [column for column in found if column.place not in bound] or found

    def asked(self) -> list[Column]:
        """The columns named beside those that tell which rows are meant."""
        bound = {each.column.place for each in self.conditions}
        return list({m.column.place: m.column for m in self.named if m.column.place not in bound}.values())

    def meant(self, among: Sequence[Column], *phrases: str, least: float = NEAR_ENOUGH) -> Column | None:
        """The column that the phrases, or else the question's own words, mean; None where none is near enough."""
        told = [*phrases, *(concept for cue, concept in ASKS if re.search(cue, self.lower))]
        for word in " ".join(told).split():
            same = [column for column in among if word in name_stems(column.name)]
            if same:
                return same[0]
        tried = [phrase for phrase in (*told, self.rest()) if phrase]
        if not among or not tried:
            return None
        names = [column.name.replace("_", " ") for column in among]
        scores = [max(by_name) for by_name in zip(*(self._near(phrase, names) for phrase in tried), strict=True)]
        best = max(range(len(among)), key=lambda at: scores[at])
        return among[best] if scores[best] >= least else None

    def rest(self) -> str:
        """The words that name neither rows nor columns and say something."""
        taken = self._taken | {at for each in self.named for at in range(each.start, each.end)}
        return " ".join(
            word.low for at, word in enumerate(self.words) if at not in taken and word.low not in SMALL | CUES
        )

    def numeric(self) -> list[Column]:
        """All columns of numbers or dates, but those that only name rows."""
        return [column for column in self.columns if is_numeric(column) and column.role != "id"]

    def after(self, mention: re.Match[str] | None) -> Word | None:
        """The word behind what a pattern found in `lower`."""
        return next((word for word in self.words if mention and word.start >= mention.end()), None)

    def _label(self) -> Column:
        """The column that names rows: the one named as `which X`, else that with the most different words."""
        wordy = [
            column for column in self.columns if not is_numeric(column) and column.role not in ("empty", "constant")
        ]
        match = re.search(r"\b(?:which|what|whose|how many|list|name|show)\s+(?:all\s+|the\s+)*", self.lower)
        word = self.after(match)
        for mention in self.named:
            if word and mention.column in wordy and self.words[mention.start].start == word.start:
                return mention.column
        pinned = [mention.column for mention in self.values if _names_rows(mention.column, self.rows)]
        ids = [column for column in self.columns if column.role == "id"]
        best = max(wordy, key=lambda each: (each.distinct, bool(_NAMES.search(each.name)), -each.place), default=None)
        if pinned or best is None or (ids and not _names_rows(best, self.rows)):
            return (pinned or ids or self.columns)[0]
        return best

    def _value_conditions(self) -> list[Condition]:
        by_column: dict[int, list[Mention]] = {}
        for mention in self.values:
            by_column.setdefault(mention.column.place, []).append(mention)
        return [self._among(mentions) for mentions in by_column.values()]

    def _among(self, mentions: Sequence[Mention]) -> Condition:
        before = {word.low for mention in mentions for word in self.words[max(0, mention.start - 3) : mention.start]}
        cells = frozenset().union(*(mention.cells for mention in mentions))
        is_not = bool(before & set(_NOT))
        listed = " or ".join(f"`{cell.strip()}`" for cell in sorted(cells)[:3]) + (" or …" if len(cells) > 3 else "")
        says = f"is {'not ' if is_not else ''}{listed}"
        return Condition(column=mentions[0].column, cells=cells, is_not=is_not, says=says)

    def _bounded(self, compared: Comparison) -> Condition:
        for column in self._compared_columns(compared):
            is_turned = bool(_BIRTH.search(column.name)) and compared.word in ("older", "younger", "newer")
            condition = compared.on(column, is_turned=is_turned)
            if condition is not None:
                return condition
        raise ExpertError(
            f"it isn't clear which column should be compared with {' and '.join(compared.amounts)}.",
            helps=f"Of numbers are: {', '.join(f'`{column.name}`' for column in self.numeric()[:20]) or 'none'}.",
        )

    def _compared_columns(self, compared: Comparison) -> list[Column]:
        """The columns that a comparison may be about, the likeliest first."""
        numeric = self.numeric()
        measures = (measure_of(compared.word) or ("", 0))[0]
        by_unit = [
            column
            for column in numeric
            if (compared.unit and compared.unit in (column.affix[1], unit_of(column.name)))
            or (column.affix[0] and column.affix[0] in compared.amounts[0])
        ]
        by_adjective = [column] if measures and (column := self.meant(numeric, measures)) else []
        near = sorted(
            (mention for mention in self.named if mention.column in numeric),
            key=lambda mention: abs(self.words[mention.start].start - compared.start),
        )
        by_meaning = [column] if (column := self.meant(numeric, compared.unit, least=0.25)) else []
        only = numeric if len(numeric) == 1 else []
        return [*by_unit, *by_adjective, *(mention.column for mention in near), *by_meaning, *only]

    def _zeros(self) -> list[Condition]:
        """`out of stock`, `no children`: where that column of numbers says zero."""
        found = [each for each in self.named if each.column in self.numeric() and not each.column.dates]
        return [
            Condition(column=each.column, low=0, high=0, says="is 0")
            for each in found
            if re.search(r"\b(?:out of|no|zero|without)\s+$", self.lower[: self.words[each.start].start])
        ]

    def _refuse_strangers(self) -> None:
        """Raise `ExpertError` for a name in the question that the table does not hold."""
        told = self._taken | {at for each in self.named for at in range(each.start, each.end)}
        for at, word in enumerate(self.words):
            is_name = at > 0 and word.text[:1].isupper() and len(word.text) > 1 and word.low not in SMALL | CUES
            if is_name and at not in told and not self.question.istitle():
                raise ExpertError(f"nothing in the table says `{word.text}`.")

    def _years(self) -> list[Condition]:
        """`in 2019`, where a column holds years or dates."""
        match = _YEAR.search(self.lower)
        if match is None or any(each.start <= match.start(1) < each.end for each in self.compared):
            return []
        year = float(match[1])
        for column in self.numeric():
            is_year = column.dates is None and "year" in column.name.lower()
            if (
                column.dates is not None
                or is_year
                or (column.mark == "." and any(row[column.place].strip() == match[1] for row in self.rows))
            ):
                compared = Comparison(sign="=", amounts=(f"{year:.0f}",), start=match.start(), end=match.end())
                return [condition] if (condition := compared.on(column)) else []
        return []


def _names_rows(column: Column, rows: Rows) -> bool:
    return column.distinct >= NAMING * len(rows)


def is_numeric(column: Column) -> bool:
    """Whether its cells can be compared and, unless they are dates, added up."""
    return column.dates is not None or column.is_amount
