"""The verbs for people with coding agents."""

from agentdyno.cli.verb import MEASURE, Verb

VERBS = (
    Verb("statusline", MEASURE, "agentdyno.cli.statusline_verb:command"),
    Verb("mcp", MEASURE, "agentdyno.cli.mcp:command"),
    Verb("budget", MEASURE, "agentdyno.cli.budget:command"),
    Verb("apply", MEASURE, "agentdyno.cli.apply:apply"),
    Verb("undo", MEASURE, "agentdyno.cli.apply:undo"),
)
"""In the order of the help text."""
