"""The values that flow through AgentDyno."""

from agentdyno.records.problems import (
    BadRecord,
    InputError,
    UnreadableError,
    plural,
    printable,
    shortened,
)
from agentdyno.records.tokens import TokenCount, TokenSource, read_reported
from agentdyno.records.trajectory import (
    PART_KINDS,
    ContextEvent,
    Part,
    PartKind,
    ToolCall,
    Trajectory,
    Turn,
)

__all__ = [
    "PART_KINDS",
    "BadRecord",
    "ContextEvent",
    "InputError",
    "Part",
    "PartKind",
    "TokenCount",
    "TokenSource",
    "ToolCall",
    "Trajectory",
    "Turn",
    "UnreadableError",
    "plural",
    "printable",
    "read_reported",
    "shortened",
]
