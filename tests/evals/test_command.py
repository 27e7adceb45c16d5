"""`dragoman eval planning`, as it is typed."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from dragoman.cli.commands import Desk
from dragoman.cli.evaluate import run
from dragoman.cli.terminal import Terminal
from dragoman.errors import UsageError

from .examples import TOOL_FILE, write_lines

WORDS = "Transcribe talk.wav and summarize the transcript."


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A tool list, two requests and their gold; the first is easy, the second can't be understood."""
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps(TOOL_FILE), encoding="utf-8")
    gold = write_lines(
        tmp_path / "gold.jsonl",
        {"id": "1", "type": "chain", "nodes": ["Speech Recognition", "Summarization"], "links": [[0, 1]]},
        {"id": "2", "type": "single", "nodes": ["Object Detection"], "links": []},
    )
    requests = write_lines(
        tmp_path / "requests.json",
        {"id": "1", "user_request": WORDS},
        {"id": "2", "user_request": "Frobnicate the quux."},
    )
    return {"tools": tools, "gold": gold, "requests": requests, "predictions": tmp_path / "out.jsonl"}


def typed(*argv: str) -> tuple[int, str, str]:
    """The exit code, what was printed, and what was said beside it."""
    out, err = io.StringIO(), io.StringIO()
    terminal = Terminal(stdin=io.StringIO(), stdout=out, stderr=err, environ={})
    code = run(["planning", *argv], desk=Desk(terminal=terminal))
    return code, out.getvalue(), err.getvalue()


def options(files: dict[str, Path], *names: str) -> list[str]:
    return [part for name in names for part in (f"--{name}", str(files[name]))]


def scored(report: dict[str, Any], metric: str, *, form: str, group: str = "all", source: str = "taskbench") -> Any:
    found = [
        s["estimate"]["value"]
        for s in report["scores"]
        if (s["metric"], s["form"], s["group"], s["source"]) == (metric, form, group, source)
    ]
    assert len(found) == 1
    return found[0]


def test_a_report_names_its_inputs_and_can_be_repeated(files: dict[str, Path]):
    argv = [*options(files, "tools", "gold", "requests"), "--resamples", "20", "--json"]
    code, out, _ = typed(*argv)
    report = json.loads(out)

    assert code == 0
    assert report["cases"] == report["total"] == 2
    assert [(file["role"], len(file["sha256"])) for file in report["inputs"]] == [
        ("tools", 64),
        ("requests", 64),
        ("gold", 64),
    ]
    assert report["command"].startswith("dragoman eval planning --tools ")
    assert report["planner"]["planner"] == "embedded"
    assert {key: report[key] for key in ("seed", "resamples", "half", "stopped")} == {
        "seed": 0,
        "resamples": 20,
        "half": None,
        "stopped": None,
    }
    again = json.loads(typed(*argv)[1])
    del again["cost"], report["cost"]
    assert again == report


def test_a_chain_is_planned_over_a_foreign_tool_list(files: dict[str, Path]):
    report = json.loads(typed(*options(files, "tools", "gold", "requests"), "--resamples", "0", "--json")[1])

    assert scored(report, "node F1", form="strict", group="chain") == 1
    assert scored(report, "edge F1", form="published", group="chain") == 1
    assert scored(report, "accuracy", form="strict", group="single", source="paper") == 0


def test_the_page_has_all_tables(files: dict[str, Path], tmp_path: Path):
    page = tmp_path / "report.md"
    code, out, err = typed(*options(files, "tools", "gold", "requests"), "--report", str(page), "--mistakes", "2")
    text = page.read_text("utf-8")

    assert code == 0
    assert out.startswith("published: node F1 ")
    assert "written: " in err
    for title in (
        "Scores as TaskBench",
        "Scores as the paper",
        "coverage",
        "Data set",
        "Cost",
        "Mistakes",
        "To repeat it",
    ):
        assert title in text
    assert "Frobnicate the quux." in text


def test_predictions_are_kept_and_nothing_is_planned_twice(files: dict[str, Path]):
    argv = [*options(files, "tools", "gold", "requests", "predictions"), "--resamples", "0", "--json"]
    assert typed(*argv, "--limit", "1")[0] == 0
    first = files["predictions"].read_text("utf-8")
    code, _, err = typed(*argv)
    lines = files["predictions"].read_text("utf-8").splitlines()

    assert code == 0
    assert "1 plans stand in" in err
    assert [json.loads(line)["id"] for line in lines] == ["1", "2"]
    assert first.splitlines() == lines[:1]


def test_predictions_of_others_are_scored_as_they_are(files: dict[str, Path]):
    write_lines(
        files["predictions"],
        {"id": "1", "task_nodes": [{"task": "Speech Recognition", "arguments": ["talk.wav"]}], "task_links": []},
    )
    argv = [*options(files, "tools", "gold", "requests", "predictions"), "--resamples", "0", "--json"]
    report = json.loads(typed(*argv, "--score-only")[1])

    assert report["cost"]["plans"] == 1
    assert scored(report, "node recall", form="published") == pytest.approx(1 / 2)
    assert scored(report, "node recall", form="strict") == pytest.approx(1 / 3)
    with pytest.raises(UsageError, match="written by another program"):
        typed(*argv)


def test_our_own_format_needs_no_other_file(tmp_path: Path):
    gold = write_lines(
        tmp_path / "own.jsonl",
        {
            "request": "Transcribe talk.wav",
            "files": [{"name": "talk.wav", "kind": "audio"}],
            "plan": [{"task": "automatic-speech-recognition", "id": 0, "dep": [-1], "args": {"audio": "talk.wav"}}],
        },
    )
    report = json.loads(typed("--gold", str(gold), "--json", "--resamples", "0")[1])

    assert scored(report, "argument-value F1", form="strict") == 1
    assert report["cost"]["runnable"] == 1


def test_a_half_is_a_part(files: dict[str, Path], tmp_path: Path):
    gold = write_lines(tmp_path / "many.jsonl", *({"id": i, "nodes": ["A"], "user_request": "x"} for i in range(40)))
    cases = [
        json.loads(typed("--gold", str(gold), "--half", half, "--json", "--resamples", "0")[1])["cases"]
        for half in ("tune", "report")
    ]

    assert sum(cases) == 40
    assert 0 < cases[0] < 40


def script(path: Path, *replies: str) -> str:
    """A scripted mind that gives these plans."""
    lines = ({"stage": "plan", "reply": reply, "tokens_in": 100, "tokens_out": 10} for reply in replies)
    return f"scripted:{write_lines(path, *lines)}"


def test_a_mind_is_measured_with_its_calls_and_tokens(files: dict[str, Path], tmp_path: Path):
    """The second plan is prose twice: it can't be read, and that is no empty plan."""
    plan = (
        '{"tasks": [{"task": "Speech Recognition", "id": 0, "dep": [-1], "args": {"audio": "talk.wav"}}, '
        '{"task": "Summarization", "id": 1, "dep": [0], "args": {"text": "<resource>-0"}}], "reply": null}'
    )
    mind = script(tmp_path / "script.jsonl", plan, "I would not know.", "Still {not} [knowing.")
    argv = [
        *options(files, "tools", "gold", "requests"),
        "--mind",
        mind,
        "--parallel",
        "1",
        "--resamples",
        "0",
        "--json",
    ]
    code, out, _ = typed(*argv)
    report = json.loads(out)

    assert code == 0
    assert (report["cost"]["calls"], report["cost"]["tokens_in"], report["cost"]["unreadable"]) == (3, 300, 1)
    assert scored(report, "node F1", form="published") == 1
    assert scored(report, "node recall", form="strict") == pytest.approx(2 / 3)
    assert scored(report, "edge F1", form="strict") == 1


def test_a_mind_that_ends_stops_the_run_and_no_other_planner_takes_over(files: dict[str, Path], tmp_path: Path):
    mind = script(tmp_path / "script.jsonl")
    code, out, err = typed(*options(files, "tools", "gold", "requests"), "--mind", mind, "--json", "--resamples", "0")
    report = json.loads(out)

    assert code == 1
    assert report["cases"] == report["cost"]["plans"] == 0
    assert "the mind refused" in report["stopped"]
    assert "not finished" in err


def test_a_budget_stops_the_run_and_the_page_says_so(files: dict[str, Path], tmp_path: Path):
    mind = script(tmp_path / "script.jsonl", '{"tasks": [], "reply": "Hello."}', '{"tasks": [], "reply": "Hello."}')
    argv = [*options(files, "tools", "gold", "requests"), "--mind", mind, "--parallel", "1", "--resamples", "0"]
    code, out, _ = typed(*argv, "--max-tokens", "50")

    assert code == 1
    assert "**Not finished**: the budget of 50 tokens is spent (110)" in out
    assert "those of 1 of 2 requests" in out


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ([], "`--gold` is missing"),
        (["--gold", "missing.jsonl"], "can't be read"),
        (["--gold", "x", "--score-only"], "wants `--predictions FILE`"),
        (["--limit", "-3"], "wanted a number from 0"),
        (["--half", "third"], "invalid choice"),
        (["words"], "it takes no words"),
    ],
)
def test_wrong_usage_is_said(argv: list[str], says: str):
    with pytest.raises(UsageError, match=says):
        typed(*argv)


def test_what_to_measure_must_be_named():
    terminal = Terminal(stdin=io.StringIO(), stdout=io.StringIO(), stderr=io.StringIO(), environ={})
    for argv in ([], ["answers"]):
        with pytest.raises(UsageError, match="wanted what to measure"):
            run(argv, desk=Desk(terminal=terminal))


def test_a_critic_adds_its_score_and_is_not_asked_twice(files: dict[str, Path], tmp_path: Path):
    lines = ({"stage": "critic", "reply": '{"choice": "yes", "reason": "fine"}', "tokens_in": 9} for _ in range(2))
    critic = f"scripted:{write_lines(tmp_path / 'critic.jsonl', *lines)}"
    verdicts = tmp_path / "verdicts.jsonl"
    argv = [*options(files, "tools", "gold", "requests"), "--critic", critic, "--resamples", "0", "--json"]
    report = json.loads(typed(*argv, "--verdicts", str(verdicts))[1])
    empty = f"scripted:{write_lines(tmp_path / 'critic.jsonl')}"
    again = json.loads(typed(*[empty if part == critic else part for part in argv], "--verdicts", str(verdicts))[1])

    assert scored(report, "critic score", form="strict", group="chain", source="paper") == 1
    assert report["critic"]["critic tokens"] == again["critic"]["critic tokens"] == 9
    assert again["stopped"] is None


def test_a_critic_must_be_a_language_model(files: dict[str, Path]):
    with pytest.raises(UsageError, match="is no language model"):
        typed(*options(files, "tools", "gold", "requests"), "--critic", "embedded")
    with pytest.raises(UsageError, match="wants `--critic MIND`"):
        typed(*options(files, "gold"), "--verdicts", "x")


def test_the_embedded_planner_has_no_demonstrations_to_vary(files: dict[str, Path]):
    for argv in (["--demos", "4"], ["--demos", "0,4"], ["--variety", "2,6"]):
        with pytest.raises(UsageError, match="is shown no demonstrations"):
            typed(*options(files, "gold", "requests", "tools"), *argv)


def test_precision_against_coverage_is_plotted(files: dict[str, Path], tmp_path: Path):
    plot = tmp_path / "coverage.svg"
    typed(*options(files, "gold", "requests", "tools"), "--plot", str(plot), "--resamples", "0")

    assert "plans kept, the surest first" in plot.read_text("utf-8")


HARD = [
    "把 photo.jpg 里的文字读出来，然后翻译成英文。",
    "Transcreve fala.mp3 e resume o texto em duas frases.",
    "صف الصورة photo.jpg ثم اقرأ الوصف بصوت عال",
    "word " * 2000 + "transcribe talk.wav",
    "\ud800 half a letter, and \u2028 a strange line end",
    "",
]


def test_requests_of_all_kinds_are_planned_and_kept(files: dict[str, Path], tmp_path: Path):
    """Chinese, Portuguese, Arabic, 10,000 characters, half a surrogate pair, nothing; ids are no better."""
    page = tmp_path / "page.md"
    gold = write_lines(
        tmp_path / "hard.jsonl",
        *(
            {"id": f"{words[:3]}{at}", "nodes": ["Summarization"], "user_request": words}
            for at, words in enumerate(HARD)
        ),
    )
    argv = ["--gold", str(gold), *options(files, "tools", "predictions"), "--resamples", "0", "--mistakes", "9"]
    code, _, _ = typed(*argv, "--report", str(page))
    again = json.loads(typed(*argv, "--json")[1])

    assert code == 0
    assert len(files["predictions"].read_text("utf-8").split("\n")) == len(HARD) + 1
    assert again["cost"]["plans"] == len(HARD)
    assert sum(json.loads(typed(*argv, "--half", half, "--json")[1])["cases"] for half in ("tune", "report")) == len(
        HARD
    )


def test_apis_with_named_parameters_are_planned_by_a_mind_and_measured(tmp_path: Path):
    """TaskBench's daily-life form: links are given, arguments have names."""
    apis = [
        {"id": "get_weather", "desc": "Weather", "parameters": [{"name": "place", "type": "string", "desc": "where"}]},
        {
            "id": "send_sms",
            "desc": "Text message",
            "parameters": [{"name": "content", "type": "string", "desc": "what"}],
        },
    ]
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps({"nodes": apis}), encoding="utf-8")
    record = {
        "id": "1",
        "type": "chain",
        "user_request": "How is the weather in Bern? Text 'Take an umbrella' after that.",
        "task_nodes": [
            {"task": "get_weather", "arguments": [{"name": "place", "value": "Bern"}]},
            {"task": "send_sms", "arguments": [{"name": "content", "value": "Take an umbrella"}]},
        ],
        "task_links": [{"source": "get_weather", "target": "send_sms"}],
    }
    plan = {
        "tasks": [
            {"task": "get_weather", "id": 0, "dep": [-1], "args": {"place": "Bern"}},
            {"task": "send_sms", "id": 1, "dep": [0], "args": {"content": "Take an umbrella"}},
        ],
        "reply": None,
    }
    mind = script(tmp_path / "script.jsonl", json.dumps(plan))
    gold = write_lines(tmp_path / "gold.jsonl", record)
    argv = ["--tools", str(tools), "--gold", str(gold), "--mind", mind, "--resamples", "0", "--json"]
    report = json.loads(typed(*argv)[1])

    for metric in ("node F1", "edge F1", "argument-type F1", "argument-value F1"):
        assert scored(report, metric, form="published") == 1, metric
    assert report["cost"]["runnable"] == 1


def test_restbench_is_measured(shared_data: Path):
    """APIs of which no task of ours is one: the catalogue's planner has nothing to say, and nothing breaks."""
    folder = shared_data / "taskbench-derived/tmdb"
    argv = ["--tools", str(folder / "tool_desc.json"), "--gold", str(folder / "data.json"), "--limit", "20"]
    report = json.loads(typed(*argv, "--resamples", "0", "--json")[1])

    assert report["cases"] == report["cost"]["plans"] == 20
    assert report["statistics"]["unknown_tools"] == {}
