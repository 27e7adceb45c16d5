"""From findings to a plan: slots filled, helper steps put in where kinds don't meet, equal tasks made once."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.filling import contents
from dragoman.planning.embedded.findings import Finding
from dragoman.planning.embedded.languages import code_of, written_in
from dragoman.planning.embedded.parameters import (
    column_wanted,
    is_stereo,
    labels_wanted,
    scale_wanted,
    sentences_wanted,
    source_language,
    target_languages,
)
from dragoman.planning.embedded.references import Group
from dragoman.planning.embedded.world import BRIDGES, Entity, World, fit, is_map, literal
from dragoman.tasks import SPECS, TaskSpec
from dragoman.values import Arg, Kind, Plan, Ref, Task

Args = dict[str, Arg]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """A task that can't be planned: the slot or parameter that nothing fills."""

    task: str
    wants: str


@dataclass(slots=True)
class Builder:
    """Builds the plan of the findings, in their order. pending: those not built yet; lacks: those that can't be."""

    words: str
    world: World
    language: str
    findings: tuple[Finding, ...]
    clauses: Sequence[Clause]
    pending: list[Finding] = field(init=False)
    tasks: list[Task] = field(default_factory=list[Task])
    lacks: list[Lack] = field(default_factory=list[Lack])
    notes: list[str] = field(default_factory=list[str])
    entities: dict[int, Entity] = field(default_factory=dict[int, Entity])

    def plan(self) -> Plan:
        """The plan of all findings that can be built."""
        self.pending = list(self.findings)
        self._take_loose_quotes()
        while self.pending:
            self.build(self.pending.pop(0))
        return Plan(tasks=tuple(self.tasks))

    def build(self, finding: Finding) -> None:
        """Adds the finding's tasks: one, or one for each resource where its slot takes a single one."""
        self._attend(finding)
        spec = SPECS[finding.task]
        filled = self._filled(finding, spec)
        settings = self._settings(finding, spec) if filled else []
        if not filled or not settings:
            return
        names = list(filled)
        rows = [dict(zip(names, row, strict=True)) for row in itertools.product(*filled.values())]
        made = [self._add(spec, row, setting) for row in rows for setting in settings]
        self.world.products.append(list(dict.fromkeys(made)))

    def _take_loose_quotes(self) -> None:
        """Quotes in clauses that ask for nothing are what the others work on."""
        busy = {id(finding.clause) for finding in self.findings}
        loose = [clause for clause in self.clauses if id(clause) not in busy]
        self.world.resources += [literal(t.text) for clause in loose for t in clause.tokens if t.kind == "quote"]

    def _attend(self, finding: Finding) -> None:
        """What was named last, up to this finding, comes to mind first."""
        for clause in self.clauses:
            self.world.attend(clause.tokens)
            if clause is finding.clause:
                return

    def _filled(self, finding: Finding, spec: TaskSpec) -> dict[str, list[Group]] | None:
        """For each slot what goes in: alternatives (one task each), each a list of entities (together)."""
        filled: dict[str, list[Group]] = {}
        for slot in spec.slots:
            group = contents(self, finding, spec, slot)
            if group:
                filled[slot.name] = [group] if slot.takes_many else [[entity] for entity in group]
            elif slot.is_required:
                self.lacks.append(Lack(task=spec.name, wants=slot.kinds[0]))
                return None
        is_pair = spec.slot("right") is not None and len(filled["image"]) == 2
        if is_pair and any(is_stereo(clause) for clause in self.clauses):
            pair = sorted(filled["image"], key=lambda group: "right" in str(group[0].arg).casefold())
            filled["image"], filled["right"] = pair[:1], pair[1:]
        return filled

    def mapped(self, entity: Entity, control: str) -> Entity:
        """The condition map of a picture: the map that was made, a file that is one by its name, or a helper's."""
        if is_map(entity, control):
            return entity
        made = next(
            (known for known in self.world.everything() if known.made_by == control and "image" in known.kinds), None
        )
        root = entity if entity.made_by is None else entity.root(("image",))
        return made or self._add(SPECS[control], {"image": [root]}, {})

    def bridged(self, entity: Entity, kinds: Sequence[Kind]) -> Entity:
        """The entity itself, or what a helper task makes of it where the slot can't take it."""
        if (fit(entity, kinds) or 0.0) < 1.0:
            return entity
        helper = next(BRIDGES[entity.kinds[0], want] for want in kinds if (entity.kinds[0], want) in BRIDGES)
        known = (e for e in self.world.past if e.made_by == helper and _is_past_of(e, entity))
        read = next((e for e in known if fit(e, kinds) == 0.0), None)
        return read or self._add(SPECS[helper], {SPECS[helper].slots[0].name: [entity]}, {})

    def _add(self, spec: TaskSpec, row: Mapping[str, Group], settings: Args) -> Entity:
        """The product of the task with these contents; a task that is there already is not made twice."""
        args: Args = {}
        for name, group in row.items():
            slot = spec.slot(name)
            is_list = slot is not None and slot.takes_many and len(group) > 1
            args[name] = [entity.arg for entity in group] if is_list else group[0].arg
        args |= settings | self._voice(spec, row)
        for task in self.tasks:
            if task.task == spec.name and task.args == args:
                return self.entities[task.id]
        return self._append(spec, args, source=_worked_on(row))

    def _append(self, spec: TaskSpec, args: Args, *, source: Entity | None) -> Entity:
        """The product of a new task."""
        task = Task(id=len(self.tasks), task=spec.name, args=args)
        self.tasks.append(task)
        kinds: tuple[Kind, ...] = tuple(output.kind for output in spec.outputs)
        language = args["target"] if isinstance(args.get("target"), str) else None
        made = Entity(arg=Ref(task=task.id), kinds=kinds, made_by=spec.name, source=source, language=language)
        self.entities[task.id] = made
        return made

    def _voice(self, spec: TaskSpec, row: Mapping[str, Group]) -> Args:
        """The language of the voice that reads, where the text's language is known and not taken for granted."""
        if spec.name != "text-to-speech" or "text" not in row:
            return {}
        entity = row["text"][0]
        written = written_in(entity.arg) if isinstance(entity.arg, str) else None
        language = entity.language or (written if written != "en" else None)
        return {"target": language} if language else {}

    def _settings(self, finding: Finding, spec: TaskSpec) -> list[Args]:
        """The named parameters; several for several tasks (two languages), none where a required one is lacking."""
        clause = finding.clause
        wanted: Args = {
            "sentences": sentences_wanted(clause),
            "scale": scale_wanted(clause),
            "column": column_wanted([clause, *self.clauses]),
            "labels": labels_wanted(clause, self.words) or None,
            "boxes": self._boxes(),
        }
        found = {name: value for name, value in wanted.items() if value is not None and spec.parameter(name)}
        missing = next((p.name for p in spec.parameters if p.is_required and p.name not in (*found, "target")), None)
        if missing is not None:
            self.lacks.append(Lack(task=spec.name, wants=missing))
            return []
        return self._languages(finding, found) if spec.name == "translation" else [found]

    def _boxes(self) -> Arg | None:
        """The boxes that were found last, of this plan or of the conversation."""
        makers = [name for name, spec in SPECS.items() if any(output.name == "boxes" for output in spec.outputs)]
        return next((e.arg for e in self.world.everything() if e.made_by in makers and e.kinds[0] == "data"), None)

    def _languages(self, finding: Finding, found: Args) -> list[Args]:
        targets = target_languages(finding.clause)
        if not targets:
            targets = [self.language]
            self.notes.append(f"no language was named; `{self.language}` is assumed")
        source = source_language(finding.clause) or self._told_source(finding)
        settings = {**found, "source": source} if source else found
        return [{**settings, "target": target} for target in targets]

    def _told_source(self, finding: Finding) -> str | None:
        """The language that a statement names for what is translated: `the letter is Portuguese`."""
        for clause in self.clauses:
            if clause.mood == "statement" and clause is not finding.clause and clause.has("%language"):
                return next((code for t in clause.tokens if t.has("%language") and (code := code_of(t.low))), None)
        return None


def _worked_on(row: Mapping[str, Group]) -> Entity | None:
    """What the task's product is made from: the content, not the question or prompt beside it."""
    return next((group[0] for name, group in row.items() if name != "text" or len(row) == 1), None)


def _is_past_of(product: Entity, entity: Entity) -> bool:
    """Whether an earlier turn made the product from the entity."""
    return entity.age > 0 and product.source is not None and product.source.arg == entity.arg
