"""One sample of a log as trajectories: the agent's, then one for each sub-agent."""

import math
from collections.abc import Iterator
from typing import Any

from msgspec import Raw

from agentdyno.intake.formats.inspect_ai.convert import Thread
from agentdyno.intake.formats.inspect_ai.texts import SampleTexts, without_id
from agentdyno.intake.formats.inspect_ai.threads import Threads
from agentdyno.intake.formats.inspect_ai.wire import (
    NULL,
    OUTPUT,
    RAWS,
    REMARKS,
    Remarks,
    Sample,
    SampleError,
    Spec,
)
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import compact_json, first, read_solved, whole
from agentdyno.records import Trajectory, UnreadableError, printable

FORMAT_NAME = "inspect_ai"
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0,
            "false": 0.0}  # fmt: skip
"""Inspect's marks: correct, partial, incorrect, no answer; and words that scorers use."""


def trajectories_of(
    sample: Sample, spec: Spec, trajectory_id: str, source: str
) -> Iterator[Trajectory]:
    """The sample's trajectories; the first is the agent's own."""
    threads = _threads(sample, spec)
    about = _about(sample, spec)
    main, *sub_agents = _main_first(threads)
    ids = {id(main): trajectory_id}
    yield main.builder.build(
        trajectory_id, source, FORMAT_NAME, **about, **_outcome(sample), **_model(main, spec)
    )
    for number, thread in enumerate(sub_agents, 1):
        ids[id(thread)] = f"{trajectory_id}~{number}"
        yield thread.builder.build(
            ids[id(thread)],
            source,
            FORMAT_NAME,
            parent_id=_parent(thread, ids) or trajectory_id,
            parent_call_id=thread.started_by,
            model=thread.model,
            **about | {"expected": None},
        )


def _threads(sample: Sample, spec: Spec) -> Threads:
    old = sample.transcript
    events = sample.events or (old.events if old is not None else [])
    attachments = sample.attachments or (old.content if old is not None else {})
    texts = SampleTexts(sample, attachments)
    texts.answer_tool = None if spec.metadata is None else _word(spec.metadata.answer_tool)
    threads = Threads(texts)
    threads.see_all(events)
    if not threads.found:
        threads.main.model = _word(spec.model)
        _read_messages(sample, threads.main, texts)
        threads.found.append(threads.main)
    for thread in threads.found:
        thread.finish()
    return threads


def _read_messages(sample: Sample, thread: Thread, texts: SampleTexts) -> None:
    """A log without events: only the last state of the conversation, and the last call's usage."""
    if sample.message_refs is not None:
        raw = texts.pooled(sample.message_refs)
    else:
        raw = [without_id(message) for message in decode(bytes(sample.messages), RAWS) or ()]
    for key in raw:
        message = texts.message(key)
        # Assistant messages that came with the task are history, not turns.
        if message.role == "assistant" and message.source != "input":
            thread.past_turn(message, key)
        else:
            thread.give(message)
    if not thread.builder.turns:
        raise UnreadableError("at least one model call", _why_none(sample))
    thread.past_usage(decode(bytes(sample.output), OUTPUT))


def _why_none(sample: Sample) -> str:
    error = sample.error.message if isinstance(sample.error, SampleError) else sample.error
    return f"none: the sample failed with {printable(error)}" if isinstance(error, str) else "none"


def _main_first(threads: Threads) -> list[Thread]:
    """Where the agent itself called no model, the first sub-agent stands for it."""
    ordered = threads.found
    if threads.main in ordered:
        ordered = [threads.main, *(thread for thread in ordered if thread is not threads.main)]
    return ordered


def _parent(thread: Thread, ids: dict[int, str]) -> str | None:
    above = thread.parent
    while above is not None and id(above) not in ids:
        above = above.parent
    return None if above is None else ids[id(above)]


def _about(sample: Sample, spec: Spec) -> dict[str, Any]:
    marks = sample.metadata
    level = None if marks is None else first((marks.level, marks.difficulty))
    tagged = (spec.task_args, spec.metadata)
    return {
        "benchmark": _word(spec.task),
        "variant": first(_word(tags.variant) for tags in tagged if tags is not None),
        "task_id": None if sample.id is None else str(sample.id),
        "attempt": _attempt(sample, spec),
        "level": _word(level),
        "expected": _read_expected(sample.target),
        "session_id": _word(sample.uuid),
    }


def _attempt(sample: Sample, spec: Spec) -> int | None:
    """Our own runner makes one log for each attempt, and says which."""
    notes = None if spec.metadata is None else spec.metadata.agentdyno
    reported = whole(notes.get("attempt")) if isinstance(notes, dict) else None
    return whole(sample.epoch) if reported is None else reported


def _model(thread: Thread, spec: Spec) -> dict[str, Any]:
    named = _word(spec.model)
    return {"model": thread.model if named in (None, "none/none", "none") else named}


def _word(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return str(value) or None


def _read_expected(target: Any) -> str | None:
    if isinstance(target, list) and len(target) == 1:
        target = target[0]
    return None if target in (None, "", []) else compact_json(target)


def _outcome(sample: Sample) -> dict[str, Any]:
    """The first scorer's mark; of a mark with several values, the first."""
    scores = list((sample.scores or {}).values())
    score = scores[0] if scores else sample.score
    mark = None if score is None else _mark(score.value)
    remarks = Remarks() if score is None else _remarks(score.metadata)
    solved = remarks.solved if isinstance(remarks.solved, bool) else None
    by = remarks.graded_by if isinstance(remarks.graded_by, str) else None
    correct = read_solved(mark) if solved is None else solved
    return {"score": mark, "correct": correct, "graded_by": by}


def _remarks(metadata: Raw) -> Remarks:
    """What a scorer says of its own mark: whether part marks are a solution, how it decided."""
    written = b"" if metadata is NULL else bytes(metadata)
    if b'"solved"' not in written and b'"graded_by"' not in written:
        return Remarks()
    try:
        remarks: Remarks = decode(written, REMARKS)
    except UnreadableError:
        return Remarks()
    return remarks


def _mark(value: Any) -> float | None:
    while isinstance(value, dict | list):
        value = next(iter(value.values() if isinstance(value, dict) else value), None)
    if isinstance(value, str):
        letter_mark = _LETTERS.get(value, _LETTERS.get(value.lower()))
        return letter_mark if letter_mark is not None else _number(value)
    return _number(value) if isinstance(value, bool | int | float) else None


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
