"""Dragoman: say in plain words what you want done with your media; expert models do it."""

TYPE_CHECKING = False  # as type checkers know it; `typing` would take longer to import than all of this

__version__ = "0.1.0"
__all__ = ["Dragoman", "DragomanSync", "__version__"]

if TYPE_CHECKING:
    from dragoman.client import Dragoman, DragomanSync


def __getattr__(name: str) -> object:
    # Loaded at first use, so that importing the package does no work.
    if name in ("Dragoman", "DragomanSync"):
        from dragoman import client

        return getattr(client, name)
    raise AttributeError(f"module 'dragoman' has no attribute {name!r}")
