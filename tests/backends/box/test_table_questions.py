"""Questions to tables come to the right cells, or to one line that says what can be answered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.backends.base import Item
from dragoman.backends.box.columns import read_columns
from dragoman.backends.box.table_answers import answer_of
from dragoman.backends.box.table_queries import query_of
from dragoman.errors import ExpertError
from dragoman.media import read_table
from dragoman.models import box
from dragoman.models.fetch import ModelStore
from dragoman.registry import load
from dragoman.values import Resource

FOLDER = Path(__file__).parent / "tables"
LINES = FOLDER.joinpath("questions.tsv").read_text(encoding="utf-8").splitlines()[1:]
QUESTIONS = [tuple(line.split("\t")) for line in LINES]
BY_MEANING = 0.85  # of the questions are answered by words alone; all of them with MiniLM


def no_meaning(phrase: str, names: Sequence[str]) -> list[float]:
    return [0.0] * len(names)


def ask(table: str, question: str) -> tuple[str, list[dict[str, object]]]:
    header, rows = read_table(FOLDER / f"{table}.csv")
    return answer_of(query_of(question, read_columns(header, rows), rows, near=no_meaning), rows)


def test_most_questions_need_no_meaning():
    """Words alone lead to the right cells."""
    right = 0
    for table, question, wanted in QUESTIONS:
        try:
            right += wanted in ask(table, question)[0]
        except ExpertError:
            right += wanted == "REFUSED"

    assert right >= BY_MEANING * len(QUESTIONS)


@pytest.mark.box
def test_all_questions_are_answered(weights_home: Path):
    """By the packaged expert; each cell that it rests on stands in the table as it says."""
    card = next(card for card in box.cards() if card.id == "table-answers")
    expert = load(card.adapter)(card=card, files=ModelStore(weights_home).files_of(card), threads=1)
    wrong: list[str] = []
    for table, question, wanted in QUESTIONS:
        path = FOLDER / f"{table}.csv"
        item = Item(resource=Resource(name=path.name, kind="table", media_type="text/csv", sha256="0" * 64), path=path)
        try:
            text, cells = expert.run(task="", args={"text": question, "table": item}, tell=lambda done, says: None)
        except ExpertError:
            wrong += [question] if wanted != "REFUSED" else []
            continue
        wrong += [] if wanted in text.text else [f"{question} -> {text.text}"]
        header, rows = read_table(path)
        assert all(rows[cell["row"] - 1][header.index(cell["column"])] == cell["value"] for cell in cells.data)
    assert wrong == []


@pytest.mark.parametrize(
    ("table", "question", "says"),
    [
        ("staff", "How many rows are there?", "8 rows."),
        ("staff", "Who is older than 45?", "2 where `age` is over 45: Dora Novak, Hugo Martin."),
        (
            "stock",
            "What is the average price of supplies?",
            "The average of `price` over 3 rows where `category` is `Supplies` is 4,76667.",
        ),
        ("rivers", "How long is the Danube?", "2850 km (`length (km)` of Danube)."),
        (
            "films",
            "films longer than 2 hours",
            "3 where `Runtime (min)` is over 2 hours: Metropolis, Vertigo, Amadeus.",
        ),
        ("cities", "Is Porto in Spain?", "No: there is no row where `city` is `Porto` and `country` is `Spain`."),
    ],
)
def test_an_answer_says_how_the_question_was_understood(table: str, question: str, says: str):
    """The column and the rows that were taken."""
    assert ask(table, question)[0] == says


def test_the_cells_are_named_by_row_and_column():
    """Rows count from 1; values stay as they stand in the file."""
    assert ask("stock", "How much does the hammer cost?")[1] == [{"row": 3, "column": "price", "value": "18,90"}]


def test_rows_level_with_the_best_are_named_too():
    """Four films share the best rating."""
    says, cells = ask("films", "Which film has the best rating?")

    assert says.startswith("Casablanca (Rating: 8.5), Rear Window (Rating: 8.5), Psycho (Rating: 8.5), Alien")
    assert len(cells) == 8


@pytest.mark.parametrize(
    ("table", "question", "says"),
    [
        ("staff", "What is the weather like tomorrow?", "don't lead to rows or columns of this table"),
        ("staff", "How many people in Madrid are there?", "nothing in the table says `Madrid`"),
        ("rivers", "How many rivers are longer than 5 kg?", "it isn't clear which column should be compared with 5"),
        ("cities", "What is the average?", "it isn't clear the mean of which column is wanted"),
    ],
)
def test_what_the_table_does_not_hold_is_refused(table: str, question: str, says: str):
    """A name that no cell has, a unit that no column has, a sum of nothing named."""
    with pytest.raises(ExpertError) as raised:
        ask(table, question)

    assert says in raised.value.says


words = st.sampled_from(
    "how many what which who the is in highest average total of per price price? city x y 10 -3,5 over under between "
    "and most oldest not than list all Porto number different top 3 there stars € ' > = first".split()
)
cells = st.sampled_from(["", "NA", "Porto", "x", "10", "3,5", "1.234", "2021-03-04", "007", "€ 5", "x y"])


@given(st.lists(words, min_size=1, max_size=9), st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=6))
@settings(deadline=None)
def test_any_question_to_any_table_is_answered_or_refused(asked: list[str], rows: list[tuple[str, ...]]):
    """Never a crash, and never a cell that isn't there."""
    header = ["city", "price", "stars"]
    table = [list(row) for row in rows]
    try:
        says, places = answer_of(query_of(" ".join(asked), read_columns(header, table), table, near=no_meaning), table)
    except ExpertError as error:
        says, places = error.says, []

    assert says
    assert all(table[cell["row"] - 1][header.index(cell["column"])] == cell["value"] for cell in places)


def test_every_table_has_questions():
    """No table lies there for nothing."""
    assert {table for table, *_ in QUESTIONS} == {path.stem for path in FOLDER.glob("*.csv")}
