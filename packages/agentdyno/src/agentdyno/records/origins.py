"""The origins of a context's tokens, beyond the texts of calls, as a ledger table."""

from agentdyno.records.columns import Column

CLIENT = "client and built-in tools"
SERVER = "MCP server"
SKILL = "skill"
FILE = "instruction file"
SETUP = "plugins, MCP servers, memory (not logged)"
TASK = "this task"
RECENT = "earlier tasks, 1 or 2 prompts ago"
OLD = "earlier tasks, 3 or more prompts ago"
FRAMES = "frames of calls"
PUT_BACK = "put back after compaction"
OTHER_FILE = "earlier conversation in another file"
AGENTS = "contexts of sub-agents"
REWRITTEN = "lost cache paid again"
OUTPUT = "output"
UNEXPLAINED = "unexplained"
NOT_ITEMISED = "not itemised"
"""Money of turns that no row of origins shares out, or that a trace states in one sum."""
EARLIER_NAMES = {
    "plugins, MCP servers and memory that are not logged": SETUP,
    "rewritten cache": REWRITTEN,
    "sub-agents": AGENTS,
}
"""Names that ledgers measured before have."""

HOW_KNOWN = {
    CLIENT: "estimated", SETUP: "difference", FILE: "file", FRAMES: "estimated",
    PUT_BACK: "difference", OTHER_FILE: "difference", UNEXPLAINED: "unexplained",
}  # fmt: skip
"""Of the other origins the text or the count is `logged`."""

ORIGINS: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("turn", "whole", "The turn that had it in context, or generated it."),
    Column("origin", "text", "Where the tokens come from: client, skill, instruction file, …"),
    Column("name", "text", "Which skill, MCP server or file; null for the other origins."),
    Column("known_by", "text", "`logged`, `file`, `estimated`, `difference` or `unexplained`."),
    Column("tokens", "number", "Tokens in the turn's context, or generated."),
    Column("usd", "number", "What the turn was charged for them; null without a price."),
)
"""A row per turn and origin. The tokens of a turn's context add up to what was billed."""
