"""What one sample cost and how its calls went.

Takes the events of a sample as Inspect's own objects, reads them as the log's reader does, and
returns what a ledger would say of the trajectory: sub-agents are added to their sample.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import polars as pl
from msgspec import Struct
from pydantic import BaseModel

from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.tables import measure_costs
from agentdyno.findings.patterns.published import detect_format_collapse
from agentdyno.findings.patterns.reading import Reading
from agentdyno.intake.formats.inspect_ai.pieces import decoded
from agentdyno.intake.formats.inspect_ai.sample import trajectories_of
from agentdyno.intake.formats.inspect_ai.wire import SAMPLE, Spec
from agentdyno.pipelines.meter import build_meter
from agentdyno.records import ToolCall, Trajectory, UnreadableError, plural


class CallProblem(Struct, frozen=True):
    """A call of which there is something to say."""

    turn: int
    tool: str
    call_id: str | None
    why: str


class SampleMeasures(Struct, frozen=True):
    """One sample; None is not known."""

    pte: float | None
    """Prefill-token equivalents, the cache evicted between turns (the PTE paper)."""
    usd: float | None
    turns: int
    calls: int
    calls_per_turn: float | None
    """Calls of a turn that calls; 1 is one after the other."""
    failed: list[CallProblem]
    malformed: list[CallProblem]
    """The PTE paper's format collapse; a text in the shape of a call has no tool."""
    needless: list[CallProblem] | None
    """Calls that the task does not need; None where it does not say what it needs."""


def measure_sample(
    events: Iterable[BaseModel], messages: Iterable[BaseModel] = (), metadata: Any = None
) -> SampleMeasures | None:
    """None where no model was called."""
    document = {
        "events": [event.model_dump(mode="json", exclude_none=True) for event in events],
        "messages": [message.model_dump(mode="json") for message in messages],
    }
    sample = decoded(msgspec.json.encode(document), SAMPLE)
    try:
        trajectories = list(trajectories_of(sample, Spec(), "sample", "sample"))
    except UnreadableError:
        return None
    return _measure(trajectories, _expected_tools(metadata))


Figures = dict[str, float | int | None]


def measured_fields(measures: SampleMeasures) -> Figures:
    """Its figures by name, problems counted."""
    needless = measures.needless
    return {
        "pte": measures.pte,
        "usd": measures.usd,
        "turns": measures.turns,
        "calls": measures.calls,
        "calls_per_turn": measures.calls_per_turn,
        "failed_calls": len(measures.failed),
        "malformed_calls": len(measures.malformed),
        "needless_calls": None if needless is None else len(needless),
    }


def _measure(trajectories: Sequence[Trajectory], expected: set[str] | None) -> SampleMeasures:
    rows = measure_costs(trajectories, build_meter(MeterOptions()))["trajectories"]
    calls = [call for trajectory in trajectories for call in trajectory.calls]
    calling = {(t.trajectory_id, call.turn) for t in trajectories for call in t.calls}
    return SampleMeasures(
        pte=_sum(rows["pte_evicted"]),
        usd=_sum(rows["usd"]),
        turns=int(rows["turns"].sum()),
        calls=len(calls),
        calls_per_turn=len(calls) / len(calling) if calling else None,
        failed=[_problem(call, call.error) for call in calls if call.error is not None],
        malformed=[problem for t in trajectories for problem in _find_malformed(t)],
        needless=None
        if expected is None
        else [_problem(call, "not needed") for call in calls if call.tool not in expected],
    )


def _sum(column: pl.Series) -> float | None:
    return None if column.null_count() else float(column.sum())


def _problem(call: ToolCall, why: str) -> CallProblem:
    return CallProblem(call.turn, call.tool, call.call_id, why)


def _find_malformed(trajectory: Trajectory) -> Iterable[CallProblem]:
    calls = {(call.turn, call.call): call for call in trajectory.calls}
    for finding in detect_format_collapse(Reading(trajectory)):
        call = calls.get((finding.turn, finding.call)) if finding.call is not None else None
        name, call_id = (call.tool, call.call_id) if call else ("", None)
        yield CallProblem(finding.turn, name, call_id, finding.detail)


def _expected_tools(metadata: Any) -> set[str] | None:
    """What a task says of the tools it needs: a list of names, or ToolFailBench's controls."""
    if not isinstance(metadata, Mapping):
        return None
    names = metadata.get("expected_tools")
    if isinstance(names, list):
        return {name for name in names if isinstance(name, str)}
    return set() if metadata.get("kind") == "control" else None


_SUMMED = ("usd", "turns", "calls", "failed_calls", "malformed_calls", "needless_calls", "pte")


def describe_run(samples: list[Figures]) -> str:
    """One line; a figure that any sample lacks is left out, and how many lack all is said."""
    measured = [figures for figures in samples if figures]
    words = []
    for name in _SUMMED:
        values = [figures.get(name) for figures in measured]
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            words.append(_describe(name, sum(known)))
    unmeasured = len(samples) - len(measured)
    left_out = f" ({unmeasured:,} more without a model call or a score)" if unmeasured else ""
    return f"agentdyno: {plural(len(measured), 'sample')}{left_out}: {', '.join(words)}"


def _describe(name: str, value: float) -> str:
    if name == "usd":
        return f"${value:,.4f}"
    return f"{value:,.0f} {'PTE' if name == 'pte' else name.replace('_', ' ')}"
