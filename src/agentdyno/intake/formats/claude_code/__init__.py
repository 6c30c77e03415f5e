"""Claude Code: session files with responses spread over lines, and those of its sub-agents."""

from agentdyno.intake.format import Format
from agentdyno.intake.formats.claude_code.detect import detect
from agentdyno.intake.formats.claude_code.read import read

FORMAT = Format(
    name="claude_code",
    title="Claude Code sessions (JSONL), sub-agents included",
    detect=detect,
    read=read,
)
