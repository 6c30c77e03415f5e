"""Unread result: nobody refers to it again, and it stays in the context.

Rule: a look-up without error returned at least 240 characters that burden two later turns or more,
and nothing of it was used (`matching.uses`): no token that it brought recurs in what the model
writes afterwards, the next turn does not answer it, and the search did not go on. Where reasoning
is hidden, nobody can tell, and nothing is said. Receipts of writes are no look-ups.

Worked: a calendar is listed on the way to answering a mail, and no name or time of it recurs -> one
finding at that call.
"""

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.reading import Reading
from agentdyno.matching.quoting import quote
from agentdyno.matching.uses import use_of
from agentdyno.records import Part
from agentdyno.records.patterns import Finding


def detect(reading: Reading) -> list[Finding]:
    """A finding for each result that nobody read."""
    found = []
    for index, call in enumerate(reading.calls):
        part = reading.result(call)
        if part is None or not _could_be_read(reading, index, part):
            continue
        if use_of(reading.index, index).used is False:
            burdened = _turns_burdened(reading, part)
            detail = f"nothing refers to this result in the {burdened} turns that carry it"
            evidence = quote(part.text)
            found.append(Finding("unread_result", call.turn, call.call, evidence, detail))
    return found


def _could_be_read(reading: Reading, index: int, part: Part) -> bool:
    call, options = reading.calls[index], reading.options
    return (
        len(part.text) >= options.unread_characters
        and call.error is None
        and reading.effects[index].action == "reads"
        and _turns_burdened(reading, part) >= options.unread_turns
    )


def _turns_burdened(reading: Reading, part: Part) -> int:
    if part.enters is None:
        return 0
    return (part.leaves or len(reading.trajectory.turns)) - part.enters


DETECTOR = Detector("unread_result", 2, detect)
