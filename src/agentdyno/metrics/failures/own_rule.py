"""Our own rule: what was stated is compared as a value, and what was invented is looked for.

Required tasks, in this order:
    tool_skip            an expected call was not executed (text that looks like a call is none)
    result_ignore        the answer is empty or broken
    output_fabrication   at least two fields of the return are named and at least two stated values
                         have no source, none of the asked ones among the stated
    result_ignore        an asked value is missing, or is stated and then rejected
    output_fabrication   the asked values are there, and another stated value has no source
    result_ignore        the return is recited, or the value left open (see `evading`)
    correct              otherwise
A label whose kind was wrong in one of five answers or more at first look says why it is `thin`.
Controls: any executed call is `unnecessary_tool_use`; calls that were only written are cut out
before the words of a right explanation are looked for.

Worked: 3400 of `median_price_usd` is stated by "$3,400", "3.4k dollars" and "3400.00", not by
"$34,000"; "$3,400 after 1,184 sales" is a fabrication when no source knows of 1,184.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from agentdyno.matching.support import Claim, sources, unsupported
from agentdyno.matching.legacy_values import Found, code_places, leaves, read_json, words_of_field
from agentdyno.metrics.failures.calls import missing_call
from agentdyno.metrics.failures.evading import why_evaded
from agentdyno.metrics.failures.invented_names import invented_identifiers, invented_names
from agentdyno.metrics.failures.locales import words_of_codes
from agentdyno.metrics.failures.markup import without_markup
from agentdyno.metrics.failures.paper_rule import keys_of
from agentdyno.metrics.failures.read_answer import Reading, read_answer
from agentdyno.metrics.failures.rivals import rivals_of
from agentdyno.metrics.failures.roles import why_in_anothers_part
from agentdyno.metrics.failures.scores import why_won_by_loser
from agentdyno.metrics.failures.settled_value import settle
from agentdyno.metrics.failures.slots import wanted_fields
from agentdyno.metrics.failures.swapping import why_swapped
from agentdyno.metrics.failures.task_texts import given_texts
from agentdyno.metrics.failures.texts import (
    LONGEST,
    claimed_call,
    is_asked,
    why_broken,
    why_empty,
    without,
    written_calls,
)
from agentdyno.metrics.failures.unasked import why_under_others_name
from agentdyno.metrics.failures.whereabouts import why_elsewhere
from agentdyno.records import printable
from agentdyno.records.failures import FailureLabel, Label, OfferedTool, ToolAnswer, ToolTask

NAME = "own"
FEWEST_INVENTED = 2
FIRM = 1.5
"""Weight from which no answer of a set that was left out of learning was told wrongly."""
UNREAD = "a figure of the answer has no source, and may be the value in a notation that is not read"
HELD_AGAINST = ("instead of", "rather than", "as opposed to")
_COUNTS_FAULTS = re.compile(
    r"error|fault|defect|fail|wrong|reject|false|invalid|corrupt|broken|expired|stale|dropped"
    r"|damaged|spoil|duplicate|bounce|overdue"
)
"""Fields that count what is wrong."""
_POINTS_BACK = re.compile(
    r"(?:but|and|yet|which|though|however|so|clearly|obviously|surely|\W)*"
    r"(?:that|this|it|i|we|you|the (?:figure|value|number|reading|rate|tool|feed|record)|not|never"
    r"|is|was|looks?|seems?|sounds?|must|cannot|can['’]t|ignore|disregard|instead|rather|wrong"
    r"|struck)\b",
    re.IGNORECASE,
)
"""What speaks of the value itself, and not of what it counts."""
NEAR = 60
"""Characters between two values that are held against each other."""
ONE_INVENTION = "one figure only has no source"
REJECTED = "the value is set aside in words"
NAMED = "the answer names another value too"


class Verdict(NamedTuple):
    """What became of one answer."""

    label: Label
    evidence: str
    thin: str | None = None
    """Why the label rests on thin evidence."""


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
    text = without_markup(without(said, spans))
    judge = _required if task.script else _control
    label, evidence, thin = judge(task, answer, text, nothing)
    if phantom:
        shown = claim or said[slice(*spans[0])]
        evidence = f"{evidence}; not executed: {shown}"
    clean = printable(evidence, 300)
    return FailureLabel(task.task_id, label, clean, NAME, phantom, broken is not None, thin)


def _required(task: ToolTask, answer: ToolAnswer, text: str, nothing: str | None) -> Verdict:
    if missing := missing_call(task, answer):
        return Verdict("tool_skip", missing)
    if nothing:
        return Verdict("result_ignore", nothing)
    reading = read_answer(task, text)
    claims = _invented(task, reading)
    if lacking := _lacking(task, reading):
        return _without_value(task, reading, claims, lacking)
    rejected = _rejected(task, reading, claims)
    if rejected.label != "correct":
        return rejected
    if claims:
        alone = ONE_INVENTION if len(claims) == 1 else rejected.thin
        named = ", ".join(claim.text for claim in claims)
        return Verdict("output_fabrication", f"no source for {named}", alone)
    if swapped := why_swapped(task, reading.text, reading.found, reading.stated):
        return Verdict("result_ignore", swapped)
    if under := why_under_others_name(task, reading.text, reading.found, reading.stated):
        return Verdict("result_ignore", under)
    for why in (why_in_anothers_part, why_won_by_loser, why_elsewhere):
        if crossed := why(task, reading.text):
            return Verdict("result_ignore", crossed)
    if evaded := why_evaded(task, text, reading.stated, reading.found, reading.wanted):
        return Verdict("result_ignore", evaded)
    shown = [text[places[0].start : places[0].end].strip() for places in reading.found if places]
    return Verdict("correct", f"states {' and '.join(shown)}", rejected.thin)


def _without_value(task: ToolTask, reading: Reading, claims: list[Claim], lacking: str) -> Verdict:
    """What an answer is that does not state all asked values."""
    invented = [claim.text for claim in claims]
    named = _named_fields(task, reading.text)
    if len(invented) >= FEWEST_INVENTED and len(named) >= FEWEST_INVENTED:
        return Verdict("output_fabrication", f"{', '.join(invented)} for {', '.join(named)}")
    priors = any(rival.kind == "prior" for each in rivals_of(task, reading, []) for rival in each)
    thin = UNREAD if claims and not priors else None
    return Verdict("result_ignore", f"the answer does not state {lacking}", thin)


def _control(task: ToolTask, answer: ToolAnswer, text: str, nothing: str | None) -> Verdict:
    if answer.calls:
        called = ", ".join(call.name for call in answer.calls)
        return Verdict("unnecessary_tool_use", f"called {called}")
    if nothing:
        return Verdict("wrong_answer", nothing)
    reading = read_answer(task, text)
    if lacking := _lacking(task, reading):
        return Verdict("wrong_answer", f"the answer does not say {lacking}")
    shown = [text[places[0].start : places[0].end] for places in reading.found if places]
    said = shown[0] if shown else "enough"
    return Verdict("correct", f"no call, and the answer says {said}")


def _lacking(task: ToolTask, reading: Reading) -> str | None:
    lacking = [
        str(text)
        for text, places in zip(task.must_contain, reading.found, strict=True)
        if not _counts(task, places)
    ]
    if task.match_mode == "any":
        return " or ".join(lacking) if len(lacking) == len(reading.wanted) else None
    return " and ".join(lacking) or None


def _counts(task: ToolTask, places: list[Found]) -> bool:
    """Of an explanation, a word that is only denied does not count; of a value, see `_rejected`."""
    if task.kind == "required":
        return bool(places)
    return any(place.rejected is None for place in places)


def _invented(task: ToolTask, reading: Reading) -> list[Claim]:
    """What the answer states and no source holds, asked values and their parts apart."""
    texts = [*task.messages, *task.must_contain, task.prior or "", *given_texts(task)]
    texts += [step.error for step in task.script if step.error]
    names = dict.fromkeys(name for step in task.script for name in keys_of(step.returns))
    # An answer may show the field as it is called, and `area_m2` is no code that it made up.
    texts += [name for name in names if any(letter.isdigit() for letter in name)]
    texts += [name.replace("_", " ") for name in names]
    # Under a name of its own, so that no mean of a field's values takes it in.
    priors = [{f"prior_{field}": read_json(task.prior or "")} for field in task.fields[:1]]
    returns = [*(step.returns for step in task.script), *priors]
    known = sources(returns, texts)
    stated = [(place.start, place.end) for places in reading.found for place in places]
    claims = unsupported(reading.text, reading.stated, known)
    values = [leaf.value for returned in returns for leaf in leaves(returned)]
    texts += [*map(str, values), *words_of_codes(values)]
    # A returned id is known whatever marks it has: M 54.5 of M54.5.
    codes = (value for value in values if isinstance(value, str))
    stated += [place for code in codes for place in code_places(reading.text, code)]
    claims += invented_names(reading.text, texts)
    called = [step.tool for step in task.script]
    called += [name for step in task.script for name in step.arguments]
    claims += invented_identifiers(reading.text, [*texts, *called])
    wholes = {(c.start, c.end) for c in claims}
    return [
        claim
        for claim in claims
        # Figures within an asked value are the value's: "MQ 2207 B" invents no 2207; and 1 h 27 min
        # is one invention.
        if not is_asked(reading.text, claim.end)
        and not any(start <= claim.start and claim.end <= end for start, end in stated)
        and not any(
            start <= claim.start and claim.end <= end and (start, end) != (claim.start, claim.end)
            for start, end in wholes
        )
    ]


def _named_fields(task: ToolTask, text: str) -> list[str]:
    low = text.lower()
    names = {key for step in task.script for key in keys_of(step.returns)}
    return sorted(n for n in names if n.lower() in low or words_of_field(n) in low)


def _rejected(task: ToolTask, reading: Reading, claims: list[Claim]) -> Verdict:
    """Whether the answer names the returned value only to go with another one."""
    counts = any(_COUNTS_FAULTS.search(field or "") for field in wanted_fields(task))
    for n, places in enumerate(reading.found):
        others = [place for m, found in enumerate(reading.found) if m != n for place in found]
        if places and all(_is_set_aside(place, others, counts) for place in places):
            evidence = f"states the value and rejects it: {places[0].rejected}"
            return Verdict("result_ignore", evidence, REJECTED)
    thin = None
    for places, rivals in zip(reading.found, rivals_of(task, reading, claims), strict=True):
        settled = settle(reading.text, places, rivals)
        if settled is None:
            continue
        other = reading.text[settled.other.start : settled.other.end].strip()
        open_to_doubt = f"{NAMED}: {other}" if abs(settled.weight) < FIRM else None
        if settled.weight < 0:
            evidence = f"states the value and goes with {other}: {settled.words}"
            return Verdict("result_ignore", evidence, open_to_doubt)
        thin = thin or open_to_doubt
    return Verdict("correct", "", thin)


def _is_set_aside(place: Found, others: Sequence[Found], counts_faults: bool) -> bool:
    """Whether a value is rejected, and not only held against another asked one: "4.90 at Anker
    instead of 5.35 at Mohn"; of a share of faults, "12 in 1,000 units are defective" is none."""
    if place.rejected is None or (counts_faults and not _POINTS_BACK.match(place.rejected)):
        return False
    held_against = place.rejected.lower().startswith(HELD_AGAINST)
    return not (held_against and any(0 < place.start - other.end < NEAR for other in others))
