"""Line plots as SVG, for the docs: a few series over one axis, values in percent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import escape

__all__ = ["line_plot"]

_WIDTH_PX, _HEIGHT_PX = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 160, 40, 48
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")  # told apart by the colour-blind, too

Point = tuple[float, float]


def line_plot(series: Mapping[str, Sequence[Point]], *, title: str, across: str) -> str:
    """An SVG of the series. A point is (x, share from 0 to 1); `across` names the horizontal axis."""
    points = [point for row in series.values() for point in row]
    low, high = (min(x for x, _ in points), max(x for x, _ in points)) if points else (0.0, 1.0)
    to_x = _scale(low, high if high > low else low + 1, start=_LEFT, end=_WIDTH_PX - _RIGHT)
    to_y = _scale(0, 1, start=_HEIGHT_PX - _BOTTOM, end=_TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH_PX} {_HEIGHT_PX}" role="img" '
        f'font-family="sans-serif" font-size="12" fill="#777">',
        f"<title>{escape(title)}</title>",
        _text(_LEFT, 20, title, size=14),
        _text((_LEFT + _WIDTH_PX - _RIGHT) / 2, _HEIGHT_PX - 8, across, anchor="middle"),
        *(_rule(to_y(step / 5), step * 20) for step in range(6)),
        *(_text(to_x(x), _HEIGHT_PX - _BOTTOM + 18, f"{x:g}", anchor="middle") for x in _ticks(points)),
    ]
    for at, (name, row) in enumerate(series.items()):
        colour = _COLOURS[at % len(_COLOURS)]
        line = " ".join(f"{to_x(x):.1f},{to_y(y):.1f}" for x, y in row)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{to_x(x):.1f}" cy="{to_y(y):.1f}" r="3" fill="{colour}"/>' for x, y in row]
        parts.append(_text(_WIDTH_PX - _RIGHT + 14, _TOP + 8 + 20 * at, name, colour=colour))
    return "\n".join([*parts, "</svg>", ""])


def _scale(low: float, high: float, *, start: float, end: float) -> Callable[[float], float]:
    """From a value to its place on an axis."""
    return lambda value: start + (value - low) * (end - start) / (high - low)


def _ticks(points: Sequence[Point]) -> list[float]:
    """The values of the horizontal axis, thinned out where there are many."""
    values = sorted({round(x, 3) for x, _ in points})
    step = -(-len(values) // 8) if values else 1
    return values[::step]


def _rule(y: float, percent: int) -> str:
    line = (
        f'<line x1="{_LEFT}" x2="{_WIDTH_PX - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#777" stroke-opacity="0.25"/>'
    )
    return line + _text(_LEFT - 8, y + 4, f"{percent} %", anchor="end")


def _text(x: float, y: float, words: str, *, size: int = 12, anchor: str = "start", colour: str = "#777") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place}>{escape(words)}</text>"
