"""LiteLLM: spend logs of the proxy, and the payloads its callbacks write."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

_ROW = {"request_id", "call_type", "spend", "startTime"}
_PAYLOAD = {"call_type", "response_cost", "startTime", "model"}


def detect(head: Head) -> float:
    """0.95 for rows and payloads, whether JSON or CSV."""
    if head.keys >= _ROW or head.keys >= _PAYLOAD:
        return 0.95
    return 0.95 if is_csv(head) else 0.0


def is_csv(head: Head) -> bool:
    """True for a table with the columns of the spend logs."""
    if head.data[:1] in b"{[":
        return False
    header = head.data.partition(b"\n")[0].decode("utf-8", "replace")
    return {name.strip().strip('"') for name in header.split(",")} >= _ROW


FORMAT = Format(
    name="litellm",
    title="LiteLLM spend logs and logging payloads (JSON, JSON lines, CSV)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.litellm.read"),
    description=(
        "Read: tokens per call with cache reads, cache writes and reasoning where the usage object "
        "is there, what LiteLLM says it cost, times and time to the first token, failures, "
        "sessions; messages, tools and answers where the proxy stores them. Missing by default: "
        "every text (store_prompts_in_spend_logs), so all of the prompt is hidden and calls of "
        "tools are unknown. Calls without a session's id and without text stand alone."
    ),
)
