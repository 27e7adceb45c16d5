"""The planner that needs no language model and no download: it reads requests by rules over data files."""

from dragoman.planning.embedded.planner import plan

__all__ = ["plan"]
