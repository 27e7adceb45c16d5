"""From findings to a plan: each task's slots filled, helper steps put in where kinds don't meet, equal tasks made once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from dragoman.planning.embedded import slots
from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.findings import Finding, part_of
from dragoman.planning.embedded.languages import code_of, written_in
from dragoman.planning.embedded.likeness import reference_first
from dragoman.planning.embedded.mentions import Mention, mentions
from dragoman.planning.embedded.references import Group, refer, salient
from dragoman.planning.embedded.world import BRIDGES, VERSIONS, Entity, World, fit, is_map
from dragoman.tasks import SPECS, Slot, TaskSpec
from dragoman.values import Arg, Given, Kind, Plan, Ref, Task

_PROMPTED = frozenset(("text-to-image", "text-to-video", "text-generation", "conversational"))
_ASKED = frozenset(
    ("question-answering", "visual-question-answering", "document-question-answering", "table-question-answering")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """A task that can't be planned: the slot or parameter that nothing fills."""

    task: str
    wants: str
    finding: Finding


@dataclass(slots=True)
class Builder:
    """Builds the plan of the findings, in their order. pending: those not built yet; lacks: those that can't be."""

    words: str
    world: World
    language: str
    pending: list[Finding]
    findings: tuple[Finding, ...] = ()
    clauses: Sequence[Clause] = ()
    tasks: list[Task] = field(default_factory=list[Task])
    lacks: list[Lack] = field(default_factory=list[Lack])
    notes: list[str] = field(default_factory=list[str])
    entities: dict[int, Entity] = field(default_factory=dict[int, Entity])

    def plan(self) -> Plan:
        """The plan of all findings that can be built."""
        self._take_loose_quotes()
        while self.pending:
            self.build(self.pending.pop(0))
        return Plan(tasks=tuple(self.tasks))

    def build(self, finding: Finding) -> None:
        """Adds the finding's tasks: one, or one for each resource where its slot takes a single one."""
        self._attend(finding)
        spec = SPECS[finding.task]
        filled = self._filled(finding, spec)
        if filled is None:
            return
        parameters = self._parameters(finding, spec)
        if parameters is None:
            return
        made: Group = []
        if spec.slot("right") and any(slots.is_stereo(clause) for clause in self.clauses) and len(filled["image"]) == 2:
            filled = {"image": [filled["image"][0]], "right": [filled["image"][1]]}
        for row in self._rows(filled):
            for extra in parameters:
                made.append(self._add(spec, row, extra))
        self.world.products.append(list(dict.fromkeys(made)))

    def _take_loose_quotes(self) -> None:
        """Quotes in clauses that ask for nothing are what the others work on."""
        busy = [finding.clause for finding in self.pending]
        for clause in self.clauses:
            if not any(clause is other for other in busy):
                self.world.resources += [_literal(t.text) for t in clause.tokens if t.kind == "quote"]

    def _attend(self, finding: Finding) -> None:
        """What was named last, up to this finding, comes to mind first."""
        for clause in self.clauses:
            self.world.attend(clause.tokens)
            if clause is finding.clause:
                return

    def _rows(self, filled: dict[str, list[list[Entity]]]) -> list[dict[str, list[Entity]]]:
        """One row of slot contents for each task: every combination of what single slots are offered."""
        names = list(filled)
        return [dict(zip(names, row, strict=True)) for row in itertools.product(*(filled[name] for name in names))]

    def _filled(self, finding: Finding, spec: TaskSpec) -> dict[str, list[list[Entity]]] | None:
        """For each slot what goes in: a list of alternatives (one task each), each a list of entities (together)."""
        filled: dict[str, list[list[Entity]]] = {}
        for slot in spec.slots:
            group = self._contents(finding, spec, slot)
            if group and spec.name in _ASKED and slot.name == "context":
                group = [e for e in group if e.arg != filled["text"][0][0].arg]
            if group:
                filled[slot.name] = [group] if slot.takes_many else [[entity] for entity in group]
            elif slot.is_required:
                self.lacks.append(Lack(task=spec.name, wants=slot.kinds[0], finding=finding))
                return None
        return filled

    def _mapped(self, entity: Entity, control: str) -> Entity:
        """The condition map of a picture: the map that was made, a file that is one by its name, or a helper's."""
        if is_map(entity, control):
            return entity
        root = entity if entity.made_by is None else entity.root(("image",))
        made = next((group[0] for group in self.world.products if group and group[0].made_by == control), None)
        return made or self._add(SPECS[control], {"image": [root]}, {})

    def _contents(self, finding: Finding, spec: TaskSpec, slot: Slot) -> Group | None:
        if spec.name in _ASKED and "question" in slot.says:
            return [_literal(slots.question(finding.clause, self.words))]
        if not slot.is_required:
            return None
        if spec.name in _PROMPTED or (slot.name == "text" and spec.name.endswith("-text-to-image")):
            return self._prompt(finding)
        group = self._referred(finding, spec, slot)
        if group is None:
            return None
        if spec.name.endswith("-text-to-image"):
            control = spec.name.removesuffix("-text-to-image") + "-control"
            return group if _is_called_map(finding) else [self._mapped(entity, control) for entity in group]
        return [self._bridged(entity, slot.kinds) for entity in group]

    def _prompt(self, finding: Finding) -> Group | None:
        quote = next((t.text for t in finding.clause.tokens if t.kind == "quote"), None)
        if quote:
            return [_literal(quote)]
        told = self._told(finding)
        if told is not None:
            return told
        if finding.task in ("text-generation", "conversational"):
            return [_literal(slots.instruction(finding.clause, self.words))]
        topic = self._topic(finding)
        if topic is not None:
            return [_literal(topic)]
        said = slots.prompt(
            finding.clause, finding.covers, self.words, is_along=finding.task.endswith("-text-to-image")
        )
        return [_literal(said)] if said else None

    def _topic(self, finding: Finding) -> str | None:
        """What was named before the verb: `a fox in the snow: can you paint that?`."""
        tokens = finding.clause.tokens
        after = [t for t in tokens[finding.at + 1 :] if not t.has("@polite", "@please", "@i", "@you")]
        if after and not all(t.has("@it", "@that") for t in after):
            return None
        at = next((i for i, clause in enumerate(self.clauses) if clause is finding.clause), 0)
        before = self.clauses[at - 1] if at else None
        if before is None or any(f.clause is before for f in self.findings) or before.mood == "question":
            return None
        return self.words[before.start : before.end].strip(" ,.:;")

    def _told(self, finding: Finding) -> Group | None:
        """What is to be made, where the words point at a text for it: `illustrate the summary`, `a picture of it`."""
        tokens = finding.clause.tokens
        for mention in mentions(tokens):
            if mention.file is None and not (
                mention.products or mention.is_pronoun or (mention.is_definite and "text" in mention.kinds)
            ):
                continue
            between = tokens[finding.at : mention.at]
            if any(t.kind == "word" and t.symbols <= {t.low, "%named"} for t in between) or mention.at <= finding.at:
                continue
            self._demand(mention)
            group = refer(mention, self.world, kinds=("text",), task=finding.task)
            if group and all((cost := fit(e, ("text",))) is not None and cost < 1.0 for e in group):
                return [_picked(entity, mention) for entity in group]
        return None

    def _compared(self, finding: Finding, spec: TaskSpec, slot: Slot) -> Group | None:
        """All the things that are compared, the one compared to first; fewer than two named: all there are."""
        found = [m for m in mentions(finding.clause.tokens) if spec.name not in m.products]
        pairs = [(m, group) for m in found if (group := refer(m, self.world, kinds=slot.kinds, task=spec.name))]
        named = [pair for pair in pairs if pair[0].file or pair[0].quote]
        ordered = reference_first(finding.clause.tokens, named if len(named) > 1 else pairs)
        if len(ordered) < 2:
            ranked = salient(self.world, kinds=slot.kinds, task=spec.name)
            ordered += [entity for entity in (ranked[0] if ranked else []) if entity not in ordered]
        return ordered or None

    def _referred(self, finding: Finding, spec: TaskSpec, slot: Slot) -> Group | None:
        """What the clause mentions for the slot, else what is likeliest."""
        if slot.takes_many and "reference" in slot.says:
            return self._compared(finding, spec, slot)
        found = self._candidates(finding, spec)
        files = self._together([m for m in found if m.file], spec, slot)
        if files:
            return files
        quotes = self._together([m for m in found if m.quote], spec, slot)
        quotes = [e for e in quotes if not (spec.name in _ASKED and str(e.arg).rstrip().endswith(("?", "？")))]
        if quotes:
            return quotes
        for mention in (m for m in found if not m.file and not m.quote):
            self._demand(mention)
            group = refer(mention, self.world, kinds=slot.kinds, task=spec.name)
            if group:
                return [_picked(entity, mention) for entity in group]
            if (
                mention.is_medium
                and mention.is_definite
                and not any(fit(e, slot.kinds) == 0.0 for e in self.world.everything())
            ):
                return None
        ranked = salient(self.world, kinds=slot.kinds, task=spec.name)
        return ranked[0] if ranked else None

    def _candidates(self, finding: Finding, spec: TaskSpec) -> list[Mention]:
        """The clause's mentions that may fill this task's slots, likeliest first; never its own product.

        Of several tasks in a clause each takes what stands in its own part, else what comes later, which they share.
        """
        found = [m for m in mentions(finding.clause.tokens) if spec.name not in m.products]
        if spec.name == "token-classification":
            found = [m for m in found if m.label is None]
        start, end = part_of(finding, self.findings)
        own = [m for m in found if start <= m.at < end]
        ahead = [m for m in own if m.at >= finding.at] + [m for m in reversed(own) if m.at < finding.at]
        return ahead + [m for m in found if m.at >= end and not m.products]

    def _together(self, found: Sequence[Mention], spec: TaskSpec, slot: Slot) -> Group:
        group: Group = []
        for mention in found:
            for entity in refer(mention, self.world, kinds=slot.kinds, task=spec.name) or ():
                if entity not in group:
                    group.append(entity)
        return group

    def _demand(self, mention: Mention) -> None:
        """Builds the task whose product is mentioned, where it is asked for but not built yet."""
        wanted = (*mention.products, *(VERSIONS if mention.is_changed else ()))
        for finding in [f for f in self.pending if f.task in wanted]:
            if finding in self.pending:  # Building another may have built it.
                self.pending.remove(finding)
                self.build(finding)

    def _bridged(self, entity: Entity, kinds: Sequence[Kind]) -> Entity:
        """The entity itself, or what a helper task makes of it where the slot can't take it."""
        cost = fit(entity, kinds)
        if cost is None or cost < 1.0:
            return entity
        helper = next(BRIDGES[entity.kinds[0], want] for want in kinds if (entity.kinds[0], want) in BRIDGES)
        known = next(
            (e for e in self.world.past if e.made_by == helper and _is_past_of(e, entity) and fit(e, kinds) == 0.0),
            None,
        )
        if known is not None:
            return known
        spec = SPECS[helper]
        return self._add(spec, {spec.slots[0].name: [entity]}, {})

    def _add(self, spec: TaskSpec, row: dict[str, list[Entity]], extra: dict[str, Arg]) -> Entity:
        """The product of the task with these contents; a task that is there already is not made twice."""
        args: dict[str, Arg] = {}
        for name, contents in row.items():
            slot = spec.slot(name)
            is_list = slot is not None and slot.takes_many and len(contents) > 1
            args[name] = [e.arg for e in contents] if is_list else contents[0].arg
        args.update(extra)
        args.update(self._follows(spec, args, row))
        for task in self.tasks:
            if task.task == spec.name and task.args == args:
                return self.entities[task.id]
        task = Task(id=len(self.tasks), task=spec.name, args=args)
        self.tasks.append(task)
        source = next((contents[0] for name, contents in row.items() if name != "text" or len(row) == 1), None)
        self.entities[task.id] = Entity(
            arg=Ref(task=task.id),
            kinds=tuple(output.kind for output in spec.outputs),
            made_by=spec.name,
            source=source,
            language=str(args["target"]) if "target" in args else None,
        )
        return self.entities[task.id]

    def _follows(self, spec: TaskSpec, args: dict[str, Arg], row: dict[str, list[Entity]]) -> dict[str, Arg]:
        """What the contents decide: the language of the voice that reads them, where it is known and not English."""
        if spec.name != "text-to-speech" or "text" not in row:
            return {}
        entity = row["text"][0]
        language = entity.language or (written_in(entity.arg) if isinstance(entity.arg, str) else None)
        return {"target": language} if language and (entity.language or language != "en") else {}

    def _parameters(self, finding: Finding, spec: TaskSpec) -> list[dict[str, Arg]] | None:
        """The named parameters; several where one task is wanted for each (two languages)."""
        base: dict[str, Arg] = {}
        clause = finding.clause
        if spec.parameter("sentences") and (count := slots.sentences_wanted(clause)) is not None:
            base["sentences"] = count
        if spec.parameter("scale") and (scale := slots.scale_wanted(clause)) is not None:
            base["scale"] = scale
        if spec.parameter("column") and (column := slots.column_wanted(clause, ())) is not None:
            base["column"] = column
        labels = spec.parameter("labels")
        if labels and (wanted := slots.labels_wanted(clause, self.words)):
            base["labels"] = wanted
        elif labels and labels.is_required:
            self.lacks.append(Lack(task=spec.name, wants="labels", finding=finding))
            return None
        boxes = spec.parameter("boxes")
        if boxes and (found := self._boxes()) is not None:
            base["boxes"] = found
        if spec.name == "translation":
            return self._languages(finding, base)
        return [base]

    def _told_source(self, finding: Finding) -> str | None:
        """The language that a statement names for what is translated: `the letter is Portuguese`."""
        for clause in self.clauses:
            if clause.mood == "statement" and clause is not finding.clause and clause.has("%language"):
                return next((code for t in clause.tokens if t.has("%language") and (code := code_of(t.low))), None)
        return None

    def _boxes(self) -> Arg | None:
        """The boxes that were found last, of this plan or of the conversation."""
        makers = [name for name, spec in SPECS.items() if any(output.name == "boxes" for output in spec.outputs)]
        return next((e.arg for e in self.world.everything() if e.made_by in makers and e.kinds[0] == "data"), None)

    def _languages(self, finding: Finding, base: dict[str, Arg]) -> list[dict[str, Arg]] | None:
        targets = slots.target_language(finding.clause)
        source = slots.source_language(finding.clause) or self._told_source(finding)
        if not targets:
            targets = [self.language]
            self.notes.append(f"no language was named; `{self.language}` is assumed")
        if source:
            base = {**base, "source": source}
        return [{**base, "target": target} for target in targets]


def _is_past_of(product: Entity, entity: Entity) -> bool:
    """Whether an earlier turn made the product from the entity."""
    return entity.age > 0 and product.source is not None and product.source.arg == entity.arg


def _is_called_map(finding: Finding) -> bool:
    """Whether the clause calls the file a map: `from the edge map e.png`."""
    tokens = finding.clause.tokens
    return any(
        t.kind == "file" and any(before.has("@map") for before in tokens[max(0, at - 2) : at])
        for at, t in enumerate(tokens)
    )


def _literal(text: str) -> Entity:
    return Entity(arg=text, kinds=("text",), text=text)


def _picked(entity: Entity, mention: Mention) -> Entity:
    """The entity narrowed to the label that the mention names: `the names` are the people among the entities."""
    if mention.label is None or entity.made_by != "token-classification":
        return entity
    if isinstance(entity.arg, Ref):
        return Entity(
            arg=Ref(task=entity.arg.task, pick=mention.label),
            kinds=entity.kinds,
            made_by=entity.made_by,
            source=entity.source,
        )
    assert isinstance(entity.arg, Given)
    return Entity(
        arg=Given(name=entity.arg.name, pick=mention.label),
        kinds=entity.kinds,
        made_by=entity.made_by,
        source=entity.source,
        age=entity.age,
    )
