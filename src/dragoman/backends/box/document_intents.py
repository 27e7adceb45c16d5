"""What a question to a form or an invoice may be called there, and what kind of thing it asks for. Pure Python."""

from __future__ import annotations

import re

from dragoman.backends.box.answer_spans import wanted

_OF_ISSUE = ("date", "date of issue", "invoice date")
_OF_NUMBERS = ("number", "reference")
# What a question says, and how such things are called on paper.
_INTENTS: tuple[tuple[str, str], ...] = (
    (r"vat|tax(es)?", "VAT, tax, sales tax"),
    (r"(before|without|excluding) (tax|vat)|net|sub-?total", "subtotal, net amount"),
    (r"discount|rebate|reduction", "discount"),
    (
        r"due|deadline|by when|until when|latest|expires?|expiry|valid",
        "due date, payment due, pay by, pay before, valid until",
    ),
    (r"how (do|did|can|should|will|was|were)\b.*\b(pay|paid)|method", "payment method, paid by"),
    (
        r"pay|owe|owed|total|altogether|sum|amount|how much (is|was|does|did)|costs?|price",
        "total, total amount, amount due, total due, grand total, balance due",
    ),
    (r"issued|dated|written|made|date|when (was|did|is)", ", ".join(_OF_ISSUE)),
    (
        r"who\b.*\b(sent|sends|issued|issues|from|sells?|sold|wrote|charges)|seller|vendor|supplier",
        "from, seller, issued by, vendor, company",
    ),
    (
        r"who\b.*\b(for|billed|bill|pays?|buys|bought|ordered|addressed)|customer|buyer|client",
        "bill to, customer, client, sold to, dear",
    ),
    (r"sign(ed|s|ature)?", "signature, signed by"),
    (
        r"(shipped|ship|delivered?|delivery|sent)\b.*\b(where|to)|where\b.*\b(ship|deliver|sent|send)",
        "ship to, delivery address",
    ),
    (r"address|lives?|located|where", "address, street, place"),
    (r"phone|telephone|call|ring|reach|mobile", "phone, telephone, tel, mobile"),
    (r"e-?mail|write to", "email, e-mail"),
    (r"account|iban|bank|transfer", "IBAN, account number, bank"),
    (r"born|birth|birthday|how old", "date of birth, born, birth date"),
    (r"job|profession|occupation|works? as|position", "occupation, position, job title"),
    (r"whose|owner|holder|owns?", "account holder, owner"),
    (r"why|reason|purpose", "reason, purpose"),
    (r"used?|consum(ed|ption)|usage", "consumption, usage"),
    (r"level|values?|results?|how high|readings?", "result, value"),
    (r"stands? in|replaces?|substitute|covers? for", "replaced by, substitute"),
    (r"months?|period|how long|covers?", "period"),
    (r"reference|number|no|code", ", ".join(_OF_NUMBERS)),
    (r"how many|quantity", "quantity, qty"),
    (r"how much\b.*\b(each|apiece|one|per)|cost|unit price", "unit price, price"),
    (r"depart(s|ure)?|leaves?|take off", "departure, from"),
    (r"start(s|ed)?|begins?|began", "start, start date, first day, from"),
    (r"ends?|ended|last", "end, end date, last day, until"),
    (r"arrives?|arrival|lands?", "arrival, arrival time"),
    (r"where\b.*\b(go|going|fly|flying|travel)|destination", "to, destination"),
)
_ANYBODY = re.compile(r"\b(who|whose|called|name|person)\b")
_NAMES = ("name", "full name", "passenger", "patient", "applicant", "employee", "guest")
_PARTS = frozenset({"seller", "customer", "signature", "account holder", "replaced by"})  # somebody in particular
_PHRASES = tuple((re.compile(rf"\b(?:{cue})\b"), phrases.split(", ")) for cue, phrases in _INTENTS)
_ALL = re.compile(
    r"\bwhat\b.*\b(written|says?|stands)\b|\b(everything|all the text)\b|\bread (it|this|the (page|document|text))\b"
)
_TITLE = re.compile(
    r"\b(title|heading|headline)\b|\bwhat (kind|sort|type) of (document|paper|form|page)\b|^what is this\b"
)
_SHORT = tuple(
    (re.compile(pattern), full)
    for pattern, full in (
        (r"\bn[or]\b\.?|#", "number"),
        (r"\btel\b\.?", "telephone"),
        (r"\bqty\b\.?", "quantity"),
        (r"\bamt\b\.?", "amount"),
        (r"\bdob\b", "date of birth"),
    )
)
_OTHER_SUM = re.compile(r"\b(sub|net|before|without|excluding)")
_DAY = r"\b(?:latest|last|first|which|what) (?:day|date)\b|\b(?:deadline|by when|until when)\b"
_CLOCK = r"\b\d{1,2}[:.]\d\d\b(?: ?[ap]\.?m\b\.?)?"
_OF_KIND = (
    (re.compile(r"\b(phone|telephone|call|ring|mobile|fax)\b"), r"(?<!\d)(?!(?:19|20)\d\d-)\+?\d[\d ()/.-]{5,}\d"),
    (re.compile(r"\be-?mail\b"), r"[\w.+-]+@[\w-]+\.[\w.-]+"),
    (
        re.compile(r"\b(iban|account|transfer)\b"),
        r"\b[A-Z]{2}\d\d(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?\b|\b\d[\d -]{6,}\d\b",
    ),
    (
        re.compile(r"\bwhat time\b|\bwhen\b.*\b(boarding|depart|arrive|land|leave|open|close|start|begin)"),
        _CLOCK,
    ),
)


def phrases_of(question: str) -> list[str]:
    """How what the question asks may be called on the page."""
    low = question.lower()
    found = [phrase for cue, phrases in _PHRASES if cue.search(low) for phrase in phrases]
    if _ANYBODY.search(low) and not _PARTS.intersection(found):
        found += _NAMES
    if "phone" in found:
        found = [phrase for phrase in found if phrase not in _OF_NUMBERS]
    if "due date" in found:
        found = [phrase for phrase in found if phrase not in _OF_ISSUE]
    return list(dict.fromkeys(found))


def kinds_of(question: str) -> tuple[str, ...]:
    """The patterns of what is asked for: a phone number, a date, an amount, a name; none where it may be anything."""
    low = question.lower()
    if re.search(_DAY, low):
        return wanted("when")
    own = next((pattern for cue, pattern in _OF_KIND if cue.search(low)), None)
    if own is None:
        return wanted(question)
    return (own, *wanted(question)) if own == _CLOCK else (own,)


def spoken(key: str) -> str:
    """A key with its short forms in full: `Report no.` is report number."""
    low = key.lower()
    for short, full in _SHORT:
        low = short.sub(full, low)
    return low


def asks_for_all(question: str) -> bool:
    """Whether the whole text is wanted."""
    return _ALL.search(question.lower()) is not None


def asks_for_title(question: str) -> bool:
    """Whether the heading is wanted."""
    return _TITLE.search(question.lower()) is not None


def is_other_sum(key: str, question: str) -> bool:
    """Whether a key is a part of the total while the total is asked for."""
    return "sub" in key.lower() and _OTHER_SUM.search(question.lower()) is None
