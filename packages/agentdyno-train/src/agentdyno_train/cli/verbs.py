"""The verbs of agentdyno-train."""

from agentdyno.cli.verb import PAPERS, Verb

VERBS = (
    Verb(
        "train",
        PAPERS,
        "agentdyno_train.cli.train:command",
        "Train an agent in the planning world.",
    ),
)
"""In the order of the help text."""
