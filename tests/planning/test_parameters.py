"""Named parameters come in the type of their spec, or not at all."""

import pytest

from dragoman.planning.parameters import parameter_value
from dragoman.tasks import Parameter


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        ("integer", 3, 3),
        ("integer", 3.0, 3),
        ("integer", "3", 3),
        ("integer", "three", 3),
        ("integer", 3.5, None),
        ("integer", True, None),
        ("integer", "many", None),
        ("integer", [3], None),
        ("integer", 10**12, None),
        ("number", 1.5, 1.5),
        ("number", "2x", 2),
        ("number", "1.5 times", 1.5),
        ("list", ["a", 2], ["a", "2"]),
        ("list", "a, b; c", ["a", "b", "c"]),
        ("list", "cat or dog", ["cat", "dog"]),
        ("list", "['cat', 'dog']", ["cat", "dog"]),
        ("list", {"cat": 1, "dog": 2}, ["cat", "dog"]),
        ("list", ",", None),
        ("list", 3, None),
        ("language", "pt", "pt"),
        ("language", "pt_BR", "pt-BR"),
        ("language", "Portuguese", "pt"),
        ("language", "EN", "en"),
        ("language", ["German"], "de"),
        ("language", "Klingonish", None),
        ("language", 3, None),
        ("string", "wide", "wide"),
        ("string", 3, "3"),
        ("string", ["wide"], "wide"),
        ("string", ["a", "b"], None),
        ("data", [[0, 0, 1, 1]], [[0, 0, 1, 1]]),
    ],
)
def test_a_value_is_brought_to_its_type(kind, written, value):
    """None where it can't be read so; whatever was changed is told."""
    told = []
    found = parameter_value(written, Parameter(name="x", type=kind), tell=lambda *repair: told.append(repair))

    assert found == value
    assert type(found) is type(value)
    if value is not None and isinstance(written, str) and found != written.replace("_", "-"):
        assert told
