"""Langfuse: exported traces with their observations."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head


def detect(head: Head) -> float:
    """0.95 for a trace with its observations, 0.9 for observations alone."""
    if head.keys >= {"trace", "observations"} and not head.is_list:
        return 0.95
    data = head.data
    exported = b'"traceId"' in data and b'"parentObservationId"' in data
    listed = head.keys >= {"traceId", "type", "startTime"} and b'"GENERATION"' in data
    return 0.9 if exported or listed else 0.0


FORMAT = Format(
    name="langfuse",
    title="Langfuse exports: {trace, observations}, API pages, lists, JSON lines",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.langfuse.read"),
    description=(
        "Read: generations with tokens, cache reads and writes, reasoning, costs, times and time "
        "to the first token; tools; agents and sub-agents; scores. A generation inside another is "
        "the same call. Inputs and outputs as frameworks store them (OpenAI, Anthropic, Gemini, "
        "LangChain, Vercel AI, Pydantic AI, OpenTelemetry). Missing: tool schemas mostly, and all "
        "texts in a download from the web page; hidden prompt is then the reported input. "
        "Generations without counts are counted from their text."
    ),
)
