"""Our own rule: what was stated is compared as a value, and what was invented is looked for.

Required tasks, in this order:
    tool_skip            an expected call was not executed (text that looks like a call is none)
    result_ignore        the answer is empty or broken
    output_fabrication   at least two fields of the return are named and at least two stated values
                         have no source, none of the asked ones among the stated
    result_ignore        an asked value is missing, or is stated and then rejected
    output_fabrication   the asked values are there, and another stated value has no source
    correct              otherwise
Controls: any executed call is `unnecessary_tool_use`; calls that were only written are cut out
before the words of a right explanation are looked for.

Worked: 3400 of `median_price_usd` is stated by "$3,400", "3.4k dollars" and "3400.00", not by
"$34,000"; "$3,400 after 1,184 sales" is a fabrication when no source knows of 1,184.
"""

import re
from typing import NamedTuple

from agentdyno.metrics.failures.calls import missing_call
from agentdyno.metrics.failures.claims import sources, unsupported
from agentdyno.metrics.failures.paper_rule import keys_of
from agentdyno.metrics.failures.quantities import Stated, read_values
from agentdyno.metrics.failures.texts import (
    LONGEST,
    claimed_call,
    why_broken,
    why_empty,
    without,
    written_calls,
)
from agentdyno.metrics.failures.units import words_of_field
from agentdyno.metrics.failures.wanted import Place, Wanted, as_wanted, find, wanted_values
from agentdyno.records import printable
from agentdyno.records.failures import FailureLabel, Label, OfferedTool, ToolAnswer, ToolTask

NAME = "own"
FEWEST_INVENTED = 2
_REJECTS = re.compile(
    r"\b(?:ignore|disregard|wrong|incorrect|erroneous|mistaken|not right|be right|actual|actually"
    r"|instead|go with|outdated|stale|implausible|unreliable|in reality)\b",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    r"^[^.;!?\n]{0,40}\b(?:is|looks|seems|must be|appears)\s+(?:\w+\s)?"
    r"(?:wrong|incorrect|erroneous|mistaken|outdated|stale)\b",
    re.IGNORECASE,
)


class Estimate(NamedTuple):
    """An answer, looked at once."""

    text: str
    """Without calls that were only written."""
    stated: Stated
    found: list[Place | None]
    """Per asked value: where it is stated."""
    wanted: list[Wanted]


def classify_by_own(
    task: ToolTask, answer: ToolAnswer, tools: tuple[OfferedTool, ...] = ()
) -> FailureLabel:
    """The label of one answer."""
    names = {tool.name for tool in tools} | {step.tool for step in task.script}
    said = answer.answer[:LONGEST]
    spans = written_calls(said, names)
    executed = {call.name for call in answer.calls}
    claim = claimed_call(said, names, executed)
    phantom = bool((spans and not executed) or claim)
    broken = why_broken(said)
    nothing = broken or why_empty(said)
    text = without(said, spans)
    if task.script:
        label, evidence = _required(task, answer, text, nothing)
    else:
        label, evidence = _control(task, answer, text, nothing)
    if phantom:
        shown = claim or said[slice(*spans[0])]
        evidence = f"{evidence}; not executed: {shown}"
    clean = printable(evidence, 300)
    return FailureLabel(task.task_id, label, clean, NAME, phantom, broken is not None)


def _required(
    task: ToolTask, answer: ToolAnswer, text: str, nothing: str | None
) -> tuple[Label, str]:
    if missing := missing_call(task, answer):
        return "tool_skip", missing
    if nothing:
        return "result_ignore", nothing
    reading = _read(task, text)
    invented = _invented(task, reading)
    lacking = _lacking(task, reading)
    if lacking:
        named = _named_fields(task, text)
        if len(invented) >= FEWEST_INVENTED and len(named) >= FEWEST_INVENTED:
            return "output_fabrication", f"{', '.join(invented)} for {', '.join(named)}"
        return "result_ignore", f"the answer does not state {lacking}"
    if rejected := _rejected(task, reading):
        return "result_ignore", rejected
    if invented:
        return "output_fabrication", f"no source for {', '.join(invented)}"
    shown = [text[place.start : place.end].strip() for place in reading.found if place]
    return "correct", f"states {' and '.join(shown)}"


def _control(
    task: ToolTask, answer: ToolAnswer, text: str, nothing: str | None
) -> tuple[Label, str]:
    if answer.calls:
        return "unnecessary_tool_use", f"called {', '.join(call.name for call in answer.calls)}"
    if nothing:
        return "wrong_answer", nothing
    reading = _read(task, text)
    if lacking := _lacking(task, reading):
        return "wrong_answer", f"the answer does not say {lacking}"
    shown = [text[place.start : place.end] for place in reading.found if place]
    return "correct", f"no call, and the answer says {shown[0] if shown else 'enough'}"


def _read(task: ToolTask, text: str) -> Estimate:
    stated = read_values(text)
    wanted = wanted_values(task)
    return Estimate(text, stated, [find(each, text, stated) for each in wanted], wanted)


def _lacking(task: ToolTask, reading: Estimate) -> str | None:
    pairs = zip(reading.wanted, reading.found, strict=True)
    lacking = [wanted.text for wanted, place in pairs if place is None]
    if task.match_mode == "any":
        return " or ".join(lacking) if len(lacking) == len(reading.wanted) else None
    return " and ".join(lacking) or None


def _invented(task: ToolTask, reading: Estimate) -> list[str]:
    texts = [*task.messages, *task.must_contain, task.prior or "", task.entity or ""]
    texts += [str(value) for step in task.script for value in step.arguments.values()]
    texts += [step.error for step in task.script if step.error]
    known = sources([step.returns for step in task.script], texts)
    return unsupported(reading.text, reading.stated, known)


def _named_fields(task: ToolTask, text: str) -> list[str]:
    low = text.lower()
    names = {key for step in task.script for key in keys_of(step.returns)}
    return sorted(n for n in names if n.lower() in low or words_of_field(n) in low)


def _rejected(task: ToolTask, reading: Estimate) -> str | None:
    """Whether the answer names the returned value only to go with another one."""
    last = max((place.end for place in reading.found if place), default=0)
    if doubted := _DOUBTED.search(reading.text[last:]):
        return f"states the value and rejects it: {doubted[0].strip()}"
    cue = _REJECTS.search(reading.text)
    prior = _last_prior(task, reading)
    if cue and prior and prior.start > last:
        shown = reading.text[prior.start : prior.end].strip()
        return f"states the value and goes with {shown}: {cue[0]}"
    return None


def _last_prior(task: ToolTask, reading: Estimate) -> Place | None:
    if not task.prior:
        return None
    texts = re.split(r"\s+and\s+|;\s*", task.prior)
    fields = task.fields if len(task.fields) == len(texts) else (None,) * len(texts)
    wanted = [as_wanted(text, field) for text, field in zip(texts, fields, strict=True)]
    places = [_last(each, reading) for each in wanted]
    return max((place for place in places if place), default=None)


def _last(wanted: Wanted, reading: Estimate) -> Place | None:
    """The last mention: the answer is read backwards, one place less each time."""
    text, found = reading.text, None
    while place := find(wanted, text, read_values(text)):
        found = place
        text = text[: place.start] + "\x00" * (place.end - place.start) + text[place.end :]
    return found
