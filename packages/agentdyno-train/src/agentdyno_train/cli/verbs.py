"""The verbs of agentdyno-train."""

from agentdyno.cli.verb import LABORATORY, Verb

VERBS = (Verb("train", LABORATORY, "agentdyno_train.cli.train:command"),)
"""In the order of the help text."""
