"""Loop: call after call, and nothing new comes back.

Rule: at least two calls in a row (three with the one that brought the news) each of which returns
only lines that results since the last change of the world already held. Calls that may have written
and succeeded break a run, and so do messages of the user and short results (under 20 characters),
which agree by chance; polling does not count. Each call without news is a finding, so that their
costs add up.

Worked: three searches in other words with the same two hits, then a new one -> the second and the
third search.
"""

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.reading import Reading
from agentdyno.findings.patterns.world import world_states
from agentdyno.matching.failing import is_nothing
from agentdyno.matching.quoting import quote
from agentdyno.records import ToolCall
from agentdyno.records.patterns import Finding


def detect(reading: Reading) -> list[Finding]:
    """A finding for each call of each run."""
    needed = reading.options.loop_calls
    if len(reading.calls) <= needed:
        return []
    found: list[Finding] = []
    run: list[ToolCall] = []
    seen: set[str] = set()
    state = -1
    for index, (before, after) in enumerate(world_states(reading)):
        if before != state:
            found += _findings(reading, run, needed)
            run, seen, state = [], set(), before
        lines = _lines(reading, index)
        if lines is not None and lines <= seen:
            run.append(reading.calls[index])
        else:
            found += _findings(reading, run, needed)
            run = []
        seen |= lines or set()
        state = after if after == before else -1
    return found + _findings(reading, run, needed)


def _lines(reading: Reading, index: int) -> set[str] | None:
    """What came back; None when it proves nothing."""
    part = reading.result(reading.calls[index])
    if part is None or reading.effects[index].action == "waits":
        return None
    text = part.text.strip()
    if is_nothing(text):
        return None  # That there is none may be news.
    return set(text.split("\n")) if len(text) >= reading.options.loop_characters else None


def _findings(reading: Reading, run: list[ToolCall], needed: int) -> list[Finding]:
    if len(run) < needed:
        return []
    found = []
    for place, call in enumerate(run):
        detail = f"call {place + 1} of {len(run)} in a row that brought nothing new"
        evidence = quote(f"{call.tool} {call.arguments}")
        found.append(Finding("loop", call.turn, call.call, evidence, detail))
    return found


DETECTOR = Detector("loop", 2, detect)
