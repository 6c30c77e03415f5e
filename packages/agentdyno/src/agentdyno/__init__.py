"""AgentDyno: a dynamometer for LLM agents, as a library.

    import agentdyno

    ledger = agentdyno.measure("traces", out="ledger")
    ledger.table("calls").group_by("tool").agg(pl.col("pte").sum())
    ledger.trajectory("traces/a.jsonl#1").turns

`measure` reads traces into a ledger, `open` opens one that is there; `compare` and `report` ask
it. A `Ledger` gives its tables as polars frames and its trajectories as the records
below. Everything is loaded when it is first used, so importing this costs nothing. Whatever is not
listed in `__all__` is inside, and may change.
"""

TYPE_CHECKING = False  # True to type checkers; `typing` itself would cost more than all this.

if TYPE_CHECKING:
    from agentdyno.api import Ledger, compare, measure, open, report
    from agentdyno.pipelines.measure import MeasureOptions
    from agentdyno.recording import record
    from agentdyno.records.problems import BadRecord, InputError
    from agentdyno.records.tokens import TokenCount, TokenSource
    from agentdyno.records.trajectory import Part, PartKind, ToolCall, Trajectory, Turn
    from agentdyno.studies.comparison import CompareOptions
    from agentdyno.version import __version__
else:
    _HOMES = {
        "agentdyno.api": ("Ledger", "compare", "measure", "open", "report"),
        "agentdyno.pipelines.measure": ("MeasureOptions",),
        "agentdyno.recording": ("record",),
        "agentdyno.records.problems": ("BadRecord", "InputError"),
        "agentdyno.records.tokens": ("TokenCount", "TokenSource"),
        "agentdyno.records.trajectory": ("Part", "PartKind", "ToolCall", "Trajectory", "Turn"),
        "agentdyno.studies.comparison": ("CompareOptions",),
        "agentdyno.version": ("__version__",),
    }

    def __getattr__(name: str) -> object:
        """Loads what is asked for from where it lives."""
        for module, names in _HOMES.items():
            if name in names:
                from importlib import import_module

                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BadRecord",
    "CompareOptions",
    "InputError",
    "Ledger",
    "MeasureOptions",
    "Part",
    "PartKind",
    "TokenCount",
    "TokenSource",
    "ToolCall",
    "Trajectory",
    "Turn",
    "__version__",
    "compare",
    "measure",
    "open",
    "record",
    "report",
]


def __dir__() -> list[str]:
    return sorted(__all__)
