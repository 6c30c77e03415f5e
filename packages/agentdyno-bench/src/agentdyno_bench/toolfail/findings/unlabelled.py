"""Doubts about a trajectory whose right answer nobody knows: a trajectory in, doubts out.

phantom_call   a text has the shape of a tool call, or claims one, and nothing was executed
unused_call    a look-up brought much, and nothing of it recurs in anything written later

These are checks, not verdicts: a model may use a result without repeating it. How often each is
right, read by hand, is in `records.precision`.
"""

from collections.abc import Callable

from msgspec import Struct, structs

from agentdyno.matching.appearances import Appearances, appearances
from agentdyno.matching.effects import effect_of
from agentdyno.matching.values.leaves import read_json
from agentdyno.records import Part, ToolCall, Trajectory, printable
from agentdyno.records.failures import CHECKS, Check
from agentdyno.records.precision import confidence, is_measured
from agentdyno_bench.toolfail.findings.texts import LONGEST, find_claimed_call, find_written_calls
from agentdyno_bench.toolfail.findings.uses import use_of

CHECK_VERSIONS: dict[str, int] = {"phantom_call": 1, "unused_call": 1}
"""One more whenever a check doubts other places than before: what an older one said of a ledger is
then checked again, or named as old."""


class Doubt(Struct, frozen=True):
    """One place that may be a failure."""

    kind: Check
    turn: int
    call: int | None
    """The call within that turn; None when it is no single call's."""
    evidence: str
    """The span that shows it, at most 200 characters."""
    reason: str = ""
    """What is doubtful about it, in words."""
    confidence: float | None = None
    """The share of such doubts that was right when people read them; None when not measured."""


def find_doubts(trajectory: Trajectory, unproven: bool = False) -> list[Doubt]:
    """Every doubt, in the order of the kinds; kinds that were not read often enough on real traces,
    or were mostly wrong, only on request."""
    index = appearances(trajectory)
    finders: dict[Check, Callable[[Appearances], list[Doubt]]] = {
        "phantom_call": _phantoms, "unused_call": _unused
    }  # fmt: skip
    finders_used = [find for check, find in finders.items() if unproven or is_measured(check)]
    return [
        structs.replace(doubt, reason=REASONS[doubt.kind], confidence=confidence(doubt.kind))
        for find in finders_used
        for doubt in find(index)
    ]


def off_checks() -> list[Check]:
    """Checks that are made only when asked for."""
    return [check for check in CHECKS if not is_measured(check)]


REASONS: dict[Check, str] = {
    "phantom_call": "it has the shape of a call, or claims one, and nothing was executed",
    "unused_call": "nothing of what it returned recurs in anything written later",
}
"""What each kind of doubt says."""


def possible_checks(trajectory: Trajectory, unproven: bool = False) -> set[Check]:
    """Checks that have something to look at: texts, and returns that a text could use."""
    has_text = any(_is_stated(part) for part in trajectory.parts)
    possible: set[Check] = {"phantom_call"} if has_text else set()
    last = len(trajectory.turns) - 1
    if any(_may_be_used(call) and call.turn < last for call in trajectory.calls):
        possible.add("unused_call")
    return {check for check in possible if unproven or is_measured(check)}


def _phantoms(index: Appearances) -> list[Doubt]:
    trajectory = index.trajectory
    tools = {p.name for p in trajectory.parts if p.kind == "schema" and p.name}
    tools |= {call.tool for call in trajectory.calls if call.tool}
    executed = {call.tool for call in trajectory.calls if call.executed}
    called_in = {call.turn for call in trajectory.calls}
    doubts = []
    for part in trajectory.parts:
        if not _is_stated(part) or part.made is None:
            continue
        text = part.text[:LONGEST]
        spans = find_written_calls(text, tools) if part.made not in called_in else []
        displayed = text[slice(*spans[0])] if spans else find_claimed_call(text, tools, executed)
        if displayed:
            doubts.append(Doubt("phantom_call", part.made, None, printable(displayed, 200)))
    return doubts


def _unused(index: Appearances) -> list[Doubt]:
    doubts = []
    for index_of_call, call in enumerate(index.calls):
        if not _may_be_used(call) or use_of(index, index_of_call).used is not False:
            continue
        if effect_of(call.tool, read_json(call.arguments)).action != "reads":
            continue  # A receipt of what was done is nothing to use.
        displayed = index.parts[call.result].text if call.result is not None else ""
        evidence = printable(f"{call.tool} returned {displayed}", 200)
        doubts.append(Doubt("unused_call", call.turn, call.call, evidence))
    return doubts


def _may_be_used(call: ToolCall) -> bool:
    return call.executed and call.result is not None and not call.error


def _is_stated(part: Part) -> bool:
    """True for text that the model wrote."""
    return part.kind == "text" and part.made is not None and bool(part.text.strip())
