"""What words can refer to: the resources, what the plan's tasks make, and what the conversation left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from dragoman.planning.embedded.maps import is_map_name
from dragoman.planning.embedded.words import Token
from dragoman.tasks import SPECS
from dragoman.values import Given, Kind, Ref, Request, Resource, Template, Turn

# Tasks that give back a changed version of what they took: later tasks take the version, unless the original is named.
VERSIONS = frozenset(("image-to-image", "audio-to-audio"))
_FRESH = frozenset(("text-to-image", "text-to-video", "text-to-speech"))
_COERCED: dict[tuple[Kind, Kind], float] = {
    ("video", "audio"): 0.1,
    ("video", "image"): 0.2,
    ("document", "text"): 0.1,
    ("data", "text"): 0.5,
    ("table", "text"): 0.9,
}
# What makes one kind from another, where a slot wants the other: the helper steps.
BRIDGES: dict[tuple[Kind, Kind], str] = {
    ("image", "text"): "optical-character-recognition",
    ("audio", "text"): "automatic-speech-recognition",
    ("video", "text"): "automatic-speech-recognition",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Something that can stand in a slot. kinds: what it can give, the main one first; age: turns back, 0 is now."""

    arg: Given | Ref | Template | str
    kinds: tuple[Kind, ...]
    made_by: str | None = None
    source: Entity | None = None
    age: int = 0
    text: str | None = None
    language: str | None = None

    @property
    def is_side_product(self) -> bool:
        """Whether its picture is a by-product (boxes drawn in, a map) that only its name refers to."""
        return self.made_by is not None and "image" in self.kinds and self.made_by not in VERSIONS | _FRESH

    def root(self, kinds: Sequence[Kind]) -> Entity:
        """The earliest thing that this was made from and that is of these kinds."""
        earliest, at = self, self
        while at.source is not None:
            at = at.source
            if set(at.kinds) & set(kinds):
                earliest = at
        return earliest


def fit(entity: Entity, kinds: Sequence[Kind]) -> float | None:
    """What it costs to put the entity into a slot: 0 direct, below 1 coerced, 1 by a helper; None if it can't."""
    if entity.kinds[0] in kinds:
        return 0.0
    if set(entity.kinds) & set(kinds):
        return 0.05 if entity.age == 0 else 0.0
    costs = [_COERCED[have, want] for have in entity.kinds for want in kinds if (have, want) in _COERCED]
    costs += [1.0 for want in kinds if (entity.kinds[0], want) in BRIDGES]
    return min(costs, default=None)


def literal(text: str) -> Entity:
    """Words of the request as something that can stand in a slot."""
    return Entity(arg=text, kinds=("text",), text=text)


@dataclass(slots=True)
class World:
    """Everything that can be referred to. products: groups made by the plan's tasks, newest last."""

    resources: list[Entity]
    past: list[Entity]
    products: list[list[Entity]] = field(default_factory=list[list[Entity]])
    focus: list[Entity] = field(default_factory=list[Entity])
    aliases: dict[str, Entity] = field(default_factory=dict[str, Entity])
    pages: list[Given | Ref | Template | str] = field(default_factory=list[Given | Ref | Template | str])

    @classmethod
    def of(cls, request: Request) -> World:
        """The world before planning. A resource of an earlier turn that is handed over again is a present one."""
        resources = [_given(r, age=0) for r in request.resources]
        seen = {r.name for r in request.resources}
        past: list[Entity] = []
        for age, turn in enumerate(reversed(request.history), 1):
            for resource in (*reversed(turn.made), *turn.asked):
                if resource.name not in seen:
                    seen.add(resource.name)
                    past.append(replace(_given(resource, age=age), language=_language_of(resource, turn)))
        return cls(resources=resources, past=_sourced(past))

    def attend(self, tokens: Sequence[Token]) -> None:
        """Keeps in mind the files that a clause names; they come first until others are named."""
        named = [e for t in tokens if t.kind in ("file", "url") and (e := self.named(t.text)) is not None]
        if any(token.has("@document", "@receipt") for token in tokens):
            self.pages += [entity.arg for entity in named if entity.kinds[0] == "image"]
        named += [Entity(arg=t.text, kinds=("text",), text=t.text) for t in tokens if t.kind == "quote"]
        if named:
            self.focus = named

    def everything(self) -> Iterable[Entity]:
        """All entities, newest products first, then the resources, then the past."""
        for group in reversed(self.products):
            yield from group
        yield from self.resources
        yield from self.past

    def named(self, name: str) -> Entity | None:
        """The resource with this file name, or with this as the last part of a path or URL."""
        wanted = _last_part(name)
        candidates = [e for e in (*self.resources, *self.past) if isinstance(e.arg, Given)]
        by_name = {e.arg.name: e for e in reversed(candidates) if isinstance(e.arg, Given)}
        by_folded = {known.casefold(): entity for known, entity in by_name.items()}
        by_last_part = {_last_part(known): entity for known, entity in by_name.items()}
        return by_name.get(name) or by_folded.get(name.casefold()) or by_last_part.get(wanted) or self.aliases.get(name)

    def meet(self, tokens: Sequence[Token]) -> None:
        """Tells which URL of the words is which resource, where their names don't: in the order of both."""
        named = [(token, self.named(token.text)) for token in tokens if token.kind in ("file", "url")]
        known = {entity.arg for _, entity in named if entity is not None}
        free = [entity for entity in self.resources if entity.arg not in known]
        unknown = [token.text for token, entity in named if entity is None and token.kind == "url"]
        self.aliases = dict(zip(dict.fromkeys(unknown), free, strict=False))


def is_map(entity: Entity, control: str) -> bool:
    """Whether a picture is a condition map already: made by the control task, or a file whose name says so."""
    if entity.made_by is not None:
        return entity.made_by == control
    return isinstance(entity.arg, Given) and is_map_name(entity.arg.name)


def _last_part(name: str) -> str:
    return name.replace("\\", "/").rstrip("/").rpartition("/")[2].partition("?")[0].casefold()


def _given(resource: Resource, *, age: int) -> Entity:
    made_by = resource.facts.get("made_by")
    return Entity(
        arg=Given(name=resource.name),
        kinds=(resource.kind,),
        age=age,
        text=resource.text,
        made_by=made_by if isinstance(made_by, str) and made_by in SPECS else None,
    )


def _language_of(resource: Resource, turn: Turn) -> str | None:
    """The language that an earlier translation put its text into."""
    made_by = resource.facts.get("made_by")
    targets = [task.args.get("target") for task in turn.plan.tasks if task.task == made_by == "translation"]
    return targets[0] if targets and isinstance(targets[0], str) else None


def _sourced(past: list[Entity]) -> list[Entity]:
    """The past entities, what a task made knowing what was asked in its turn as its source."""
    asked = {entity.age: entity for entity in reversed(past) if entity.made_by is None}
    return [replace(e, source=asked.get(e.age)) if e.made_by else e for e in past]
