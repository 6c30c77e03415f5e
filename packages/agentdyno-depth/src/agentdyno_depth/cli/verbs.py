"""The verbs of agentdyno-depth."""

from agentdyno.cli.verb import INSIDE, KNOWN, Verb

VERBS = (
    Verb("depth", INSIDE, "agentdyno_depth.cli.depth:command"),
    Verb("think", INSIDE, "agentdyno_depth.cli.think:command"),
    Verb("calibrate", KNOWN, "agentdyno_depth.cli.calibrate:command"),
)
"""In the order of the help text."""
