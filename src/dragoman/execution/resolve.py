"""Arguments as an expert gets them: every Given and Ref replaced by the content it stands for.

What follows from types happens here and is no task: the text of a document, the text form of data, the sound of a
video (experts that take sound read it from the video's file), one picture of a video.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from dragoman.backends.base import Item
from dragoman.errors import ExpertError
from dragoman.execution.textform import picked, text_form
from dragoman.store import Store
from dragoman.tasks import Slot, TaskSpec
from dragoman.tasks.spec import STANDS_IN
from dragoman.values import Arg, Done, Given, Json, Kind, Outcome, Ref, Resource, Task, Template

__all__ = ["Resolver"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolver:
    """Looks up what arguments stand for. `ledger`: the resources that a plan may name."""

    store: Store
    ledger: Mapping[str, Resource]

    async def arguments(self, task: Task, spec: TaskSpec, *, outcomes: Mapping[int, Outcome]) -> dict[str, Arg]:
        """The arguments of `task`: words, numbers, lists, and `Item`s. Raises `ExpertError` with the reason.

        A slot that takes one may still come out as a list: the caller makes one task per element of it.
        """
        found: dict[str, Arg] = {}
        for name, arg in task.args.items():
            slot = spec.slot(name)
            found[name] = await self._value(arg, slot=slot, outcomes=outcomes)
        return found

    async def _value(self, arg: Arg, *, slot: Slot | None, outcomes: Mapping[int, Outcome]) -> Arg:
        match arg:
            case Given():
                return await self._given(arg, slot=slot)
            case Ref():
                values = await self._ref(arg, slot=slot, outcomes=outcomes)
                return values[0] if len(values) == 1 else values
            case Template():
                return await self._template(arg, outcomes=outcomes)
            case list() | tuple():
                return await self._list(cast("Sequence[Arg]", arg), slot=slot, outcomes=outcomes)
            case _:
                return arg

    async def _list(self, args: Sequence[Arg], *, slot: Slot | None, outcomes: Mapping[int, Outcome]) -> list[Arg]:
        found: list[Arg] = []
        for arg in args:
            value = await self._value(arg, slot=slot, outcomes=outcomes)
            found += cast("list[Arg]", value) if isinstance(value, list) and isinstance(arg, Ref) else [value]
        return found

    async def _template(self, template: Template, *, outcomes: Mapping[int, Outcome]) -> str:
        words = Slot(name="text", kinds=("text",))
        parts: list[str] = []
        for part in template.parts:
            value = part if isinstance(part, str) else await self._value(part, slot=words, outcomes=outcomes)
            parts.append(", ".join(map(str, cast("list[Arg]", value))) if isinstance(value, list) else str(value))
        return "".join(parts)

    async def _given(self, given: Given, *, slot: Slot | None) -> Arg:
        resource = self.ledger.get(given.name)
        if resource is None:
            raise ExpertError(f"`{given.name}` is not among the files of this run.")
        if given.pick and resource.kind == "data":
            chosen = picked(resource.data, given.pick)
            return text_form(chosen) if slot and "text" in slot.kinds else chosen
        return await self._fit(resource, slot=slot)

    async def _ref(self, ref: Ref, *, slot: Slot | None, outcomes: Mapping[int, Outcome]) -> list[Arg]:
        outcome = outcomes.get(ref.task)
        if not isinstance(outcome, Done):
            raise ExpertError(f"task {ref.task} made nothing to go on with.")
        if ref.pick is not None and not ref.pick.isdigit():
            named = [output.resource for output in outcome.outputs if output.name == ref.pick]
            if not named:
                return [_by_label(outcome, ref.pick, slot=slot)]
            return [await self._fit(resource, slot=slot) for resource in named]
        made = _of_kind([output.resource for output in outcome.outputs], slot=slot)
        if not made:
            kinds = ", ".join(slot.kinds) if slot else "data"
            raise ExpertError(f"task {ref.task} made no {kinds}.")
        if ref.pick is not None:
            made = made[int(ref.pick) - 1 : int(ref.pick)]
        return [await self._fit(resource, slot=slot) for resource in made]

    async def _fit(self, resource: Resource, *, slot: Slot | None) -> Arg:
        """The resource in the shape that the slot takes: words for text, JSON for a parameter, else an `Item`."""
        if slot is None:
            return resource.data if resource.kind == "data" else await self._text(resource)
        if resource.kind in slot.kinds:
            return await self._text(resource) if resource.kind == "text" else self._item(resource)
        if "text" in slot.kinds:
            return await self._text(resource)
        if any(resource.kind in STANDS_IN.get(kind, ()) for kind in slot.kinds):
            return await self._coerced(resource, slot=slot)
        raise ExpertError(f"wanted {' or '.join(slot.kinds)} for `{slot.name}`; `{resource.name}` is {resource.kind}.")

    async def _coerced(self, resource: Resource, *, slot: Slot) -> Item:
        if "image" in slot.kinds:
            return await asyncio.to_thread(self._first_picture, resource)
        return self._item(resource)

    def _first_picture(self, resource: Resource) -> Item:
        from dragoman import media

        path = self.store.path(resource.sha256)
        if resource.kind == "video":
            _, picture = next(iter(media.read_frames(path, count=1)))
        else:
            picture = next(iter(media.document_pages(path)))
        cut = self.store.keep(
            name=f"{resource.name}.png", kind="image", media_type="image/png", payload=media.png_bytes(picture)
        )
        return self._item(cut)

    async def _text(self, resource: Resource) -> str:
        if resource.text is not None:
            return resource.text
        if resource.kind == "data":
            return text_form(resource.data)
        from dragoman import media

        path = self.store.path(resource.sha256)
        match resource.kind:
            case "document":
                return _some(await asyncio.to_thread(media.document_text, path), resource)
            case "text" | "table":
                return await asyncio.to_thread(media.read_text, path)
            case _:
                raise ExpertError(f"wanted text; `{resource.name}` is {resource.kind}.")

    def _item(self, resource: Resource) -> Item:
        return Item(resource=resource, path=self.store.path(resource.sha256))


def _some(text: str, document: Resource) -> str:
    if not text.strip():
        raise ExpertError(f"`{document.name}` holds no text, only pictures of it; ask to have it read first.")
    return text


def _of_kind(resources: Sequence[Resource], *, slot: Slot | None) -> list[Resource]:
    """Those of the slot's kind; else of the first kind that can stand in for it."""
    kinds: tuple[Kind, ...] = slot.kinds if slot else ("data", "text")
    coerced = [other for kind in kinds for other in STANDS_IN.get(kind, ())]
    for kind in (*kinds, *coerced):
        if found := [resource for resource in resources if resource.kind == kind]:
            return found
    return []


def _by_label(outcome: Done, label: str, *, slot: Slot | None) -> Json:
    for output in outcome.outputs:
        chosen = picked(output.resource.data, label) if output.resource.kind == "data" else None
        if chosen is not None:
            return text_form(chosen) if slot and "text" in slot.kinds else chosen
    raise ExpertError(f"task {outcome.task} made nothing named `{label}`.")
