"""How deep the model thought in each turn, token by token, and what each token is.

Takes attempts with their full contexts, returns a row a turn. One pass over an attempt reads
every token as the model saw it; only those that it wrote itself are kept. Deep-thinking tokens are
those of the published thresholds.
"""

import re
from collections.abc import Sequence
from typing import Any

from agentdyno_depth.probes.loading import OpenModel
from agentdyno_depth.probes.profiles import label_sequences
from agentdyno_depth.records.depth import PAPER
from agentdyno_depth.records.sequences import TokenSequence
from agentdyno_train.rollouts.batch_decoder import Slot
from agentdyno_train.rollouts.journal import RolloutRecord, TurnDepth

PREFIX = 50
"""Tokens of a prefix, as Think@n has it."""
_NAME = re.compile(r'"name":\s*"([^"\n]*)"')
_THOUGHT = re.compile(r"\s*<think>.*?(</think>|\Z)", re.DOTALL)
_ARGUMENTS = re.compile(r'"arguments":\s*(\{[^\n]*\})\}')


def measure_turn_depths(
    opened: OpenModel, records: Sequence[RolloutRecord], slots: Sequence[Slot]
) -> list[TurnDepth]:
    """A row for each turn."""
    chosen = [(record, slot) for record, slot in zip(records, slots, strict=True) if record.turns]
    if not chosen:
        return []
    sequences = [
        TokenSequence(tuple(slot.prompt), tuple(slot.context[len(slot.prompt) :]))
        for _, slot in chosen
    ]
    labelled = label_sequences(opened, sequences, [PAPER]).labels
    return [
        row
        for (record, slot), labels in zip(chosen, labelled, strict=True)
        for row in _rows(record, slot, labels, opened.tokenizer)
    ]


def _rows(record: RolloutRecord, slot: Slot, labels: Any, tokenizer: Any) -> list[TurnDepth]:
    found = []
    for number, turn in enumerate(record.turns):
        first = slot.starts[number] - len(slot.prompt)
        own = slice(first, first + len(turn.ids))
        sure = labels.confidence.self_certainties[own]
        if not len(sure):
            continue
        found.append(
            TurnDepth(
                record.agent, record.bench, record.level, record.task_id, record.attempt, number,
                deep="".join("1" if deep else "0" for deep in labels.deep[0][own]),
                kinds=token_kinds([tokenizer.decode([token]) for token in turn.ids]),
                log_prob=float(labels.confidence.log_probs[own].astype("float64").mean()),
                certainty=float(sure.astype("float64").mean()),
                prefix_certainty=float(sure[:PREFIX].astype("float64").mean()),
            )
        )  # fmt: skip
    return found


def token_kinds(texts: Sequence[str]) -> str:
    """What each token is: n a tool's name, a an argument, s other letters of a call, w a thought
    and its tags, t text."""
    written = "".join(texts)
    marks = ["t"] * len(written)
    place = 0
    for line in written.splitlines(keepends=True):
        if line.strip().startswith("{"):
            marks[place : place + len(line)] = "s" * len(line)
            # The first of each in a line: arguments may have names, too.
            for pattern, mark in ((_ARGUMENTS, "a"), (_NAME, "n")):
                if match := pattern.search(line):
                    begin, end = match.span(1)
                    marks[place + begin : place + end] = mark * (end - begin)
        place += len(line)
    thought = _THOUGHT.match(written)
    marks[: thought.end() if thought else 0] = "w" * (thought.end() if thought else 0)
    kinds, place = [], 0
    for text in texts:
        # A token is what its first visible letter is.
        lead = len(text) - len(text.lstrip(' "'))
        at = min(place + min(lead, max(len(text) - 1, 0)), len(marks) - 1)
        kinds.append(marks[at] if marks else "t")
        place += len(text)
    return "".join(kinds)
