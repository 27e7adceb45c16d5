"""Tasks over tables."""

from dragoman.tasks.spec import Parameter, Slot, TaskSpec, out, text

_TABLE = Slot(name="table", kinds=("table",))
_COLUMN = Parameter(name="column", says="the column to predict; the last one if not given")

SPECS = (
    TaskSpec(
        name="tabular-classification",
        family="tables",
        description="Learn to predict a class column of a table, and say how well that works.",
        slots=(_TABLE,),
        parameters=(_COLUMN,),
        outputs=(out("quality", "data", "{column, accuracy, folds}"), out("predictions", "table")),
    ),
    TaskSpec(
        name="tabular-regression",
        family="tables",
        description="Learn to predict a number column of a table, and say how well that works.",
        slots=(_TABLE,),
        parameters=(_COLUMN,),
        outputs=(out("quality", "data", "{column, r2, mae, folds}"), out("predictions", "table")),
    ),
    TaskSpec(
        name="table-question-answering",
        family="tables",
        description="Answer a question from a table.",
        slots=(text(says="the question"), _TABLE),
        outputs=(out("text", "text"), out("cells", "data", "[{row, column, value}]")),
    ),
)
