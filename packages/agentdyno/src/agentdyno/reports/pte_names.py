"""PTE by their name wherever a topic says PTE: `PTE (width)` where they are not the paper's.

Takes a topic and the name by `measures.pte.name`, returns the topic. Cells, points and trajectories
are left as they are.
"""

import re
from typing import TypeVar

from msgspec import Struct, structs

from agentdyno.reports.topic import Topic

_PTE = re.compile(r"\bPTE\b(?! \()")
_LABELS = (
    "lead", "notes", "title", "note", "name", "text", "axis", "across", "up",
    "figures", "terms", "charts", "bars", "tables", "columns",
)  # fmt: skip
T = TypeVar("T")


def name_pte(topic: Topic, name: str) -> Topic:
    """The topic with that name; the sheet has names of its own."""
    return topic if name == "PTE" or topic.anchor == "sheet" else _rename(topic, name)


def _rename(label: T, name: str) -> T:
    if isinstance(label, str):
        return _PTE.sub(name, label)  # type: ignore[return-value]
    if isinstance(label, list | tuple):
        return [_rename(item, name) for item in label]  # type: ignore[return-value]
    if not isinstance(label, Struct):
        return label
    labels = [field for field in _LABELS if hasattr(label, field)]
    return structs.replace(
        label, **{field: _rename(getattr(label, field), name) for field in labels}
    )
