"""Our own rule: what an answer commits to is compared with what the tools returned.

Required tasks, in this order:
    tool_skip            an expected call was not executed (text that looks like a call is none)
    result_ignore        the answer is empty or broken
    output_fabrication   it gives figures of its own for several fields, and no asked value
    otherwise            the likeliest of correct, result_ignore and output_fabrication by fitted
                         weights of what was read (`features`, `fitted`)
    unclear              the likeliest is not likely enough; with the reason and the place
Controls: any executed call is `unnecessary_tool_use`; otherwise the words of a right answer are
looked for, and calls that were only written are cut out before.

Worked: 3400 of `median_price_usd` is stated by "$3,400", "3.4k dollars" and "3400.00", not by
"$34,000"; "$3,400 after 1,184 sales" is a fabrication when no source knows of 1,184.
"""

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from agentdyno.findings.failures.calls import describe_missing_call
from agentdyno.findings.failures.features import Evidence, describe, worst
from agentdyno.findings.failures.fitted import load_fitted, weigh
from agentdyno.findings.failures.invented import A_FIGURE, Sources, find_inventions, gather
from agentdyno.findings.failures.new_words import find_new_words
from agentdyno.findings.failures.records import find_records, spells
from agentdyno.findings.failures.swapped import find_swap
from agentdyno.findings.failures.texts import (
    LONGEST,
    find_claimed_call,
    find_written_calls,
    why_broken,
    why_empty,
    without,
)
from agentdyno.matching.commitments import Decision, Reading, decide, read_text
from agentdyno.matching.commitments.entities import find_other_entity
from agentdyno.matching.commitments.hits import Hit, find_hits
from agentdyno.matching.values import (
    Expected,
    expect,
    expect_leaf,
    fold,
    read_values,
    split_name,
    words_of_field,
)
from agentdyno.matching.values.leaves import leaves
from agentdyno.records import printable
from agentdyno.records.failures import FailureLabel, Label, OfferedTool, ToolAnswer, ToolTask

NAME = "own"
FEWEST = 3
"""Figures without a source, and fields that they are given for, which look like a return."""


class Verdict(NamedTuple):
    """What became of one answer."""

    label: Label | None
    """None for unclear."""
    reason: str
    start: int = 0
    end: int = 0


def classify_by_own(
    task: ToolTask, answer: ToolAnswer, tools: tuple[OfferedTool, ...] = ()
) -> FailureLabel:
    """The label of one answer."""
    names = {tool.name for tool in tools} | {step.tool for step in task.script}
    text = answer.answer[:LONGEST]
    spans = find_written_calls(text, names)
    executed = {call.name for call in answer.calls}
    claim = find_claimed_call(text, names, executed)
    broken = why_broken(text)
    judge = _find_required if task.script else _control
    verdict = judge(task, answer, without(text, spans), broken or why_empty(text))
    reason = verdict.reason
    phantom = bool((spans and not executed) or claim)
    if phantom:
        reason = f"{reason}; not executed: {claim or text[slice(*spans[0])]}"
    return FailureLabel(
        task_id=task.task_id,
        label=verdict.label,
        evidence=printable(reason, 300),
        rule=NAME,
        phantom=phantom,
        broken=broken is not None,
        unclear=printable(verdict.reason, 300) if verdict.label is None else None,
        span=(verdict.start, verdict.end) if verdict.end else None,
    )


def _find_required(task: ToolTask, answer: ToolAnswer, text: str, nothing: str | None) -> Verdict:
    if missing := describe_missing_call(task, answer):
        return Verdict("tool_skip", missing)
    if nothing:
        return Verdict("result_ignore", nothing)
    evidence = read_evidence(task, text, load_fitted().counts)
    if evidence.recites and all(each.answer != "yes" for each in evidence.decisions):
        return _explain(evidence, "output_fabrication")
    if evidence.only_repeats:
        return _explain(evidence, "correct")
    words = evidence.words.weights if evidence.words else {}
    label, chance = weigh(load_fitted(), describe(evidence), words)
    return _explain(evidence, label if chance >= load_fitted().threshold else None)


def read_evidence(task: ToolTask, text: str, counts: Mapping[str, int]) -> Evidence:
    """What an answer says, compared with what it may draw on."""
    reading = read_text(text)
    asked = find_asked_values(task)
    sources = collect_sources(task)
    decisions = [_decide(task, reading, expected, asked, sources) for expected in asked]
    if task.match_mode == "any":
        decisions = [each for each in decisions if each.answer == "yes"] or decisions
    hits = _find_all(reading, asked)
    inventions, figures = find_inventions(reading, sources, [(h.start, h.end) for h in hits])
    unquoted = [each for each in figures if each.weight >= A_FIGURE and not each.is_quoted]
    return Evidence(
        reading,
        decisions,
        all(each.answer == "yes" for each in decisions)
        and find_swap(task, reading, asked) is not None,
        hits,
        _find_all(reading, [rival for each in asked for rival in _rivals(task, each, asked)]),
        task.prior or "",
        figures,
        inventions,
        min(len(unquoted), len(_find_named_fields(task, reading))) >= FEWEST,
        find_new_words(reading, sources.stems, counts),
    )


def _find_all(reading: Reading, expected: list[Expected]) -> list[Hit]:
    return [
        hit for each in expected for value in each.values for hit in find_hits(reading, each, value)
    ]


def _explain(evidence: Evidence, label: Label | None) -> Verdict:
    """The label with the reason and the place that speak for it, or why there is none."""
    stated = [each for each in evidence.decisions if each.answer == "yes"]
    added = [each.text for each in evidence.inventions]
    added += evidence.words.stated if evidence.words else []
    first = evidence.inventions[0] if evidence.inventions else None
    place = (first.start, first.end) if first else (0, 0)
    if label == "output_fabrication":
        return Verdict(label, f"no source for {', '.join(added) or 'what it adds'}", *place)
    if label == "correct":
        reason = " and ".join(each.reason for each in stated) or "nothing was asked for"
        return Verdict(label, reason, *(stated[0].span if stated else (0, 0)))
    decision = worst(evidence) if evidence.decisions else None
    if decision and (decision.answer != "yes" or label):
        reason = f"swaps: {decision.reason}" if evidence.is_swapped else decision.reason
        return Verdict(label, reason, *decision.span)
    reason = f"states what was asked for, and perhaps adds {', '.join(added) or 'to it'}"
    return Verdict(label, reason, *place)


def _find_named_fields(task: ToolTask, reading: Reading) -> list[str]:
    """Fields of the returns that the answer names by all their words."""
    names = dict.fromkeys(leaf.name for step in task.script for leaf in leaves(step.returns))
    words = set(split_name(reading.folded))
    return [name for name in names if (own := words_of_field(name)) and set(own) <= words]


def _decide(
    task: ToolTask, reading: Reading, expected: Expected, asked: list[Expected], sources: Sources
) -> Decision:
    rivals = _rivals(task, expected, asked)
    known = [each for each in _collect_known(task) if each.raw != expected.raw]
    decision = decide(reading, expected, rivals, known)
    given = (str(value) for step in task.script for value in step.arguments.values())
    about = (task.entity or "", *given)
    if decision.answer != "yes" or not (
        other := find_other_entity(reading, decision.start, about, sources.joined)
    ):
        return decision
    is_rival = any(find_hits(reading, rival, value) for rival in rivals for value in rival.values)
    reason = f"{decision.reason} for another: {other}"
    return Decision("no" if is_rival else "unclear", reason, *decision.span)


def _rivals(task: ToolTask, expected: Expected, asked: list[Expected]) -> list[Expected]:
    """What somebody would say who did not look, for the slot that it is nearest to."""
    if not task.prior or expected.literal:
        return []
    typed = [(each, _type_prior(task, each)) for each in asked]
    same = [(each, prior) for each, prior in typed if each.kind == prior.kind]
    if len(same) > 1 and expected.kind == "number":
        same.sort(
            key=lambda pair: abs(
                math.log(
                    max(1e-9, abs(pair[0].values[0].number))
                    / max(1e-9, abs(pair[1].values[0].number))
                )
            )
        )
    return [same[0][1]] if same and same[0][0] is expected else []


def _type_prior(task: ToolTask, asked: Expected) -> Expected:
    """The prior as a value of the kind that was asked for, where it can be read so."""
    prior = expect(task.prior or "", _field_of(task, asked))
    if prior.kind == asked.kind or asked.kind not in ("number", "date", "time"):
        return prior
    same = [value for value in read_values(prior.raw, "en") if value.kind == asked.kind]
    return prior._replace(values=(same[0]._replace(sure=True),)) if same else prior


def find_asked_values(task: ToolTask) -> list[Expected]:
    """What the task asks for, typed by the fields it comes from; with the name of its record, where
    several records have the field."""
    fields = (
        task.fields[: len(task.must_contain)] if len(task.fields) >= len(task.must_contain) else ()
    )
    found = []
    for number, text in enumerate(task.must_contain):
        field = fields[number] if fields else _field_with(task, text)
        expected = expect(text, field)
        owner = next(
            (
                own
                for name, value, own in _find_owned(task)
                if name == field and spells(value, text)
            ),
            (),
        )
        found.append(
            expected._replace(
                words=(*expected.words, *owner),
                literal=not field or not _is_spelled_field(task, field, text),
            )
        )
    return found


def _is_spelled_field(task: ToolTask, field: str, text: str) -> bool:
    """Whether the whole value of a field is what is asked for, and not a word of it."""
    found = [
        leaf.value for step in task.script for leaf in leaves(step.returns) if leaf.name == field
    ]
    return bool(task.fields) or any(spells(value, text) for value in found)


def _find_owned(task: ToolTask) -> list[tuple[str, Any, tuple[str, ...]]]:
    """Fields that several records have: name, value and the words that only its record holds."""
    records = [
        record for step in task.script for record in find_records(step.returns, step.arguments)
    ]
    names = [set(record) for record in records]
    words = [_words_of(record) for record in records]
    found = []
    for number, record in enumerate(records):
        shared = set().union(*(n for m, n in enumerate(names) if m != number))
        others = set().union(*(w for m, w in enumerate(words) if m != number))
        own = tuple(word for word in words[number] if word not in others)
        found += [(name, value, own) for name, value in record.items() if name in shared]
    return found


def _words_of(record: dict[str, Any]) -> dict[str, None]:
    texts = [fold(str(value)) for value in record.values() if isinstance(value, str)]
    return dict.fromkeys(word for text in texts for word in re.findall(r"[^\W_]{2,}", text))


def _field_of(task: ToolTask, expected: Expected) -> str:
    number = task.must_contain.index(expected.raw) if expected.raw in task.must_contain else 0
    return task.fields[number] if number < len(task.fields) else _field_with(task, expected.raw)


def _field_with(task: ToolTask, text: str) -> str:
    """The field of the return that holds this value; empty when none does."""
    for step in task.script:
        for leaf in leaves(step.returns):
            if spells(leaf.value, text):
                return leaf.name
    return ""


def _collect_known(task: ToolTask) -> list[Expected]:
    """What the calls returned and were given, as values of slots of their own."""
    found = [
        expect_leaf(leaf.name, leaf.value) for step in task.script for leaf in leaves(step.returns)
    ]
    found += [
        expect_leaf(name, value)
        for step in task.script
        for name, value in step.arguments.items()
        if not isinstance(value, dict | list)
    ]
    found += [expect(task.entity)] if task.entity else []
    owned = [(expect_leaf(name, value), own) for name, value, own in _find_owned(task)]
    mine = {(each.raw, each.words): own for each, own in owned if each is not None}
    # The field that names what is asked about is the name of no other slot.
    about = {task.entity, *(str(v) for step in task.script for v in step.arguments.values())}
    return [
        e._replace(words=(*(() if e.raw in about else e.words), *mine.get((e.raw, e.words), ())))
        for e in found
        if e is not None
    ]


def collect_sources(task: ToolTask) -> Sources:
    """All that an answer to a task may draw on."""
    texts = [*task.messages, *task.must_contain, task.prior or "", task.entity or ""]
    texts += [step.error for step in task.script if step.error]
    texts += [step.tool.replace("_", " ") for step in task.script]
    returns = [*(step.returns for step in task.script), *(step.arguments for step in task.script)]
    if task.prior and task.fields:
        returns.append({task.fields[0]: task.prior})
    return gather(returns, texts)


def _control(task: ToolTask, answer: ToolAnswer, text: str, nothing: str | None) -> Verdict:
    if answer.calls:
        called = ", ".join(call.name for call in answer.calls)
        return Verdict("unnecessary_tool_use", f"called {called}")
    if nothing:
        return Verdict("wrong_answer", nothing)
    reading = read_text(text)
    missing, denied = [], []
    for words in task.must_contain:
        stances = [reading.stance(start, end)[0] for start, end in _places(reading, words)]
        if not stances:
            missing.append(words)
        elif all(stance in ("denied", "withdrawn") for stance in stances):
            denied.append(words)
    absent = missing + denied
    if not absent or (task.match_mode == "any" and len(absent) < len(task.must_contain)):
        return Verdict("correct", "no call, and the answer says what it should")
    return Verdict("wrong_answer", f"the answer does not say {' or '.join(absent)}")


def _places(reading: Reading, words: str) -> list[tuple[int, int]]:
    """Where a word of a right explanation begins a word; figures as values: 1440 is 1,440."""
    found: list[tuple[int, int]] = []
    for word in words.split("|"):
        found += [m.span() for m in re.finditer(rf"(?<!\w){re.escape(fold(word))}", reading.folded)]
        if re.fullmatch(r"\d[\d.,]*", word):
            expected = expect(word)
            found += [(h.start, h.end) for h in find_hits(reading, expected, expected.values[0])]
    return found
