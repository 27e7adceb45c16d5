"""The arguments of one task as a mind wrote them, brought into the slots and parameters of its spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from dragoman.planning.fits import Kinds, fits_parameter, fits_slot
from dragoman.planning.parameters import parameter_value
from dragoman.planning.strings import Strings
from dragoman.tasks import Parameter, Slot, TaskSpec
from dragoman.values import Arg, Given, Json, Repair, refs_in

__all__ = ["Arguments", "place"]

# Keys under which minds write what a slot or parameter holds; the first that the spec has is taken.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "question": ("text",),
    "query": ("text",),
    "prompt": ("text",),
    "instruction": ("text",),
    "description": ("text",),
    "sentence": ("text",),
    "content": ("text", "context"),
    "words": ("text",),
    "caption": ("text",),
    "source_sentence": ("text",),
    "sentences": ("sentences", "text"),
    "texts": ("text",),
    "passage": ("context", "text"),
    "paragraph": ("context", "text"),
    "article": ("context", "text"),
    "document": ("document", "context", "image"),
    "doc": ("document", "context", "image"),
    "img": ("image",),
    "picture": ("image",),
    "photo": ("image",),
    "images": ("image",),
    "image_url": ("image",),
    "image_path": ("image",),
    "condition": ("image",),
    "control_image": ("image",),
    "sound": ("audio",),
    "speech": ("audio",),
    "recording": ("audio",),
    "audios": ("audio",),
    "audio_url": ("audio",),
    "clip": ("video", "audio"),
    "videos": ("video",),
    "video_url": ("video",),
    "csv": ("table",),
    "target_language": ("target",),
    "target_lang": ("target",),
    "tgt_lang": ("target",),
    "to": ("target",),
    "language": ("target", "source"),
    "lang": ("target", "source"),
    "to_language": ("target",),
    "source_language": ("source",),
    "source_lang": ("source",),
    "src_lang": ("source",),
    "from": ("source",),
    "candidate_labels": ("labels",),
    "classes": ("labels",),
    "categories": ("labels",),
    "objects": ("labels",),
    "label": ("labels",),
    "num_sentences": ("sentences",),
    "max_sentences": ("sentences",),
    "box": ("boxes",),
    "bbox": ("boxes",),
    "target_column": ("column",),
    "factor": ("scale",),
    "upscale": ("scale",),
}


def place(arg: Arg, *, spec: TaskSpec, taken: Mapping[str, Arg], kinds: Kinds) -> str | None:
    """The free slot of `spec` that fits `arg` best: directly before by coercion, required before optional; or None."""
    single = _first(arg)
    offered = kinds.of(single)
    free = [slot for slot in spec.slots if slot.name not in taken]
    for directly in (True, False):
        for is_required in (True, False):
            for slot in free:
                if slot.is_required is is_required and fits_slot(offered, slot, directly=directly):
                    return slot.name
    if isinstance(single, Given) and not offered:  # a name that nobody knows: the graph check says so, or fills it
        return next((slot.name for slot in free if slot.is_required and slot.kinds != ("text",)), None)
    wanted = [parameter for parameter in spec.parameters if parameter.is_required and parameter.name not in taken]
    return next((p.name for p in wanted if refs_in(arg) and fits_parameter(single, p, kinds=offered)), None)


@dataclass(kw_only=True)
class Arguments:
    """Reads the arguments of the task `task_id`. `args`, `dep`, `repairs` hold what came of it."""

    spec: TaskSpec
    task_id: int
    strings: Strings
    kinds: Kinds
    args: dict[str, Arg] = field(default_factory=dict[str, Arg])
    dep: list[int] = field(default_factory=list[int])
    repairs: list[Repair] = field(default_factory=list[Repair])

    def mended(self, found: str, did: str) -> None:
        """Note a repair."""
        self.repairs.append(Repair(task=self.task_id, found=found, did=did))

    def read(self, pairs: Iterable[tuple[str | None, Json]]) -> None:
        """Take every pair in: by its key where the spec knows it, the rest afterwards by what fits."""
        loose: list[tuple[str | None, Json]] = []
        for key, value in pairs:
            if value is None or value in ("", [], {}):
                continue
            name = self._known(key)
            if name is None:
                loose.append((key, value))
            elif (parameter := self.spec.parameter(name)) is not None:
                self._set_parameter(parameter, value)
            elif (slot := self.spec.slot(name)) is not None:
                self._set_slot(slot, value)
        for key, value in loose:
            self._set_by_fit(key, value)

    def _known(self, key: str | None) -> str | None:
        """The slot or parameter that the key means, or None."""
        if key is None:
            return None
        names = {*(slot.name for slot in self.spec.slots), *(parameter.name for parameter in self.spec.parameters)}
        if key in names:
            return key
        plain = re.sub(r"[\s-]+", "_", key.strip().casefold())
        bare = re.sub(r"_?\d+$", "", plain)  # `text1`, `image_2`
        for spelling in (plain, bare):
            for name in (spelling, *_KEYS.get(spelling, ())):
                if name in names:
                    self.mended(f"`{key[:40]}` for `{self.spec.name}`", f"read it as `{name}`")
                    return name
        return None

    def _set_slot(self, slot: Slot, value: Json) -> None:
        arg = self._arg(value, slot)
        if arg is None:
            return
        if slot.name not in self.args:
            self.args[slot.name] = arg
        elif slot.takes_many:
            self.args[slot.name] = [*_listed(self.args[slot.name]), *_listed(arg)]
        else:
            self._put(arg, key=slot.name)

    def _set_parameter(self, parameter: Parameter, value: Json) -> None:
        arg = self.strings.reference(value) if isinstance(value, str) else None
        if arg is None:
            arg = parameter_value(value, parameter, tell=self.mended)
        if arg is None:
            self.mended(f"`{parameter.name}` was {str(value)[:40]!r}, wanted {parameter.type}", "left it out")
        elif parameter.name not in self.args:
            self.args[parameter.name] = arg

    def _set_by_fit(self, key: str | None, value: Json) -> None:
        arg = self._arg(value, None)
        if arg is not None:
            self._put(arg, key=key)

    def _put(self, arg: Arg, *, key: str | None) -> None:
        """Into a free slot that fits; else it is left out, and only the order it stands for is kept."""
        name = place(arg, spec=self.spec, taken=self.args, kinds=self.kinds)
        called = f"`{key[:40]}`" if key else "an argument"
        if name is not None:
            self.args[name] = arg
            if key is not None:
                self.mended(f"{called} for `{self.spec.name}`", f"read it as `{name}`")
            return
        many = next((s for s in self.spec.slots if s.takes_many and fits_slot(self.kinds.of(_first(arg)), s)), None)
        if many is not None:
            self.args[many.name] = [*_listed(self.args[many.name]), *_listed(arg)]
            return
        self.dep.extend(ref.task for ref in refs_in(arg))
        self.mended(f"{called}, which `{self.spec.name}` does not take", "left it out")

    def _arg(self, value: Json, slot: Slot | None) -> Arg:
        """The value as an argument for the slot (None: not known yet). None where nothing stands in it."""
        if isinstance(value, str):
            return self.strings.arg(value, slot)
        if isinstance(value, list):
            return self._list(cast("list[Json]", value), slot)
        if isinstance(value, dict):
            return self._arg(self._unwrapped(cast("dict[str, Json]", value)), slot)
        if value is None:
            return None
        self.mended(f"{value!r} where words were wanted", "wrote it as words")
        return str(value).lower() if isinstance(value, bool) else str(value)

    def _list(self, values: Sequence[Json], slot: Slot | None) -> Arg:
        args = [arg for value in values for arg in _listed(self._arg(value, slot)) if arg is not None]
        if len(args) == 1 and not (slot and slot.takes_many):
            self.mended("a list of one", "read the one")
            return args[0]
        return args or None

    def _unwrapped(self, value: dict[str, Json]) -> Json:
        """What an object around a value holds (`{"path": "a.jpg"}`, `{"resource": "<resource>-0"}`), else its JSON."""
        import json

        for key in ("path", "url", "file", "ref", "resource", "value", "text", "content", "name", "image", "audio"):
            if isinstance(value.get(key), (str, dict)):
                self.mended("an object around an argument", "took the value out")
                return value[key]
        return json.dumps(value, ensure_ascii=False)


def _first(arg: Arg) -> Arg:
    items = cast("list[Arg]", arg) if isinstance(arg, list) else [arg]
    return items[0] if items else None


def _listed(arg: Arg) -> list[Arg]:
    return cast("list[Arg]", arg) if isinstance(arg, list) else [arg]
