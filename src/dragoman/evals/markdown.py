"""A report in Markdown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dragoman.evals.graphs import SHAPES
from dragoman.evals.mistakes import Mistake
from dragoman.evals.readings import FORMS, Form
from dragoman.evals.report import Report
from dragoman.evals.scoring import GROUPS, Group, Score, Source
from dragoman.evals.tallies import Estimate

__all__ = ["main_scores", "markdown", "shown_estimate", "table"]

_SHAPE_NAMES = {"single": "single (table 3)", "chain": "sequence (tables 4, 6)", "dag": "graph (tables 5, 6)"}
_MOST_NOTES = 20
_MAIN = ("node F1", "edge F1", "argument-type F1", "argument-value F1")


def markdown(report: Report, *, examples: int = 3) -> str:
    """The report as a page. Scores are in percent, with 95 % intervals; `edit distance` is the better the lower."""
    parts = [
        _head(report),
        "## Scores as TaskBench computes them\n\n" + _scores(report.scores, source="taskbench", groups=GROUPS),
        "## Scores as the paper computes them\n\n" + _paper(report.scores),
        "## Precision against coverage\n\n" + _coverage(report),
        "## Data set\n\n" + _statistics(report),
        "## Cost\n\n" + _cost(report),
        *(["## Mistakes\n\n" + _mistakes(report.mistakes, examples=examples)] if report.mistakes else []),
        "## To repeat it\n\n" + _origin(report),
        *(["## Notes on the files\n\n" + _notes(report.notes)] if report.notes else []),
    ]
    return "\n\n".join(parts) + "\n"


def main_scores(report: Report) -> str:
    """A line a form: `published: node F1 81.5, edge F1 54.7`."""
    lines: list[str] = []
    for form in FORMS:
        here = {s.metric: s.estimate.value for s in report.scores if s.group == "all" and s.form == form}
        told = [f"{name} {_percent(here[name])}" for name in _MAIN if name in here]
        lines.append(f"{form}: {', '.join(told)}")
    return "\n".join(lines)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; bars inside cells are escaped."""
    lines = [list(head), ["---"] * len(head), *(list(row) for row in rows)]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines
    )


def _head(report: Report) -> str:
    part = "all" if report.half is None else f"the {report.half} half"
    lines = [f"# Planning by `{report.planner.get('planner', '?')}`", f"{report.cases} requests ({part} of the gold)."]
    if report.stopped:
        lines.append(
            f"**Not finished**: {report.stopped}. The scores are those of {report.cases} of {report.total} requests."
        )
    return "\n\n".join(lines)


def _scores(scores: Sequence[Score], *, source: Source, groups: Sequence[Group]) -> str:
    here = {(s.group, s.form, s.metric): s for s in scores if s.source == source and s.group in groups}
    columns: list[tuple[Group, Form]] = [
        (group, form) for group in groups for form in FORMS if any(key[0] == group for key in here)
    ]
    head = ["metric", *(_column(group, form, scores) for group, form in columns)]
    metrics = dict.fromkeys(metric for _, _, metric in here)
    return table(
        head,
        (
            [
                metric,
                *(shown_estimate(found.estimate if (found := here.get((g, f, metric))) else None) for g, f in columns),
            ]
            for metric in metrics
        ),
    )


def _paper(scores: Sequence[Score]) -> str:
    parts = [
        f"### {_SHAPE_NAMES[shape]}\n\n" + _scores(scores, source="paper", groups=[shape])
        for shape in SHAPES
        if any(score.group == shape and score.source == "paper" for score in scores)
    ]
    return "\n\n".join(parts)


def _column(group: Group, form: Form, scores: Sequence[Score]) -> str:
    cases = next(score.cases for score in scores if score.group == group)
    return f"{group} ({cases}), {form}"


def shown_estimate(estimate: Estimate | None) -> str:
    """A score in percent with its interval."""
    if estimate is None or estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return _percent(estimate.value)
    return f"{_percent(estimate.value)} ({_percent(estimate.low)}–{_percent(estimate.high)})"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _coverage(report: Report) -> str:
    head = [
        "confidence at least",
        "plans",
        "coverage",
        "node precision",
        "node F1",
        "edge F1",
        "exactly the gold's tasks",
    ]
    rows = (
        [
            f"{p.confidence:.2f}",
            str(p.cases),
            *map(_percent, (p.coverage, p.node_precision, p.node_f1, p.edge_f1, p.whole)),
        ]
        for p in report.coverage
    )
    return table(head, rows)


def _statistics(report: Report) -> str:
    found = report.statistics
    head = ["", *SHAPES, "words: most", "words: mean", "tasks: most", "tasks: mean", "links"]
    spreads = [str(found.words.largest), f"{found.words.mean:.2f}", str(found.tasks.largest), f"{found.tasks.mean:.2f}"]
    rows = [
        ["as the data set calls them", *(str(found.requests[shape]) for shape in SHAPES), *spreads, str(found.links)],
        ["as their links make them", *(str(found.by_links[shape]) for shape in SHAPES), *[""] * 5],
    ]
    odd = [
        f"{sum(found.unknown_tools.values())} uses of {len(found.unknown_tools)} tools that the list does not hold",
        f"{found.repeats} plans in which a tool stands twice",
        f"{found.cycles} whose links lead back",
    ]
    return table(head, rows) + "\n\nIn the gold: " + "; ".join(odd) + "."


def _cost(report: Report) -> str:
    cost = report.cost
    checked = f"{cost.runnable} of {cost.checked}" if cost.checked else "not checked"
    rows = [
        ["plans", str(cost.plans)],
        ["refused with a reason", str(cost.refused)],
        ["without a task", str(cost.empty)],
        ["unreadable", str(cost.unreadable)],
        ["runnable (the graph check finds no fault)", checked],
        ["repairs", str(cost.repairs)],
        ["calls of a mind", str(cost.calls)],
        ["tokens in / out", f"{cost.tokens_in} / {cost.tokens_out}"],
        [
            "seconds a plan: median / 95 % / most",
            " / ".join(f"{s:.4g}" for s in (cost.seconds_median, cost.seconds_p95, cost.seconds_largest)),
        ],
    ]
    return table(["", ""], rows)


def _mistakes(mistakes: Sequence[Mistake], *, examples: int) -> str:
    kinds = Counter(mistake.kind for mistake in mistakes)
    parts: list[str] = []
    for kind, count in kinds.most_common():
        same = [mistake for mistake in mistakes if mistake.kind == kind]
        often = Counter(mistake.about for mistake in same if mistake.about).most_common(12)
        lines = [f"### {kind}: {count}", ", ".join(f"{about} ({times})" for about, times in often)]
        shown = list({mistake.id: mistake for mistake in reversed(same)}.values())[::-1][:examples]
        lines += ["\n".join(_example(mistake)) for mistake in shown]
        parts.append("\n\n".join(line for line in lines if line))
    return "\n\n".join(parts)


def _example(mistake: Mistake) -> Iterator[str]:
    words = " ".join(mistake.words.split())
    yield f"- `{mistake.id}` {mistake.about}: “{words[:300]}”"
    yield f"  - gold: {mistake.gold}"
    yield f"  - said: {mistake.said or 'nothing'}"


def _origin(report: Report) -> str:
    inputs = table(["", "file", "SHA-256"], ([file.role, file.path, file.sha256] for file in report.inputs))
    settings = table(
        ["setting", "value"], ([key, _plain(value)] for key, value in (report.planner | report.critic).items())
    )
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    drawn = f"Intervals: {report.resamples} resamples, seed {report.seed}."
    return "\n\n".join([f"```\n{report.command}\n```", inputs, settings, f"{versions}. {drawn}"])


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _notes(notes: Sequence[str]) -> str:
    shown = [f"- {note}" for note in notes[:_MOST_NOTES]]
    more = len(notes) - len(shown)
    return "\n".join([*shown, *([f"- and {more} more"] if more else [])])
