"""The verbs of agentdyno-depth."""

from agentdyno.cli.verb import PAPERS, Verb

VERBS = (
    Verb(
        "depth",
        PAPERS,
        "agentdyno_depth.cli.depth:command",
        "Measure the deep-thinking ratio of an open model.",
    ),
    Verb(
        "think",
        PAPERS,
        "agentdyno_depth.cli.think:command",
        "Sample answers, stop the unpromising, let the rest vote.",
    ),
)
"""In the order of the help text."""
