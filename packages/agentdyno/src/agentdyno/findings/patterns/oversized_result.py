"""Oversized result: large, and hardly any of it is used.

Rule: a result of at least 2,000 tokens (estimated at 3.2 characters each) stands in a later turn's
context, and less than a tenth of its distinct words appear in what the model writes from then on.
Where reasoning is hidden, nothing is said. Errors count: a stack trace of ten pages is one.

Worked: a page of 9,000 characters with 350 distinct words, of which the answer uses 12: 3 % -> one
finding.
"""

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.options import CHARACTERS_PER_TOKEN
from agentdyno.findings.patterns.reading import Reading
from agentdyno.matching.distinct_tokens import is_spaced, weight
from agentdyno.matching.quoting import quote
from agentdyno.records import Part, ToolCall
from agentdyno.records.patterns import Finding


def detect(reading: Reading) -> list[Finding]:
    """A finding for each result that is much too long."""
    least = reading.options.oversized_tokens * CHARACTERS_PER_TOKEN
    found = []
    for call in reading.calls:
        part = reading.result(call)
        if part is None or len(part.text) < least or not _has_evidence(reading, call, part):
            continue
        held, share = reading.index.held[call.result or 0], reading.options.oversized_used_share
        last = reading.index.last_written
        used = sum(last[token] > call.turn and weight(token) > 0 for token in last.keys() & held)
        if used >= share * len(held):
            continue  # Without weighing every word: most results are used.
        words = sum(map(bool, map(weight, held)))
        if used < share * words:
            tokens = len(part.text) / CHARACTERS_PER_TOKEN
            detail = f"about {tokens:,.0f} tokens; {used} of {words:,} distinct words used later"
            evidence = quote(part.text)
            found.append(Finding("oversized_result", call.turn, call.call, evidence, detail))
    return found


def _has_evidence(reading: Reading, call: ToolCall, part: Part) -> bool:
    return (
        part.enters is not None and reading.index.hidden_after <= call.turn and is_spaced(part.text)
    )


DETECTOR = Detector("oversized_result", 2, detect)
