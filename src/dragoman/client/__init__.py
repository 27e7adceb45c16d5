"""The Python API: `async with Dragoman() as d: answer = await d.ask("…", files=[…])`, and a synchronous twin."""

from dragoman.client.dragoman import Dragoman
from dragoman.client.sync import DragomanSync

__all__ = ["Dragoman", "DragomanSync"]
