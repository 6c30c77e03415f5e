"""Repeated call: the same question again, while its answer still stands in the context.

Rule: same tool and same arguments (as values: the order of properties does not count) as a call of
an earlier turn; the same result; nothing in between that may have changed the world (a call that
may write, a message of the user); the earlier result has not left the context. Polling is left out,
and so are writes that succeed: adding twice may be meant. What the harness answered in a tool's
place (a batch that was cancelled, a refusal) is no answer, and asking again no repetition.

Worked: Read(basket.py), Read(basket.py), Edit, Read(basket.py) -> the second call; the third Read
looks at an edited file.
"""

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.reading import Reading
from agentdyno.findings.patterns.world import world_states
from agentdyno.matching.quoting import quote
from agentdyno.records import ToolCall
from agentdyno.records.patterns import Finding


def detect(reading: Reading) -> list[Finding]:
    """A finding for each repetition."""
    if len(reading.calls) < 2:
        return []
    asked: dict[tuple[str, bytes], tuple[int, ToolCall]] = {}
    found = []
    states = world_states(reading)
    for index, call in enumerate(reading.calls):
        if call.harness is not None:
            continue
        before, after = states[index]
        key = reading.keys[index]
        state, earlier = asked.get(key, (-1, call))
        if earlier.turn == call.turn and state != -1:
            continue  # Nobody had seen the result of the one when asking for the other.
        if state == before and _is_waste(reading, index, earlier):
            detail = f"the same call as in turn {earlier.turn}, with the same result"
            evidence = quote(f"{call.tool} {call.arguments}")
            found.append(Finding("repeated_call", call.turn, call.call, evidence, detail))
        asked[key] = (after, call)
    return found


def _is_waste(reading: Reading, index: int, earlier: ToolCall) -> bool:
    call, effect = reading.calls[index], reading.effects[index]
    if effect.action == "waits" or not _may_be_asked_twice(reading, index):
        return False
    first, second = reading.result(earlier), reading.result(call)
    if first is None or second is None or first.text != second.text:
        return False
    return first.leaves is None or first.leaves > call.turn


def _may_be_asked_twice(reading: Reading, index: int) -> bool:
    """Whether a second answer could only be the same: no write that succeeded."""
    call = reading.calls[index]
    return (
        reading.effects[index].action == "reads"
        or call.error is not None
        or reading.family(call) in ("compute", "workspace")
    )


DETECTOR = Detector("repeated_call", 3, detect)
