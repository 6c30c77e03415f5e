"""Claude Code: session files with responses spread over lines, and those of its sub-agents."""

from agentdyno.intake.format import Format, follower_in, reader_in, scanner_in
from agentdyno.intake.formats.claude_code.detect import detect

FORMAT = Format(
    name="claude_code",
    title="Claude Code sessions (JSONL) and stream-json output, sub-agents included",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.claude_code.read"),
    follow=follower_in("agentdyno.intake.formats.claude_code.read", "SessionReader"),
    totals=scanner_in("agentdyno.intake.formats.claude_code.totals"),
    version=7,
    description=(
        "Read: tokens per response with cache reads and cache writes by lifetime, thinking, calls, "
        "results, errors, tool times where a result states them, compactions, forks, resumed "
        "sessions, sub-agents inline and in files of their own. Missing: system prompt and tool "
        "schemas (hidden prompt: telemetry with raw bodies or a proxy shows them), prices; a count "
        "of output that is only a placeholder is estimated from the text, or taken from telemetry "
        "of the same session. Output of `claude -p --output-format stream-json` has no times and "
        "only placeholders for output: where its last line sums up a model of which every response "
        "is shown, they are shared out from there (scaled)."
    ),
)
