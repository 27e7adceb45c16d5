"""Tool lists as task specs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.errors import UsageError
from dragoman.evals.tools import CATALOGUE, read_tools
from dragoman.tasks import SPECS

from .examples import TOOL_FILE


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_a_typed_tool_has_a_slot_for_each_input(tmp_path: Path):
    tools = read_tools(written(tmp_path / "tools.json", TOOL_FILE))
    spec = tools.specs["Image Editing"]

    assert tools.dependency == "resource"
    assert [(slot.name, slot.kinds) for slot in spec.slots] == [("text", ("text",)), ("image", ("image",))]
    assert [output.kind for output in spec.outputs] == ["image"]
    assert spec.description == "Image Editing does it."
    assert tools.makes["Speech Recognition"] == "text"


def test_an_input_that_stands_twice_is_one_slot_that_takes_many(tmp_path: Path):
    tool = {"id": "Splicer", "desc": "Joins two.", "input-type": ["audio", "audio"], "output-type": ["audio"]}
    spec = read_tools(written(tmp_path / "tools.json", {"nodes": [tool]})).specs["Splicer"]

    assert [(slot.name, slot.takes_many) for slot in spec.slots] == [("audio", True)]


def test_types_that_are_no_kinds_are_data_and_keep_their_published_spelling(tmp_path: Path):
    """An address is no text; `Image` with a capital is a picture, and TaskBench's metrics call it as it is written."""
    listed = [
        {"id": "Loader", "desc": "Fetches.", "input-type": ["url"], "output-type": ["Image"]},
        {"id": "Judge", "desc": "Says nothing.", "input-type": ["text"], "output-type": []},
    ]
    tools = read_tools(written(tmp_path / "tools.json", {"nodes": listed}))

    assert tools.specs["Loader"].slots[0].kinds == ("data",)
    assert tools.specs["Loader"].makes("image")
    assert tools.makes == {"Loader": "Image", "Judge": "none"}
    assert tools.specs["Judge"].outputs == ()


def test_an_api_has_named_parameters(tmp_path: Path):
    api = {
        "id": "get_weather",
        "desc": "The weather of a place on a day",
        "parameters": [
            {"name": "place", "type": "string", "desc": "where"},
            {"name": "days", "type": "integer", "required": False},
        ],
    }
    tools = read_tools(written(tmp_path / "tools.json", {"nodes": [api]}))
    parameters = tools.specs["get_weather"].parameters

    assert tools.dependency == "temporal"
    assert [(p.name, p.type, p.is_required, p.says) for p in parameters] == [
        ("place", "string", True, "where"),
        ("days", "integer", False, ""),
    ]


def test_without_a_file_the_tools_are_dragomans_tasks():
    assert read_tools(None) is CATALOGUE
    assert CATALOGUE.names == list(SPECS)


@pytest.mark.parametrize("content", ["{}", "[]", "[1, 2]", '{"nodes": 5}', '{"nodes": [{"desc": "no name"}]}'])
def test_a_file_without_tools_is_refused(tmp_path: Path, content: str):
    path = tmp_path / "tools.json"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(UsageError, match="lists no tools"):
        read_tools(path)


def test_a_file_that_is_no_json_is_refused(tmp_path: Path):
    path = tmp_path / "tools.json"
    path.write_text("{", encoding="utf-8")

    with pytest.raises(UsageError, match="is no JSON"):
        read_tools(path)
    with pytest.raises(UsageError, match="can't be read"):
        read_tools(tmp_path / "missing.json")


@pytest.mark.parametrize(
    ("name", "count", "dependency"),
    [("data_huggingface", 23, "resource"), ("data_multimedia", 40, "resource"), ("data_dailylifeapis", 40, "temporal")],
)
def test_taskbenchs_lists_are_read(shared_data: Path, name: str, count: int, dependency: str):
    tools = read_tools(shared_data / "taskbench" / name / "tool_desc.json")

    assert (len(tools.specs), tools.dependency) == (count, dependency)


def test_restbenchs_list_is_read(shared_data: Path):
    tools = read_tools(shared_data / "taskbench-derived/tmdb/tool_desc.json")

    assert (len(tools.specs), tools.dependency) == (46, "temporal")
