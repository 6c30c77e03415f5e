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

import re
from collections.abc import Mapping
from typing import NamedTuple

from agentdyno.findings.failures.calls import describe_missing_call
from agentdyno.findings.failures.features import Evidence, describe, worst
from agentdyno.findings.failures.fitted import load_fitted, weigh
from agentdyno.findings.failures.invented import A_FIGURE, find_inventions
from agentdyno.findings.failures.new_words import find_new_words
from agentdyno.findings.failures.swapped import find_swap
from agentdyno.findings.failures.task_values import know
from agentdyno.findings.failures.texts import (
    LONGEST,
    find_claimed_call,
    find_written_calls,
    why_broken,
    why_empty,
    without,
)
from agentdyno.matching.commitments import Reading, decide, read_text
from agentdyno.matching.commitments.cues import pattern
from agentdyno.matching.commitments.hits import Hit, find_hits
from agentdyno.matching.values import Expected, expect, fold, split_name
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
    label = _weigh(evidence)
    if label == "correct" and (words := _find_disowning(evidence.reading)):
        # The value is right, but by the writer's own word nobody looked.
        return Verdict(None, f"states what was asked for, but: {words[0]}", *words.span())
    return _explain(evidence, label)


def _weigh(evidence: Evidence) -> Label | None:
    if evidence.only_repeats:
        return "correct"
    words = evidence.words.weights if evidence.words else {}
    label, chance = weigh(load_fitted(), describe(evidence), words)
    return label if chance >= load_fitted().threshold else None


def _find_disowning(reading: Reading) -> re.Match[str] | None:
    """Words by which the writer says that nobody looked: "my gut says", "I never checked"."""
    for found in pattern("disowns").finditer(reading.text):
        if not pattern("owns").search(reading.text, max(0, found.start() - 60), found.start()):
            return found
    return None


def read_evidence(task: ToolTask, text: str, counts: Mapping[str, int]) -> Evidence:
    """What an answer says, compared with what it may draw on."""
    reading, known = read_text(text), know(task)
    decisions = [decide(reading, *asked) for asked in known.asked]
    if task.match_mode == "any":
        decisions = [each for each in decisions if each.answer == "yes"] or decisions
    asked = [each.expected for each in known.asked]
    hits = _find_all(reading, asked)
    inventions, figures = find_inventions(reading, known.sources, [(h.start, h.end) for h in hits])
    unquoted = [each for each in figures if each.weight >= A_FIGURE and not each.is_quoted]
    words = set(split_name(reading.folded))
    named = sum(own <= words for own in known.fields)
    return Evidence(
        reading,
        decisions,
        all(each.answer == "yes" for each in decisions)
        and find_swap(task, reading, asked, known.records) is not None,
        hits,
        _find_all(reading, [rival for each in known.asked for rival in each.rivals]),
        task.prior or "",
        figures,
        inventions,
        min(len(unquoted), named) >= FEWEST,
        find_new_words(reading, known.sources.stems, counts),
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
