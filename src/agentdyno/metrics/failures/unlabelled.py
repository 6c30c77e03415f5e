"""What can be said of a trajectory whose truth nobody knows: a trajectory in, doubts out.

unsupported_claim   the last text states a figure, date or code that no return, message or argument
                    holds
phantom_call        a text has the shape of a tool call, or claims one, and nothing was executed
unused_call         nothing that a call returned appears in any later text or request; a receipt
                    such as "sent" is nothing to use

These are checks, not verdicts: a model may know a figure by heart, or use a result without
repeating it.
"""

import re
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from agentdyno.metrics.failures.claims import leaves, sources, unsupported
from agentdyno.metrics.failures.quantities import read_values
from agentdyno.metrics.failures.texts import LONGEST, claimed_call, without, written_calls
from agentdyno.records import Part, ToolCall, Trajectory, printable
from agentdyno.records.failures import Check

LONGEST_TEXT = 200_000
"""Characters of a return that are looked at."""
FEWEST_LETTERS = 4
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
           "october", "november", "december")  # fmt: skip
FEWEST_WORDS = 3
"""A return of fewer words and no figure is a receipt ("sent"), which there is nothing to use of."""


class Doubt(Struct, frozen=True):
    """One place that may be a failure."""

    kind: Check
    """What sort."""
    turn: int
    """The turn that shows it."""
    call: int | None
    """The call within that turn; None when it is no single call's."""
    evidence: str
    """The span that shows it, at most 200 characters."""


def find_doubts(trajectory: Trajectory) -> list[Doubt]:
    """Every doubt, in the order of the kinds."""
    return [*_claims(trajectory), *_phantoms(trajectory), *_unused(trajectory)]


def possible_checks(trajectory: Trajectory) -> set[Check]:
    """What there is anything to look at for: texts, and returns that a text could use."""
    said = _last_said(trajectory) is not None
    possible: set[Check] = {"phantom_call"} if said else set()
    if said and any(call.executed for call in trajectory.calls):
        possible.add("unsupported_claim")
    last = len(trajectory.turns) - 1
    if any(_may_be_used(call) and call.turn < last for call in trajectory.calls):
        possible.add("unused_call")
    return possible


def _claims(trajectory: Trajectory) -> list[Doubt]:
    last = _last_said(trajectory)
    if last is None or last.made is None or not any(c.executed for c in trajectory.calls):
        return []
    returns = [_decoded(p.text) for p in trajectory.parts if p.kind == "result"]
    given = [p.text[:LONGEST_TEXT] for p in trajectory.parts if p.kind in ("user", "system")]
    given += [call.arguments for call in trajectory.calls]
    said = last.text[:LONGEST]
    text = without(said, written_calls(said, {c.tool for c in trajectory.calls}))
    spans = unsupported(text, read_values(text), sources(returns, given))
    kind: Check = "unsupported_claim"
    return [Doubt(kind, last.made, None, printable(span, 200)) for span in dict.fromkeys(spans)]


def _last_said(trajectory: Trajectory) -> Part | None:
    return next((part for part in reversed(trajectory.parts) if _is_said(part)), None)


def _is_said(part: Part) -> bool:
    return part.kind == "text" and part.made is not None and bool(part.text.strip())


def _decoded(text: str) -> object:
    head = text[:LONGEST_TEXT]
    try:
        return msgspec.json.decode(head)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return head


def _phantoms(trajectory: Trajectory) -> list[Doubt]:
    tools = {p.name for p in trajectory.parts if p.kind == "schema" and p.name}
    tools |= {call.tool for call in trajectory.calls if call.tool}
    executed = {call.tool for call in trajectory.calls if call.executed}
    called_in = {call.turn for call in trajectory.calls}
    doubts = []
    for part in trajectory.parts:
        if not _is_said(part) or part.made is None:
            continue
        said = part.text[:LONGEST]
        spans = written_calls(said, tools) if part.made not in called_in else []
        shown = said[slice(*spans[0])] if spans else claimed_call(said, tools, executed)
        if shown:
            doubts.append(Doubt("phantom_call", part.made, None, printable(shown, 200)))
    return doubts


def _unused(trajectory: Trajectory) -> list[Doubt]:
    doubts = []
    for call in trajectory.calls:
        if not _may_be_used(call):
            continue
        words = _distinct(trajectory, call)
        later = _later_text(trajectory, call)
        if _tells(words) and later and not _mentions(later, words):
            shown = printable(f"{call.tool} returned {', '.join(sorted(words)[:4])}", 200)
            doubts.append(Doubt("unused_call", call.turn, call.call, shown))
    return doubts


def _may_be_used(call: ToolCall) -> bool:
    return call.executed and call.result is not None and not call.error


def _distinct(trajectory: Trajectory, call: ToolCall) -> set[str]:
    """What the return says that the arguments do not."""
    assert call.result is not None
    asked = call.arguments.lower()
    values = leaves(_decoded(trajectory.parts[call.result].text))
    found = (str(value).lower() for _, value in values if value is not None)
    return {word for text in found for word in _words(text) if word not in asked}


def _tells(words: set[str]) -> bool:
    """Whether a return says something that could be used."""
    return len(words) >= FEWEST_WORDS or any(c.isdigit() for word in words for c in word)


def _words(text: str) -> list[str]:
    bare = (word.strip(".,;:()[]{}\"'") for word in text.split())
    return [word for word in bare if len(word) >= FEWEST_LETTERS or word.isdigit()]


def _mentions(text: str, words: set[str]) -> bool:
    return any(spelling in text for word in words for spelling in _spellings(word))


def _spellings(word: str) -> Iterator[str]:
    """How a later text may write it: 255.0 as 255, 2024-05-24 as May 24."""
    plain = word.replace(",", "")
    yield plain
    if plain.endswith(".0") and plain[:-2].isdigit():
        yield plain[:-2]
    if _ISO_DAY.match(plain):
        month, day = _MONTHS[(int(plain[5:7]) - 1) % 12], str(int(plain[8:10]))
        yield from (f"{month} {day}", f"{month[:3]} {day}", f"{day} {month}", f"{day} {month[:3]}")


def _later_text(trajectory: Trajectory, call: ToolCall) -> str:
    kinds = ("text", "reasoning", "request")
    said = [
        part.text
        for part in trajectory.parts
        if part.kind in kinds and part.made is not None and part.made > call.turn
    ]
    return "\n".join(said).lower().replace(",", "")
