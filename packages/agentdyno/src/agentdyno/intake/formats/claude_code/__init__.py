"""Claude Code: session files with responses spread over lines, and those of its sub-agents."""

from agentdyno.intake.format import Format, follower_in, reader_in
from agentdyno.intake.formats.claude_code.detect import detect

FORMAT = Format(
    name="claude_code",
    title="Claude Code sessions (JSONL), sub-agents included",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.claude_code.read"),
    follow=follower_in("agentdyno.intake.formats.claude_code.read", "SessionReader"),
    version=2,
)
