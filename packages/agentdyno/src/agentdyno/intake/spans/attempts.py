"""The spans of one trace as trajectories: attempts, sub-agents, marks.

Takes spans that a format decoded, returns trajectories; a trace that cannot be read costs only
itself. Knows nothing of files or exporters.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

from agentdyno.intake.source import Source
from agentdyno.intake.spans.convert import Labels, trajectory_of
from agentdyno.intake.spans.evaluations import Mark, marks_on
from agentdyno.intake.spans.span import Span
from agentdyno.intake.spans.tools import tool_run
from agentdyno.intake.spans.tree import Attempt, Tree, attempts_of
from agentdyno.intake.streams import Record, bad, no_response, too_deep
from agentdyno.records import BadRecord, Trajectory, UnreadableError

_PLAIN_ID = re.compile(r"[\w+/=.:-]{1,64}")


def read_spans(
    source: Source,
    format: str,
    records: Iterator[Record],
    spans_of: Callable[[dict[str, Any]], Iterator[Span]],
) -> Iterator[Trajectory | BadRecord]:
    """Yields the attempts of every trace in a file of objects that hold spans."""
    traces: dict[str, list[Span]] = {}
    is_empty = True
    for record in records:
        try:
            for span in spans_of(record.decode()):
                traces.setdefault(span.trace, []).append(span)
        except UnreadableError as problem:
            is_empty = False
            yield bad(source, format, record.place, problem)
        except RecursionError:
            is_empty = False
            yield bad(source, format, record.place, too_deep())
    for trace, spans in traces.items():
        for item in read_trace(spans, trace, source, format):
            is_empty = False
            yield item
    if is_empty:
        yield no_response(source, format)


def read_trace(
    spans: Sequence[Span], trace: str, source: Source, format: str
) -> Iterator[Trajectory | BadRecord]:
    """Yields the attempts of a trace whose spans are all there."""
    tree = Tree(spans)
    location = f"trace {clean_id(trace)}"
    try:
        attempts = attempts_of(tree)
        marks = _marks(tree, attempts)
    except RecursionError:
        yield bad(source, format, location, too_deep())
        return
    for attempt in attempts:
        try:
            labels = _labels(tree, attempt, source, trace, marks.get(id(attempt), []))
            yield trajectory_of(attempt, source, labels, format)
        except UnreadableError as problem:
            yield bad(source, format, location, problem)
        except RecursionError:
            yield bad(source, format, location, too_deep())


def _labels(tree: Tree, attempt: Attempt, source: Source, trace: str, marks: list[Mark]) -> Labels:
    parent = attempt.parent
    leaf = attempt.calls[0].leaf
    reported = (span.task for span in (leaf, *tree.above(leaf)) if span.task)
    return Labels(
        _id(source, trace, attempt),
        None if parent is None else _id(source, trace, parent),
        next(reported, None),
        marks,
        clean_id(tree.conversation(leaf) or trace),
        None if parent is None else _find_starting_call(tree, leaf, parent),
    )


def _id(source: Source, trace: str, attempt: Attempt) -> str:
    inside = f"/{clean_id(attempt.locator)}" if attempt.locator else ""
    return source.id_of(clean_id(trace) + inside)


def clean_id(name: str) -> str:
    """An id fit to stand in another: as it is when it is one, else its digest."""
    if _PLAIN_ID.fullmatch(name):
        return name
    return blake2b(name.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _marks(tree: Tree, attempts: list[Attempt]) -> dict[int, list[Mark]]:
    """Evaluations by attempt: of the owner they stand in, else of the only main attempt."""
    by_owner = {a.owner.id: a for a in attempts if a.owner is not None}
    mains = [attempt for attempt in attempts if attempt.parent is None]
    marks: dict[int, list[Mark]] = {}
    for span in tree.spans.values():
        if not (span_marks := marks_on(span)):
            continue
        owner = span if span.kind == "agent" else tree.owner(span)
        attempt = by_owner.get(owner.id) if owner is not None else None
        if attempt is None and len(mains) == 1:
            attempt = mains[0]
        if attempt is not None:
            marks.setdefault(id(attempt), []).extend(span_marks)
    return marks


def _find_starting_call(tree: Tree, leaf: Span, parent: Attempt) -> str | None:
    """The id of the call inside of whose tool a sub-agent asked its model."""
    for span in tree.above(leaf):
        if span is parent.owner:
            return None
        run = tool_run(span) if span.kind == "tool" else None
        if run is not None and run.call_id is not None:
            return run.call_id
    return None
