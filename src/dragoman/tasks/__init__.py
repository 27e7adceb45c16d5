"""What can be asked: the catalogue of task specs, by name and by alias."""

from dragoman.tasks.aliases import ALIASES, canonical, nearest
from dragoman.tasks.catalogue import SPECS, find, spec
from dragoman.tasks.spec import OutputSpec, Parameter, Slot, TaskSpec

__all__ = ["ALIASES", "SPECS", "OutputSpec", "Parameter", "Slot", "TaskSpec", "canonical", "find", "nearest", "spec"]
