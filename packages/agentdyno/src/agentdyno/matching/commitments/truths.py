"""Whether a text says yes or no of a slot."""

import re

from agentdyno.matching.commitments.cues import pattern
from agentdyno.matching.commitments.decision import Decision
from agentdyno.matching.commitments.reading import Reading
from agentdyno.matching.commitments.slots import names_slot
from agentdyno.matching.values import Expected, fold


def _words_of(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", fold(text))


def decide_truth(reading: Reading, expected: Expected, affirmed: bool) -> Decision:
    """Yes or no, said outright, or by the slot's words affirmed or denied."""
    said: list[tuple[bool, int, int]] = []
    if found := pattern("yes").match(reading.text):
        said.append((True, *found.span()))
    elif found := pattern("no").match(reading.text):
        said.append((False, *found.span()))
    words = [w for w in expected.words if len(w) > 2 and w not in ("status", "the", "has", "was")]
    for clause in reading.layout.clauses if words else ():
        text = reading.text[clause.start : clause.end]
        near = _words_of(text)
        if all(names_slot(near, [word]) for word in words):
            tail = reading.text[clause.end : clause.end + 8]
            negative = pattern("negated").search(text) or re.match(
                r"\W{0,5}(?:no\b|false\b|❌|✗|nein\b)", tail, re.IGNORECASE
            )
            if not re.search(r"\bwith or without\b|\?", text):
                said.append((negative is None, clause.start, clause.end))
    field = " ".join(expected.words)
    if not said:
        return Decision("unclear", f"does not say whether {field}")
    if len({truth for truth, *_ in said}) > 1:
        return Decision("unclear", f"says both about {field}", *said[-1][1:])
    truth, start, end = said[-1]
    return Decision(
        "yes" if truth == affirmed else "no", f"says {truth} of {field}".lower(), start, end
    )
