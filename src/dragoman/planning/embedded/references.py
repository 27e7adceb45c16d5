"""From a mention to what it refers to: the entities that fit the slot, the likeliest group first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from dragoman.planning.embedded.mentions import Mention
from dragoman.planning.embedded.world import VERSIONS, Entity, World, fit, literal
from dragoman.tasks import SPECS
from dragoman.values import Kind, Template

Group = list[Entity]
_REWORKED = frozenset(("summarization", "translation", "text2text-generation", "text-generation", "question-answering"))
# Tasks that take the text form of data: they say or put otherwise what was found.
_VOICES = frozenset(("text-to-speech", "translation", "text-to-image", "text-to-video"))
_PAST, _FOCUS, _RESOURCE, _SIDE, _LOOSE = 2.0, 0.3, 0.35, 0.8, 0.5


def is_analysis(task: str) -> bool:
    """Whether a task only tells about its input (all it makes is data), so that the fullest version should go in."""
    return all(output.kind == "data" for output in SPECS[task].outputs)


def _is_usable(entity: Entity, task: str) -> bool:
    """Whether the task can work on it: what only tells about a text is no text for another such task."""
    return not (entity.kinds[0] == "data" and set(entity.kinds) <= {"data", "image"} and is_analysis(task))


def groups(
    world: World, kinds: Sequence[Kind], accepts: Callable[[Entity], bool] = lambda _: True
) -> list[tuple[float, Group]]:
    """Every group of entities that fits slots of these kinds, cheapest first: newest products, resources, the past."""
    found: list[tuple[float, Group]] = []
    for rank, product in enumerate(reversed(world.products)):
        _add(found, [e for e in product if accepts(e)], kinds, 0.02 * rank)
    focus = [e for e in world.focus if accepts(e)]
    for kind_group in _by_kind(focus):
        _add(found, kind_group, kinds, _FOCUS)
    for kind_group in _by_kind([e for e in world.resources if accepts(e)]):
        _add(found, kind_group, kinds, _RESOURCE)
    for rank, (_, past) in enumerate(_past_groups(world, accepts)):
        _add(found, past, kinds, _PAST + 0.05 * rank)
    return sorted(found, key=lambda pair: pair[0])


def _add(found: list[tuple[float, Group]], group: Group, kinds: Sequence[Kind], tier: float) -> None:
    costs = [cost for e in group if (cost := fit(e, kinds)) is not None]
    if group and len(costs) == len(group):
        side = _SIDE if group[0].is_side_product and "image" in kinds else 0.0
        found.append((tier + max(costs) + side, group))


def _by_kind(entities: Group) -> list[Group]:
    table: dict[str, Group] = {}
    for entity in entities:
        table.setdefault(entity.kinds[0], []).append(entity)
    return list(table.values())


def _past_groups(world: World, accepts: Callable[[Entity], bool]) -> list[tuple[tuple[int, str | None, str], Group]]:
    """Earlier turns' entities that belong together: of one turn, one maker, one kind."""
    table: dict[tuple[int, str | None, str], Group] = {}
    for entity in world.past:
        if accepts(entity):
            table.setdefault((entity.age, entity.made_by, entity.kinds[0]), []).append(entity)
    return list(table.items())


def refer(mention: Mention, world: World, *, kinds: Sequence[Kind], task: str) -> Group | None:
    """The entities that a mention stands for in a slot of these kinds of `task`; None where nothing fits."""
    if mention.file is not None:
        entity = world.named(mention.file)
        entity = _newest_version(entity, world) if entity is not None and not mention.is_original else entity
        return [entity] if entity is not None and fit(entity, kinds) is not None else None
    if mention.quote is not None:
        return [literal(mention.quote)] if "text" in kinds else None
    found = _by_product(mention, world, kinds=kinds, task=task)
    if found and "image" in kinds and found[0].kinds[0] != "image":
        return _roots(found, kinds)
    found = found or _by_noun(mention, world, kinds=kinds, task=task)
    if found is None and mention.is_medium:
        return None
    points = mention.is_pronoun or mention.is_definite or mention.is_all or mention.is_original
    if found is None and (points or mention.ordinal is not None or mention.kinds):
        found = _by_salience(mention, world, kinds=kinds, task=task)
    if found and mention.language and found[0].made_by == "translation" and found[0].language != mention.language:
        return _roots(found, kinds)
    return _roots(found, kinds) if found and mention.is_original else found


def _newest_version(entity: Entity, world: World) -> Entity:
    """The file, or what a task has made of it as its new version: `denoise x.wav; transcribe x.wav`."""
    for group in reversed(world.products):
        for made in group:
            if made.made_by in VERSIONS and made.root(made.kinds) == entity:
                return made
    return entity


def _roots(found: Group, kinds: Sequence[Kind]) -> Group:
    roots: Group = []
    for entity in found:
        root = entity.root(kinds)
        if root not in roots:
            roots.append(root)
    return roots


def _by_product(mention: Mention, world: World, *, kinds: Sequence[Kind], task: str) -> Group | None:
    """What the tasks made that the noun names: `the transcript`, `your summary`, `the names`."""
    if not mention.products:
        return None
    ranked = groups(world, kinds, lambda e: e.made_by in mention.products and _is_usable(e, task))
    return _selected(mention, ranked[0][1]) if ranked else None


def _by_noun(mention: Mention, world: World, *, kinds: Sequence[Kind], task: str) -> Group | None:
    """Things of the kind that the noun names: `the second picture`, `this recording`."""
    if not mention.kinds or mention.products:
        return None
    ranked = groups(world, kinds, lambda e: _is_called(e, mention) and _is_usable(e, task))
    if mention.ordinal is not None or mention.is_all or (mention.is_plural and mention.count):
        ranked = [pair for pair in ranked if len(pair[1]) > 1] or ranked
    if mention.is_changed:
        ranked = [pair for pair in ranked if pair[1][0].made_by] or ranked
    ranked.sort(key=lambda pair: pair[0] + (0.0 if pair[1][0].kinds[0] in mention.kinds else _LOOSE))
    if mention.is_work:
        ranked.sort(key=lambda pair: pair[0] + (1.5 if pair[1][0].made_by in _REWORKED else 0.0))
    if not ranked:
        return None
    best = [_fullest(e, kinds) for e in ranked[0][1]] if is_analysis(task) and "text" in kinds else ranked[0][1]
    return _selected(mention, best)


def _is_called(entity: Entity, mention: Mention) -> bool:
    """Whether the noun can mean the entity: `this recording` may be a video's sound, `this picture` a page."""
    if entity.kinds[0] in mention.kinds:
        return True
    if entity.age == 0 and set(entity.kinds) & set(mention.kinds):
        return not entity.is_side_product or mention.is_changed
    near = {"audio": ("video",), "video": ("audio",), "image": ("document", "video"), "table": ("document",)}
    return any(entity.kinds[0] in near.get(kind, ()) for kind in mention.kinds)


def _by_salience(mention: Mention, world: World, *, kinds: Sequence[Kind], task: str) -> Group | None:
    ranked = salient(world, kinds=kinds, task=task, is_plural=mention.is_plural)
    if mention.ordinal is not None or mention.is_all or mention.is_plural:
        ranked = [group for group in ranked if len(group) > 1] or ranked
    return _selected(mention, ranked[0]) if ranked else None


def salient(world: World, *, kinds: Sequence[Kind], task: str, is_plural: bool = False) -> list[Group]:
    """The groups that fit, likeliest first, when the words don't say which: newest products ahead of resources."""
    ranked: list[tuple[float, Group]] = []
    for cost, group in groups(world, kinds, lambda e: _is_usable(e, task)):
        is_data = group[0].kinds[0] == "data" and "text" in kinds
        if is_data and task not in _VOICES and not is_plural:
            cost += 0.8
        ranked.append((cost - (0.45 if is_data and is_plural else 0.0), group))
    best = [group for _, group in sorted(ranked, key=lambda pair: pair[0])]
    if best and is_analysis(task) and "text" in kinds:
        best[0] = [_fullest(entity, kinds) for entity in best[0]]
    return best


def _fullest(entity: Entity, kinds: Sequence[Kind]) -> Entity:
    """The text that a translation or summary was made from."""
    while (
        entity.made_by in ("summarization", "translation")
        and entity.source is not None
        and (fit(entity.source, kinds) or 0.0) < 1.0
    ):
        entity = entity.source
    return entity


def _selected(mention: Mention, group: Group) -> Group:
    """The members that ordinals and numbers pick."""
    if mention.ordinal is not None and len(group) > 1:
        return [group[mention.ordinal]] if -len(group) <= mention.ordinal < len(group) else group
    if mention.count is not None and 1 < mention.count < len(group):
        return group[: mention.count]
    return group


def picked(entity: Entity, mention: Mention) -> Entity:
    """The entity narrowed to the label that the mention names: `the names` are the people among the entities."""
    if mention.label is None or entity.made_by != "token-classification" or isinstance(entity.arg, (str, Template)):
        return entity
    return replace(entity, arg=msgspec.structs.replace(entity.arg, pick=mention.label))
