"""The verbs of the core."""

from agentdyno.cli.verb import EVERY_DAY, MEASURE, PAPERS, Verb

VERBS = (
    Verb("measure", MEASURE, "agentdyno.cli.measure:command",
         "Read traces into a ledger and say what they come to."),
    Verb("report", MEASURE, "agentdyno.cli.report:command",
         "Report a ledger, in the terminal or as one HTML file."),
    Verb("view", MEASURE, "agentdyno.cli.view:command",
         "Explore a ledger in a page on this machine."),
    Verb("compare", MEASURE, "agentdyno.cli.compare:command",
         "Compare two ledgers, and keep the limits of a CI job."),
    Verb("export", MEASURE, "agentdyno.cli.export:command",
         "Export tables, or trajectories as other tools read them."),
    Verb("ledger", MEASURE, "agentdyno.cli.ledger:app",
         "Maintain a ledger: verify, update, merge, forget."),
    Verb("capacity", MEASURE, "agentdyno.cli.capacity:command",
         "Say how many agents a machine of your own serves."),
    Verb("about", MEASURE, "agentdyno.cli.about:app",
         "Say what is known here, and how figures were made."),
    Verb("paper", PAPERS, "agentdyno.cli.paper:command",
         "Run a paper's experiment, ours below its own."),
    Verb("follow", EVERY_DAY, "agentdyno.cli.follow:command",
         "Measure sessions while they are written."),
    Verb("receive", EVERY_DAY, "agentdyno.cli.receive:command",
         "Measure telemetry as it comes (OTLP)."),
    Verb("cache", EVERY_DAY, "agentdyno.cli.cache:command",
         "Show what the cache lost, why, and for how much."),
)  # fmt: skip
"""In the order of the help text."""
