"""Small talk: greetings, thanks, and what Dragoman can do."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.planning.embedded.clauses import Clause
from dragoman.planning.embedded.cues import hits
from dragoman.planning.embedded.words import Token
from dragoman.values import Request

_CHAT = ("@hello", "@thanks", "@bye", "@howareyou", "@ok", "@help", "@helpword")
_CAN: dict[str, str] = {
    "en": "I look at pictures (what they show, which objects and how many, the text in them), listen to recordings (what is said, "
    "which sounds, noise removed), work on texts (summary, translation, names, sentiment) and read texts aloud. "
    "Hand me files and say in plain words what you want.",
    "de": "Ich sehe mir Bilder an (was sie zeigen, welche Gegenstände und wie viele, den Text darin), höre Aufnahmen (was gesagt wird, "
    "welche Geräusche, ohne Rauschen), arbeite mit Texten (Zusammenfassung, Übersetzung, Namen, Stimmung) und lese Texte vor. "
    "Gib mir Dateien und sag, was du willst.",
    "pt": "Eu olho imagens (o que mostram, quais objetos e quantos, o texto nelas), ouço gravações (o que é dito, quais sons, sem ruído), "
    "trabalho com textos (resumo, tradução, nomes, sentimento) e leio textos em voz alta. Passe-me arquivos e diga o que quer.",
    "zh": "我能看图片（内容、物体及数量、图中文字），听录音（说了什么、有哪些声音、降噪），处理文本（摘要、翻译、人名地名、情感），并把文字朗读出来。"
    "请给我文件，并说明您想做什么。",
}
_WELCOME = {
    "en": "You're welcome.",
    "de": "Gern geschehen.",
    "pt": "De nada.",
    "zh": "不客气。",
    "es": "De nada.",
    "fr": "De rien.",
}
_HELLO = {"en": "Hello.", "de": "Hallo.", "pt": "Olá.", "zh": "你好。", "es": "Hola.", "fr": "Bonjour."}
_ASKED_ENOUGH = 1.0


def can_do(language: str) -> str:
    """What Dragoman can do, in the request's language where it is written down in that."""
    return _CAN.get(language, _CAN["en"])


def reply_to(clauses: Sequence[Clause], language: str, request: Request) -> str | None:
    """The reply if the words are small talk and nothing else, or None."""
    said = [t for clause in clauses for t in clause.tokens if t.kind != "mark"]
    if not said:
        return (
            f"I have {request.resources[0].name}. What shall I do with it? {can_do(language)}"
            if request.resources
            else can_do(language)
        )
    if not _is_all_chat(said):
        return None
    if any(t.has("@thanks") for t in said):
        return _WELCOME[language]
    return (
        can_do(language) if any(t.has("@help", "@helpword") for t in said) else f"{_HELLO[language]} {can_do(language)}"
    )


def reply_to_unread(clauses: Sequence[Clause], language: str) -> str | None:
    """The reply where no task was found: to thanks with a remark, and to questions about Dragoman itself."""
    for clause in clauses:
        if any(
            hit.task == "help" and hit.score >= _ASKED_ENOUGH
            for hit in hits(clause.tokens, (language, "en") if language != "en" else ("en",))
        ):
            return can_do(language)
    if any(clause.has("@thanks") for clause in clauses) and all(
        c.mood == "statement" or _is_all_chat(c.tokens) for c in clauses
    ):
        return _WELCOME[language]
    return None


def _is_all_chat(said: Sequence[Token]) -> bool:
    covered = set[int]()
    for at, token in enumerate(said):
        reach = [token.reach.get(symbol, 1) for symbol in _CHAT if token.has(symbol)]
        covered |= set(range(at, at + max(reach, default=0)))
    rest = [t for at, t in enumerate(said) if at not in covered and t.kind != "mark" and not t.has("%glue", "%chat")]
    return bool(covered) and not rest
