"""GitHub Copilot CLI: the event log of a session, with its sub-agents."""

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.formats.copilot_cli.detect import detect

FORMAT = Format(
    name="copilot_cli",
    title="GitHub Copilot CLI sessions (events.jsonl), sub-agents included",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.copilot_cli.read"),
    description=(
        "Read: with usage records (from about 1.0.9x) tokens per response with cache reads, cache "
        "writes and reasoning, the size of all tool schemas, time to the first token, AI credits "
        "as money (1 credit = $0.01), tool times, exit codes, compactions, sub-agents. Missing: "
        "the text of schemas and mostly of the system prompt, which is hidden prompt. Older "
        "versions report totals only when a session ends: input is then shared out over its "
        "responses by the size of their visible context and marked as estimated, though the sum "
        "is exact; a session that did not end properly is counted from its text."
    ),
)
