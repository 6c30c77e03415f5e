"""An answer, looked at once: a task and a text in, what is stated and where out."""

from typing import NamedTuple

from agentdyno.matching.legacy_values import Found, Slot, Stated, find_slot, read_values
from agentdyno.metrics.failures.scores import turned_places
from agentdyno.metrics.failures.slots import wanted_values
from agentdyno.records.failures import ToolTask


class Reading(NamedTuple):
    """An answer, looked at once."""

    text: str
    """Without calls that were only written."""
    stated: Stated
    found: list[list[Found]]
    """Per asked value: every place where it is stated, rejected ones included."""
    wanted: list[Slot]


def read_answer(task: ToolTask, text: str) -> Reading:
    """All that later steps look at."""
    stated = read_values(text)
    wanted = wanted_values(task)
    found = [
        find_slot(text, slot, stated) or turned_places(task, text, slot, stated) for slot in wanted
    ]
    return Reading(text, stated, found, wanted)
