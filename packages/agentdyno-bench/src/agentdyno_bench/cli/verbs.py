"""The verbs of agentdyno-bench."""

from agentdyno.cli.verb import BENCHMARK, JUDGE, Verb

VERBS = (
    Verb("judge", JUDGE, "agentdyno_bench.cli.judge:command"),
    Verb("classify", JUDGE, "agentdyno_bench.cli.classify:command"),
    Verb("rewards", JUDGE, "agentdyno_bench.cli.rewards:command"),
    Verb("bench", BENCHMARK, "agentdyno_bench.cli.bench:app"),
    Verb("ablate", BENCHMARK, "agentdyno_bench.cli.ablate:command"),
    Verb("world", BENCHMARK, "agentdyno_bench.cli.world:app"),
)
"""In the order of the help text."""
