"""Whether an answer says yes or no: a text, a truth and what it is about in, places out.

What it is about are the words of a field (`storm_covered`). The clause that has most of them
decides, by whether anything in it denies; without such a clause the first yes or no does.

Worked: of `storm_covered` False is said by "the policy excludes storm damage", "storms aren't
covered" and "No."; True by "storm damage is covered". Of `contains_nuts` False by "free of nuts".
"""

import re
from collections.abc import Iterator

_YES = re.compile(
    r"\b(?:yes|ja|oui|sí|sim|true|correct|indeed|it is|does|we do|you do|they do|can|available"
    r"|confirmed)\b",
    re.I,
)
_NO = re.compile(
    r"\b(?:no(?! (?:errors?|problems?|worries|doubt|issues?)\b)|not|false|never|n['’]t|cannot"
    r"|unavailable|isn['’]t|none|nein|nicht|kein\w*|non|pas|não)\b",
    re.I,
)
_DENIES = re.compile(
    r"\b(?:no|not|nicht|nein|kein\w*|pas|não|ohne|sans|sem|false|never|none|neither|nor"
    r"|(?<!with or )without|cannot|unavailable|exclud\w*|lack\w*|fail\w*"
    r"|den(?:y|ies|ied)|forb\w+|prohibit\w*|refus\w*|reject\w*|exempt\w*|ban(?:s|ned)?|miss\w*"
    r"|(?<!\d )out of(?! (?:the )?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twelve"
    r"|twenty))"
    r"|off(?! (?:it|her|his|their|the|my|your|its)\b)|impossible|barred)\b|\w{2,6}n['’]t\b|❌|✗|🚫",
    re.IGNORECASE,
)
_RID = re.compile(r"\bfree (?:of|from)\b|(?<=\w)-free\b", re.IGNORECASE)
"""Denies that something is in it, unless that is what it is about: `gluten_free`."""
_OPPOSITES = {
    "closed": "open|pending", "open": "closed|shut", "active": "suspended|dormant", "paid":
    "outstanding|owed|due", "valid": "expired|void|lapsed", "available": "sold out|taken|gone",
    "stock": "sold out|out of stock", "approved": "pending|declined", "resolved": "open|pending",
    "enabled": "off", "passed": "failed", "delivered": "in transit|on its way", "full": "empty",
    "vacant": "occupied|taken", "insured": "at your own risk", "final": "provisional|preliminary",
    "public": "private", "married": "single", "alive": "dead", "late": "on time|in time|punctual",
    "delayed": "on time|punctual", "overdue": "on time|up to date", "service": "down|out of order"
    "|out of service|broken|not working|isn't working|unusable",
    "online": "down", "working": "broken|out of order", "running": "down|stopped|halted",
    "completed": "in progress|ongoing|unfinished", "required": "optional|voluntary",
    "cancelled": "going ahead|as planned", "included": "extra|on top",
    "range": "below the|above the|outside|too low|too high|elevated|abnormal",
}  # fmt: skip
"""What people say of the contrary instead of denying it."""
_ALIKE = {
    "service": "working|operational|running", "closed": "shut", "armed": "switched on|active",
    "allowed": "welcome|permitted", "covered": "included|insured", "included": "covered|comes with",
    "required": "needed|necessary|must", "paid": "settled", "free": "no charge|complimentary",
    "accessible": "step-free", "accepts": "takes|can pay", "active": "in force|running",
    "succeeded": "success|successful|successfully|went through|worked",
    "success": "succeeded|worked",
    "balcony": "terrace", "available": "in stock|left", "enabled": "switched on|turned on",
    "working": "in service|operational|running", "open": "accepting",
}  # fmt: skip
"""Other words for what a truth is about."""
_CLAUSE = re.compile(r"(?:(?!,? (?:but|although|though|however) )[^.;!?\n])+\??")
_UNSURE = re.compile(
    r"(?:\b(?:not|cannot)|n['’]t) (?:sure|certain|know|say|tell|find|clear|determine|confirm|see"
    r"|be sure)\b|\b(?:unsure"
    r"|unclear|uncertain|unable|unknown|no (?:idea|information)|(?:could|may|might) or (?:could|may"
    r"|might)|varies|depends|whether)\b|\?\Z",
    re.IGNORECASE,
)
"""Clauses that leave it open, and questions."""
STEM = 6
"""Letters that a word keeps in all its forms, at the most: returnable, returned."""
SHORTEST = 4
"""Letters of a word that can say what it is about."""


def truth_places(answer: str, value: bool, about: str = "") -> list[tuple[int, int]]:
    """Where the answer says so; nowhere when it says the opposite, or nothing."""
    stems = [word[: max(SHORTEST, min(len(word) - 3, STEM))] for word in about.lower().split()]
    stems = [stem for stem in stems if len(stem) >= SHORTEST]
    if opposite := _opposite(answer, about) or _is_within(answer, about):
        return [] if value else [opposite]
    said = [clause for clause in _CLAUSE.finditer(answer) if not _UNSURE.search(clause[0])]
    clauses = [(_count(clause[0], stems, about), clause) for clause in said]
    most = max((count for count, _ in clauses), default=0)
    if not most:
        return list(_first(_without_doubts(answer), value))
    clause = next(clause for count, clause in clauses if count == most)
    said_of = clause[0]
    if "out of" in about.lower():
        said_of = re.sub(r"\bout of\b", "", said_of, flags=re.IGNORECASE)  # What it is about.
    denied = bool(_DENIES.search(said_of)) or _is_turned(clause[0], stems)
    rid = bool(_RID.search(clause[0]))
    if "free" not in about.lower().split():
        denied = denied or rid
    elif not rid and _is_without(about, clause[0]):
        denied = not denied  # It contains no gluten: it is free of it.
    return [clause.span()] if denied != value else []


def _is_without(about: str, clause: str) -> bool:
    """Whether a clause speaks of what something is free of, by its own name only: `gluten_free`."""
    *_, substance, last = ["", *about.lower().split()]
    low = clause.lower()
    return last == "free" and len(substance) >= SHORTEST and substance in low and "free" not in low


def _without_doubts(answer: str) -> str:
    """The answer with all blanked that leaves it open."""
    return _CLAUSE.sub(lambda c: " " * len(c[0]) if _UNSURE.search(c[0]) else c[0], answer)


def _opposite(answer: str, about: str) -> tuple[int, int] | None:
    """Where the answer says the contrary, in a clause that denies nothing."""
    words = "|".join(_OPPOSITES[word] for word in about.lower().split() if word in _OPPOSITES)
    if not words:
        return None
    for clause in _CLAUSE.finditer(answer):
        found = re.search(rf"\b(?:{words})\b", clause[0], re.IGNORECASE)
        denied = _DENIES.search(clause[0]) if found else None
        if found and (denied is None or denied.start() == found.start()):
            return clause.span()
    return None


def _is_within(answer: str, about: str) -> tuple[int, int] | None:
    """Where the answer says in range, of what is out of range."""
    _, out, thing = about.lower().partition("out of ")
    if not out or not thing:
        return None
    found = re.search(
        rf"\b(?:always|stayed|still|been|is|was|remained|well|fully)\s(?:been |stayed )?"
        rf"(?:in|within|inside)(?: the| its)? {re.escape(thing)}\b",
        answer,
        re.IGNORECASE,
    )
    return found.span() if found else None


def _count(clause: str, stems: list[str], about: str) -> int:
    """Words of what it is about; other words for them count where there are none."""
    low = clause.lower()
    alike = "|".join(_ALIKE[word] for word in about.lower().split() if word in _ALIKE)
    named = sum(stem in low for stem in stems)
    return named or (alike != "" and re.search(rf"\b(?:{alike})\b", low) is not None)


def _is_turned(clause: str, stems: list[str]) -> bool:
    """Uncovered, ineligible, non-refundable."""
    turned = "|".join(map(re.escape, stems))
    return re.search(rf"\b(?:un|in|im|ir|dis|non-?)(?:{turned})", clause, re.I) is not None


def _first(answer: str, value: bool) -> Iterator[tuple[int, int]]:
    """The first word that says yes or no."""
    yes, no = _YES.search(answer), _NO.search(answer)
    denied = no is not None and (yes is None or no.start() < yes.start() + 20)
    first = no if denied else yes
    if first is not None and denied != value:
        yield first.span()
