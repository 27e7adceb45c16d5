"""What can be said of a picture from measurements: the ground that captions and answers stand on. Pure Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dragoman.backends.box.boxes import Found, area, boxes_data
from dragoman.backends.box.nouns import canonical, counted, listing
from dragoman.values import Json

NAMED_FROM = 0.5  # of a score; what is less sure is not said
GUESSED_FROM = 0.2
GREY_FROM = 0.98  # of the area
COLOUR_FROM = 0.08
FILLS = 0.45  # of the picture's area
QUOTED_CHARS = 300
_GREYS = frozenset({"black", "white", "grey", "dark grey", "light grey"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """labels: as image-classification gives them, best first. name, kind, score: the main thing by its everyday name.

    found: boxes. colours: (name, share) of the whole picture, largest first; box_colours: of each box. text: what is
    written. can_count: whether a detector looked for several things. known: kind by name of all that could be found.
    """

    width_px: int
    height_px: int
    labels: Sequence[dict[str, Json]]
    name: str
    kind: str
    score: float
    found: Sequence[Found]
    colours: Sequence[tuple[str, float]]
    box_colours: Sequence[Sequence[tuple[str, float]]]
    text: str
    can_count: bool
    known: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_named(self) -> bool:
        """Whether the classifier is sure of the main thing."""
        return self.score >= NAMED_FROM

    def data(self) -> Json:
        """As JSON, the `evidence` output."""
        return {
            "kind": "evidence caption",
            "labels": list(self.labels),
            **boxes_data(self.found),
            "colours": [{"name": name, "share": round(share, 3)} for name, share in self.colours[:6]],
            "text": self.text,
            "size": {"width_px": self.width_px, "height_px": self.height_px},
        }


def caption(evidence: Evidence) -> str:
    """One to three sentences that say only what was measured."""
    sentences = [_things(evidence), _colours(evidence)]
    if evidence.text:
        sentences.append(f"It says “{quoted(evidence.text)}”.")
    return " ".join(sentences)


def _things(evidence: Evidence) -> str:
    if evidence.found:
        things = listing(thing_phrases(evidence))
        return f"The picture shows {things}{_detail(evidence)}."
    if evidence.is_named:
        return f"The picture shows {counted(evidence.name, 1)} ({evidence.score:.0%}){_detail(evidence)}."
    guess = f"; the nearest guess is {counted(evidence.name, 1)} ({evidence.score:.0%})"
    writing = "writing, and nothing else" if evidence.text else "nothing"
    return f"The picture shows {writing} that I can name with confidence{guess if is_guess(evidence) else ''}."


def is_guess(evidence: Evidence) -> bool:
    """Whether the classifier has a guess that is worth telling as one."""
    return GUESSED_FROM <= evidence.score < NAMED_FROM


def _colours(evidence: Evidence) -> str:
    if sum(share for name, share in evidence.colours if name in _GREYS) >= GREY_FROM:
        return "It has no colours but shades of grey."
    return f"Its colours are {colour_words(evidence.colours)}."


def _detail(evidence: Evidence) -> str:
    """The class behind an everyday name, where there is one thing and one class stands out."""
    label, score = str(evidence.labels[0]["label"]), float(evidence.labels[0]["score"])
    shown = {canonical(thing.label) for thing in evidence.found} or {canonical(evidence.name)}
    is_about_it = len(evidence.found) < 2 and canonical(evidence.name) in shown and evidence.is_named
    if not is_about_it or score < NAMED_FROM / 2 or canonical(label) in shown:
        return ""
    return f", most like {counted(label, 1)} ({score:.0%})"


def thing_phrases(evidence: Evidence) -> list[str]:
    """`a cat (91%) that fills most of the picture`, `2 dogs (up to 80%)`, surest first."""
    phrases: list[str] = []
    for label in dict.fromkeys(thing.label for thing in evidence.found):
        same = [thing for thing in evidence.found if thing.label == label]
        if len(same) > 1:
            phrases.append(f"{counted(label, len(same))} (up to {same[0].score:.0%})")
        else:
            phrases.append(f"{counted(label, 1)} ({same[0].score:.0%}) {place(same[0], evidence)}")
    return phrases


def place(thing: Found, evidence: Evidence) -> str:
    """Where a thing is: `on the left`, `that fills most of the picture`."""
    if area(thing.box) >= FILLS * evidence.width_px * evidence.height_px:
        return "that fills most of the picture"
    x = (thing.box[0] + thing.box[2]) / 2 / evidence.width_px
    y = (thing.box[1] + thing.box[3]) / 2 / evidence.height_px
    across = "left" if x < 0.38 else "right" if x > 0.62 else ""
    down = "top" if y < 0.3 else "bottom" if y > 0.7 else ""
    if across and down:
        return f"at the {down} {across}"
    return f"on the {across}" if across else f"at the {down}" if down else "in the middle"


def colour_words(colours: Sequence[tuple[str, float]]) -> str:
    """`mostly brown, some beige and grey`, without what covers little."""
    first, share = colours[0]
    others = [name for name, share in colours[1:4] if share >= COLOUR_FROM]
    if share < 0.25 and not others:
        return f"many, most of all {first}"
    if share < 0.4:
        return listing([first, *others])
    return f"mostly {first}" + (f", some {listing(others)}" if others else "")


def quoted(text: str) -> str:
    """Read text on one line, cut where it is long."""
    line = " / ".join(part for part in text.splitlines() if part)
    return line if len(line) <= QUOTED_CHARS else line[:QUOTED_CHARS].rsplit(" ", 1)[0] + " …"
