"""`dragoman plan`: what `ask` would do, shown and not done."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.cli.commands import Desk
from dragoman.cli.figures import briefly
from dragoman.cli.interrupts import Loop
from dragoman.cli.options import Options, settings_of
from dragoman.cli.terminal import Terminal
from dragoman.cli.words import asked
from dragoman.journal.ids import check_session
from dragoman.values import Planned, plan_to_json

__all__ = ["run"]

_ARG_CHARS = 60


def run(argv: Sequence[str], *, desk: Desk) -> int:
    """Print the plan; the exit code: 1 if the request is refused."""
    typed = _options().read(argv)
    options, terminal = typed.options, desk.terminal
    request = asked(typed.words, command="plan", terminal=terminal)
    session = check_session(options.session) if options.session is not None else None
    dragoman = desk.dragoman(settings=settings_of(options))

    async def plan() -> Planned:
        async with dragoman:
            return await dragoman.plan(request.words, files=request.files, session=session)

    with Loop() as loop:
        planned = loop.run(plan())
    if options.json:
        terminal.show_json(plan_to_json(planned.plan))
    else:
        _show(planned, terminal)
    for note in planned.notes:
        terminal.say(note)
    for repair in planned.repairs:
        terminal.say(f"repaired: {repair.found}; {repair.did}")
    if planned.fault is not None:
        terminal.complain(planned.fault.says, helps=planned.fault.helps)
    return 1 if planned.fault is not None and not planned.plan.tasks else 0


def _options() -> Options:
    says = "Show the tasks that `ask` would run, which needs which, and run none."
    options = Options("plan", says=says, words='"WORDS" [FILES…]')
    options.add_argument("--session", metavar="NAME", help="a conversation to go on with")
    options.add_argument(
        "--mind", metavar="MIND", help="who plans: auto, embedded, a model's name, gguf:PATH, scripted:FILE"
    )
    options.add_argument("--json", action="store_true", help="print the plan as a JSON list")
    return options


def _show(planned: Planned, terminal: Terminal) -> None:
    """One task a line, its arguments below, each with what it waits for."""
    for task in plan_to_json(planned.plan):
        after = [str(id_) for id_ in task["dep"] if id_ >= 0]
        terminal.show(f"{task['id']}  {task['task']}" + (f"  after {', '.join(after)}" if after else ""))
        for name, arg in task["args"].items():
            terminal.show(f"     {name}: {briefly(arg, chars=_ARG_CHARS)}")
    if not planned.plan.tasks and planned.reply:
        terminal.show(planned.reply)
    terminal.say(f"planned by {planned.by}")
