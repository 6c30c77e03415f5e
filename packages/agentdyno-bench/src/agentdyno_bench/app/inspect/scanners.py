"""Scanners for `scout scan` and `inspect eval --scanner`: the calls of a transcript that failed,
were malformed, or were not needed.

A result counts the calls and names each, with a reference to the message that made it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from inspect_scout import Reference, Result, Scanner, Transcript, scanner

from agentdyno_bench.app.inspect.names import named

if TYPE_CHECKING:
    from agentdyno_bench.app.inspect.sample_measures import CallProblem, SampleMeasures


@scanner(messages="all", events="all", version=1)
def failed_calls() -> Scanner[Transcript]:
    """Calls that ended with an error."""
    return _scan_for(lambda measures: measures.failed)


@scanner(messages="all", events="all", version=1)
def malformed_calls() -> Scanner[Transcript]:
    """Calls that break their tool's schema, and texts in the shape of a call (the PTE paper's
    format collapse)."""
    return _scan_for(lambda measures: measures.malformed)


@scanner(messages="all", events="all", version=1)
def needless_calls() -> Scanner[Transcript]:
    """Calls to tools that the task does not need, where its metadata has `expected_tools`."""
    return _scan_for(lambda measures: measures.needless)


def _scan_for(
    pick: "Callable[[SampleMeasures], list[CallProblem] | None]",
) -> Scanner[Transcript]:
    async def scan(transcript: Transcript) -> Result:
        measures = _measure(transcript)
        return _report(transcript, None if measures is None else pick(measures))

    return scan


def _measure(transcript: Transcript) -> "SampleMeasures | None":
    from agentdyno_bench.app.inspect.sample_measures import measure_sample

    about = transcript.metadata.get("sample_metadata", transcript.metadata)
    return measure_sample(transcript.events, transcript.messages, about)


def _report(transcript: Transcript, problems: "list[CallProblem] | None") -> Result:
    if problems is None:
        return Result(value=None, explanation="The transcript does not say.")
    makers = {
        call.id: message.id
        for message in transcript.messages
        for call in getattr(message, "tool_calls", None) or ()
    }
    lines, references = [], []
    for number, problem in enumerate(problems, 1):
        lines.append(f"[{number}] turn {problem.turn + 1}, {problem.tool or 'text'}: {problem.why}")
        if maker := makers.get(problem.call_id or ""):
            references.append(Reference(type="message", cite=f"[{number}]", id=maker))
    return Result(value=len(problems), explanation="\n".join(lines), references=references)


for _part in (failed_calls, malformed_calls, needless_calls):
    named(_part)
