"""What the last text of a trajectory states without support: an index in, claims out.

A claim is a value that a reader would take for a finding: money, a figure with a unit or of three
digits, a day, a time, an id. Code that the model writes, paths, versions and links are its own work
and no claims. Supported is what stands anywhere in what the model was given, was returned or asked
for, in any notation, and what simple arithmetic makes of it.

Worked: "your refund is $1,184" with no 1184 in any result, message or request, and no two figures
that make it.
"""

import re
from datetime import date, timedelta
from itertools import islice

from agentdyno.matching.appearances import Appearances, argument_text
from agentdyno.matching.distinct_tokens import number_token
from agentdyno.matching.legacy_values.reading import Stated, read_json, read_values
from agentdyno.matching.support import Claim, Sources, sources, unsupported
from agentdyno.records import Part

LONGEST = 20_000
"""Characters of the last text that are read."""
LONGEST_SOURCE = 60_000
"""Characters of one source that are read as values; its tokens are looked at in full."""
MOST_SOURCES = 400_000
MOST_NUMBERS = 40
"""Beyond so many known figures nobody can say what was worked out of them."""
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,200}`", re.DOTALL)
_ALLOWED = frozenset([12, 24, 60, 100, 365, 1000, 1024])
_HYPOTHETICAL = re.compile(
    r"\b(?:e\.g\.|for example|such as|would|could|might|if|like|suggest|recommend|say|between|up to"
    r"|at least|at most|within|after|port|line|lines|step|version|python|node|http|status)\W{1,3}"
    r"(?:\w+\W{1,3}){0,3}\Z",
    re.IGNORECASE,
)


_EXAMPLE = re.compile(
    r"(?:\be\.g\.|\bfor (?:example|instance)\b|\bsuch as\b)[^.;!?\n]{0,110}\Z", re.IGNORECASE
)
_RANGE = re.compile(r"\d{1,5}(?:[-–:]\d{1,5})+")
"""Lines 120-152, a score of 3-2: where something stands, not what is so."""


def last_text(index: Appearances) -> int | None:
    """The part with the last thing that the model said."""
    for place in range(len(index.parts) - 1, -1, -1):
        part = index.parts[place]
        if part.kind == "text" and part.made is not None and part.text.strip():
            return place
    return None


def unsupported_claims(index: Appearances, place: int | None = None) -> list[Claim]:
    """The unsupported claims of a text, by default the last one."""
    at = last_text(index) if place is None else place
    if at is None or not any(call.executed for call in index.calls):
        return []
    text = _blanked(index.parts[at].text[:LONGEST])
    stated = _claims_of(text, read_values(text), index, at)
    if not any(stated):
        return []
    known = _known(index, at)
    return [
        claim
        for claim in unsupported(text, stated, known)
        if claim.kind != "number"
        or len(known.numbers) <= MOST_NUMBERS
        or not _may_be_made(text, claim)
    ]


def _blanked(text: str) -> str:
    """Code out of the way, and escapes of a text that is JSON; every character in its place."""
    return _CODE.sub(lambda code: "\x00" * len(code[0]), text).replace("\\n", "  ")


def _claims_of(text: str, stated: Stated, index: Appearances, at: int) -> Stated:
    """What of a text is a claim, and has a token that nobody else wrote."""
    return Stated(
        [d for d in stated.dates if not _is_hypothetical(text, d.start)],
        [],
        [
            c
            for c in stated.codes
            if c.kind == "id"
            and len(c.text) >= 5
            and sum(x.isdigit() for x in c.text) >= 2
            and not _RANGE.fullmatch(c.text)
            and not all(_is_elsewhere(index, part, at) for part in c.text.lower().split("/"))
            and not _is_hypothetical(text, c.start)
        ],
        [
            q
            for q in stated.quantities
            if q.plain
            and (q.digits >= 3 or (q.unit is not None and q.digits >= 2))
            and abs(q.value) >= 10
            and q.value not in _ALLOWED
            and (not q.approximate or q.digits >= 4)
            and not _is_elsewhere(index, number_token(f"{abs(q.value):.10f}".rstrip("0")), at)
            and not _is_hypothetical(text, q.start)
        ],
        [c for c in stated.clocks if not _is_hypothetical(text, c.start)],
    )


def _is_elsewhere(index: Appearances, token: str, at: int) -> bool:
    """Whether somebody else, or a request, holds the token."""
    token = token.rstrip(".")
    for place in index.places.get(token, ()):
        part = index.parts[place]
        if place != at and (part.made is None or part.kind == "request"):
            return True
    return False


def _is_hypothetical(text: str, start: int) -> bool:
    """Whether it is an example, a proposal or a bound, and no finding."""
    return bool(
        _HYPOTHETICAL.search(text[max(0, start - 40) : start])
        or _EXAMPLE.search(text[max(0, start - 130) : start])
    )


def _may_be_made(text: str, claim: Claim) -> bool:
    """Among many figures, a total or a rest cannot be checked."""
    near = text[max(0, claim.start - 80) : claim.end + 40].lower()
    words = ("total", "sum", "differ", "average", "save", "saving", "refund", "cost", "more",
             "less", "each", "per", "combined", "remaining", "=", "+", "charge", "credit",
             "altogether", "line", "test", "file", "%")  # fmt: skip
    return any(word in near for word in words)


def _known(index: Appearances, at: int) -> Sources:
    left = MOST_SOURCES
    returns, texts = [], []
    for part in index.parts:
        if left <= 0:
            break
        if part.made is None and part.kind != "schema":
            head = part.text[:LONGEST_SOURCE]
            left -= len(head)
            if part.kind == "result":
                returns.append(read_json(head))
            else:
                texts.append(head)
    texts += [argument_text(call)[:LONGEST_SOURCE] for call in islice(index.calls, 2_000)]
    known = sources(returns, texts)
    known.days.update(_neighbours(known.days))
    return known


def _neighbours(days: set[date]) -> set[date]:
    """Days next to a known one are worked out: a flight that lands after midnight."""
    inside = [day for day in days if date.min < day < date.max]
    return {day + timedelta(days=step) for day in inside for step in (-1, 1)}


def is_said(part: Part) -> bool:
    """Whether a part is a text of the model."""
    return part.kind == "text" and part.made is not None and bool(part.text.strip())
