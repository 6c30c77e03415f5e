"""LangSmith: exported runs."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for runs with their type and their trace."""
    is_run = head.keys >= {"run_type", "inputs"} and bool(head.keys & {"trace_id", "dotted_order"})
    wrapped = "runs" in head.keys and b'"run_type"' in head.data and b'"trace_id"' in head.data
    return 0.95 if is_run or wrapped else 0.0


FORMAT = Format(
    name="langsmith",
    title="LangSmith runs (JSON, JSON lines)",
    detect=detect,
    has_real_file=False,
    read=reader_in("agentdyno.intake.formats.langsmith.read"),
    description=(
        "Read: runs of type llm with tokens, cache reads and writes, reasoning, costs, times and "
        "time to the first token; tools with their times and errors; feedback as a score. Totals "
        "on the runs around them are not added. Missing: response ids of some providers; what was "
        "not traced. Runs without counts are counted from their text."
    ),
)
