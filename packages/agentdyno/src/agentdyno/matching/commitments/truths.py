"""Whether a text says yes or no of a slot."""

import re

from agentdyno.matching.commitments.cues import pattern
from agentdyno.matching.commitments.reading import Reading
from agentdyno.matching.commitments.slots import names_slot
from agentdyno.matching.commitments.stance import Decision
from agentdyno.matching.commitments.texts import opposites_of, synonyms_of
from agentdyno.matching.values import Expected, fold

_STATES_NOTHING = (
    r"\bwith or without\b|\?|\bwhether\b|\A\W*(?:(?:and|but|so)\s)?(?:if|unless|in case)\b"
)


def _words_of(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", fold(text))


def _holds(text: str, phrases: list[str]) -> bool:
    folded = fold(text)
    held = [each for each in phrases if each in folded]
    return any(re.search(rf"\b{re.escape(each)}\b", folded) for each in held)


def decide_truth(reading: Reading, expected: Expected, affirmed: bool) -> Decision:
    """Yes or no, said outright, or by the slot's words affirmed or denied."""
    stated: list[tuple[bool, int, int]] = []
    affirmed ^= not {"no", "not"}.isdisjoint(expected.words)  # `no_expiry`: it does not expire.
    if found := pattern("yes").match(reading.text):
        stated.append((True, *found.span()))
    elif found := pattern("no").match(reading.text):
        stated.append((False, *found.span()))
    words = [
        w for w in expected.words if len(w) > 2 and w not in ("status", "the", "has", "was", "not")
    ]
    contrary = [fold(f"{start}{word}") for word in words for start in ("un", "in", "non-")]
    contrary += [other for word in words for other in opposites_of(word)]
    same = [other for word in words for other in synonyms_of(word)]
    for clause in reading.layout.clauses if words else ():
        text = reading.text[clause.start : clause.end]
        near = _words_of(text)
        named = all(names_slot(near, [word]) for word in words) or _holds(text, same)
        opposed = len(words) == 1 and _holds(text, contrary)
        if (named or opposed) and not re.search(_STATES_NOTHING, text, re.IGNORECASE):
            tail = reading.text[clause.end : clause.end + 8]
            bare = re.sub(r"\A\W*(?:yes|no)\b|\bnon-", " ", text, flags=re.IGNORECASE)
            negative = pattern("negated").search(bare) or re.match(
                r"\W{0,5}(?:no\b|false\b|❌|✗|nein\b)", tail, re.IGNORECASE
            )
            negative = negative or re.search(r"[=:]\s?false\b", bare, re.IGNORECASE)
            stated.append(((negative is None) is not opposed, clause.start, clause.end))
    field = " ".join(expected.words)
    if not stated:
        return Decision("unclear", f"does not say whether {field}")
    if len({truth for truth, *_ in stated}) > 1:
        return Decision("unclear", f"says both about {field}", *stated[-1][1:])
    truth, start, end = stated[-1]
    return Decision(
        "yes" if truth == affirmed else "no", f"says {truth} of {field}".lower(), start, end
    )
