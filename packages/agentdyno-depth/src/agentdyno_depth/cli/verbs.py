"""The verbs of agentdyno-depth."""

from agentdyno.cli.verb import LABORATORY, Verb

VERBS = (
    Verb("depth", LABORATORY, "agentdyno_depth.cli.depth:command"),
    Verb("think", LABORATORY, "agentdyno_depth.cli.think:command"),
)
"""In the order of the help text."""
