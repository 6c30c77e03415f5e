"""The verbs of the core."""

from agentdyno.cli.verb import KNOWN, LABORATORY, MEASURE, Verb

VERBS = (
    Verb("measure", MEASURE, "agentdyno.cli.measure:command"),
    Verb("follow", MEASURE, "agentdyno.cli.follow:command"),
    Verb("receive", MEASURE, "agentdyno.cli.receive:command"),
    Verb("report", MEASURE, "agentdyno.cli.report:command"),
    Verb("view", MEASURE, "agentdyno.cli.view:command"),
    Verb("notes", MEASURE, "agentdyno.cli.notes:command"),
    Verb("compare", MEASURE, "agentdyno.cli.compare:command"),
    Verb("whatif", MEASURE, "agentdyno.cli.whatif:command"),
    Verb("cache", MEASURE, "agentdyno.cli.cache:command"),
    Verb("capacity", MEASURE, "agentdyno.cli.capacity:command"),
    Verb("proof", MEASURE, "agentdyno.cli.proof:command"),
    Verb("findings", MEASURE, "agentdyno.cli.findings:app"),
    Verb("ledger", MEASURE, "agentdyno.cli.ledger:app"),
    Verb("export", MEASURE, "agentdyno.cli.export:command"),
    Verb("doctor", KNOWN, "agentdyno.cli.doctor:command"),
    Verb("arch", KNOWN, "agentdyno.cli.arch:command"),
    Verb("hardware", KNOWN, "agentdyno.cli.hardware:command"),
    Verb("prices", KNOWN, "agentdyno.cli.prices:command"),
    Verb("formats", KNOWN, "agentdyno.cli.formats:command"),
    Verb("paper", LABORATORY, "agentdyno.cli.paper:command"),
)
"""In the order of the help text."""
