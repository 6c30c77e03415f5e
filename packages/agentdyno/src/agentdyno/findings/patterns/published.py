"""The four patterns exactly as the PTE paper defines them (`measures.patterns`), on trajectories.

Takes the reading of a trajectory, hands its turns to the paper's rules as plain values.
"""

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.families import family_of
from agentdyno.findings.patterns.reading import Reading
from agentdyno.matching.schema_breach import parameters_of
from agentdyno.measures import patterns
from agentdyno.measures.patterns import Call, Turn
from agentdyno.records import Part, ToolCall
from agentdyno.records.patterns import Finding


def detect_confirmatory(reading: Reading) -> list[Finding]:
    """A finding for each call of a tool for code that comes after an answer."""
    requests = [part.text for part in reading.parts if part.kind == "user"]
    return patterns.find_confirmatory(turns_of(reading), requests)


def detect_tool_mixing(reading: Reading) -> list[Finding]:
    """At most one finding: the first call of a second type; a tool of no family is its own type."""
    return patterns.find_tool_mixing(turns_of(reading))


def detect_lack_of_priors(reading: Reading) -> list[Finding]:
    """A finding for each call that came back empty or with an error."""
    return patterns.find_lack_of_priors(turns_of(reading))


def detect_format_collapse(reading: Reading) -> list[Finding]:
    """Malformed calls and text in place of calls, in the order of turns."""
    runs_code = any(family_of(name) == patterns.COMPUTE for name in reading.schemas)
    return patterns.find_format_collapse(turns_of(reading), reading.schemas, runs_code)


def turns_of(reading: Reading) -> list[Turn]:
    """The turns as plain values."""
    return [
        Turn(
            texts=[part.text for part in parts if part.kind == "text"],
            reasoning=[part.text for part in parts if part.kind == "reasoning"],
            calls=[_call_of(reading, call) for call in calls],
        )
        for parts, calls in zip(reading.written, reading.calls_by_turn, strict=True)
    ]


def _call_of(reading: Reading, call: ToolCall) -> Call:
    result = reading.result(call)
    schema = _find_current_schema(reading.schemas.get(call.tool, []), call.turn)
    return Call(
        tool=call.tool,
        family=reading.family(call),
        arguments=call.arguments,
        result=None if result is None else result.text,
        error=call.error,
        executed=call.executed,
        parameters=None if schema is None else parameters_of(schema.text),
        number=call.call,
    )


def _find_current_schema(offered: list[Part], turn: int) -> Part | None:
    """The schema that stood in that turn's context."""
    for part in offered:
        if part.enters is not None and part.enters <= turn < (part.leaves or turn + 1):
            return part
    return None


PUBLISHED = (
    Detector("confirmatory", 2, detect_confirmatory),
    Detector("tool_mixing", 1, detect_tool_mixing),
    Detector("lack_of_tool_priors", 2, detect_lack_of_priors),
    Detector("format_collapse", 2, detect_format_collapse),
)
