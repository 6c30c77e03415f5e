"""The verbs of agentdyno-bench."""

from agentdyno.cli.verb import PAPERS, Verb

VERBS = (
    Verb(
        "judge",
        PAPERS,
        "agentdyno_bench.app.cli.judge:command",
        "Ask models or rollouts about calls and attempts.",
    ),
    Verb(
        "classify",
        PAPERS,
        "agentdyno_bench.app.cli.classify:command",
        "Label answers by failure mode.",
    ),
    Verb(
        "bench",
        PAPERS,
        "agentdyno_bench.app.cli.bench:app",
        "Run a benchmark with your models and measure it.",
    ),
    Verb(
        "worth",
        PAPERS,
        "agentdyno_bench.app.cli.worth:command",
        "Does a tool pay? With and without it, task by task.",
    ),
    Verb(
        "world",
        PAPERS,
        "agentdyno_bench.app.cli.world:app",
        "Serve a planning task over MCP, graded.",
    ),
)
"""In the order of the help text."""
