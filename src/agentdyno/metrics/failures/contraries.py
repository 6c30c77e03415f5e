"""Values that are said of the contrary of what was asked: "you've used 1,240" of what is left.

Takes an answer and the place of a value, returns yes or no. A field's words have contraries, and
what was asked of all is not said of each.
"""

import re

from agentdyno.matching.values import Found, words_of_field
from agentdyno.records.failures import ToolTask

_GONE = "used|spent|sold|taken|gone|consumed|running for|elapsed|flown"
_THERE = "left|remaining|remains?|to spare|still free"
_TAKEN = "taken|occupied|full|booked|sold|gone|filled"
_VACANT = "free|available|empty|vacant|unoccupied"
_AGAINST = "against|opposed?|opposes?|rejects?|disapproves?"
_AT_LEAST = "at least|a minimum of|no (?:less|fewer) than"
_AT_MOST = "at most|a maximum of|no more than|up to"
_CONTRARY = {
    **dict.fromkeys(("support", "supporting", "favour", "approval"), _AGAINST),
    **dict.fromkeys(("free", "available", "vacant"), _TAKEN),
    **dict.fromkeys(("occupied", "taken", "booked"), _VACANT),
    **dict.fromkeys(("left", "remaining"), _GONE),
    **dict.fromkeys(("used", "spent", "sold"), _THERE),
    **dict.fromkeys(("max", "maximum", "limit", "cap"), _AT_LEAST),
    **dict.fromkeys(("min", "minimum", "least"), _AT_MOST),
    "open": "solved|closed|resolved|done|settled",
    "solved": "open|pending|unsolved",
    "closed": "open|pending",
}
"""What a value must not be called."""
_OF_MANY = re.compile(
    r"\s(?:out )?of (?:the |your |our |its |their |all )?"
    r"(?:[\d.,]*\d |\w+ (?=(?:is|are|was|were|has|have)\b))"
)
"""143 of the 420 spaces are taken; 22 % of the toner is used."""
_TOGETHER = re.compile(r"\b(?:together|in total|altogether|in all|combined)\b", re.IGNORECASE)
_EACH = re.compile(r"\s?(?:each|apiece|per (?!(?:cent|year|month|day|hour)\b)\w+)\b", re.IGNORECASE)


def is_each_for_all(task: ToolTask, text: str, place: Found) -> bool:
    """14,820 kg each, where it was asked what they weigh together."""
    asked = any(_TOGETHER.search(message) for message in task.messages)
    return asked and _EACH.match(text, place.end) is not None


def is_contrary(text: str, field: str, place: Found) -> bool:
    """Whether a value is said of the contrary of its field: "you've used 1,240" of what is left."""
    words = words_of_field(field).lower().split()
    contrary = "|".join(_CONTRARY[word] for word in words if word in _CONTRARY)
    if not contrary:
        return False
    start = max(text.rfind(mark, 0, place.start) for mark in ".;!?\n,") + 1
    behind = re.split(r"[.;!?\n,]|\band\b|\bof\b", text[place.end : place.end + 30], maxsplit=1)[0]
    if parted := _OF_MANY.match(text, place.end):
        behind = re.split(
            r"[.;!?\n,(]|\band\b", text[parted.end() : parted.end() + 40], maxsplit=1
        )[0]
    around = f"{text[max(start, place.start - 14) : place.start]} {behind}"
    own = "|".join(word for word in words if word in _CONTRARY)
    return (
        re.search(rf"\b(?:{contrary})\b", around, re.I) is not None
        and re.search(rf"\b(?:{own}|left|remain\w*)\b", behind, re.I) is None
    )
