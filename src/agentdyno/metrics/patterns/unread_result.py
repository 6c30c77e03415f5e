"""Unread result: nobody refers to it again, and it stays in the context.

Rule: a look-up without error returned at least 240 characters that burden two later turns or more,
and afterwards the model writes (text, reasoning, requests) no number or identifier of it, no word
of it that it had not used before, and, in the turn that got it, none of what it tells, nor does
that turn begin by commenting ("Good, …", "This is …"). Where reasoning is hidden, nobody can tell,
and nothing is said. Receipts of writes are no look-ups. Numbers are compared as values.

Worked: a calendar is listed on the way to answering a mail, and no name or time of it recurs -> one
finding at that call.
"""

import re

from agentdyno.metrics.patterns.detector import Detector
from agentdyno.metrics.patterns.quoting import quote
from agentdyno.metrics.patterns.reading import BROKEN, Reading, decoded
from agentdyno.metrics.patterns.values import numbers_in
from agentdyno.metrics.patterns.words import (
    has_digit,
    is_distinctive,
    is_spaced,
    told_words,
    words,
)
from agentdyno.records import Part, ToolCall
from agentdyno.records.patterns import Finding

_COMMENT = re.compile(
    r"\W*(?:good|great|perfect|excellent|nice|ok(?:ay)?|yes|no|hmm|i see|it|its|this|that|these"
    r"|those|the|there|here|based|so|since|interesting|unfortunately|your|now i|as)\b",
    re.IGNORECASE,
)


def detect(reading: Reading) -> list[Finding]:
    """A finding for each result that nobody read."""
    found = []
    for index, call in enumerate(reading.calls):
        part = reading.result(call)
        if part is None or not _could_be_read(reading, index, part):
            continue
        if not _is_referred_to(reading, call, part):
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
        and reading.effects[index] == "reads"
        and _turns_burdened(reading, part) >= options.unread_turns
        and reading.last_hidden <= call.turn
        and is_spaced(part.text)
    )


def _turns_burdened(reading: Reading, part: Part) -> int:
    if part.enters is None:
        return 0
    return (part.leaves or len(reading.trajectory.turns)) - part.enters


def _is_referred_to(reading: Reading, call: ToolCall, part: Part) -> bool:
    turn, last, first = call.turn, reading.last_said, reading.first_said
    for word in words(part.text) & last.keys():
        if is_distinctive(word):
            when = last[word] if has_digit(word) else first[word]
            if when > turn:
                return True
    return _is_answered(reading, part) or _shares_a_number(reading, turn, part)


def _is_answered(reading: Reading, part: Part) -> bool:
    """Whether the turn that got the result comments on it, or takes up anything it tells."""
    if part.enters is None:
        return False
    if any(_COMMENT.match(said.text) for said in reading.said[part.enters]):
        return True
    value = decoded(part.text)
    told = words(part.text) if value is BROKEN else told_words(value)
    return any(map(is_distinctive, told & reading.written[part.enters]))


def _shares_a_number(reading: Reading, turn: int, part: Part) -> bool:
    """3,400 and 3400.0 are no common word and yet the same."""
    held = {v for v in numbers_in(part.text[:20_000]) if abs(v) >= 10 or not v.is_integer()}
    later = [p.text for parts in reading.said[turn + 1 :] for p in parts]
    later += [c.arguments for c in reading.calls if c.turn > turn]
    return bool(held) and any(not held.isdisjoint(numbers_in(text)) for text in later)


DETECTOR = Detector("unread_result", 1, detect)
