"""Values that are said of the contrary of what was asked: "you've used 1,240" of what is left.

Takes an answer and the place of a value, returns yes or no. A field's words have contraries, and
what was asked of all is not said of each.
"""

import re
from collections.abc import Sequence

from agentdyno.matching.legacy_values import Found, Slot, Stated, find_slot, words_of_field
from agentdyno.records.failures import ToolTask

_GONE = "paid off|paid back|repaid|used|spent|sold|taken|gone|consumed|running for|elapsed|flown"
_THERE = "left|leaving|remaining|remains?|to spare|still free|free|still there|unused"
_TAKEN = "taken|occupied|full|booked|sold|gone|filled"
_VACANT = "free|available|empty|vacant|unoccupied"
_AGAINST = "against|opposed?|opposes?|rejects?|disapproves?"
_AT_LEAST = "at least|a minimum of|no (?:less|fewer) than"
_AT_MOST = "at most|a maximum of|no more than|up to"
_TO_PAY = (
    r"(?:you|sie) (?:\w+ )?owe|still owe|(?:have|need|has|must) (?:to )?pay|nachzahl\w*"
    r"|nachzuzahl\w*|schulden|additional payment|à payer|te betalen"
)
_TO_GET = (
    r"refund(?:ed)?|in credit|in your favour|credit of|reimburse\w*|gets?\s+(?:\S+ )?back"
    r"|receive\s+(?:\S+ )?back|guthaben|erstatt\w+|bekommen\s+(?:\S+ )?zurück"
)
_CONTRARY = {
    **dict.fromkeys(("support", "supporting", "favour", "approval"), _AGAINST),
    **dict.fromkeys(("free", "available", "vacant"), _TAKEN),
    **dict.fromkeys(("occupied", "taken", "booked"), _VACANT),
    **dict.fromkeys(("left", "remaining"), _GONE),
    **dict.fromkeys(("used", "spent", "sold"), _THERE),
    **dict.fromkeys(("max", "maximum", "limit", "cap"), _AT_LEAST),
    **dict.fromkeys(("min", "minimum", "least"), _AT_MOST),
    **dict.fromkeys(("rise", "rose", "increase"), "down|fell|fallen|dropp?(?:ed)?|lower"),
    **dict.fromkeys(("fall", "fell", "drop", "decrease", "decline"), "up|rose|risen|gained|higher"),
    **dict.fromkeys(("delay", "late", "delayed"), "early|ahead of (?:time|schedule)"),
    "self": "(?:to|into) the grid|exported|fed in",
    **dict.fromkeys(("refund", "credit", "reimbursement", "rebate", "guthaben"), _TO_PAY),
    **dict.fromkeys(("owed", "owes", "debt", "arrears", "payable", "outstanding"), _TO_GET),
    "open": "solved|closed|resolved|done|settled",
    "solved": "open|pending|unsolved",
    "closed": "open|pending",
}
"""What a value must not be called."""
_OF_MANY = re.compile(
    r"\s(?:out )?of (?:the |your |our |its |their |all )?"
    r"(?:[\d.,]*\d |(?:[\w'’/-]+ ){1,9}?(?=(?:is|are|was|were|has|have|remains?|went|goes)\b))"
)
"""143 of the 420 spaces are taken; 22 % of the toner in the lab's printer is used."""
_CLAUSE = re.compile(
    r"[;!?\n,(|–—]|\.(?!\d)|\b(?:and|so|but|while|leaving|which|with)\b", re.IGNORECASE
)
_STATE = {
    **dict.fromkeys(("used", "use", "spent"), r"us(?:ed?|es|ing)|spent|consumed"),
    **dict.fromkeys(("left", "remaining"), r"left|remain\w*|still there"),
    **dict.fromkeys(("free", "available", "vacant"), r"free|available|vacant|empty"),
    **dict.fromkeys(("occupied", "taken", "booked", "sold"), r"occupied|taken|booked|sold|full"),
}
"""Words of fields that say in which of two states a part is, and what people say for them."""
_DENIED = re.compile(r"\b(?:not|un\w+|never|no longer)\b|n['’]t\b", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:together|in total|altogether|in all|combined)\b", re.IGNORECASE)
_EACH = re.compile(r"\s?(?:each|apiece|per (?!(?:cent|year|month|day|hour)\b)\w+)\b", re.IGNORECASE)


def is_each_for_all(task: ToolTask, text: str, place: Found) -> bool:
    """14,820 kg each, where it was asked what they weigh together."""
    asked = any(_TOGETHER.search(message) for message in task.messages)
    return asked and _EACH.match(text, place.end) is not None


def is_rest_told(
    text: str, field: str, slot: Slot, places: Sequence[Found], stated: Stated
) -> bool:
    """Whether the rest of a share has the field's state, and the share has not: "28 % is there, so
    you used 72 %" of `used_share` 0.28."""
    words = words_of_field(field).lower().split()
    state = "|".join(_STATE[word] for word in words if word in _STATE)
    if not state or slot.kind != "number" or not places:
        return False
    whole = 100.0 if float(slot.value) > 1 else 1.0
    rests = find_slot(text, slot._replace(value=whole - float(slot.value)), stated)
    rests = [place for place in rests if text[place.start : place.end].rstrip().endswith("%")]
    own = any(_is_in_state(text, place, state) for place in places)
    return not own and any(_is_in_state(text, place, state) for place in rests)


def _is_in_state(text: str, place: Found, state: str) -> bool:
    """Whether the clause of a value says so of it."""
    before = _CLAUSE.split(text[max(0, place.start - 60) : place.start])[-1]
    behind = _CLAUSE.split(text[place.end : place.end + 60])[0]
    clause = f"{before} {behind}"
    said = re.search(rf"\b(?:{state})\b", clause, re.IGNORECASE)
    return said is not None and _DENIED.search(clause) is None


def is_contrary(text: str, field: str, place: Found) -> bool:
    """Whether a value is said of the contrary of its field: "you've used 1,240" of what is left."""
    words = words_of_field(field).lower().split()
    contrary = "|".join(_CONTRARY[word] for word in words if word in _CONTRARY)
    if not contrary:
        return False
    start = max(text.rfind(mark, 0, place.start) for mark in ".;!?\n,") + 1
    behind = re.split(r"[.;!?\n,(|]|\band\b|\bof\b", text[place.end : place.end + 30], maxsplit=1)[
        0
    ]
    if parted := _OF_MANY.match(text, place.end):
        behind = re.split(
            r"[.;!?\n,(]|\band\b", text[parted.end() : parted.end() + 40], maxsplit=1
        )[0]
    around = f"{text[max(start, place.start - 14) : place.start]} {behind}"
    own = "|".join(word for word in words if word in _CONTRARY)
    own += "" if _THERE in contrary else r"|left|remain\w*"
    return (
        re.search(rf"\b(?:{contrary})\b", around, re.I) is not None
        and re.search(rf"\b(?:{own})\b", behind, re.I) is None
    )
