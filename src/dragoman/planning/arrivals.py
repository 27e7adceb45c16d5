"""A file put on the table without a wish: what is said to that."""

from __future__ import annotations

import re

from dragoman.values import Request

__all__ = ["reply_to_arrival"]

_LEAD = r"(?:(?:ok|hi|hello|hey|so|well|oi|olá|hallo)[,.!]?\s+)?"
_SHOWING = (
    r"(?:(?:and\s+)?(?:here(?:'s|\s+is|\s+are)?|this\s+is|these\s+are|look\s+at|see|i\s+have|i've\s+got)"
    r"|aqui\s+est[áã]o?|est[ae]\s+é|veja|olha|hier\s+(?:ist|sind)|das\s+ist|schau(?:\s+mal)?)\s+"
)
_ARTICLE = r"(?:a|an|the|my|our|your|some|one|two|three|um|uma|o|a|minha|ein|eine|mein|meine)\s+"
_THING = (
    r"(?:picture|photo|photograph|image|pic|poster|sign|page|recording|clip|video|audio|song|file|document|text|article|"
    r"table|pictures|photos|images|recordings|files|foto|imagem|figura|gravação|arquivo|bild|aufnahme|datei)"
)
_OF = r"(?:\s+(?:of|from|with|by|de|da|do|von|mit)\s+(?:[\w'-]+\s*){1,5})?"
# Free words may stand before the thing only behind an article or a showing word: else they are orders.
_SHOWN = re.compile(
    rf"{_LEAD}(?:(?:{_SHOWING}(?:{_ARTICLE})?|{_ARTICLE})(?:[\w-]+\s+){{0,2}}{_THING}{_OF}|{_SHOWING}(?:this|these|it)|{_THING})"
    r"(?:\s+for\s+you)?[.!…]*",
    re.IGNORECASE,
)
_SHOWN_ZH = re.compile(
    r"(?:这是|这里有|给你|看看?|我有)?一?[张段个份]?(?:这[张段个份])?(?:图片?|照片|录音|视频|文件|文章)[。！!.]*"
)
_MAX_CHARS = 120
_MAX_NAMES = 5


def reply_to_arrival(request: Request) -> str | None:
    """What to say to words that only hand something over ("Here is a picture."), or None if they say more than that.

    The words must be a bare naming of what came, without a question; and something must have come.
    """
    words = request.words.strip()
    if not request.resources or len(words) > _MAX_CHARS:
        return None
    if not (_SHOWN.fullmatch(words) or _SHOWN_ZH.fullmatch(words)):
        return None
    names = [resource.name for resource in request.resources]
    shown = ", ".join(names[:_MAX_NAMES]) + (f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else "")
    return f"I have {shown}. What shall I do with {'it' if len(names) == 1 else 'them'}?"
