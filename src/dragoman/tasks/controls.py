"""Condition maps of a picture, and pictures made along such a map (ControlNet)."""

from dragoman.tasks.spec import TaskSpec, image, out, text

_MAPS = {
    "canny": "the sharp edges of a picture",
    "hed": "the soft outlines of a picture (holistically-nested edges)",
    "mlsd": "the straight lines of a picture",
    "normal": "the surface directions of a picture",
    "openpose": "the body pose of the people in a picture as a stick figure",
    "depth": "the depth of a picture as a grey map",
    "seg": "the regions of a picture, one colour each",
    "scribble": "a picture as a rough scribble",
}
_STEREO = ("normal", "depth")


def _control(name: str, what: str) -> TaskSpec:
    right = (image("right", says="second view of a stereo pair", is_required=False),) if name in _STEREO else ()
    return TaskSpec(
        name=f"{name}-control",
        family="controls",
        description=f"Draw {what}, as a condition map.",
        slots=(image(), *right),
        outputs=(out("image", "image"),),
    )


def _generation(name: str, what: str) -> TaskSpec:
    return TaskSpec(
        name=f"{name}-text-to-image",
        family="controls",
        description=f"Make a new picture from a description, along {what}.",
        slots=(text(), image(says="the condition map")),
        outputs=(out("image", "image"),),
    )


SPECS = (
    *(_control(name, what) for name, what in _MAPS.items()),
    *(_generation(name, what) for name, what in _MAPS.items()),
)
