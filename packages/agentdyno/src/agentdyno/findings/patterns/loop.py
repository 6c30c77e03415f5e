"""Loop: turn after turn, and nothing new comes back.

Rule: at least two turns in a row (three with the one that brought the news) whose calls return only
lines that results of earlier turns, since the last change of the world, already held. Calls of one
turn are one step: nobody had seen the result of one when asking for the next. A turn that may have
written breaks a run, and so do messages of the user and short results (under 20 characters), which
agree by chance; polling does not count, nor does what the harness answered in a tool's place. Each
turn without news is a finding at its first call.

Worked: three searches in other words with the same two hits, then a new one -> the second and the
third search.
"""

from collections.abc import Sequence

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.reading import Reading
from agentdyno.findings.patterns.world import world_states
from agentdyno.matching.failing import is_nothing
from agentdyno.matching.harness import without_notes
from agentdyno.matching.quoting import quote
from agentdyno.records import ToolCall
from agentdyno.records.patterns import Finding


def detect(reading: Reading) -> list[Finding]:
    """A finding for each turn of each run."""
    needed = reading.options.loop_calls
    if len(reading.calls) <= needed:
        return []
    found: list[Finding] = []
    run: list[ToolCall] = []
    seen: set[str] = set()
    state, states = -1, world_states(reading)
    for places in _places_by_turn(reading):
        before, after = states[places[0]][0], states[places[-1]][1]
        if before != state:
            found += _findings(reading, run, needed)
            run, seen = [], set()
        lines = [_lines(reading, place) for place in places]
        brought = {line for each in lines for line in each or ()}
        if None not in lines and brought <= seen:
            run.append(reading.calls[places[0]])
        else:
            found += _findings(reading, run, needed)
            run = []
        seen |= brought
        state = after if after == before else -1
    return found + _findings(reading, run, needed)


def _places_by_turn(reading: Reading) -> list[list[int]]:
    """Calls that a tool answered, by the turn that made them; a lone harness message is no step."""
    turns: dict[int, list[int]] = {}
    for place, call in enumerate(reading.calls):
        if call.harness is None:
            turns.setdefault(call.turn, []).append(place)
    return list(turns.values())


def _lines(reading: Reading, index: int) -> set[str] | None:
    """What came back; None when it proves nothing."""
    part = reading.result(reading.calls[index])
    if part is None or reading.effects[index].action == "waits":
        return None
    text = without_notes(part.text).strip()
    if is_nothing(text):
        return None  # That there is none may be news.
    return set(text.split("\n")) if len(text) >= reading.options.loop_characters else None


def _findings(reading: Reading, run: Sequence[ToolCall], needed: int) -> list[Finding]:
    if len(run) < needed:
        return []
    found = []
    for place, call in enumerate(run):
        detail = f"turn {place + 1} of {len(run)} in a row that brought nothing new"
        evidence = quote(f"{call.tool} {call.arguments}")
        found.append(Finding("loop", call.turn, call.call, evidence, detail))
    return found


DETECTOR = Detector("loop", 3, detect)
