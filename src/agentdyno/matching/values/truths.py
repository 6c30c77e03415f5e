"""Whether an answer says yes or no: a text, a truth and what it is about in, places out.

What it is about are the words of a field (`storm_covered`). The clause that has most of them
decides, by whether anything in it denies; without such a clause the first yes or no does.

Worked: of `storm_covered` False is said by "the policy excludes storm damage", "storms aren't
covered" and "No."; True by "storm damage is covered".
"""

import re
from collections.abc import Iterator

_YES = re.compile(r"\b(?:yes|true|correct|indeed|it is|does|can|available|confirmed)\b", re.I)
_NO = re.compile(r"\b(?:no|not|false|never|n['’]t|cannot|unavailable|isn['’]t|none)\b", re.I)
_DENIES = re.compile(
    r"\b(?:no|not|false|never|none|neither|nor|without|cannot|unavailable|exclud\w*|lack\w*|fail\w*"
    r"|den(?:y|ies|ied)|forb\w+|prohibit\w*|refus\w*|reject\w*|exempt\w*|ban(?:s|ned)?|miss\w*"
    r"|out of|off|impossible|barred)\b|\w{2,6}n['’]t\b|❌|✗|🚫",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^.;!?\n]+")
STEM = 6
"""Letters that a word keeps in all its forms, at the most: returnable, returned."""
SHORTEST = 4
"""Letters of a word that can say what it is about."""


def truth_places(answer: str, value: bool, about: str = "") -> list[tuple[int, int]]:
    """Where the answer says so; nowhere when it says the opposite, or nothing."""
    stems = [word[: max(SHORTEST, min(len(word) - 3, STEM))] for word in about.lower().split()]
    stems = [stem for stem in stems if len(stem) >= SHORTEST]
    clauses = [(_count(clause[0], stems), clause) for clause in _CLAUSE.finditer(answer)]
    most = max((count for count, _ in clauses), default=0)
    if not most:
        return list(_first(answer, value))
    clause = next(clause for count, clause in clauses if count == most)
    denied = bool(_DENIES.search(clause[0])) or _is_turned(clause[0], stems)
    return [clause.span()] if denied != value else []


def _count(clause: str, stems: list[str]) -> int:
    low = clause.lower()
    return sum(stem in low for stem in stems)


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
