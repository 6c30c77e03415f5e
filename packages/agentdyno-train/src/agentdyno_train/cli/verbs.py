"""The verbs of agentdyno-train."""

from agentdyno.cli.verb import BENCHMARK, Verb

VERBS = (
    Verb("train", BENCHMARK, "agentdyno_train.cli.train:command"),
    Verb("sheet", BENCHMARK, "agentdyno_train.cli.sheet:command"),
)
"""In the order of the help text."""
