"""The critic's verdicts on a data set's plans, resumable."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dragoman.config import Settings
from dragoman.errors import UsageError
from dragoman.evals.critic import Critic, Verdict, Verdicts
from dragoman.evals.graphs import Case
from dragoman.evals.linefile import LineFile
from dragoman.evals.predictions import Prediction
from dragoman.evals.running import Runner
from dragoman.evals.tools import ToolList
from dragoman.minds.opening import open_mind
from dragoman.values import Json

__all__ = ["Judged", "judged"]


@dataclass(kw_only=True, slots=True)
class Judged:
    """verdicts: by id. told: the critic's settings and cost, for the report. stopped: why not all were judged."""

    verdicts: dict[str, Verdict] = field(default_factory=dict[str, Verdict])
    told: dict[str, Json] = field(default_factory=dict[str, Json])
    stopped: str | None = None


async def judged(
    options: argparse.Namespace,
    *,
    cases: Sequence[Case],
    predictions: Mapping[str, Prediction],
    tools: ToolList,
    say: Callable[[str], None],
) -> Judged:
    """The verdicts of the critic that the options name, or none where they name none. Raises `UsageError`."""
    if options.critic is None:
        return Judged()
    mind = open_mind(Settings.from_env(mind=options.critic))
    if mind is None:
        raise UsageError(
            f"`--critic {options.critic}` is no language model.", helps="a model, gguf:PATH or scripted:FILE"
        )
    graphs = {name: prediction.graph for name, prediction in predictions.items() if prediction.graph is not None}
    critic = Critic(mind=mind, tools=tools, graphs=graphs)
    told: dict[str, Json] = {"critic": mind.name, "critic prompt": critic.prompt_hash}
    digest = hashlib.sha256(json.dumps([told, tools.names]).encode()).hexdigest()[:16]
    verdicts = Verdicts(file=LineFile(path=options.verdicts, settings=digest))
    verdicts.load(graphs)
    say(f"asking {mind.name} about {len(cases) - len(verdicts.done)} plans")
    runner = Runner(work=critic.judge, kept=verdicts, parallel=options.parallel, max_tokens=options.max_tokens)
    try:
        await runner.run(cases)
    finally:
        await mind.aclose()
    unread = sum(verdict.choice is None for verdict in verdicts.done.values())
    told |= {"critic tokens": verdicts.tokens, "verdicts": len(verdicts.done), "verdicts that can't be read": unread}
    return Judged(verdicts=verdicts.done, told=told, stopped=runner.stopped)
