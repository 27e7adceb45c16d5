"""Everything Dragoman raises on purpose.

    DragomanError
    ├── UsageError            the caller's words or options are off
    │   ├── UnknownTask
    │   └── UnknownRun
    ├── MediaError            a file is missing, empty, broken, too large, or not what it says
    ├── NetRefused            the network door turned an address away
    ├── StoreError            the home folder can't be read or written
    ├── FetchError            weights can't be had
    │   ├── DownloadDenied        nobody allowed the download
    │   └── Offline               not fetched yet, and downloads are off
    ├── MindError             a language model gave no usable reply
    │   ├── MindUnavailable       it can't be reached, or went away
    │   ├── MindRefused           it won't: key, quota, model name, content
    │   └── MindUnreadable        it answered, and nothing could be read from it
    ├── PlanError             a plan that can't be mended; carries the faults
    ├── ExpertError           one call of an expert failed; `is_passing` tells whether a retry can help
    │   ├── ExpertTimeout
    │   └── ExpertCrashed
    └── RunCancelled          somebody stopped the run

A message says what was wanted, what came, and what to do. It is fit to show a person: no traceback, no secret.
"""

__all__ = [
    "DownloadDenied",
    "DragomanError",
    "ExpertCrashed",
    "ExpertError",
    "ExpertTimeout",
    "FetchError",
    "MediaError",
    "MindError",
    "MindRefused",
    "MindUnavailable",
    "MindUnreadable",
    "NetRefused",
    "Offline",
    "PlanError",
    "RunCancelled",
    "StoreError",
    "UnknownRun",
    "UnknownTask",
    "UsageError",
]


class DragomanError(Exception):
    """The root: catch it to catch whatever Dragoman raises on purpose."""

    def __init__(self, says: str, *, helps: str = "") -> None:
        super().__init__(says)
        self.says = says
        self.helps = helps


class UsageError(DragomanError):
    """The caller's words or options are off."""


class UnknownTask(UsageError):
    """A task name that the catalogue of specs does not hold."""


class UnknownRun(UsageError):
    """A run id, prefix or session that the journal does not hold."""


class MediaError(DragomanError):
    """A file is missing, empty, broken, too large, or not what it says it is."""


class NetRefused(DragomanError):
    """The network door turned an address away."""


class StoreError(DragomanError):
    """The home folder can't be read or written."""


class FetchError(DragomanError):
    """An expert's weights can't be had."""


class DownloadDenied(FetchError):
    """Nobody allowed the download."""


class Offline(FetchError):
    """The weights are not fetched yet, and downloads are off."""


class MindError(DragomanError):
    """A language model gave no usable reply."""


class MindUnavailable(MindError):
    """The mind can't be reached, or went away in the middle."""


class MindRefused(MindError):
    """The mind won't answer: key, quota, model name, content."""


class MindUnreadable(MindError):
    """The mind answered, and nothing could be read from its words."""


class PlanError(DragomanError):
    """A plan that can't be mended. `faults` holds the exact findings, one sentence each."""

    def __init__(self, says: str, *, faults: tuple[str, ...] = (), helps: str = "") -> None:
        super().__init__(says, helps=helps)
        self.faults = faults


class ExpertError(DragomanError):
    """One call of an expert failed. `is_passing`: the same call may succeed a moment later."""

    def __init__(self, says: str, *, helps: str = "", is_passing: bool = False) -> None:
        super().__init__(says, helps=helps)
        self.is_passing = is_passing


class ExpertTimeout(ExpertError):
    """The call ran past its deadline; the process that held it was ended."""


class ExpertCrashed(ExpertError):
    """The worker process died during the call."""


class RunCancelled(DragomanError):
    """Somebody stopped the run; what was done is kept."""
