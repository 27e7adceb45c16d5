"""What goes into a task's slots: what the clause mentions, else what is likeliest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dragoman.planning.embedded.along import calls_this_map, hands_over_map, tells_map
from dragoman.planning.embedded.findings import Finding, part_of
from dragoman.planning.embedded.likeness import reference_first
from dragoman.planning.embedded.mentions import Mention, mentions
from dragoman.planning.embedded.prompts import change, instruction, prompt
from dragoman.planning.embedded.questions import ASKED, is_question, question
from dragoman.planning.embedded.references import Group, picked, refer, salient
from dragoman.planning.embedded.world import BRIDGES, VERSIONS, Entity, fit, literal
from dragoman.tasks import Slot, TaskSpec
from dragoman.values import Ref, Template

if TYPE_CHECKING:
    from dragoman.planning.embedded.builder import Builder

_INSTRUCTED = frozenset(("text-generation", "conversational"))
_PROMPTED = _INSTRUCTED | {"text-to-image", "text-to-video"}
_ALONG = "-text-to-image"


def contents(builder: Builder, finding: Finding, spec: TaskSpec, slot: Slot) -> Group | None:
    """The entities for one slot; None where nothing fits."""
    if spec.name in ASKED and "question" in slot.says:
        return [literal(question(finding.clause, builder.words))]
    if not slot.is_required:
        wanted = change(finding.clause, builder.words) if slot.name == "text" and _tells_change(finding) else ""
        return [literal(wanted)] if wanted else None
    if spec.name in _PROMPTED or (slot.name == "text" and spec.name.endswith(_ALONG)):
        return _told(builder, finding)
    group = _referred(builder, finding, spec, slot)
    if group is not None and spec.name in ASKED:
        group = [e for e in group if not (isinstance(e.arg, str) and e.arg == question(finding.clause, builder.words))]
    if group is None:
        return None
    if spec.name == "text2text-generation":
        return [
            _instructed(entity, change(finding.clause, builder.words)) for entity in map(_bridge(builder, slot), group)
        ]
    if spec.name.endswith(_ALONG):
        control = spec.name.removesuffix(_ALONG) + "-control"
        return group if _is_called_map(builder, finding) else [builder.mapped(entity, control) for entity in group]
    return [builder.bridged(entity, slot.kinds) for entity in group]


def _tells_change(finding: Finding) -> bool:
    """Whether the words say more of the change than the task itself: not for plain enlarging or denoising."""
    plain = {
        "image-to-image": ("@enlarge", "@times", "@double"),
        "audio-to-audio": ("@noise", "@clean", "@denoise", "@noisy", "@remove", "%it"),
    }
    return finding.task in plain and not any(token.has(*plain[finding.task]) for token in finding.clause.tokens)


def _bridge(builder: Builder, slot: Slot) -> Callable[[Entity], Entity]:
    return lambda entity: builder.bridged(entity, slot.kinds)


def _instructed(entity: Entity, wanted: str) -> Entity:
    """The text with what is to be done to it in front; a resource goes in as it is."""
    if isinstance(entity.arg, str):
        return replace(entity, arg=f"{wanted}: {entity.arg}")
    return replace(entity, arg=Template(parts=(f"{wanted}: ", entity.arg))) if isinstance(entity.arg, Ref) else entity


def _told(builder: Builder, finding: Finding) -> Group | None:
    """What is to be made: a quote, a text pointed at, the whole instruction, a topic named before, or the rest."""
    quote = next((token.text for token in finding.clause.tokens if token.kind == "quote"), None)
    if quote:
        return [literal(quote)]
    pointed = _pointed_at(builder, finding)
    if pointed is not None:
        return pointed
    if finding.task == "conversational" and len(builder.findings) == 1:
        return [literal(builder.words.strip())]
    if finding.task in _INSTRUCTED:
        return [literal(instruction(finding.clause, builder.words))]
    is_along = finding.task.endswith(_ALONG)
    said = _topic(builder, finding) or prompt(finding.clause, finding.covers, builder.words, is_along=is_along)
    return [literal(said)] if said else None


def _topic(builder: Builder, finding: Finding) -> str | None:
    """What was named before the verb: `a fox in the snow: can you paint that?`."""
    rest = [t for t in finding.clause.tokens[finding.at + 1 :] if not t.has("@polite", "@please", "@i", "@you")]
    if rest and not all(token.has("@it", "@that") for token in rest):
        return None
    at = next((i for i, clause in enumerate(builder.clauses) if clause is finding.clause), 0)
    before = builder.clauses[at - 1] if at else None
    if before is None or before.mood == "question" or any(f.clause is before for f in builder.findings):
        return None
    return builder.words[before.start : before.end].strip(" ,.:;")


def _pointed_at(builder: Builder, finding: Finding) -> Group | None:
    """The text that the words point at for what is to be made: `illustrate the summary`, `a picture of it`."""
    tokens = finding.clause.tokens
    for mention in mentions(tokens):
        names_text = mention.products or mention.is_pronoun or (mention.is_definite and "text" in mention.kinds)
        between = tokens[finding.at : mention.at]
        says_more = any(t.kind == "word" and t.symbols <= {t.low, "%named"} for t in between)
        if mention.at <= finding.at or says_more or not (mention.file or names_text):
            continue
        _demand(builder, mention)
        group = refer(mention, builder.world, kinds=("text",), task=finding.task)
        if group and all((fit(entity, ("text",)) or 0.0) < 1.0 for entity in group):
            return [picked(entity, mention) for entity in group]
    return None


def _referred(builder: Builder, finding: Finding, spec: TaskSpec, slot: Slot) -> Group | None:
    """What the clause mentions for the slot, else what is likeliest."""
    if slot.takes_many and "reference" in slot.says:
        return _compared(builder, finding, spec, slot)
    found = _candidates(builder, finding, spec)
    named = _together(builder, [m for m in found if m.file], spec, slot)
    if not named:
        quoted = [m for m in found if m.quote and not (spec.name in ASKED and is_question(m.quote))]
        named = _together(builder, quoted, spec, slot)
    if named:
        return named
    for mention in (m for m in found if not m.file and not m.quote):
        _demand(builder, mention)
        group = refer(mention, builder.world, kinds=slot.kinds, task=spec.name)
        if group:
            return [picked(entity, mention) for entity in group]
        if _is_missing(builder, mention, slot):
            return None
    ranked = salient(builder.world, kinds=slot.kinds, task=spec.name)
    return ranked[0] if ranked else None


def _is_missing(builder: Builder, mention: Mention, slot: Slot) -> bool:
    """Whether `this recording` is named and there is none, nor anything else that goes in as it is."""
    is_named = mention.is_medium and mention.is_definite
    return is_named and not any(fit(entity, slot.kinds) == 0.0 for entity in builder.world.everything())


def _candidates(builder: Builder, finding: Finding, spec: TaskSpec) -> list[Mention]:
    """The clause's mentions that may fill this task's slots, likeliest first; never its own product.

    Of several tasks in a clause each takes what stands in its own part, else what comes later, which they share.
    """
    found = [m for m in mentions(finding.clause.tokens) if spec.name not in m.products]
    if spec.name in BRIDGES.values():  # `the text in the first one`: text is what is read, not where.
        found = [m for m in found if m.kinds != ("text",) or m.products] or found
    start, end = part_of(finding, builder.findings)
    own = [m for m in found if start <= m.at < end]
    ahead = [m for m in own if m.at >= finding.at] + [m for m in reversed(own) if m.at < finding.at]
    return ahead + [m for m in found if m.at >= end and not m.products]


def _compared(builder: Builder, finding: Finding, spec: TaskSpec, slot: Slot) -> Group | None:
    """All the things that are compared, the one compared to first; fewer than two named: all there are."""
    found = [m for m in mentions(finding.clause.tokens) if spec.name not in m.products]
    pairs = [(m, group) for m in found if (group := refer(m, builder.world, kinds=slot.kinds, task=spec.name))]
    named = [pair for pair in pairs if pair[0].file or pair[0].quote]
    ordered = reference_first(finding.clause.tokens, named if len(named) > 1 else pairs)
    if len(ordered) < 2:
        ranked = salient(builder.world, kinds=slot.kinds, task=spec.name)
        there = [entity for entity in builder.world.resources if fit(entity, slot.kinds) == 0.0]
        if len({*ordered, *there}) < 2:
            there += [
                entity for entity in builder.world.past if entity.kinds[0] in slot.kinds and entity.made_by is None
            ][:1]
        ordered += [entity for entity in (there or (ranked[0] if ranked else [])) if entity not in ordered]
    is_comparing = any(token.has("@similar", "@compare") for token in finding.clause.tokens)
    lone = _named_alone(builder, finding)
    if lone is not None and (finding.clause.has("%it") or (not named and lone in ordered)):
        ordered = [lone, *(entity for entity in ordered if entity != lone)]
    return None if is_comparing and len(ordered) < 2 else ordered or None


def _named_alone(builder: Builder, finding: Finding) -> Entity | None:
    """The one thing that an earlier clause names by itself: `a.png is what we want. There are b.png and c.png: …`."""
    rows = {id(c): [t.text for t in c.tokens if t.kind == "file"] for c in builder.clauses}
    lone = [row[0] for key, row in rows.items() if len(row) == 1 and key != id(finding.clause)]
    return builder.world.named(lone[0]) if len(lone) == 1 and any(len(row) > 1 for row in rows.values()) else None


def _together(builder: Builder, found: Sequence[Mention], spec: TaskSpec, slot: Slot) -> Group:
    """Every entity that the mentions stand for, once."""
    group: dict[Entity, None] = {}
    for mention in found:
        group.update(dict.fromkeys(refer(mention, builder.world, kinds=slot.kinds, task=spec.name) or ()))
    return list(group)


def _demand(builder: Builder, mention: Mention) -> None:
    """Builds the task whose product is mentioned, where it is asked for but not built yet."""
    wanted = (*mention.products, *(VERSIONS if mention.is_changed else ()))
    for finding in [f for f in builder.pending if f.task in wanted]:
        if finding in builder.pending:  # Building another may have built it.
            builder.pending.remove(finding)
            builder.build(finding)


def _is_called_map(builder: Builder, finding: Finding) -> bool:
    """Whether the clause, or the one ahead of it, calls what came a map: `from the edge map e.png`."""
    if hands_over_map(finding.clause) or calls_this_map(finding.clause):
        return True
    at = next((i for i, clause in enumerate(builder.clauses) if clause is finding.clause), 0)
    return at > 0 and tells_map(builder.clauses[at - 1])
