"""The verbs of agentdyno-bench."""

from agentdyno.cli.verb import LABORATORY, Verb

VERBS = (
    Verb("judge", LABORATORY, "agentdyno_bench.app.cli.judge:command"),
    Verb("classify", LABORATORY, "agentdyno_bench.app.cli.classify:command"),
    Verb("bench", LABORATORY, "agentdyno_bench.app.cli.bench:app"),
    Verb("ablate", LABORATORY, "agentdyno_bench.app.cli.ablate:command"),
    Verb("world", LABORATORY, "agentdyno_bench.app.cli.world:app"),
)
"""In the order of the help text."""
