"""The verbs for people with coding agents."""

from agentdyno.cli.verb import EVERY_DAY, Verb

VERBS = (
    Verb("apply", EVERY_DAY, "agentdyno_daily.cli.apply:apply",
         "Make a change that saves money; --undo takes it back."),
    Verb("budget", EVERY_DAY, "agentdyno_daily.cli.budget:command",
         "Set and check what a month may cost."),
    Verb("statusline", EVERY_DAY, "agentdyno_daily.cli.statusline_verb:command",
         "Answer Claude Code's status hook."),
    Verb("mcp", EVERY_DAY, "agentdyno_daily.cli.mcp:command",
         "Answer an agent over MCP: cost, cache, budget."),
)  # fmt: skip
"""In the order of the help text."""
