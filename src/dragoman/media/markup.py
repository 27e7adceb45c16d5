"""The words that a reader of an HTML page sees."""

from __future__ import annotations

import re
from html.parser import HTMLParser

__all__ = ["visible_text"]

_UNSEEN = frozenset({"script", "style", "template", "noscript", "svg", "math", "head"})
_BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "details", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr"),
        *("li", "main", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th"),
        *("thead", "title", "tr", "ul"),
    }
)


def visible_text(page: str) -> str:
    """The text of an HTML page: title first, then its words, a line for each block; scripts and styles left out."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = (re.sub(r"[^\S\n]+", " ", line).strip() for line in "".join(reader.pieces).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Reader(HTMLParser):
    """Gathers what is shown. The title is kept although it stands in the head."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._unseen: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element opens."""
        del attrs
        if tag in _UNSEEN:
            self._unseen.append(tag)
        self._in_title = tag == "title" or (self._in_title and tag not in ("body", "main", "p"))
        if tag == "body":
            self._unseen.clear()
        if tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """An element closes."""
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]
        if tag == "title":
            self._in_title = False
        if tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        """Words between tags."""
        if self._in_title or not self._unseen:
            self.pieces.append(re.sub(r"\s+", " ", data))
