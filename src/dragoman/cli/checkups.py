"""What `doctor` looks at: the home, the extras, the mind, every expert."""

from __future__ import annotations

import asyncio
import importlib.metadata
import platform
import shutil
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from dragoman import __version__
from dragoman.backends.base import Backend, Call
from dragoman.backends.remote import mind_tasks, provider_tasks
from dragoman.cli.experts import Expert, experts
from dragoman.cli.figures import seconds, size
from dragoman.cli.trials import Trials, unlike_spec
from dragoman.config import Settings
from dragoman.errors import DragomanError
from dragoman.store import Store
from dragoman.tasks import SPECS

__all__ = ["Check", "checkups"]

_CALL_S = 60.0
_MIND_S = 30.0
_LITTLE_BYTES = 500_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One finding. ok: None if it was not tried."""

    check: str
    ok: bool | None
    says: str


async def checkups(settings: Settings, backends: Sequence[Backend], *, limit_s: float) -> AsyncIterator[Check | str]:
    """Every check as it is done; between them, words that say what is looked at now. Tries nothing after `limit_s`."""
    started = monotonic()
    yield Check(
        check="dragoman", ok=True, says=f"{__version__}, Python {platform.python_version()}, {platform.machine()}"
    )
    yield _home(settings.home)
    found = await experts(backends)
    yield _box(found)
    yield _gguf()
    yield _providers(settings)
    yield "the mind"
    yield await _mind(settings)
    with tempfile.TemporaryDirectory(prefix="dragoman-") as folder:
        trials = Trials(Store(Path(folder)))
        for expert in found:
            yield expert.card.id
            yield await _expert(expert, trials, left_s=limit_s - (monotonic() - started))


def _home(home: Path) -> Check:
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home) as probe:
            probe.write(b"x")
        free = shutil.disk_usage(home).free
    except OSError as error:
        says = f"{home} can't be written: {error.strerror}; set DRAGOMAN_HOME to a folder that can"
        return Check(check="home", ok=False, says=says)
    little = "; that is little" if free < _LITTLE_BYTES else ""
    return Check(check="home", ok=True, says=f"{home}, {size(free)} free{little}")


def _box(found: Sequence[Expert]) -> Check:
    found = [expert for expert in found if expert.backend.is_local]
    names = dict.fromkeys(name for expert in found for name in expert.card.requires)
    missing = [name for name in names if not _is_installed(name)]
    if missing:
        lacking = sum(bool(set(missing).intersection(expert.card.requires)) for expert in found)
        says = f"pip install 'dragoman[box]' would add {lacking} experts ({', '.join(missing)} not installed)"
        return Check(check="extra box", ok=None, says=says)
    return Check(check="extra box", ok=True, says=f"installed, for {len(found)} experts")


def _gguf() -> Check:
    if _is_installed("xllamacpp"):
        return Check(
            check="extra gguf", ok=True, says="installed: --mind gguf:PATH thinks with a language model in a file"
        )
    says = "pip install 'dragoman[gguf]' would add language models that run here, out of GGUF files"
    return Check(check="extra gguf", ok=None, says=says)


def _providers(settings: Settings) -> Check:
    from dragoman.backends.providers.cards import cards

    count, tasks = len(cards()), len(provider_tasks())
    if settings.hf_token is None:
        says = (
            f"HF_TOKEN would add {count} experts for {tasks} tasks at Hugging Face's inference providers; "
            "what a task needs is sent there then"
        )
        return Check(check="providers", ok=None, says=says)
    if settings.is_offline or settings.where == "local":
        return Check(check="providers", ok=None, says="HF_TOKEN is set, and only local experts may run now")
    return Check(check="providers", ok=True, says=f"HF_TOKEN is set: {count} experts for {tasks} tasks may be called")


async def _mind(settings: Settings) -> Check:
    from dragoman.minds.base import Ask, Message
    from dragoman.minds.opening import open_mind

    try:
        mind = open_mind(settings)
    except DragomanError as error:
        return Check(check="mind", ok=False, says=f"{error.says} {error.helps}".strip())
    if mind is None:
        says = (
            "built-in planner; a language model would add open-ended requests, "
            f"and an expert for {len(mind_tasks())} tasks: "
            "set DRAGOMAN_MODEL, for an endpoint OPENAI_BASE_URL and OPENAI_API_KEY, too"
        )
        return Check(check="mind", ok=True, says=says)
    if settings.mind.startswith("scripted:"):
        return Check(check="mind", ok=None, says=f"{mind.name}; its lines are left for requests")
    question = Ask(stage="chat", messages=[Message(role="user", content="Reply with the word: ready")], max_tokens=10)
    started = monotonic()
    try:
        async with asyncio.timeout(_MIND_S):
            await mind.ask(question)
    except (DragomanError, TimeoutError) as error:
        why = error.says if isinstance(error, DragomanError) else f"no reply within {_MIND_S:g} s"
        return Check(check="mind", ok=False, says=f"{mind.name}: {why}")
    finally:
        await mind.aclose()
    return Check(check="mind", ok=True, says=f"{mind.name} replied in {seconds(monotonic() - started)}")


async def _expert(expert: Expert, trials: Trials, *, left_s: float) -> Check:
    check = f"expert {expert.card.id}"
    if not expert.available.can_run:
        return Check(check=check, ok=None, says=expert.available.because)
    if not expert.backend.is_local:
        says = f"can be called ({expert.available.because or 'remote'}); not tried, since a call may cost money"
        return Check(check=check, ok=None, says=says)
    if not expert.is_fetched:
        says = f"not fetched ({size(expert.available.needs_bytes)}): dragoman models fetch {expert.card.id}"
        return Check(check=check, ok=None, says=says)
    if left_s <= 0:
        return Check(check=check, ok=None, says="not tried: the time for trying was up")
    times: list[str] = []
    for task in expert.card.tasks:
        started = monotonic()
        if why := await _trouble(expert, task, trials, deadline_s=min(_CALL_S, max(1.0, left_s))):
            return Check(check=check, ok=False, says=f"{task}: {why}")
        times.append(f"{task} in {seconds(monotonic() - started)}")
    return Check(check=check, ok=True, says=", ".join(times))


async def _trouble(expert: Expert, task: str, trials: Trials, *, deadline_s: float) -> str:
    """Why a call of the expert is not as it should be, or nothing."""
    spec = SPECS[task]
    try:
        args = await asyncio.to_thread(trials.args, spec, expert.card)
        call = Call(run="doctor", task_id=0, task=task, card=expert.card, args=args, deadline_s=deadline_s)
        async with asyncio.timeout(deadline_s + 5):
            return unlike_spec(await expert.backend.run(call), spec)
    except DragomanError as error:
        return error.says
    except TimeoutError:
        return f"no result within {deadline_s:g} s"


def _is_installed(name: str) -> bool:
    try:
        importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
