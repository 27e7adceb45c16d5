"""A run drawn on a terminal: the tasks, who does each, how far it is, what is being downloaded."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from dragoman import events as ev
from dragoman.cli.board import Board, Download, Row
from dragoman.cli.figures import seconds, size
from dragoman.cli.terminal import Terminal, clean

__all__ = ["LiveView", "console_of"]

_REDRAWS_A_SECOND = 8
_NARROW_COLUMNS = 72
_ROWS_AT_LEAST = 4
_LINES_BESIDE_ROWS = 8
_MARKS = {
    "waits": ("·", ".", "dim"),
    "done": ("✓", "+", "green"),
    "failed": ("✗", "x", "red"),
    "skipped": ("–", "-", "dim"),
}
_ORDER = {"runs": 0, "failed": 1, "waits": 2, "skipped": 3, "done": 4}


def console_of(terminal: Terminal, *, is_error: bool) -> Console:
    """A console on standard error or output that reads no markup and colours nothing by itself."""
    stream = terminal.stderr if is_error else terminal.stdout
    return Console(file=stream, markup=False, emoji=False, highlight=False)


class LiveView:
    """Redraws the board a few times a second on standard error, until it is closed; the last state stays."""

    def __init__(self, terminal: Terminal, *, clock: Callable[[], float] = monotonic) -> None:
        self.board = Board()
        self._console = console_of(terminal, is_error=True)
        self._is_ascii = not self._console.encoding.lower().startswith("utf")
        self._clock = clock
        self._started = clock()
        self._spinner = Spinner("line" if self._is_ascii else "dots", style="cyan")
        self._live: Live | None = None
        self._is_held = False

    def begin(self) -> None:
        """Draw from now on."""
        if self._live is None and not self._is_held:
            self._live = Live(
                console=self._console,
                get_renderable=self.picture,
                refresh_per_second=_REDRAWS_A_SECOND,
                vertical_overflow="crop",
            )
            self._live.start()

    def __call__(self, event: ev.Event) -> None:
        """Take the event; the next redraw shows it."""
        self.board.take(event)
        if not isinstance(event, ev.RunEnded):
            self.begin()

    def pause(self) -> None:
        """Take the picture away, so that something can be asked, until `resume`."""
        self._is_held = True
        self._stop(leaves_picture=False)

    def resume(self) -> None:
        """Draw again."""
        self._is_held = False
        self.begin()

    def close(self) -> None:
        """Draw the last state and leave it there, if there is anything to see."""
        self._stop(leaves_picture=bool(self.board.rows))

    def _stop(self, *, leaves_picture: bool) -> None:
        if self._live is not None:
            self._live.transient = not leaves_picture
            self._live.stop()
            self._live = None

    def picture(self) -> RenderableType:
        """The board as it is now."""
        parts: list[RenderableType] = [Text(clean(note), style="dim") for note in list(self.board.notes)]
        if self.board.rows:
            parts.append(self._tasks())
        downloads = [one for one in list(self.board.downloads.values()) if not one.is_complete]
        if downloads:
            parts.append(self._downloads(downloads))
        if self.board.stage != "ended":
            parts.append(self._stage())
        return Group(*parts)

    def _tasks(self) -> RenderableType:
        rows = list(self.board.rows.values())
        shown = self._most_telling(rows)
        table = self._table(shown)
        for row in shown:
            cells = [self._mark(row), Text(str(row.id)), self._name(row), Text(clean(row.model)), self._state(row)]
            table.add_row(*(cell for cell, width in zip(cells, self._widths(shown), strict=True) if width))
        left = len(rows) - len(shown)
        if not left:
            return table
        done = sum(row.state == "done" for row in rows)
        return Group(table, Text(f"  and {left} more; {done} of {len(rows)} done", style="dim"))

    def _table(self, shown: list[Row]) -> Table:
        table = Table.grid(padding=(0, 1, 0, 0))
        for width, style in zip(self._widths(shown), ("", "dim", "", "dim", ""), strict=True):
            if width:
                table.add_column(width=width, style=style, no_wrap=True, overflow="ellipsis")
        return table

    def _widths(self, shown: list[Row]) -> tuple[int, int, int, int, int]:
        """Cells for mark, id, task, model, state. A narrow terminal shows no model; the state gets what is left."""
        ids = max(len(str(row.id)) for row in shown)
        room = max(20, self._console.width - ids - 6)
        task = min(max(self._name(row).cell_len for row in shown), room // 2)
        is_narrow = self._console.width < _NARROW_COLUMNS
        model = 0 if is_narrow else min(max(Text(clean(row.model)).cell_len for row in shown), room // 4)
        return 1, ids, task, model, room - task - model

    def _most_telling(self, rows: list[Row]) -> list[Row]:
        room = max(_ROWS_AT_LEAST, self._console.height - _LINES_BESIDE_ROWS)
        if len(rows) <= room:
            return rows
        kept = sorted(rows, key=lambda row: (_ORDER[row.state], row.id))[:room]
        return sorted(kept, key=lambda row: row.id)

    def _mark(self, row: Row) -> RenderableType:
        if row.state == "runs":
            return self._spinner
        sign, plain, style = _MARKS[row.state]
        return Text(plain if self._is_ascii else sign, style=style)

    def _name(self, row: Row) -> Text:
        name = Text(clean(row.task), style="bold" if row.state == "runs" else "")
        return name.append(f" {clean(row.args)}", style="dim not bold")

    def _state(self, row: Row) -> Text:
        match row.state:
            case "runs":
                percent = f"{row.fraction:.0%} " if row.fraction else ""
                return Text(clean(f"{percent}{row.says}".strip() or "…"))
            case "done":
                return Text(seconds(row.seconds), style="dim")
            case "failed" | "skipped":
                return Text(clean(" ".join(row.says.split())), style="red" if row.state == "failed" else "dim")
            case _:
                return Text(self._waits_for(row), style="dim")

    def _waits_for(self, row: Row) -> str:
        open_ids = [id_ for id_ in row.needs if id_ in self.board.rows and self.board.rows[id_].state != "done"]
        if open_ids:
            return f"after {', '.join(map(str, open_ids))}"
        download = self.board.downloads.get(row.model)
        if download is None:
            return ""
        return "getting ready" if download.is_complete else "fetching"

    def _downloads(self, downloads: list[Download]) -> RenderableType:
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(width=1)
        table.add_column(no_wrap=True, overflow="ellipsis")
        table.add_column(width=max(8, min(30, self._console.width // 4)))
        table.add_column(no_wrap=True, overflow="ellipsis", style="dim")
        for one in downloads:
            bar = ProgressBar(total=max(1, one.total_bytes), completed=one.done_bytes)
            amount = f"{size(one.done_bytes)} of {size(one.total_bytes)}, licence {clean(one.license)}"
            table.add_row(Text("v" if self._is_ascii else "↓", style="cyan"), Text(clean(one.model)), bar, Text(amount))
        return table

    def _stage(self) -> RenderableType:
        passed = seconds(round(self._clock() - self._started, 1))
        line = Table.grid(padding=(0, 1, 0, 0))
        tail = " ".join(clean(self.board.tail).split())
        line.add_row(self._spinner, Text(f"{self.board.stage}  {passed}", style="dim"))
        return Group(line, Text(tail, style="dim italic")) if tail else line
